"""A trained model: values of positions, search, evaluation."""

from __future__ import annotations

import json
import operator
import os
import threading
import weakref
from collections.abc import Sequence
from ctypes import byref, c_int64, c_void_p
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _library as library
from . import tables
from ._checks import choice, number, whole
from ._errors import ModelError
from ._structs import SearchLimits, SearchResult, SearchSettings
from .boards import Exponents, Given
from .evaluation import ShowProgress, by_library
from .report import Report

Format = Literal["f32", "f16", "compact"]
FORMATS = ("f32", "f16", "compact")
#: The boards of one call. Ctrl-C waits at most for these: a quarter of a second with a dense network.
_PART = 1 << 16
#: Copying as many weights takes less than half a second.
_MANY_WEIGHTS = 1 << 24


class Analysis(NamedTuple):
    """The result of a search.

    Attributes:
        move: the best move: 0 up, 1 right, 2 down, 3 left; -1 if no move is legal
        values: float64 (4,), reward plus expected score to come of each move, in score points; -inf for illegal
            moves, so that `values.argmax()` is a best one
        plies: the depth that was completed; with a limit on time or nodes, for likely boards
        nodes: the number of afterstates that were valued. Values that an earlier search has left in the table of the
            model are not counted, so a repeated search has 0
    """

    move: int
    values: np.ndarray
    plies: int
    nodes: int


class Analyses(NamedTuple):
    """The results of searches on an array of boards.

    Attributes:
        moves: int8 (...), the best moves; -1 if no move is legal
        values: float64 (..., 4), as in `Analysis`
        plies: int32 (...)
        nodes: int64 (...)
    """

    moves: NDArray[np.int8]
    values: NDArray[np.float64]
    plies: NDArray[np.int32]
    nodes: NDArray[np.int64]


class Model:
    """A model of 2048 or Set: an n-tuple network, a dense network, or the network of Set.

    Args:
        path: a model file, a checkpoint, the folder of a run, or a folder with `model.safetensors`, such as
            "models/medium" in a checkout. The package itself has no models

    A model does not change, and any number of threads may use it at once. A pickle contains its weights, so it is
    this model wherever it is read, whatever happens to files. Models are equal if their structures and weights are.

    Attributes:
        path: the path that the model was loaded from; `None` for a model from a trainer, from tables or from bytes

    Raises:
        ModelError: the file is missing or damaged, or it is not a model.
        OutOfMemoryError: the model does not fit into memory.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        handle = library.long_handle("model_load", library.path_text(path, "path"))
        self._own(handle, Path(os.path.abspath(os.fsdecode(path))))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Loads a model, as `Model(path)` does."""
        return cls(path)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Model:
        """A model from the content of a model file, as `to_bytes` returns it.

        Raises:
            TypeError: `data` has no bytes.
            ModelError: the bytes are not a model.
            OutOfMemoryError: the model does not fit into memory.
        """
        try:
            content = np.frombuffer(data, np.uint8) if len(data) else np.empty(0, np.uint8)
        except (TypeError, ValueError):
            raise TypeError(f"data is {type(data)}: give bytes, such as those of to_bytes()") from None
        is_short = len(content) < 1 << 20
        try:
            return cls._of(
                library.long_handle(
                    "model_from_bytes", library.address(content), len(content), memory=content, is_short=is_short
                )
            )
        except ModelError as error:
            raise ModelError(f"data: {str(error).removeprefix('bytes: ')}") from None

    def to_bytes(
        self, format: Format = "f32", *, step: float | None = None, drop: float = 0.0
    ) -> bytes:
        """The content of a model file.

        Args:
            format, step, drop: as in `save`

        Raises:
            TypeError, ValueError: an argument is unknown or out of its range.
        """
        number, settings = c_int64(), self._form(format, step, drop)

        def write(control: int) -> int:
            return library.status("model_bytes", self._handle, *settings, byref(number))

        library.interruptible(write)
        return library.content(number.value)

    @classmethod
    def _of(cls, handle: int) -> Model:
        model = cls.__new__(cls)
        model._own(handle, None)
        return model

    def _own(self, handle: int, path: Path | None) -> None:
        self._handle, self.path = handle, path
        self._facts: dict[str, Any] | None = None
        self._shape: tuple[int, int] | None = None
        self._searchers = _Searchers(handle)
        self._last: tuple[tuple[Any, ...], Any] = ((None, None, None, object()), None)
        self._end = weakref.finalize(self, self._searchers.close)

    @classmethod
    def from_tables(
        cls,
        patterns: str | Sequence[str | Sequence[int]],
        arrays: Sequence[Any],
        *,
        shape: tuple[int, int] = (4, 4),
        shared: bool = True,
        stages: str | None = None,
    ) -> Model:
        """A model in memory with weights that were learned outside of the package.

        Args:
            patterns: P patterns, as texts or one text with spaces, such as "0123 4567", or as lists of cells, such as
                [[0, 1, 2, 3], [4, 5, 6, 7]]
            arrays: one array for each pattern, with the 16^cells weights in score points, in any type of number; they
                are copied as float32. An array of shape (16, 16, ...) has an axis for each cell of the pattern, in its
                order, and is read at the exponents of these cells; an array of shape (16^cells,) is read at
                `tupelo.tuple_indices`. Models with stages have the tables of the first stage, then of the second
            shape: rows and columns
            shared: whether all symmetric boards share a table
            stages: the stages of the game with tables of their own, such as "largest=16384"; by default one stage

        Raises:
            TypeError: a pattern is neither a text nor a list of cells, or an array has no numbers.
            ValueError: something is not a pattern, or an array has another shape or a weight that is not finite.
            ValueError: `stages` is not known or has another number of stages.
            OutOfMemoryError: the model does not fit into memory.
        """
        structure, given = tables.checked(patterns, arrays, shape, shared, stages)
        pointers = (c_void_p * len(given))(*[library.address(table) for table in given])
        try:
            return cls._of(
                library.long_handle(
                    "model_from_tables", structure.encode(), pointers, len(given), memory=given,
                    is_short=sum(table.size for table in given) < _MANY_WEIGHTS,
                )  # fmt: skip
            )
        except ValueError as error:
            raise ValueError(f"stages is {stages!r} and arrays has {len(given)} tables: {error}") from None

    def tables(self) -> list[NDArray[np.float32]]:
        """Copies of the weights of an n-tuple network: float32 (16^cells,) for each of `patterns`, in score points; of
        a model with stages, the tables of the first stage, then of the second, and so on.

        `tupelo.tuple_indices` gives the entries of a board. `table.reshape([16] * cells, order="F")` has an axis for
        each cell of the pattern.

        Raises:
            ModelError: the model is not an n-tuple network.
        """
        sizes = [16 ** len(pattern) for pattern in self.patterns]
        found = [np.empty(size, np.float32) for size in sizes * (self.weights // sum(sizes))]
        pointers = (c_void_p * len(found))(*[library.address(table) for table in found])

        def read(control: int, model: Model = self, memory: Any = found) -> int:
            return library.status("model_tables", model._handle, pointers, len(memory))

        # After Ctrl-C the library goes on writing, so that the call keeps the arrays.
        library.interruptible(read, is_short=self.weights < _MANY_WEIGHTS, forget=lambda: None)
        return found

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
        facts = self._facts
        if facts is None:
            facts = self._facts = dict(json.loads(library.text("model_info", self._handle)))
        return dict(facts)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the boards.

        Raises:
            ModelError: the model is a model of Set.
        """
        if self._shape is None:
            facts = self.facts
            if facts["game"] != "2048":
                raise ModelError(f"{self}: a model of Set has no boards")
            self._shape = facts["rows"], facts["columns"]
        return self._shape

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
        self, path: str | os.PathLike[str], format: Format = "f32", *, step: float | None = None, drop: float = 0.0
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
            TypeError, ValueError: an argument is unknown or out of its range.
        """
        place, settings = library.path_text(path, "path"), self._form(format, step, drop)
        library.interruptible(lambda control: library.status("model_save", self._handle, place, *settings))

    def _form(self, format: Format, step: float | None, drop: float) -> tuple[int, float, float]:
        """The arguments of the library for the form of a model file."""
        form = choice(format, FORMATS, "format")
        if format != "compact" and (step is not None or drop):
            raise ValueError("step and drop are for format='compact': add it, or leave them out")
        return form, 0.0 if step is None else number(step, "step", 1e-30, 1e9), number(drop, "drop", 0, 1e9)

    def _given(self, boards: Any, name: str) -> Given:
        """Boards of the model's shape."""
        return Given(boards, self.shape, name)

    def values(self, afterstates: Any) -> NDArray[np.float32]:
        """The values of afterstates: the score points still to come.

        Args:
            afterstates: exponents (..., rows, columns) or packed uint64 (...); see `tupelo.boards`

        Returns:
            float32 (...).

        Raises:
            TypeError, ValueError: `afterstates` are not boards of the model's shape.
            ModelError: the model is a model of Set.
        """
        given = self._given(afterstates, "afterstates")
        values = np.empty(given.count, np.float32)
        self._apply("model_values", given, values)
        return values.reshape(given.lead)

    def move_values(self, boards: Any) -> NDArray[np.float32]:
        """The values of the moves on boards: reward plus the value of the afterstate, in score points.

        Args:
            boards: exponents (..., rows, columns) or packed uint64 (...); see `tupelo.boards`

        Returns:
            float32 (..., 4), by move; -inf for illegal moves.

        Raises:
            TypeError, ValueError: `boards` are not boards of the model's shape.
            ModelError: the model is a model of Set.
        """
        given = self._given(boards, "boards")
        values = np.empty((given.count, 4), np.float32)
        self._apply("model_move_values", given, values, None)
        np.fmax(values, -np.inf, out=values)  # The library marks illegal moves with NaN, which argmax would choose.
        return values.reshape(*given.lead, 4)

    def best_moves(self, boards: Any) -> NDArray[np.int8]:
        """The legal move with the largest value on each board (greedy play); if several are equal, the first of them.

        Args:
            boards: exponents (..., rows, columns) or packed uint64 (...); see `tupelo.boards`

        Returns:
            int8 (...), -1 if no move is legal.

        Raises:
            TypeError, ValueError: `boards` are not boards of the model's shape.
            ModelError: the model is a model of Set.
        """
        given = self._given(boards, "boards")
        best = np.empty(given.count, np.int8)
        self._apply("model_move_values", given, None, best)
        return best.reshape(given.lead)

    def _apply(self, name: str, given: Given, *results: Any) -> None:
        library.apply(
            name, (self._handle,), given.count, given.bits, given.high, *results, shape=given.lead, part=_PART
        )

    @overload
    def search(
        self, board: str | np.uint64 | Sequence[Sequence[int]], *, plies: int | None = None,
        seconds: float | None = None, nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analysis: ...  # fmt: skip

    @overload
    def search(
        self, board: np.ndarray[tuple[int], np.dtype[np.uint64]], *, plies: int | None = None,
        seconds: float | None = None, nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analyses: ...  # fmt: skip

    @overload
    def search(
        self, board: np.ndarray[tuple[int, int], np.dtype[Exponents]], *, plies: int | None = None,
        seconds: float | None = None, nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analysis: ...  # fmt: skip

    @overload
    def search(
        self, board: np.ndarray[tuple[int, int, int], np.dtype[Exponents]], *, plies: int | None = None,
        seconds: float | None = None, nodes: int | None = None, threads: int = 1, four_probability: float = 0.1,
    ) -> Analyses: ...  # fmt: skip

    @overload
    def search(
        self, board: Any, *, plies: int | None = None, seconds: float | None = None, nodes: int | None = None,
        threads: int = 1, four_probability: float = 0.1,
    ) -> Any: ...  # fmt: skip

    def search(
        self, board: Any, *, plies: int | None = None, seconds: float | None = None, nodes: int | None = None,
        threads: int = 1, four_probability: float = 0.1,
    ) -> Analysis | Analyses:  # fmt: skip
        """Expectimax on one board, or on an array of boards. Ctrl-C ends it. Any number of threads may search at once.

        Without `seconds` and `nodes` the result is equal on every machine. With them, the search deepens ply by ply,
        with a smaller cut-off each time, such as 0.01 at 5 plies, and the last completed ply gives the result.

        Args:
            board: one board, such as exponents (rows, columns), or many, such as exponents (N, rows, columns); see
                `tupelo.boards`
            plies: the depth, 1 to 8, or up to 15 with a limit on time or nodes; 1 is greedy. By default 3, or 15 with
                such a limit
            seconds: the time for each board, above 0
            nodes: the number of afterstates to value for each board, above 0
            threads: the moves of one board that are searched at once, 1 to 4 (with `nodes`, one at a time); of many
                boards, the boards that are searched at once, 1 to 64
            four_probability: the probability that a new tile is a 4

        Returns:
            An `Analysis` of one board, or `Analyses` of many boards.

        Raises:
            TypeError: an argument has another type.
            ValueError: `board` is not a board of the model's shape, or a number is out of its range.
            ModelError: the model is a model of Set.
        """
        given = None
        if not (type(board) is np.ndarray and board.shape == (4, 4) == self.shape and board.dtype == np.uint8):
            given = self._given(board, "board")
        plan = self._plan(plies, seconds, nodes, four_probability)
        if given is not None and given.lead:
            return self._search_all(given, plan, whole(threads, "threads", 1, 64))
        bits, high = _bits(board) if given is None else given.first
        searcher = self._searchers.take(whole(threads, "threads", 1, 4), plan.four_probability)
        try:
            if plan.is_short:  # Starting a thread would take longer than the search.
                status = library.status("searcher_search", searcher.handle, bits, high, plan.limits, 0, searcher.result)
                if status:
                    raise library.fail(status)
            else:
                library.interruptible(
                    lambda control: library.status(
                        "searcher_search", searcher.handle, bits, high, plan.limits, control, searcher.result
                    )
                )
            return searcher.analysis()
        finally:
            self._searchers.give(searcher)

    def _plan(self, plies: Any, seconds: Any, nodes: Any, four_probability: Any) -> _Plan:
        """The limits of searches, checked. The last ones are kept, because making them takes as long as a search."""
        key = (plies, seconds, nodes, four_probability)
        kept: tuple[Any, ...]
        plan: _Plan
        kept, plan = self._last
        if all(map(operator.is_, key, kept)):
            return plan
        limited = seconds is not None or nodes is not None
        limits = SearchLimits(
            plies=whole(plies, "plies", 1, 15 if limited else 8) if plies is not None else (0 if limited else 3),
            extend_empty_cells=-1,
            milliseconds=0.0 if seconds is None else 1000 * number(seconds, "seconds", 1e-6, 1e6),
            nodes=0 if nodes is None else whole(nodes, "nodes", 1),
        )
        plan = _Plan(limits, number(four_probability, "four_probability", 0, 1))
        self._last = key, plan
        return plan

    def _search_all(self, given: Given, plan: _Plan, threads: int) -> Analyses:
        """Searches many boards. Each thread has a searcher, and takes the next board."""
        count, lead = given.count, given.lead
        analyses = Analyses(
            np.empty(count, np.int8), np.empty((count, 4)), np.empty(count, np.int32), np.empty(count, np.int64)
        )
        positions = zip(given.bits.tolist(), [0] * count if given.high is None else given.high.tolist(), strict=True)
        places, lock = iter(enumerate(positions)), threading.Lock()

        def take() -> tuple[int, tuple[int, int]] | None:
            with lock:
                return next(places, None)

        def work(control: int) -> int:
            searcher = self._searchers.take(1, plan.four_probability)
            try:
                while (taken := take()) is not None:
                    place, position = taken
                    status = library.status(
                        "searcher_search", searcher.handle, *position, plan.limits, control, searcher.result
                    )
                    if status == library.CANCELLED:
                        return status
                    if status:
                        library.status("control_cancel", control)  # The other threads stop, too.
                        raise library.placed(library.fail(status, "board is", "board[0] is"), place, lead)
                    found = searcher.found
                    analyses.moves[place], analyses.values[place] = found.move, searcher.values
                    analyses.plies[place], analyses.nodes[place] = found.plies, found.nodes
            finally:
                self._searchers.give(searcher)
            return 0

        def search(control: int) -> int:
            if min(threads, count) <= 1:
                return work(control)
            from concurrent.futures import ThreadPoolExecutor  # Loading it takes as long as the rest of the package.

            workers = min(threads, count)
            with ThreadPoolExecutor(workers) as pool:
                return min([future.result() for future in [pool.submit(work, control) for _ in range(workers)]])

        library.interruptible(search)
        values = np.fmax(analyses.values, -np.inf).reshape(*lead, 4)
        return Analyses(
            analyses.moves.reshape(lead), values, analyses.plies.reshape(lead), analyses.nodes.reshape(lead)
        )

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

        Returns:
            A `Report`, such as `report.score_mean`, `report.rate(2048)` and `report.scores`.

        Raises:
            TypeError, ValueError: an argument is unknown or out of its range, or both `plies` and `agent` are given.
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self.identity == other.identity)

    def __hash__(self) -> int:
        return hash(self.facts["fingerprint"])  # Of the structure alone: a hash of many weights takes time.

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self  # It does not change.


class _Plan:
    """The limits of searches, as the library takes them."""

    __slots__ = ("four_probability", "is_short", "limits")

    def __init__(self, limits: SearchLimits, four_probability: float) -> None:
        self.limits, self.four_probability = byref(limits), four_probability
        #: Whether a search takes less than about half a second, so that Ctrl-C can wait for its end.
        self.is_short: bool = limits.plies <= 3
        if limits.milliseconds or limits.nodes:
            self.is_short = 0 < limits.milliseconds <= 200 or 0 < limits.nodes <= 10_000


def _bits(board: NDArray[np.uint8]) -> tuple[int, int]:
    """The bits and the overflow of a board of 4x4, in a tenth of the time of `Given`."""
    digits = board.tobytes().hex()  # Two for each cell.
    if digits[::2] == "0000000000000000":
        return int(digits[::-2], 16), 0
    return Given(board, None, "board").first


class _Searcher:
    """A searcher of the library, with memory for its results."""

    __slots__ = ("found", "handle", "result", "settings", "values")

    def __init__(self, model: int, settings: tuple[int, float]) -> None:
        threads, four_probability = self.settings = settings
        struct = SearchSettings(four_probability=four_probability, threads=threads, table_mebibytes=-1)
        self.handle = library.handle("searcher_create", model, byref(struct))
        #: The result of the last search, its values, and the argument for the next search.
        self.found = SearchResult()
        self.values = np.frombuffer(memoryview(self.found).cast("B"), np.float64, 4, SearchResult.values.offset)
        self.result = byref(self.found)

    def analysis(self) -> Analysis:
        """The result of the last search."""
        found = self.found
        return Analysis(found.move, np.fmax(self.values, -np.inf), found.plies, found.nodes)


class _Searchers:
    """The searchers of a model that no call uses. Each has a table of 4 MiB, so only the last few are kept."""

    KEPT = 8

    def __init__(self, model: int) -> None:
        self._model = model
        self._free: list[_Searcher] = []

    def take(self, threads: int, four_probability: float) -> _Searcher:
        """A searcher with these settings for one call, which gives it back: a free one, or a new one."""
        settings = threads, four_probability
        for searcher in reversed(self._free):
            if searcher.settings == settings:
                try:
                    self._free.remove(searcher)
                except ValueError:  # Another thread has taken it.
                    continue
                return searcher
        return _Searcher(self._model, settings)

    def give(self, searcher: _Searcher) -> None:
        """Keeps a searcher for the next call."""
        self._free.append(searcher)
        if len(self._free) > self.KEPT:
            self._release_oldest()

    def _release_oldest(self) -> None:
        try:
            searcher = self._free.pop(0)
        except IndexError:  # Another thread has released it.
            return
        library.release(searcher.handle)

    def close(self) -> None:
        """Releases all searchers, and the model."""
        while self._free:
            self._release_oldest()
        library.release(self._model)
