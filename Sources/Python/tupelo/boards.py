"""Functions on arrays of boards.

A board is 64 bits: four bits per cell, the exponent of its tile (0 empty, 1 = 2, 2 = 4, ..., 15 = 32768). Cell
(row, column) is nibble 4 * row + column for every shape. Tiles of 65536 and 131072 are 15 there, and `overflow`,
uint32 with two bits per cell, has the part of their exponent above 15. Moves are 0 up, 1 right, 2 down, 3 left.
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from . import _library as library
from ._checks import as_array, as_row, as_shape, number, result, whole

__all__ = [
    "Outcomes", "Successors", "as_exponents", "legal_moves", "outcomes", "pack", "spawn", "successors", "symmetries",
    "unpack",
]  # fmt: skip

_DIGITS = "0123456789abcdefgh"


class Successors(NamedTuple):
    """The four moves of N boards, as `successors` returns them.

    Attributes:
        afterstates: uint64 (N, 4), the board after each move, before the next tile; for an illegal move, the board
            itself
        rewards: int32 (N, 4), score points; 0 for an illegal move
        legal: bool (N, 4)
        overflow: uint32 (N, 4), of the afterstates
    """

    afterstates: NDArray[np.uint64]
    rewards: NDArray[np.int32]
    legal: NDArray[np.bool_]
    overflow: NDArray[np.uint32]

    @staticmethod
    def empty(count: int) -> Successors:
        """Arrays for the successors of N boards, to pass as `out`."""
        return Successors(*[np.empty((whole(count, "count", 0), 4), kind) for kind in _SUCCESSORS])


_SUCCESSORS = (np.uint64, np.int32, np.bool_, np.uint32)


class Outcomes(NamedTuple):
    """The boards that may follow N afterstates, as `outcomes` returns them. The arrays have an entry for each board:
    all boards after the first afterstate, by cell and then by tile, then all boards after the second, and so on.

    Attributes:
        boards: uint64 (M,)
        probabilities: float64 (M,), which add up to 1 for each afterstate that has an empty cell
        parents: int64 (M,), the number of the afterstate, 0 to N - 1
        overflow: uint32 (M,), of the boards
    """

    boards: NDArray[np.uint64]
    probabilities: NDArray[np.float64]
    parents: NDArray[np.int64]
    overflow: NDArray[np.uint32]


def pack(
    exponents: Any, *, out: tuple[NDArray[np.uint64], NDArray[np.uint32]] | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Boards as bits.

    Args:
        exponents: whole numbers 0 to 17 of shape (..., rows, columns), 2 to 4 rows and columns
        out: arrays for bits and overflow; by default new ones

    Returns:
        bits uint64 and overflow uint32, both of shape (...).

    Raises:
        ValueError: the shape is not that of boards, or a number is not an exponent.
    """
    array = np.asarray(exponents)
    if array.ndim < 2 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(
            f"exponents are {array.dtype} of shape {array.shape}: give whole numbers of shape (..., rows, columns)"
        )
    rows, columns = as_shape(array.shape[-2:])
    if array.size and not (0 <= array.min() and array.max() <= 17):
        raise ValueError(f"exponent {array.min() if array.min() < 0 else array.max()} is not a tile: give 0 to 17")
    tiles = np.asarray(array, np.uint8, order="C")
    given = _pair(out)
    bits: NDArray[np.uint64] = result(given[0], array.shape[:-2], np.uint64, "out[0]")
    overflow: NDArray[np.uint32] = result(given[1], array.shape[:-2], np.uint32, "out[1]")
    library.call(
        "pack", rows, columns, bits.size, library.address(tiles), library.address(bits), library.address(overflow)
    )
    return bits, overflow


def unpack(
    bits: Any, overflow: Any = None, shape: tuple[int, int] = (4, 4), *, out: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Boards as exponents.

    Args:
        bits: uint64 (...)
        overflow: uint32 (...), the same shape, for tiles of 65536 and 131072; by default there are none
        shape: rows and columns
        out: an array for the result; by default a new one

    Returns:
        uint8 (..., rows, columns).

    Raises:
        ValueError: the arrays have other types or shapes, or tiles outside the board.
    """
    rows, columns = as_shape(shape)
    boards, high = _arrays(bits, overflow, "bits")
    exponents: NDArray[np.uint8] = result(out, (*boards.shape, rows, columns), np.uint8, "out")
    library.call(
        "unpack", rows, columns, boards.size, library.address(boards), library.address(high),
        library.address(exponents),
    )  # fmt: skip
    return exponents


def as_exponents(board: Any, shape: tuple[int, int] = (4, 4)) -> NDArray[np.uint8]:
    """A board in any notation as exponents.

    Args:
        board: exponents of shape (rows, columns); a text with one digit per cell in reading order, 0 empty, 1 = 2 to
            f = 32768, g = 65536, h = 131072; or 64 bits
        shape: rows and columns of a text or of bits

    Returns:
        uint8 (rows, columns).

    Raises:
        ValueError: `board` is not a board.
    """
    if isinstance(board, str):
        rows, columns = as_shape(shape)
        if len(board) != rows * columns:
            raise ValueError(f"a board has {rows * columns} hex digits, this has {len(board)}")
        numbers = [_DIGITS.find(digit) for digit in board.lower()]
        if -1 in numbers:
            bad = numbers.index(-1)
            raise ValueError(f"{board[bad]!r} at position {bad + 1} is not a tile: use 0 to 9 and a to h")
        return np.array(numbers, np.uint8).reshape(rows, columns)
    if isinstance(board, (int, np.integer)):
        if not 0 <= int(board) < 1 << 64:
            raise ValueError(f"{board} is not a board: give 64 bits")
        return unpack(np.uint64(board), None, shape)
    array = np.asarray(board)
    pack(array)
    if array.ndim != 2:
        raise ValueError(f"a board has shape (rows, columns), this has {array.shape}")
    return array.astype(np.uint8)


def as_exponents_of(board: Any, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """A board in any notation as exponents of exactly this shape."""
    exponents = as_exponents(board, shape)
    if exponents.shape != shape:
        raise ValueError(f"the board has shape {exponents.shape}: give {shape}")
    return exponents


@overload
def symmetries(
    boards: Any, overflow: None = None, shape: tuple[int, int] = (4, 4), *, out: NDArray[np.uint64] | None = None
) -> NDArray[np.uint64]: ...


@overload
def symmetries(
    boards: Any, overflow: Any, shape: tuple[int, int] = (4, 4), *,
    out: tuple[NDArray[np.uint64], NDArray[np.uint32]] | None = None,
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...  # fmt: skip


def symmetries(boards: Any, overflow: Any = None, shape: tuple[int, int] = (4, 4), *, out: Any = None) -> Any:
    """Rotations and reflections.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; then the result has them, too
        shape: rows and columns
        out: an array for the result, or a pair of them with `overflow`; by default new ones

    Returns:
        uint64 (N, 8) on a square, (N, 4) on a rectangle, the board itself first: flipped horizontally, vertically,
        both, then each of the four transposed. With `overflow`, a pair of bits and overflow, uint32 of that shape.

    Raises:
        ValueError: the arrays have other types or shapes, or tiles outside the board.
    """
    rows, columns = as_shape(shape)
    bits, high = _arrays(boards, overflow, "boards")
    images = (*bits.shape, 8 if rows == columns else 4)
    given = _pair(out) if high is not None else (out, None)
    symmetric: NDArray[np.uint64] = result(given[0], images, np.uint64, "out" if high is None else "out[0]")
    symmetric_overflow = None if high is None else result(given[1], images, np.uint32, "out[1]")
    library.call(
        "symmetries", rows, columns, bits.size, library.address(bits), library.address(high),
        library.address(symmetric), library.address(symmetric_overflow),
    )  # fmt: skip
    return symmetric if high is None else (symmetric, symmetric_overflow)


def _pair(out: Any) -> tuple[Any, Any]:
    """Two arrays of the caller, or none."""
    if out is None:
        return None, None
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise ValueError(f"out is {out!r}: give a pair of arrays")
    return out[0], out[1]


def _arrays(boards: Any, overflow: Any, name: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Arrays that the library can read: contiguous, aligned, of one shape."""
    bits = np.require(as_array(boards, np.uint64, name), requirements=["C", "A"])
    if overflow is None:
        return bits, None
    high = np.require(as_array(overflow, np.uint32, "overflow"), requirements=["C", "A"])
    if high.shape != bits.shape:
        raise ValueError(f"overflow has shape {high.shape}, and {name} {bits.shape}: they must agree")
    return bits, high


def _positions(boards: Any, overflow: Any, name: str = "boards") -> tuple[np.ndarray, np.ndarray | None]:
    """Arrays that the library can read: contiguous, of one length."""
    bits = as_row(boards, np.uint64, name)
    return bits, None if overflow is None else as_row(overflow, np.uint32, "overflow", len(bits))


def successors(
    boards: Any, overflow: Any = None, *, shape: tuple[int, int] = (4, 4), out: Successors | None = None
) -> Successors:
    """The four moves of each board.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; by default there are none
        shape: rows and columns
        out: arrays for the result, as `Successors.empty(N)` makes them; by default new ones

    Returns:
        Arrays of shape (N, 4), by move: `afterstates`, `rewards`, `legal`, `overflow`.

    Raises:
        ValueError: the arrays have other types or shapes, or are not boards.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(boards, overflow)
    count = len(bits)
    if out is None:
        found = Successors(*[np.empty((count, 4), kind) for kind in _SUCCESSORS])
    elif isinstance(out, Successors):
        for name, array, kind in zip(out._fields, out, _SUCCESSORS, strict=True):
            result(array, (count, 4), kind, f"out.{name}")
        found = out
    else:
        raise ValueError(f"out is {out!r}: give Successors, such as Successors.empty({count})")
    library.call(
        "successors", rows, columns, count, library.address(bits), library.address(high),
        library.address(found.afterstates), library.address(found.overflow), library.address(found.rewards),
        library.address(found.legal),
    )  # fmt: skip
    return found


def legal_moves(
    boards: Any, overflow: Any = None, *, shape: tuple[int, int] = (4, 4), out: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """The legal moves of each board: bool (N, 4), all false where the game is over.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; by default there are none
        shape: rows and columns
        out: an array for the result; by default a new one

    Raises:
        ValueError: the arrays have other types or shapes, or are not boards.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(boards, overflow)
    legal: NDArray[np.bool_] = result(out, (len(bits), 4), np.bool_, "out")
    library.call(
        "legal", rows, columns, len(bits), library.address(bits), library.address(high), library.address(legal)
    )
    return legal


def spawn(
    afterstates: Any,
    random: Any,
    overflow: Any = None,
    *,
    shape: tuple[int, int] = (4, 4),
    four_probability: float = 0.1,
    out: NDArray[np.uint64] | None = None,
) -> NDArray[np.uint64]:
    """Lets a tile appear on each afterstate: on a random empty cell, a 4 with some probability, otherwise a 2.

    Args:
        afterstates: uint64 (N,), each with an empty cell
        random: a seed, 0 to 2^64 - 1, or a `numpy.random.Generator`, which is advanced
        overflow: uint32 (N,), of tiles beyond 32768; it stays valid for the result
        shape: rows and columns
        four_probability: the probability of a 4, 0 to 1
        out: an array for the result, which may be `afterstates`; by default a new one

    Returns:
        uint64 (N,), the boards.

    Raises:
        ValueError: an afterstate is full, or an argument has another type, shape or range.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(afterstates, overflow, "afterstates")
    probability = number(four_probability, "four_probability", 0, 1)
    boards: NDArray[np.uint64] = result(out, bits.shape, np.uint64, "out")
    stream = np.empty(4, np.uint64)
    if isinstance(random, np.random.Generator):
        seed = int(random.integers(0, 1 << 64, dtype=np.uint64))
    else:
        seed = whole(random, "random", 0, (1 << 64) - 1)
    library.call("random", seed, 0, library.address(stream))
    library.call(
        "spawn", rows, columns, probability, len(bits), library.address(bits), library.address(high),
        library.address(stream), library.address(boards),
    )  # fmt: skip
    return boards


def outcomes(
    afterstates: Any, overflow: Any = None, *, shape: tuple[int, int] = (4, 4), four_probability: float = 0.1
) -> Outcomes:
    """All boards that may follow each afterstate, with their probabilities.

    The expected value of each of N afterstates under values of boards v is
    `numpy.bincount(found.parents, found.probabilities * v, N)`. A full afterstate is followed by no board.

    Args:
        afterstates: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; by default there are none
        shape: rows and columns
        four_probability: the probability that a new tile is a 4, 0 to 1; tiles of probability 0 are left out

    Raises:
        ValueError: the arrays have other types or shapes, or are not boards.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(afterstates, overflow, "afterstates")
    four = number(four_probability, "four_probability", 0, 1)
    empty = unpack(bits, high, shape).reshape(len(bits), rows * columns) == 0
    parents, cells = empty.nonzero()
    nibbles = (cells // columns * 16 + cells % columns * 4).astype(np.uint64)
    tiles = [(exponent, chance) for exponent, chance in ((1, 1 - four), (2, four)) if chance > 0]
    exponents = np.array([exponent for exponent, _ in tiles], np.uint64)
    chances = np.array([chance for _, chance in tiles])
    boards = bits[parents, None] | exponents << nibbles[:, None]
    probabilities = chances / empty.sum(axis=1)[parents, None]
    parents = parents.repeat(len(tiles))
    above = np.zeros(len(parents), np.uint32) if high is None else high[parents]
    return Outcomes(boards.ravel(), probabilities.ravel(), parents, above)
