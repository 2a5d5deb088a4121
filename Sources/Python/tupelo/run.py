"""The folder of a run whose learner you write yourself."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from ctypes import c_char_p
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from . import _configuration
from . import _library as library
from ._checks import flag, mapping, number, whole
from .evaluation import Bar, ShowProgress, evaluate, facts_of, results_of
from .model import Model
from .report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keys import TrainerSettings

#: A model, an agent or a function, as `tupelo.evaluate` takes it.
Player = Model | str | Callable[[NDArray[np.uint8], NDArray[np.bool_]], Any]
_FINAL, _INTERIM, _FINISHED, _INTERRUPTED = 0, 1, 0, 1


class Run:
    """The folder of a run whose learner you write yourself, such as in numpy or torch.

        with tupelo.Run("runs/mine", {"own.decay": 0.9}) as run:
            for games, moves, score in train():
                run.log(games, moves, {"rollout/score_mean": score, "loss": 0.5})
            run.save(model)
            print(run.evaluate(model))

    The folder is that of `tupelo train`: config.yaml, meta.json, metrics.jsonl, event files, model.safetensors and
    evaluation.json. So `tupelo runs`, `compare`, `plot`, `evaluate`, `serve --runs` and TensorBoard show it beside the
    runs of the program. The end of a `with` block ends the run, as finished, as interrupted by Ctrl-C, or by another
    exception as one that failed.

    One process at a time uses a folder, and one thread at a time a run.

    Args:
        folder: the path of a new folder, or of the run to resume
        config, overrides, settings: as in `Trainer`. The key own.learner names your learner, by default as the folder;
            YAML must have this key. Section `own` takes any other settings, with names of lower-case letters, digits
            and `_`, and values that are texts, numbers or true and false. Keys that your learner shares
            with the package, such as seed, network.patterns and learner.alpha, make runs comparable. The keys of
            section `evaluation` count for `evaluate`
        resume: whether the folder has a run of this learner, which continues after its last record. Without settings
            it keeps those that it has. The state of the learner is yours to save and to load

    Raises:
        TypeError, ValueError: an argument has another type, or YAML does not set own.learner.
        ConfigurationError: with a line for each unknown key or bad value.
        ModelError: the folder cannot be written, is in use, already holds a run, or has none of this learner to resume.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        config: str | os.PathLike[str] | Mapping[str, Any] = "",
        *,
        overrides: Mapping[str, Any] | None = None,
        resume: bool = False,
        **settings: Unpack[TrainerSettings],
    ) -> None:
        place = library.path_text(folder, "folder")
        if config == "" and not resume:  # A resumed run keeps its settings.
            config = {}
        if isinstance(config, Mapping):
            config = _configuration.with_default(config, "own.learner", Path(os.path.abspath(folder)).name)
        yaml, name = _configuration.source(config)
        values, count = _configuration.texts(overrides, settings)
        arguments = [argument.encode("utf-8", "replace") for argument in sys.argv]
        words, going_on = (c_char_p * len(arguments))(*arguments), int(flag(resume, "resume"))
        self._handle = library.handle("run_create", place, yaml, name, values, count, words, len(arguments), going_on)
        self._end = weakref.finalize(self, library.release, self._handle)
        self._settings = self._facts()

    def _facts(self) -> dict[str, Any]:
        return dict(json.loads(library.text("run_info", self._open())))

    def _open(self) -> int:
        """The handle of a run that has not been ended."""
        if not self._end.alive:
            raise ValueError(f"{self.folder}: the run has ended: open it again with resume=True")
        return self._handle

    @property
    def folder(self) -> Path:
        """The path of the folder."""
        return Path(self._settings["folder"])

    @property
    def games(self) -> int:
        """The games of the whole run at the last record; 0 before the first one."""
        return int(self._settings["games"])

    @property
    def moves(self) -> int:
        """The moves of the whole run at the last record."""
        return int(self._settings["moves"])

    @property
    def seconds(self) -> float:
        """The seconds of training of the whole run at the last record."""
        return float(self._settings["seconds"])

    @property
    def config_yaml(self) -> str:
        """The configuration with every setting, as YAML."""
        return str(self._settings["configuration"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about settings that have no effect."""
        return list(self._settings["warnings"])

    def log(
        self,
        games: SupportsIndex,
        moves: SupportsIndex,
        values: Mapping[str, SupportsFloat] | None = None,
        *,
        seconds: SupportsFloat | None = None,
    ) -> None:
        """Writes a record of the learning curve. It is in the files when this returns.

        The average length of games and the speed since the last record are added to it.

        Args:
            games, moves: counted since the start of the run, also before a resumption; they never fall
            values: finite numbers by tag, such as "rollout/score_mean", in score points, "rollout/rate_2048", a share,
                and "train/td_error_abs"; or by a name of your own without "/", such as "loss", whose tag becomes
                own/loss
            seconds: of training since the start of the run; by default the time since the last record, without that of
                evaluations, is added to its seconds

        Raises:
            TypeError, ValueError: a number is not finite or falls, or a tag is unknown. Nothing is written then.
            ModelError: the folder cannot be written.
        """
        numbers = {
            key: number(value, str(key)) for key, value in mapping({} if values is None else values, "values").items()
        }
        names = [library.encoded(key, "a name in values") for key in numbers]
        column = np.array(list(numbers.values()), np.float64)
        most = 1 << 53
        library.call(
            "run_log", self._open(), whole(games, "games", 0, most), whole(moves, "moves", 0, most),
            -1.0 if seconds is None else number(seconds, "seconds", 0, most), len(names),
            (c_char_p * len(names))(*names), library.address(column),
        )  # fmt: skip
        self._settings = self._facts()

    def save(self, model: Model) -> None:
        """Writes the model into the folder, in place of an earlier one, whole or not at all. `tupelo.Model(run.folder)`
        and the commands that play find it there. `Model.from_tables` makes a model of numpy arrays.

        Raises:
            TypeError, ValueError: it is not a model, or a model of another game.
            ModelError: the file cannot be written.
        """
        handle = _model(model)._handle
        library.interruptible(lambda control: library.status("run_save", self._open(), handle))

    def evaluate(self, player: Player, *, interim: bool = False, progress: ShowProgress = False) -> Report:
        """Evaluates a player as the configuration says, and records the result after the games of the last record.

        A model plays with evaluation.plies. At the end the games are those of `tupelo evaluate`, and evaluation.json is
        written, for a model also records of its best, median and worst game.

        Args:
            player: a `Model`, an agent, or a function, as in `tupelo.evaluate`
            interim: whether this is an evaluation during training: evaluation.interim_games games, with a seed of their
                own, so that the games that choose a model do not measure it, too. Otherwise it is the evaluation at the
                end, with evaluation.games games
            progress: as in `tupelo.evaluate`

        Raises:
            TypeError, ValueError: an argument has another type; the model plays another game, or on another board.
            ModelError: the folder cannot be written.
        """
        stage = _INTERIM if flag(interim, "interim") else _FINAL
        games = self._settings["evaluation"]["interim" if interim else "final"]
        if not games["games"]:
            raise ValueError("evaluation.games is 0 in the configuration of the run: give the games of an evaluation")
        if isinstance(player, Model):
            return self._evaluate(player, stage, games, progress)
        rules = self._settings.get("rules")
        if rules is None:
            raise ValueError(f"player is {player!r}: give a Model, because only models play {self._settings['game']}")
        report = evaluate(
            player, games["games"], seed=games["seed"], shape=(rules["rows"], rules["columns"]),
            four_probability=rules["four_probability"], start_tiles=rules["start_tiles"], progress=progress,
        )  # fmt: skip
        agent = re.sub(r"[^A-Za-z0-9 ():,._=-]", "_", str(report["agent"]))
        library.call(
            "run_results", self._open(), library.encoded(agent, "agent"), stage, games["games"],
            *[library.address(array) for array in (report.scores, report.moves, report.outcomes)],
            float(report["seconds"]),
        )  # fmt: skip
        return report

    def _evaluate(self, model: Model, stage: int, games: dict[str, Any], progress: ShowProgress) -> Report:
        results = results_of(games["games"])
        addresses, handle, run = [library.address(array) for array in results], model._handle, self._open()

        def play(control: int) -> int:
            return library.status("run_evaluate", run, handle, stage, control, *addresses)

        begin = time.perf_counter()
        with Bar(progress, games["games"]) as bar:
            library.interruptible(play, bar.show)
            seconds = time.perf_counter() - begin
            bar.show(games["games"])
        rules = self._settings.get("rules")
        agent = None if rules is None else f"expectimax(plies: {games['plies']})"
        facts = facts_of(
            handle, results, seconds, agent=agent, seed=games["seed"],
            four_probability=rules["four_probability"] if rules else 0.1,
            start_tiles=rules["start_tiles"] if rules else 2,
        )  # fmt: skip
        return Report(facts, *results)

    def end(self, *, interrupted: bool = False) -> None:
        """Ends the run, and writes into meta.json whether it is finished or interrupted. Another process may use the
        folder then. A second call does nothing.

        Raises:
            ModelError: the folder cannot be written.
        """
        if self._end.alive:
            outcome = _INTERRUPTED if flag(interrupted, "interrupted") else _FINISHED
            try:
                library.call("run_end", self._handle, outcome)
            finally:
                self._end()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.end(interrupted=kind is not None)
        else:
            self._end()  # As after a crash: meta.json names no ending.

    def __repr__(self) -> str:
        return f"<tupelo.Run {self.folder}, {self._settings['learner']}, {self.games:,} games>"

    def __reduce__(self) -> Any:
        raise TypeError("a Run cannot be pickled or copied: end() it and open its folder with resume=True")


def _model(model: Any) -> Model:
    if not isinstance(model, Model):
        raise TypeError(f"model is {model!r}: give a tupelo.Model, which Model.from_tables makes of arrays")
    return model
