"""A trained model: values of positions, search, evaluation."""

from __future__ import annotations

import json
import os
import time
import weakref
from collections.abc import Callable
from ctypes import byref, c_int64
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import _library as library
from ._checks import as_row, choice, number, processors, whole
from ._errors import ModelError
from ._structs import EvaluationStruct, SearchLimits, SearchResult, SearchSettings
from .boards import _positions, as_exponents_of, pack
from .report import Report

FORMATS = ("f32", "f16", "compact")
#: The boards of one call. Ctrl-C waits at most for these.
_CHUNK = 1 << 20


class Analysis(NamedTuple):
    """The result of a search.

    Attributes:
        move: the best move: 0 up, 1 right, 2 down, 3 left; -1 if no move is legal
        values: float64 (4,), reward plus expected score to come of each move, in score points; NaN for illegal moves
        plies: the depth that was completed
        nodes: the number of afterstates that were valued
    """

    move: int
    values: np.ndarray
    plies: int
    nodes: int


class Model:
    """A model of 2048 or Set: an n-tuple network, a dense network, or the network of Set.

    Args:
        path: a model file, a checkpoint, the folder of a run, or a folder with `model.safetensors`, such as
            "models/medium"

    A model does not change, and any number of threads may use it at once. `search` with equal settings is for one of
    them at a time. It pickles as its path, so the file must be
    there where it is read again; a model of a `Trainer` pickles after `save`.

    Raises:
        ModelError: the file is missing or damaged, or it is not a model.
        OutOfMemoryError: the model does not fit into memory.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._own(
            library.handle("model_load", library.path_text(path, "path")), Path(os.path.abspath(os.fsdecode(path)))
        )

    load = classmethod(lambda cls, path: cls(path))

    @classmethod
    def _of(cls, handle: int) -> Model:
        model = cls.__new__(cls)
        model._own(handle, None)
        return model

    def _own(self, handle: int, path: Path | None) -> None:
        self._handle, self.path = handle, path
        self._facts: dict[str, Any] | None = None
        self._searchers: dict[tuple[Any, ...], int] = {}
        self._end = weakref.finalize(self, _release, handle, self._searchers)

    @property
    def facts(self) -> dict[str, Any]:
        """Facts about the model: game, kind, structure, fingerprint, weights, features, rows, columns."""
        if self._facts is None:
            self._facts = json.loads(library.text("model_info", self._handle))
        return dict(self._facts)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the boards.

        Raises:
            ModelError: the model is a model of Set.
        """
        facts = self.facts
        if facts["game"] != "2048":
            raise ModelError(f"{self}: a model of Set has no boards")
        return facts["rows"], facts["columns"]

    @property
    def weights(self) -> int:
        """The number of weights."""
        return int(self.facts["weights"])

    @property
    def identity(self) -> str:
        """16 hex digits of structure and weights, as `tupelo inspect` prints them.

        Models with equal identities play alike. The first use computes a hash of all weights: half a second for 134
        million.
        """
        return library.text("model_identity", self._handle)

    def save(
        self, path: str | os.PathLike[str], format: str = "f32", *, step: float | None = None, drop: float = 0.0
    ) -> None:
        """Writes a model file. It appears whole or not at all.

        Args:
            path: the path of the file; an existing file is replaced
            format: "f32"; "f16", half the size; "compact", much smaller
            step: for "compact", the distance of weights in score points; by default the largest step without loss of
                strength
            drop: for "compact", smaller weights become 0; by default no weights

        Raises:
            ModelError: the file cannot be written.
            ValueError: an argument is unknown or out of its range.
        """
        form = choice(format, FORMATS, "format")
        if format != "compact" and (step is not None or drop):
            raise ValueError("step and drop are for format='compact': add it, or leave them out")
        steps = 0.0 if step is None else number(step, "step", 1e-30, 1e9)
        library.call(
            "model_save", self._handle, library.path_text(path, "path"), form, steps,
            number(drop, "drop", 0, 1e9),
        )  # fmt: skip
        if self.path is None and format == "f32":
            self.path = Path(os.path.abspath(path))

    def values(self, afterstates: Any, overflow: Any = None) -> np.ndarray:
        """The values of afterstates: the score points still to come.

        Args:
            afterstates: uint64 (N,); see `tupelo.boards`
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none

        Returns:
            float32 (N,).

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        bits, high = _positions(afterstates, overflow, "afterstates")
        values = np.empty(len(bits), np.float32)
        for part in _chunks(len(bits)):
            library.call(
                "model_values", self._handle, len(bits[part]), library.address(bits[part]),
                library.address(None if high is None else high[part]), library.address(values[part]),
            )  # fmt: skip
        return values

    def move_values(self, boards: Any, overflow: Any = None) -> np.ndarray:
        """The values of the moves on boards: reward plus the value of the afterstate, in score points.

        Args:
            boards: uint64 (N,)
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none

        Returns:
            float32 (N, 4), by move; NaN for illegal moves.

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        values = np.empty((_length(boards), 4), np.float32)
        self._moves(boards, overflow, values, None)
        return values

    def best_moves(self, boards: Any, overflow: Any = None) -> np.ndarray:
        """The legal move with the largest value on each board (greedy play); if several are equal, the first of them.

        Args:
            boards: uint64 (N,)
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none

        Returns:
            int8 (N,), -1 if no move is legal.

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        best = np.empty(_length(boards), np.int8)
        self._moves(boards, overflow, None, best)
        return best

    def _moves(self, boards: Any, overflow: Any, values: np.ndarray | None, best: np.ndarray | None) -> None:
        bits, high = _positions(boards, overflow, "boards")
        for part in _chunks(len(bits)):
            library.call(
                "model_move_values", self._handle, len(bits[part]), library.address(bits[part]),
                library.address(None if high is None else high[part]),
                library.address(None if values is None else values[part]),
                library.address(None if best is None else best[part]),
            )  # fmt: skip

    def search(
        self,
        board: Any,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        four_probability: float = 0.1,
    ) -> Analysis:
        """Expectimax on one board. Ctrl-C ends it.

        Without `seconds` and `nodes` the result is equal on every machine. With them, the search deepens ply by ply,
        and the deepest completed ply gives the result.

        Args:
            board: exponents (rows, columns), one digit per cell as text, or 64 bits
            plies: the depth, 1 to 15; 1 is greedy. By default 3, or 15 with a limit on time or nodes
            seconds: the time, above 0
            nodes: the number of afterstates to value, above 0
            threads: the moves of the board that are searched at once, 1 to 4
            four_probability: the probability that a new tile is a 4

        Raises:
            ValueError: `board` is not a board of the model's shape, or a number is out of its range.
            ModelError: the model is a model of Set.
            BusyError: another thread searches with this model and these settings.
        """
        if isinstance(board, (int, np.integer)):
            bits, overflow = whole(board, "board", 0, (1 << 64) - 1), 0
        else:
            bits, overflow = (int(part) for part in pack(as_exponents_of(board, self.shape)))
        limited = seconds is not None or nodes is not None
        limits = SearchLimits(
            plies=whole(plies, "plies", 1, 15) if plies is not None else (0 if limited else 3),
            extend_empty_cells=-1,
            milliseconds=0.0 if seconds is None else 1000 * number(seconds, "seconds", 1e-6, 1e6),
            nodes=0 if nodes is None else whole(nodes, "nodes", 1),
            cutoff=0.0,
        )
        key = (whole(threads, "threads", 1, 4), number(four_probability, "four_probability", 0, 1))
        searcher, result = self._searchers.get(key), SearchResult()
        if searcher is None:
            settings = SearchSettings(four_probability=key[1], threads=key[0], table_mebibytes=-1)
            made = library.handle("searcher_create", self._handle, byref(settings))
            searcher = self._searchers.setdefault(key, made)
            if searcher != made:  # Another thread has already done this.
                library.release(made)

        def search(control: int) -> int:
            return library.status("searcher_search", searcher, bits, overflow, byref(limits), control, byref(result))

        if limits.plies in (1, 2) and not limited:  # The work is too short for another thread.
            status = search(0)
            if status:
                raise library.fail(status)
        else:
            library.interruptible(search)
        return Analysis(result.move, np.array(result.values[:]), result.plies, result.nodes)

    def evaluate(
        self,
        games: int = 1000,
        *,
        plies: int | None = None,
        agent: str | None = None,
        seed: int = 1000003,
        threads: int | None = None,
        four_probability: float = 0.1,
        start_tiles: int = 2,
        progress: bool | Callable[[int, int], None] = False,
    ) -> Report:
        """Plays games and reports them, as `tupelo evaluate` does. Ctrl-C ends it.

        Args:
            games: the number of games, 1 to 10^8. Game k depends on (seed, k) alone
            plies: the depth of the search, 1 to 8; by default 1, which is greedy
            agent: another player, in place of `plies`, as a text of `tupelo help agents`, such as
                "expectimax(milliseconds: 10)"
            seed: 0 to 2^64 - 1
            threads: 1 to 1024; by default one for each processor that this process may use
            four_probability: the probability that a new tile is a 4
            start_tiles: the number of tiles at the start
            progress: true for a bar of tqdm if it is installed, or a function of finished games and all games

        Raises:
            ValueError: an argument is unknown or out of its range, or both `plies` and `agent` are given.
        """
        if plies is not None:
            if agent is not None:
                raise ValueError(f"plies is {plies!r} and agent is {agent!r}: give one of them")
            if whole(plies, "plies", 1, 8) > 1:
                agent = f"expectimax(plies: {plies})"
        total = whole(games, "games", 1, 10**8)
        settings = EvaluationStruct(
            agent=None if agent is None else library.encoded(agent, "agent"),
            seed=whole(seed, "seed", 0, (1 << 64) - 1),
            first=0,
            games=total,
            threads=processors() if threads is None else whole(threads, "threads", 1, 1024),
            start_tiles=whole(start_tiles, "start_tiles", 1, 15),
            four_probability=number(four_probability, "four_probability", 0, 1),
        )
        scores, moves = np.zeros(total, np.int64), np.zeros(total, np.int64)
        outcomes, finished = np.zeros(total, np.int32), c_int64()
        results = [library.address(array) for array in (scores, moves, outcomes)]

        def evaluate(control: int) -> int:
            return library.status("evaluate", self._handle, byref(settings), control, *results, byref(finished))

        begin = time.perf_counter()
        with _Bar(progress, total) as bar:
            library.interruptible(evaluate, bar.show)
            seconds = time.perf_counter() - begin
            bar.show(total)
        text = library.text("report", self._handle, byref(settings), total, *results, seconds)
        return Report(json.loads(text), scores, moves, outcomes)

    def __repr__(self) -> str:
        return f"<tupelo.Model {self.path or 'in memory'}: {self.facts['kind']}, {self.weights:,} weights>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is None:
            raise ModelError("a model in memory has no file to pickle: call save(path) in format f32 first")
        return type(self), (str(self.path),)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self  # It does not change.


def _release(handle: int, searchers: dict[tuple[Any, ...], int]) -> None:
    for searcher in searchers.values():
        library.release(searcher)
    library.release(handle)


def _length(boards: Any) -> int:
    return len(as_row(boards, np.uint64, "boards"))


def _chunks(count: int) -> list[slice]:
    return [slice(begin, begin + _CHUNK) for begin in range(0, count, _CHUNK)]


class _Bar:
    """Shows the progress of an evaluation: by tqdm, by a function, or not at all."""

    def __init__(self, progress: bool | Callable[[int, int], None], total: int) -> None:
        self._told, self._total = progress if callable(progress) else None, total
        self._bar = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, unit="game")

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, games: int) -> None:
        if self._bar is not None:
            self._bar.update(games - self._bar.n)
        if self._told is not None:
            self._told(games, self._total)
