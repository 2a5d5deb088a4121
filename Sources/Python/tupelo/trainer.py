"""Training by self-play."""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from ctypes import byref
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _configuration, _history
from . import _library as library
from ._checks import flag, number, whole
from ._history import Progress
from ._structs import ProgressStruct
from .model import Model
from .report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keys import TrainerSettings

#: A function of a trainer and the progress of a part of its run; `False` ends the training.
Callback = Callable[["Trainer", Progress], Any]

#: The seed of evaluations during training in the program: evaluation.seed + 10^9, with its default.
INTERIM_SEED = 1_001_000_003


class _Stretch:
    """Adds the slices of a part of a training run."""

    def __init__(self) -> None:
        self.games = self.moves = self.slice_games = self.slice_moves = self.fresh = 0
        self.score_sum = self.score_max = 0
        self.errors = self.seconds = 0.0
        self.outcomes = np.zeros(28, np.int64)

    def add(self, progress: ProgressStruct) -> None:
        self.games, self.moves = progress.games, progress.moves
        self.slice_games += progress.slice_games
        self.slice_moves += progress.slice_moves
        self.fresh += progress.fresh_games
        self.score_sum += progress.score_sum
        self.score_max = max(self.score_max, progress.score_maximum)
        self.errors += progress.absolute_error_sum
        self.seconds += progress.seconds
        self.outcomes += np.frombuffer(progress.outcomes, np.int64)

    def progress(self) -> Progress:
        return Progress(
            self.games,
            self.moves,
            self.score_sum / self.fresh if self.fresh else float("nan"),
            self.score_max,
            self.errors / self.slice_moves if self.slice_moves else 0.0,
            self.slice_moves / self.seconds if self.seconds > 0 else 0.0,
            self.seconds,
            tuple(self.outcomes.tolist()),
        )


class Trainer:
    """A training run: a configuration, its weights and its progress.

        trainer = tupelo.Trainer("quickstart", games=5000)
        for progress in trainer.run():
            print(progress)
        trainer.model().save("model.safetensors")

    With one thread, the weights after n games are those of `tupelo train`, bit for bit, also after Ctrl-C and another
    `run`, and for any division of the run into parts that does not cut a group of interleaved games. For dense networks
    and batches they are equal within rounding, because a wheel computes these without OpenBLAS. One thread at a time
    may use a trainer.

    Args:
        config: the name of a configuration that comes with the package, such as "quickstart" (a wrong name lists
            them); the path of a YAML file, as a `Path` or a text that ends in .yaml or .yml; YAML as any other text;
            or a dictionary, nested or with keys such as "learner.alpha". By default nothing is set
        overrides: more settings, which override those of `config`. A name without a section means `training`, such
            as `games=5000`; a double underscore stands for the point, such as `learner__alpha=0.5`. As a dictionary:
            `overrides={"learner.alpha": 0.5}`

    Environment variables set nothing.

    Raises:
        TypeError: `config` or a setting has another type.
        ConfigurationError: with a line for each unknown key or bad value, or the name of a configuration is unknown.
        ModelError: the file cannot be read.
        OutOfMemoryError: the run does not fit into memory.
    """

    def __init__(
        self,
        config: str | os.PathLike[str] | Mapping[str, Any] = "",
        *,
        overrides: Mapping[str, Any] | None = None,
        **settings: Unpack[TrainerSettings],
    ) -> None:
        yaml, name = _configuration.source(config)
        values, count = _configuration.texts(overrides, settings)
        self._own(library.long_handle("trainer_create", yaml, name, values, count))

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        overrides: Mapping[str, Any] | None = None,
        allow_changes: bool = False,
        **settings: Unpack[TrainerSettings],
    ) -> Trainer:
        """Continues a run from a checkpoint, with the weights that it would have had without the interruption, and with
        its history.

        Args:
            path: a checkpoint, or the folder of a run
            overrides, settings: as in `Trainer`, such as `games=100_000`
            allow_changes: whether settings that affect the learning, such as the seed, may change

        Raises:
            ModelError: the file is missing or damaged, or it is not a checkpoint.
            ConfigurationError: a setting is unknown, or it cannot change.
            OutOfMemoryError: the run does not fit into memory.
        """
        values, count = _configuration.texts(overrides, settings)
        trainer = cls.__new__(cls)
        changes = int(flag(allow_changes, "allow_changes"))
        place = library.path_text(path, "path")
        trainer._own(library.long_handle("trainer_resume", place, values, count, changes))
        attached = library.content(library.handle("trainer_attached", trainer._handle))
        trainer._history = _history.decode(attached, os.fsdecode(place))
        return trainer

    def _own(self, handle: int) -> None:
        self._handle = handle
        self._end = weakref.finalize(self, library.release, handle)
        self._history: list[Progress] = []
        self._settings = self.facts
        self._games, self._moves = int(self._settings["games"]), int(self._settings["moves"])

    @property
    def facts(self) -> dict[str, Any]:
        """Facts about the run.

        The keys are game, games, moves, target, configuration (YAML), learner, structure, memory_bytes, group_games,
        threads, huge_pages and warnings.

        Raises:
            BusyError: another thread uses the trainer.
        """
        return dict(json.loads(library.text("trainer_info", self._handle)))

    @property
    def games(self) -> int:
        """The games of the whole run so far. While another thread trains, this number is up to 0.1 seconds old."""
        return self._games

    @property
    def moves(self) -> int:
        """The moves of the whole run so far. While another thread trains, this number is up to a second old."""
        return self._moves

    @property
    def config_yaml(self) -> str:
        """The configuration with every setting, as YAML."""
        return str(self._settings["configuration"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about settings that have no effect, and about the checkpoint."""
        return list(self._settings["warnings"])

    @property
    def history(self) -> dict[str, np.ndarray]:
        """The reports of `run` and `train`, as arrays for a plot: games, moves (int64), score_mean, score_max,
        td_error, moves_per_second, seconds (float64), all of shape (n,), and outcomes, int64 (n, 28); see
        `Progress`."""
        columns = {
            name: np.array([getattr(progress, name) for progress in self._history], kind)
            for name, kind in [
                ("games", np.int64), ("moves", np.int64), ("score_mean", np.float64), ("score_max", np.float64),
                ("td_error", np.float64), ("moves_per_second", np.float64), ("seconds", np.float64),
            ]
        }  # fmt: skip
        outcomes = np.array([progress.outcomes for progress in self._history], np.int64).reshape(-1, 28)
        return {**columns, "outcomes": outcomes}

    @property
    def evaluations(self) -> list[tuple[int, Report]]:
        """The evaluations of `run` and `train`: the games that were trained before each of them, and its report."""
        return [(progress.games, progress.report) for progress in self._history if progress.report is not None]

    def run(
        self, games: int | None = None, *, seconds_per_report: float = 0.25, evaluate_every: int | None = None,
        evaluation_games: int | None = None, evaluation_plies: int | None = None, evaluation_seed: int = INTERIM_SEED,
    ) -> Iterator[Progress]:  # fmt: skip
        """Trains, and reports several times a second. Training begins when the first report is requested.

        Ctrl-C, or leaving the loop, ends the training between two games; the trainer stays usable, and another `run`
        continues from there with the weights of an undivided run.

        Args:
            games: how many games to train, counted from the first report on; by default the rest of the
                configuration's `training.games`. If one thread plays interleaved games, give multiples of
                `facts["group_games"]` for weights that do not depend on how a run is divided
            seconds_per_report: the time between two reports
            evaluate_every: evaluates the model whenever the games of the whole run reach a multiple of this number, and
                reports then; a multiple of `facts["group_games"]`, or 0 for no evaluation. By default the
                configuration's `evaluation.every_games`
            evaluation_games, evaluation_plies: as in `Model.evaluate`; by default the configuration's
                `evaluation.interim_games` and `evaluation.plies`
            evaluation_seed: as in `Model.evaluate`; by default that of the program's evaluations during training, with
                other games than those of `Model.evaluate`: the games that choose a model do not measure it, too

        Raises:
            TypeError, ValueError: an argument has another type or is out of its range.
            TrainingError: the weights diverged.
            BusyError: another thread uses the trainer.
        """
        limit = number(seconds_per_report, "seconds_per_report", 0.001, 86_400)
        if games is not None:
            games = whole(games, "games", 0, 10**12)
        usual = self._settings["evaluation"]
        every = whole(usual["every_games"] if evaluate_every is None else evaluate_every, "evaluate_every", 0, 10**12)
        group = int(self._settings["group_games"])
        if every % group:
            raise ValueError(
                f"evaluate_every is {every}: give a multiple of {group}, which is the number of interleaved games, "
                "because a run that stops elsewhere learns other weights"
            )
        evaluation: dict[str, Any] = {
            "games": whole(
                usual["games"] if evaluation_games is None else evaluation_games, "evaluation_games", 1, 10**8
            ),
            "plies": whole(usual["plies"] if evaluation_plies is None else evaluation_plies, "evaluation_plies", 1, 8),
            "seed": whole(evaluation_seed, "evaluation_seed", 0, (1 << 64) - 1),
        }
        return self._run(games, limit, every, evaluation)

    def _target(self, games: int | None) -> int:
        """The games of the whole run at which a training of `games` ends that begins now."""
        return int(self._settings["target"]) if games is None else self._games + games

    def _run(
        self, games: int | None, limit: float, every: int, evaluation: dict[str, Any]
    ) -> Iterator[Progress]:
        done, target = self._games, self._target(games)
        while done < target:
            stretch, end = _Stretch(), target
            if every:
                end = min(target, (done // every + 1) * every)
            try:
                while done < end and stretch.seconds < limit:
                    left = max(int(1000 * (limit - stretch.seconds)), 1)
                    done = self._slice(end, min(left, 1000), stretch)
            finally:
                if stretch.slice_games:
                    self._history.append(stretch.progress())
            if every and done // every > (done - stretch.slice_games) // every:
                self._history[-1] = self._history[-1]._replace(report=self.model().evaluate(**evaluation))
            yield self._history[-1]

    def _slice(self, target: int, milliseconds: int, stretch: _Stretch) -> int:
        progress, before = ProgressStruct(), self._games

        def train(control: int) -> int:
            return library.status("trainer_slice", self._handle, target, milliseconds, control, byref(progress))

        def watch(games: int) -> None:
            if games:  # In a call that is refused, the games belong to another thread.
                self._games = before + games

        try:
            library.interruptible(train, watch)
        finally:
            if progress.slice_games:  # This includes the training before Ctrl-C.
                stretch.add(progress)
                self._games, self._moves = progress.games, progress.moves
        return int(progress.games)

    def train(
        self, games: int | None = None, *, progress: bool = True, callback: Callback | None = None,
        evaluate_every: int | None = None, evaluation_games: int | None = None, evaluation_plies: int | None = None,
        evaluation_seed: int = INTERIM_SEED,
    ) -> Progress | None:  # fmt: skip
        """Trains to the end, with a bar of tqdm if it is installed.

        Args:
            games: how many games to train; by default the rest of the configuration's `training.games`
            progress: whether to show the bar
            callback: a function that is called about once a second, and after each evaluation, with this trainer and
                the progress of that part. It may use the trainer, such as `trainer.save(path)`. If it returns `False`,
                the training ends
            evaluate_every, evaluation_games, evaluation_plies, evaluation_seed: as in `run`

        Returns:
            The progress of the last second; `None` if there was nothing to train.

        Raises:
            TypeError, ValueError: an argument has another type or is out of its range.
            TrainingError: the weights diverged.
            BusyError: another thread uses the trainer.
        """
        bar = None
        steps = self.run(
            games, seconds_per_report=1.0, evaluate_every=evaluate_every, evaluation_games=evaluation_games,
            evaluation_plies=evaluation_plies, evaluation_seed=evaluation_seed,
        )  # fmt: skip
        if not (callback is None or callable(callback)):
            raise TypeError(f"callback is {callback!r}: give a function of the trainer and its progress")
        if flag(progress, "progress"):
            try:
                from tqdm.auto import tqdm

                bar = tqdm(total=self._target(games), initial=self._games, unit="game")
            except ImportError:
                pass
        last = None
        try:
            for last in steps:
                if bar is not None:
                    bar.set_postfix(average=f"{last.score_mean:,.0f}", refresh=False)
                    bar.update(last.games - bar.n)
                if callback is not None and callback(self, last) is False:
                    break
        finally:
            if bar is not None:
                bar.close()
        return last

    def model(self) -> Model:
        """A copy of the model as it is now, averaged if the configuration averages. Training does not change it.

        Raises:
            OutOfMemoryError: the copy does not fit into memory.
            BusyError: another thread uses the trainer.
        """
        return Model._of(library.long_handle("trainer_model", self._handle))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint with the history, from which `resume` continues. It appears whole or not at all.

        Raises:
            ModelError: the file cannot be written.
            BusyError: another thread uses the trainer.
        """
        place, history = library.path_text(path, "path"), np.frombuffer(_history.encode(self._history), np.uint8)
        library.call("trainer_attach", self._handle, library.address(history), len(history))
        library.interruptible(lambda control: library.status("trainer_save", self._handle, place))

    def __repr__(self) -> str:
        facts = self._settings
        return f"<tupelo.Trainer {facts['structure']}, {self._games:,} of {facts['target']:,} games>"

    def _repr_html_(self) -> str:
        from html import escape

        lines = [repr(self), *map(str, self._history[-5:])] if self._history else [self.config_yaml]
        return f"<pre>{escape(chr(10).join(lines))}</pre>"

    def __reduce__(self) -> Any:
        raise TypeError("a Trainer cannot be pickled or copied: save(path) a checkpoint and resume(path) it")
