"""Functions on arrays of boards.

Boards have one of two forms everywhere in the package, and a result has the form of its argument:

- exponents: whole numbers of shape (..., rows, columns), in any type of integers except uint64. 0 is an empty cell, 1 a
  tile of 2, 2 a tile of 4, up to 17 for a tile of 131072. Results are uint8.
- packed: uint64 of shape (...), a board in each number, with four bits for each cell. Cell (row, column) is nibble
  4 * row + column for every shape of boards. A packed board holds tiles up to 32768. `shape` has its rows and columns.

One board may also be a text of one digit for each cell in reading order: 0 empty, 1 for a 2, f for 32768, g for 65536,
h for 131072. Results are exponents then. Moves are 0 up, 1 right, 2 down, 3 left.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _library as library
from ._checks import as_shape, number, whole

__all__ = ["Outcomes", "Successors", "legal_moves", "outcomes", "pack", "spawn", "successors", "symmetries", "unpack"]

_DIGITS = "0123456789abcdefgh"
#: The types of numbers in arrays of exponents.
Exponents = np.signedinteger[Any] | np.uint8 | np.uint16 | np.uint32


class Given:
    """Boards of the caller, in the form that the library takes.

    Attributes:
        bits: uint64 (count,), packed boards
        high: uint32 (count,), two bits for each cell: the part of its exponent above 15; `None` without such tiles
        lead: the shape of the caller's array without rows and columns
        shape: rows and columns
        is_packed: whether the caller gave packed boards
    """

    __slots__ = ("bits", "high", "is_packed", "lead", "shape")

    def __init__(self, boards: Any, shape: tuple[int, int] | None, name: str) -> None:
        array = boards if isinstance(boards, np.ndarray) else _array(boards, name)
        kind = array.dtype.kind
        if kind == "U":
            array = _parsed(array, (4, 4) if shape is None else as_shape(shape), name)
        elif kind not in "iu":
            raise TypeError(
                f"{name} is an array of {array.dtype}: give exponents as integers, packed boards as uint64, or a text"
            )
        self.is_packed = kind == "u" and array.dtype.itemsize == 8
        if self.is_packed:
            self.shape = (4, 4) if shape is None else as_shape(shape)
            self.lead = array.shape
            self.bits = np.require(array, np.uint64, ["C", "A"]).reshape(-1)
            self.high: NDArray[np.uint32] | None = None
            return
        if array.ndim < 2 or not all(2 <= size <= 4 for size in array.shape[-2:]):
            raise ValueError(
                f"{name} is {array.dtype} of shape {array.shape}: give exponents of shape (..., rows, columns), 2 to 4 "
                "each, such as those of env.unwrapped.board, or packed boards as uint64"
            )
        self.shape = as_shape(array.shape[-2:])
        if shape is not None and as_shape(shape) != self.shape:
            raise ValueError(f"{name} has boards of shape {self.shape}: give boards of shape {as_shape(shape)}")
        if array.dtype != np.uint8:
            _check(array, name)
        self.lead = array.shape[:-2]
        tiles = np.require(array, np.uint8, ["C", "A"]).reshape(-1, *self.shape)
        self.bits = np.empty(len(tiles), np.uint64)
        self.high = np.empty(len(tiles), np.uint32)
        try:
            library.apply("pack", self.shape, len(tiles), tiles, self.bits, self.high, shape=(len(tiles),))
        except ValueError:
            _check(array, name)
            raise

    @property
    def first(self) -> tuple[int, int]:
        """The bits and the overflow of the first board."""
        return self.bits[0].item(), 0 if self.high is None else self.high[0].item()

    def of(self, numbers: Iterable[int]) -> Given:
        """The boards of some games, if there is a board for each game; otherwise the one board."""
        if not self.lead:
            return self
        part, chosen = copy.copy(self), list(numbers)
        part.bits, part.lead = self.bits[chosen], (len(chosen),)
        part.high = None if self.high is None else self.high[chosen]
        return part

    @property
    def count(self) -> int:
        """The number of boards."""
        return len(self.bits)

    def apply(self, name: str, *results: Any, head: tuple[Any, ...] = (), part: int = library.PART) -> None:
        """Calls a function of the library that takes boards of a shape, and arrays for results."""
        library.apply(
            name, (*self.shape, *head), len(self.bits), self.bits, self.high, *results, shape=self.lead, part=part
        )

    def form(self, bits: NDArray[np.uint64], high: NDArray[np.uint32] | None, *more: int) -> Any:
        """Boards of the library in the form of these boards: of shape (*lead, *more), and rows and columns."""
        if self.is_packed:
            return bits.reshape(*self.lead, *more)
        return exponents(bits, high, self.shape).reshape(*self.lead, *more, *self.shape)


def one(board: Any, shape: tuple[int, int] | None, name: str) -> Given:
    """A single board."""
    given = Given(board, shape, name)
    if given.lead:
        raise ValueError(f"{name} has {given.count} boards of shape {given.shape}: give one board")
    return given


def exponents(bits: NDArray[np.uint64], high: NDArray[np.uint32] | None, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Boards of the library as exponents, uint8 (count, rows, columns)."""
    tiles = np.empty((len(bits), *shape), np.uint8)
    library.apply("unpack", shape, len(bits), bits, high, tiles, shape=(len(bits),))
    return tiles


def _array(boards: Any, name: str) -> np.ndarray:
    """Lists, texts and numbers as an array."""
    try:
        return np.asarray(boards)
    except ValueError:  # Its rows differ in length.
        raise ValueError(f"{name} has rows of different lengths: give an array") from None


def _check(array: np.ndarray, name: str) -> None:
    """Makes sure that numbers are exponents."""
    if array.size and not (0 <= (least := array.min()) and array.max() <= 17):
        bad = least if least < 0 else array.max()
        raise ValueError(f"{name} has an exponent of {bad}: give 0 to 17, such as 11 for a 2048")


def _parsed(texts: np.ndarray, shape: tuple[int, int], name: str) -> NDArray[np.uint8]:
    """Texts as exponents."""
    rows, columns = shape
    boards = []
    for text in texts.ravel().tolist():
        if len(text) != rows * columns:
            raise ValueError(f"{name} has a text of {len(text)} digits: give {rows * columns}, one for each cell")
        tiles = [_DIGITS.find(digit) for digit in text.lower()]
        if -1 in tiles:
            bad = tiles.index(-1)
            raise ValueError(f"{name} has {text[bad]!r} at position {bad + 1}: give 0 to 9 and a to h")
        boards.append(tiles)
    return np.array(boards, np.uint8).reshape(*texts.shape, rows, columns)


class Successors(NamedTuple):
    """The four moves of boards, as `successors` returns them.

    Attributes:
        afterstates: the board after each move, before the next tile, as uint8 (..., 4, rows, columns) or as packed
            uint64 (..., 4); for an illegal move, the board itself
        rewards: int32 (..., 4), score points; 0 for an illegal move
        legal: bool (..., 4)
    """

    afterstates: Any
    rewards: NDArray[np.int32]
    legal: NDArray[np.bool_]


class Outcomes(NamedTuple):
    """The boards that may follow N afterstates, as `outcomes` returns them. The arrays have an entry for each board:
    all boards after the first afterstate, by cell and then by tile, then all boards after the second, and so on.

    Attributes:
        boards: uint8 (M, rows, columns), or packed uint64 (M,)
        probabilities: float64 (M,), which add up to 1 for each afterstate that has an empty cell
        parents: int64 (M,), the number of the afterstate, 0 to N - 1, in the order of the flattened array
    """

    boards: Any
    probabilities: NDArray[np.float64]
    parents: NDArray[np.int64]


def pack(boards: Any) -> NDArray[np.uint64]:
    """Boards as packed boards.

    Args:
        boards: exponents (..., rows, columns) with tiles up to 32768, or texts

    Returns:
        uint64 (...).

    Raises:
        TypeError: the array has no integers.
        ValueError: the shape is not that of boards, a number is not an exponent, or a tile is larger than 32768.
    """
    given = Given(boards, None, "boards")
    if given.high is not None and given.high.any():
        number = int(given.high.nonzero()[0][0])
        place = [int(each) for each in np.unravel_index(number, given.lead)] if given.lead else ""
        raise ValueError(f"boards{place} has a tile above 32768, which a packed board cannot hold: keep exponents")
    return given.bits.reshape(given.lead)


def unpack(boards: Any, shape: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """Boards as exponents.

    Args:
        boards: packed boards, uint64 (...), or texts
        shape: rows and columns, by default (4, 4)

    Returns:
        uint8 (..., rows, columns).

    Raises:
        TypeError: the array has another type.
        ValueError: a board has tiles outside of the shape.
    """
    given = Given(boards, shape, "boards")
    tiles: NDArray[np.uint8] = exponents(given.bits, given.high, given.shape).reshape(*given.lead, *given.shape)
    return tiles


@overload
def symmetries(
    boards: NDArray[Exponents] | str | Sequence[Sequence[int]], *, shape: tuple[int, int] | None = None
) -> NDArray[np.uint8]: ...


@overload
def symmetries(
    boards: NDArray[np.uint64] | np.uint64, *, shape: tuple[int, int] | None = None
) -> NDArray[np.uint64]: ...


@overload
def symmetries(boards: Any, *, shape: tuple[int, int] | None = None) -> Any: ...


def symmetries(boards: Any, *, shape: tuple[int, int] | None = None) -> Any:
    """Rotations and reflections.

    Args:
        boards: exponents (..., rows, columns) or packed uint64 (...)
        shape: rows and columns of packed boards, by default (4, 4)

    Returns:
        uint8 (..., S, rows, columns) or packed uint64 (..., S), where S is 8 on a square and 4 on a rectangle. The
        board itself is first: flipped horizontally, vertically, both, then each of the four transposed.

    Raises:
        TypeError, ValueError: `boards` are not boards of the shape.
    """
    given = Given(boards, shape, "boards")
    images = 8 if given.shape[0] == given.shape[1] else 4
    bits = np.empty((given.count, images), np.uint64)
    high = None if given.high is None else np.empty((given.count, images), np.uint32)
    given.apply("symmetries", bits, high)
    return given.form(bits.reshape(-1), None if high is None else high.reshape(-1), images)


def successors(boards: Any, *, shape: tuple[int, int] | None = None) -> Successors:
    """The four moves of each board.

    Args:
        boards: exponents (..., rows, columns) or packed uint64 (...)
        shape: rows and columns of packed boards, by default (4, 4)

    Returns:
        Arrays by move: `afterstates`, `rewards`, `legal`.

    Raises:
        TypeError: the array has another type.
        ValueError: `boards` are not boards of the shape, or a move makes a tile of 65536 on a packed board.
    """
    given = Given(boards, shape, "boards")
    count = given.count
    bits = np.empty((count, 4), np.uint64)
    high = None if given.high is None else np.empty((count, 4), np.uint32)
    rewards, legal = np.empty((count, 4), np.int32), np.empty((count, 4), np.bool_)
    try:
        given.apply("successors", bits, high, rewards, legal)
    except ValueError as error:
        if high is None and "is NULL" in str(error):
            raise ValueError(
                "boards has tiles of 32768 that a move merges, and a packed board cannot hold 65536: give exponents, "
                "such as tupelo.unpack(boards)"
            ) from None
        raise
    after = given.form(bits.reshape(-1), None if high is None else high.reshape(-1), 4)
    return Successors(after, rewards.reshape(*given.lead, 4), legal.reshape(*given.lead, 4))


def legal_moves(boards: Any, *, shape: tuple[int, int] | None = None) -> NDArray[np.bool_]:
    """The legal moves of each board: bool (..., 4), all false where the game is over.

    Args:
        boards: exponents (..., rows, columns) or packed uint64 (...)
        shape: rows and columns of packed boards, by default (4, 4)

    Raises:
        TypeError, ValueError: `boards` are not boards of the shape.
    """
    given = Given(boards, shape, "boards")
    legal = np.empty((given.count, 4), np.bool_)
    given.apply("legal", legal)
    return legal.reshape(*given.lead, 4)


@overload
def spawn(
    afterstates: NDArray[Exponents] | str | Sequence[Sequence[int]], random: int | np.random.Generator, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> NDArray[np.uint8]: ...  # fmt: skip


@overload
def spawn(
    afterstates: NDArray[np.uint64] | np.uint64, random: int | np.random.Generator, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> NDArray[np.uint64]: ...  # fmt: skip


@overload
def spawn(
    afterstates: Any, random: int | np.random.Generator, *, shape: tuple[int, int] | None = None,
    four_probability: float = 0.1,
) -> Any: ...  # fmt: skip


def spawn(
    afterstates: Any, random: int | np.random.Generator, *, shape: tuple[int, int] | None = None,
    four_probability: float = 0.1,
) -> Any:  # fmt: skip
    """Lets a tile appear on each afterstate: on a random empty cell, a 4 with some probability, otherwise a 2.

    Args:
        afterstates: exponents (..., rows, columns) or packed uint64 (...), each with an empty cell
        random: a seed, 0 to 2^64 - 1, or a `numpy.random.Generator`, which is advanced
        shape: rows and columns of packed boards, by default (4, 4)
        four_probability: the probability of a 4, 0 to 1

    Returns:
        The boards, as uint8 (..., rows, columns) or packed uint64 (...).

    Raises:
        TypeError: an argument has another type.
        ValueError: an afterstate is full, or an argument has another shape or range.
    """
    given = Given(afterstates, shape, "afterstates")
    probability = number(four_probability, "four_probability", 0, 1)
    if isinstance(random, np.random.Generator):
        seed = int(random.integers(0, 1 << 64, dtype=np.uint64))
    else:
        seed = whole(random, "random", 0, (1 << 64) - 1)
    stream, boards = np.empty(4, np.uint64), np.empty(given.count, np.uint64)
    library.call("random", seed, 0, library.address(stream))
    given.apply("spawn", library.address(stream), boards, head=(probability,))
    return given.form(boards, given.high)


def outcomes(afterstates: Any, *, shape: tuple[int, int] | None = None, four_probability: float = 0.1) -> Outcomes:
    """All boards that may follow each afterstate, with their probabilities.

    The expected value of each of N afterstates under values of boards v is
    `numpy.bincount(found.parents, found.probabilities * v, N)`. A full afterstate is followed by no board.

    Args:
        afterstates: exponents (..., rows, columns) or packed uint64 (...), N in all
        shape: rows and columns of packed boards, by default (4, 4)
        four_probability: the probability that a new tile is a 4, 0 to 1; tiles of probability 0 are left out

    Raises:
        TypeError, ValueError: `afterstates` are not boards of the shape, or a number is out of its range.
    """
    given = Given(afterstates, shape, "afterstates")
    four = number(four_probability, "four_probability", 0, 1)
    rows, columns = given.shape
    empty = exponents(given.bits, given.high, given.shape).reshape(given.count, rows * columns) == 0
    parents, cells = empty.nonzero()
    nibbles = (cells // columns * 16 + cells % columns * 4).astype(np.uint64)
    tiles = [(exponent, chance) for exponent, chance in ((1, 1 - four), (2, four)) if chance > 0]
    chances = np.array([chance for _, chance in tiles])
    bits = given.bits[parents, None] | np.array([exponent for exponent, _ in tiles], np.uint64) << nibbles[:, None]
    probabilities = chances / empty.sum(axis=1)[parents, None]
    parents = parents.repeat(len(tiles))
    boards = bits.ravel()
    if given.high is not None:
        return Outcomes(exponents(boards, given.high[parents], given.shape), probabilities.ravel(), parents)
    return Outcomes(boards, probabilities.ravel(), parents)
