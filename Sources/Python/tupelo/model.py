"""A trained model: values of positions, search, evaluation."""

from __future__ import annotations

import json
import os
import re
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _library as library
from . import tables
from ._checks import as_row, choice, number, result, whole
from ._errors import ModelError
from ._structs import SearchLimits, SearchResult, SearchSettings
from .boards import _positions, as_exponents_of, pack
from .evaluation import ShowProgress, by_library
from .report import Report

FORMATS = ("f32", "f16", "compact")
#: The boards of one call. Ctrl-C waits at most for these.
_CHUNK = 1 << 20


class Analysis(NamedTuple):
    """The result of a search.

    Attributes:
        move: the best move: 0 up, 1 right, 2 down, 3 left; -1 if no move is legal
        values: float64 (4,), reward plus expected score to come of each move, in score points; NaN for illegal moves
        plies: the depth that was completed; with a limit on time or nodes, for likely boards
        nodes: the number of afterstates that were valued
    """

    move: int
    values: np.ndarray
    plies: int
    nodes: int


class Analyses(NamedTuple):
    """The results of searches on N boards.

    Attributes:
        moves: int8 (N,), the best moves; -1 if no move is legal
        values: float64 (N, 4), as in `Analysis`
        plies: int32 (N,)
        nodes: int64 (N,)
    """

    moves: NDArray[np.int8]
    values: NDArray[np.float64]
    plies: NDArray[np.int32]
    nodes: NDArray[np.int64]


class Model:
    """A model of 2048 or Set: an n-tuple network, a dense network, or the network of Set.

    Args:
        path: a model file, a checkpoint, the folder of a run, or a folder with `model.safetensors`, such as
            "models/medium"

    A model does not change, and any number of threads may use it at once. It pickles as its path, so the file must be
    there where it is read again; a model of a `Trainer`, or of `from_tables`, pickles after `save`.

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
        self._searchers: dict[tuple[Any, ...], list[int]] = {}
        self._end = weakref.finalize(self, _release, handle, self._searchers)

    @classmethod
    def from_tables(
        cls,
        patterns: str | Sequence[str],
        arrays: Sequence[Any],
        *,
        shape: tuple[int, int] = (4, 4),
        shared: bool = True,
        stages: str | None = None,
    ) -> Model:
        """A model in memory with weights that were learned outside of the package.

        Args:
            patterns: P patterns, as texts or one text with spaces, such as "0123 4567"; see `tupelo.tuple_indices`
            arrays: one array for each pattern, 16^cells weights in score points, of any shape and any type of number;
                they are copied as float32. Models with stages have the tables of the first stage, then of the second
            shape: rows and columns
            shared: whether all symmetric boards share a table
            stages: the stages of the game with tables of their own, such as "largest=16384"; by default one stage

        Raises:
            ValueError: something is not a pattern, or an array has another size or a weight that is not finite.
            ModelError: `stages` is not known or has another number of stages, or the folder of temporary files is full.
            OutOfMemoryError: the model does not fit into memory.
        """
        with _file() as file:
            tables.save(file, patterns, arrays, shape, shared, stages)
            try:
                return cls._of(library.handle("model_load", library.path_text(file, "path")))
            except ModelError as error:
                reason = str(error).removeprefix(f"{file}: ")
                raise ModelError(f"stages is {stages!r} and arrays has {len(arrays)} tables: {reason}") from None

    def tables(self) -> list[NDArray[np.float32]]:
        """Copies of the weights of an n-tuple network: float32 (16^cells,) for each of `patterns`, in score points; of
        a model with stages, the tables of the first stage, then of the second, and so on.

        Raises:
            ModelError: the model is not an n-tuple network, or the folder of temporary files is full.
        """
        self._tuples()
        with _file() as file:
            library.call("model_save", self._handle, library.path_text(file, "path"), 0, 0.0, 0.0)
            return tables.load(file)

    @property
    def patterns(self) -> list[str]:
        """The patterns of an n-tuple network, such as ["012345", "456789"].

        Raises:
            ModelError: the model is not an n-tuple network.
        """
        return [word for word in self._tuples()[2:] if "=" not in word]

    @property
    def shared(self) -> bool:
        """Whether all symmetric boards share the tables of an n-tuple network.

        Raises:
            ModelError: the model is not an n-tuple network.
        """
        return self._tuples()[1] == "shared"

    @property
    def stages(self) -> str | None:
        """The stages of an n-tuple network, such as "largest=16384"; `None` for one stage.

        Raises:
            ModelError: the model is not an n-tuple network.
        """
        return next((word for word in self._tuples()[2:] if "=" in word), None)

    def _tuples(self) -> list[str]:
        """The words of the structure of an n-tuple network."""
        facts = self.facts
        if facts["kind"] != "tuples":
            raise ModelError(f"{self}: not an n-tuple network, so it has no tables")
        return str(facts["structure"]).split()

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
            step: for "compact", the distance of weights in score points; by default 16 for a trained network of
                patterns, 0.001 units for a dense one, 0.0005 Sets for Set, and less where weights are small
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

    def values(
        self, afterstates: Any, overflow: Any = None, *, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """The values of afterstates: the score points still to come.

        Args:
            afterstates: uint64 (N,); see `tupelo.boards`
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none
            out: an array for the result; by default a new one

        Returns:
            float32 (N,).

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        bits, high = _positions(afterstates, overflow, "afterstates")
        values: NDArray[np.float32] = result(out, (len(bits),), np.float32, "out")
        for part in _chunks(len(bits)):
            with _numbered_from(part.start):
                library.call(
                    "model_values", self._handle, len(bits[part]), library.address(bits[part]),
                    library.address(None if high is None else high[part]), library.address(values[part]),
                )  # fmt: skip
        return values

    def move_values(
        self, boards: Any, overflow: Any = None, *, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """The values of the moves on boards: reward plus the value of the afterstate, in score points.

        Args:
            boards: uint64 (N,)
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none
            out: an array for the result; by default a new one

        Returns:
            float32 (N, 4), by move; NaN for illegal moves.

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        values: NDArray[np.float32] = result(out, (_length(boards), 4), np.float32, "out")
        self._moves(boards, overflow, values, None)
        return values

    def best_moves(
        self, boards: Any, overflow: Any = None, *, out: NDArray[np.int8] | None = None
    ) -> NDArray[np.int8]:
        """The legal move with the largest value on each board (greedy play); if several are equal, the first of them.

        Args:
            boards: uint64 (N,)
            overflow: uint32 (N,), of tiles beyond 32768; by default there are none
            out: an array for the result; by default a new one

        Returns:
            int8 (N,), -1 if no move is legal.

        Raises:
            ValueError: the arrays have other types or shapes, or are not boards of the model's shape.
        """
        best: NDArray[np.int8] = result(out, (_length(boards),), np.int8, "out")
        self._moves(boards, overflow, None, best)
        return best

    def _moves(self, boards: Any, overflow: Any, values: np.ndarray | None, best: np.ndarray | None) -> None:
        bits, high = _positions(boards, overflow, "boards")
        for part in _chunks(len(bits)):
            with _numbered_from(part.start):
                library.call(
                    "model_move_values", self._handle, len(bits[part]), library.address(bits[part]),
                    library.address(None if high is None else high[part]),
                    library.address(None if values is None else values[part]),
                    library.address(None if best is None else best[part]),
                )  # fmt: skip

    @overload
    def search(
        self, board: NDArray[np.uint64], overflow: Any = None, *, plies: int | None = None,
        seconds: float | None = None, nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analyses: ...  # fmt: skip

    @overload
    def search(
        self, board: Any, overflow: Any = None, *, plies: int | None = None, seconds: float | None = None,
        nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analysis: ...  # fmt: skip

    def search(
        self,
        board: Any,
        overflow: Any = None,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        four_probability: float = 0.1,
    ) -> Analysis | Analyses:
        """Expectimax on one board, or on an array of boards. Ctrl-C ends it. Any number of threads may search at once.

        Without `seconds` and `nodes` the result is equal on every machine. With them, the search deepens ply by ply,
        with a smaller cut-off each time, such as 0.01 at 5 plies, and the last completed ply gives the result.

        Args:
            board: exponents (rows, columns), one digit per cell as text, or 64 bits; or many boards, uint64 (N,)
            overflow: for many boards, uint32 (N,), of tiles beyond 32768; by default there are none
            plies: the depth, 1 to 8, or up to 15 with a limit on time or nodes; 1 is greedy. By default 3, or 15 with
                such a limit
            seconds: the time for each board, above 0
            nodes: the number of afterstates to value for each board, above 0
            threads: the moves of one board that are searched at once, 1 to 4 (with `nodes`, one at a time); of many
                boards, the boards that are searched at once, 1 to 64
            four_probability: the probability that a new tile is a 4

        Returns:
            An `Analysis` of one board, or `Analyses` of N boards.

        Raises:
            ValueError: `board` is not a board of the model's shape, or a number is out of its range.
            ModelError: the model is a model of Set.
        """
        shape = self.shape
        limited = seconds is not None or nodes is not None
        limits = SearchLimits(
            plies=whole(plies, "plies", 1, 15 if limited else 8) if plies is not None else (0 if limited else 3),
            extend_empty_cells=-1,
            milliseconds=0.0 if seconds is None else 1000 * number(seconds, "seconds", 1e-6, 1e6),
            nodes=0 if nodes is None else whole(nodes, "nodes", 1),
            cutoff=0.0,
        )
        four = number(four_probability, "four_probability", 0, 1)
        if isinstance(board, np.ndarray) and board.ndim == 1:
            bits, high = _positions(board, overflow, "board")
            return self._search_all(bits, high, limits, whole(threads, "threads", 1, 64), four)
        if overflow is not None:
            raise ValueError("overflow is for many boards: give board as uint64 (N,), or exponents")
        if isinstance(board, (int, np.integer)):
            position = whole(board, "board", 0, (1 << 64) - 1), 0
        else:
            packed = pack(as_exponents_of(board, shape))
            position = int(packed[0]), int(packed[1])
        result = SearchResult()
        with self._searcher(whole(threads, "threads", 1, 4), four) as searcher:

            def search(control: int) -> int:
                return library.status("searcher_search", searcher, *position, byref(limits), control, byref(result))

            if limits.plies in (1, 2) and not limited:  # The work is too short for another thread.
                status = search(0)
                if status:
                    raise library.fail(status)
            else:
                library.interruptible(search)
        return Analysis(result.move, np.array(result.values[:]), result.plies, result.nodes)

    def _search_all(
        self, boards: np.ndarray, overflow: np.ndarray | None, limits: SearchLimits, threads: int, four: float
    ) -> Analyses:
        """Searches many boards. Each thread has a searcher, and takes the next board."""
        count = len(boards)
        analyses = Analyses(
            np.empty(count, np.int8), np.empty((count, 4)), np.empty(count, np.int32), np.empty(count, np.int64)
        )
        positions = zip(boards.tolist(), [0] * count if overflow is None else overflow.tolist(), strict=True)
        places, lock = iter(enumerate(positions)), threading.Lock()

        def take() -> tuple[int, tuple[int, int]] | None:
            with lock:
                return next(places, None)

        def work(control: int) -> int:
            result = SearchResult()
            with self._searcher(1, four) as searcher:
                while (taken := take()) is not None:
                    place, position = taken
                    status = library.status(
                        "searcher_search", searcher, *position, byref(limits), control, byref(result)
                    )
                    if status == library.CANCELLED:
                        return status
                    if status:
                        error = library.fail(status)
                        library.status("control_cancel", control)  # The other threads stop, too.
                        raise type(error)(str(error).replace("board", f"board[{place}]", 1))
                    analyses.moves[place], analyses.values[place] = result.move, result.values
                    analyses.plies[place], analyses.nodes[place] = result.plies, result.nodes
            return 0

        def search(control: int) -> int:
            if min(threads, count) <= 1:
                return work(control)
            from concurrent.futures import ThreadPoolExecutor  # Loading it takes as long as the rest of the package.

            workers = min(threads, count)
            with ThreadPoolExecutor(workers) as pool:
                return min([future.result() for future in [pool.submit(work, control) for _ in range(workers)]])

        library.interruptible(search)
        return analyses

    @contextmanager
    def _searcher(self, threads: int, four_probability: float) -> Iterator[int]:
        """Lends a searcher with these settings to one call: a free one, or a new one."""
        free = self._searchers.setdefault((threads, four_probability), [])
        try:
            searcher = free.pop()
        except IndexError:
            settings = SearchSettings(four_probability=four_probability, threads=threads, table_mebibytes=-1)
            searcher = library.handle("searcher_create", self._handle, byref(settings))
        try:
            yield searcher
        finally:
            free.append(searcher)

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
        progress: ShowProgress = False,
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
        return by_library(
            self._handle, agent, shape=None, games=games, seed=seed, threads=threads,
            four_probability=four_probability, start_tiles=start_tiles, progress=progress,
        )  # fmt: skip

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


@contextmanager
def _file() -> Iterator[Path]:
    """The path of a model file on its way to or from the library, which reads and writes models as files."""
    import tempfile

    try:
        with tempfile.TemporaryDirectory(prefix="tupelo-") as folder:
            yield Path(folder) / "model.safetensors"
    except OSError as error:
        raise ModelError(f"{error.filename or 'the folder of temporary files'}: {error.strerror}") from None


@contextmanager
def _numbered_from(start: int) -> Iterator[None]:
    """Errors that name an entry of a part of an array name it by its place in the whole array."""
    try:
        yield
    except ValueError as error:
        text = re.sub(r"\[(\d+)\]", lambda found: f"[{start + int(found[1])}]", str(error), count=1)
        raise type(error)(text) from None


def _release(handle: int, searchers: dict[tuple[Any, ...], list[int]]) -> None:
    for free in searchers.values():
        for searcher in free:
            library.release(searcher)
    library.release(handle)


def _length(boards: Any) -> int:
    return len(as_row(boards, np.uint64, "boards"))


def _chunks(count: int) -> list[slice]:
    return [slice(begin, begin + _CHUNK) for begin in range(0, count, _CHUNK)]
