"""Functions on arrays of boards.

A board is 64 bits: four bits per cell, the exponent of its tile (0 empty, 1 = 2, 2 = 4, ..., 15 = 32768). Cell
(row, column) is nibble 4 * row + column for every shape. Tiles of 65536 and 131072 are 15 there, and `overflow`,
uint32 with two bits per cell, has the part of their exponent above 15. Moves are 0 up, 1 right, 2 down, 3 left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _library as library
from ._checks import as_array, as_row, as_shape, number, whole

__all__ = ["Successors", "as_exponents", "legal_moves", "pack", "spawn", "successors", "symmetries", "unpack"]

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

    afterstates: np.ndarray
    rewards: np.ndarray
    legal: np.ndarray
    overflow: np.ndarray


def pack(exponents: Any) -> tuple[np.ndarray, np.ndarray]:
    """Boards as bits.

    Args:
        exponents: whole numbers 0 to 17 of shape (..., rows, columns), 2 to 4 rows and columns

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
    bits, overflow = np.empty(array.shape[:-2], np.uint64), np.empty(array.shape[:-2], np.uint32)
    library.call(
        "pack", rows, columns, bits.size, library.address(tiles), library.address(bits), library.address(overflow)
    )
    return bits, overflow


def unpack(bits: Any, overflow: Any = None, shape: tuple[int, int] = (4, 4)) -> np.ndarray:
    """Boards as exponents.

    Args:
        bits: uint64 (...)
        overflow: uint32 (...), the same shape, for tiles of 65536 and 131072; by default there are none
        shape: rows and columns

    Returns:
        uint8 (..., rows, columns).

    Raises:
        ValueError: the arrays have other types or shapes, or tiles outside the board.
    """
    rows, columns = as_shape(shape)
    boards, high = _arrays(bits, overflow, "bits")
    exponents = np.empty((*boards.shape, rows, columns), np.uint8)
    library.call(
        "unpack", rows, columns, boards.size, library.address(boards), library.address(high),
        library.address(exponents),
    )  # fmt: skip
    return exponents


def as_exponents(board: Any, shape: tuple[int, int] = (4, 4)) -> np.ndarray:
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


def as_exponents_of(board: Any, shape: tuple[int, int]) -> np.ndarray:
    """A board in any notation as exponents of exactly this shape."""
    exponents = as_exponents(board, shape)
    if exponents.shape != shape:
        raise ValueError(f"the board has shape {exponents.shape}: give {shape}")
    return exponents


def symmetries(boards: Any, overflow: Any = None, shape: tuple[int, int] = (4, 4)) -> Any:
    """Rotations and reflections.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; then the result has them, too
        shape: rows and columns

    Returns:
        uint64 (N, 8) on a square, (N, 4) on a rectangle, the board itself first: flipped horizontally, vertically,
        both, then each of the four transposed. With `overflow`, a pair of bits and overflow, uint32 of that shape.

    Raises:
        ValueError: the arrays have other types or shapes, or tiles outside the board.
    """
    rows, columns = as_shape(shape)
    bits, high = _arrays(boards, overflow, "boards")
    images = (*bits.shape, 8 if rows == columns else 4)
    result = np.empty(images, np.uint64)
    result_overflow = None if high is None else np.empty(images, np.uint32)
    library.call(
        "symmetries", rows, columns, bits.size, library.address(bits), library.address(high), library.address(result),
        library.address(result_overflow),
    )  # fmt: skip
    return result if high is None else (result, result_overflow)


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


def successors(boards: Any, overflow: Any = None, *, shape: tuple[int, int] = (4, 4)) -> Successors:
    """The four moves of each board.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; by default there are none
        shape: rows and columns

    Returns:
        Arrays of shape (N, 4), by move: `afterstates`, `rewards`, `legal`, `overflow`.

    Raises:
        ValueError: the arrays have other types or shapes, or are not boards.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(boards, overflow)
    count = len(bits)
    result = Successors(
        np.empty((count, 4), np.uint64),
        np.empty((count, 4), np.int32),
        np.empty((count, 4), np.bool_),
        np.empty((count, 4), np.uint32),
    )
    library.call(
        "successors", rows, columns, count, library.address(bits), library.address(high),
        library.address(result.afterstates), library.address(result.overflow), library.address(result.rewards),
        library.address(result.legal),
    )  # fmt: skip
    return result


def legal_moves(boards: Any, overflow: Any = None, *, shape: tuple[int, int] = (4, 4)) -> np.ndarray:
    """The legal moves of each board: bool (N, 4), all false where the game is over.

    Args:
        boards: uint64 (N,)
        overflow: uint32 (N,), of tiles beyond 32768; by default there are none
        shape: rows and columns

    Raises:
        ValueError: the arrays have other types or shapes, or are not boards.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(boards, overflow)
    legal = np.empty((len(bits), 4), np.bool_)
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
) -> np.ndarray:
    """Lets a tile appear on each afterstate: on a random empty cell, a 4 with some probability, otherwise a 2.

    Args:
        afterstates: uint64 (N,), each with an empty cell
        random: a seed, 0 to 2^64 - 1, or a `numpy.random.Generator`, which is advanced
        overflow: uint32 (N,), of tiles beyond 32768; it stays valid for the result
        shape: rows and columns
        four_probability: the probability of a 4, 0 to 1

    Returns:
        uint64 (N,), the boards.

    Raises:
        ValueError: an afterstate is full, or an argument has another type, shape or range.
    """
    rows, columns = as_shape(shape)
    bits, high = _positions(afterstates, overflow, "afterstates")
    probability = number(four_probability, "four_probability", 0, 1)
    stream = np.empty(4, np.uint64)
    if isinstance(random, np.random.Generator):
        seed = int(random.integers(0, 1 << 64, dtype=np.uint64))
    else:
        seed = whole(random, "random", 0, (1 << 64) - 1)
    library.call("random", seed, 0, library.address(stream))
    boards = np.empty(len(bits), np.uint64)
    library.call(
        "spawn", rows, columns, probability, len(bits), library.address(bits), library.address(high),
        library.address(stream), library.address(boards),
    )  # fmt: skip
    return boards
