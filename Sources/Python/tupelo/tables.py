"""The weights of n-tuple networks as arrays: the index of each feature of a board, and tables for models.

A pattern is hex digits that number cells row by row from the top left, such as "012456", or a list of these numbers.
Its table has 16 entries for each cell. The entry of a board is the sum of exponent(cell j) * 16^j. In an array with an
axis for each cell, in the order of the pattern, it is table[exponent(cell 0), exponent(cell 1), ...].
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._checks import as_shape, entries, flag
from .boards import Given, exponents, pack, symmetries

#: Models refuse larger weights.
_LARGEST = 1e9


def as_patterns(patterns: Any, shape: tuple[int, int]) -> list[list[int]]:
    """The cells of each pattern, as row * 4 + column."""
    words = patterns.split() if isinstance(patterns, str) else entries(patterns, "patterns")
    count, columns = shape[0] * shape[1], shape[1]
    found = []
    for word in words:
        numbers = _cells(word)
        if not 1 <= len(numbers) <= 8 or len(set(numbers)) < len(numbers) or min(numbers) < 0 or max(numbers) >= count:
            raise ValueError(
                f"patterns has {word!r}: give 1 to 8 different cells, as hex digits from 0 to {count - 1:x} such as "
                "'0124', or as a list such as [0, 1, 2, 4]"
            )
        found.append([number // columns * 4 + number % columns for number in numbers])
    if not 1 <= len(found) <= 256:
        raise ValueError(f"patterns has {len(found)} patterns: give 1 to 256, such as '0123 4567'")
    return found


def _cells(pattern: Any) -> list[int]:
    """The numbers of a pattern's cells, from 0 row by row; -1 for what is not a digit."""
    if isinstance(pattern, str):
        return ["0123456789abcdef".find(digit) for digit in pattern.lower()]
    try:
        return [index(number) for number in pattern]
    except TypeError:
        wanted = "give a text such as '0124', or a list such as [0, 1, 2, 4]"
        raise TypeError(f"patterns has {pattern!r}: {wanted}") from None


def tuple_indices(
    patterns: str | Sequence[str | Sequence[int]],
    boards: Any,
    *,
    shape: tuple[int, int] | None = None,
    shared: bool = True,
) -> NDArray[np.int64]:
    """The entries of n-tuple tables that make up the value of each board.

    With tables of `Model.tables` or of your own, the values of the boards are
    `sum(table[index].sum(axis=-1) for table, index in zip(tables, tuple_indices(patterns, boards)))`.

    Networks value a board with a tile from 32768 on as a board with smaller tiles, and so do the indices. All tiles
    above the highest missing tile are halved. This repeats while such a tile is there and a tile from 4 on is missing
    below the largest one.

    Args:
        patterns: P patterns, as texts or one text with spaces, such as "0123 4567", or as lists of cells, such as
            [[0, 1, 2, 3], [4, 5, 6, 7]]
        boards: exponents (..., rows, columns) or packed uint64 (...); see `tupelo.boards`
        shape: rows and columns of packed boards, by default (4, 4)
        shared: whether all symmetric boards share a table: then S is 8 on a square and 4 on a rectangle, otherwise 1

    Returns:
        int64 (P, ..., S), each from 0 to 16^(cells of the pattern) - 1.

    Raises:
        TypeError, ValueError: something is not a pattern or a board of the shape.
    """
    given = Given(boards, shape, "boards")
    cells = as_patterns(patterns, given.shape)
    views = symmetries(_lowered(given), shape=given.shape)
    views = views if flag(shared, "shared") else views[:, :1]
    found = np.empty((len(cells), *views.shape), np.int64)
    signed = views.view(np.int64)  # Each part that is taken out of it is below 16.
    part = np.empty_like(signed)
    for number, pattern in enumerate(cells):
        entry = found[number]
        entry[...] = 0
        for place, cell in enumerate(pattern):
            np.right_shift(signed, 4 * cell, out=part)
            np.bitwise_and(part, 15, out=part)
            np.left_shift(part, 4 * place, out=part)
            np.bitwise_or(entry, part, out=entry)
    return found.reshape(len(cells), *given.lead, views.shape[-1])


@functools.cache
def _holes() -> NDArray[np.uint8]:
    """For each set of exponents, a bit for each: the highest one from 2 on that is missing below the largest, or 0."""
    sets = np.arange(1 << 18)
    holes, largest = np.zeros(1 << 18, np.uint8), np.zeros(1 << 18, np.uint8)
    for tile in range(1, 18):
        largest[sets >> tile & 1 == 1] = tile
    for tile in range(2, 18):
        holes[(sets >> tile & 1 == 0) & (largest > tile)] = tile
    return holes


def _lowered(given: Given) -> NDArray[np.uint64]:
    """The boards that are looked up in tables: they differ from the boards where a tile is 32768 or larger."""
    tiles = exponents(given.bits, given.high, given.shape).reshape(given.count, -1)
    late = (tiles.max(axis=1, initial=0) >= 15).nonzero()[0]
    if not len(late):
        return given.bits
    lowered, boards, holes = given.bits.copy(), tiles[late], _holes()
    while len(late):
        hole = holes[np.bitwise_or.reduce(1 << boards.astype(np.int32), axis=1)]
        hole[boards.max(axis=1) < 15] = 0
        done = hole == 0
        # A tile above 32768 that stays is looked up as 32768.
        lowered[late[done]] = pack(np.minimum(boards[done], 15).reshape(-1, *given.shape))
        late, boards, hole = late[~done], boards[~done], hole[~done]
        boards -= boards > hole[:, None]
    return lowered


def checked(
    patterns: Any, arrays: Any, shape: tuple[int, int], shared: bool, stages: str | None
) -> tuple[str, list[NDArray[np.float32]]]:
    """The structure of a network in one line, and its tables as contiguous arrays."""
    shape = as_shape(shape)
    cells = as_patterns(patterns, shape)
    names = ["".join(f"{cell // 4 * shape[1] + cell % 4:x}" for cell in pattern) for pattern in cells]
    if not (stages is None or isinstance(stages, str)):
        raise TypeError(f"stages is {stages!r}: give a text such as 'largest=16384', or None")
    if stages is not None and ("=" not in stages or " " in stages):
        raise ValueError(f"stages is {stages!r}: give a text such as 'largest=16384', or None")
    given = entries(arrays, "arrays")
    if len(given) % len(cells) or not given or (stages is None) != (len(given) == len(cells)):
        wanted = len(cells) if stages is None else f"a multiple of {len(cells)}, one for each pattern and stage"
        raise ValueError(f"arrays has {len(given)} tables for {len(cells)} patterns: give {wanted}")
    tables = []
    for number, array in enumerate(given):
        length, name = len(cells[number % len(cells)]), f"arrays[{number}]"
        given_table = np.asarray(array)
        if given_table.dtype.kind not in "fiu":
            raise TypeError(f"{name} is an array of {given_table.dtype}: give numbers")
        if given_table.shape not in ((16**length,), (16,) * length):
            axes = f", or of shape {(16,) * length}" if length > 1 else ""
            raise ValueError(f"{name} has shape {given_table.shape}: give {16**length} numbers in one axis{axes}")
        with np.errstate(over="ignore"):  # A number that float32 cannot hold becomes infinite, and is refused.
            table = np.ascontiguousarray(given_table.ravel(order="F"), np.float32)  # The first cell changes fastest.
        if not np.abs(table).max() <= _LARGEST:
            raise ValueError(f"{name} has a weight that is not finite or beyond {_LARGEST:g}: give finite weights")
        tables.append(table)
    symmetric = "shared" if flag(shared, "shared") else "separate"
    words = [f"{shape[0]}x{shape[1]}", symmetric, *([stages] if stages else []), *names]
    return " ".join(words), tables
