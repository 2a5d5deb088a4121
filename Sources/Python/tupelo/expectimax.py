"""Expectimax with the values of any network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ._checks import number, whole
from .boards import Exponents, Given, exponents, outcomes, successors
from .model import Analyses, Analysis, Model

#: Values of afterstates: a model, or a function of exponents.
Value = Model | Callable[[NDArray[np.uint8]], Any]
#: The boards whose moves are valued in one call. With one more ply, about 70 boards follow each of them.
_BATCH = 4096


@overload
def search(
    boards: str | np.uint64 | Sequence[Sequence[int]], value: Value, plies: int = 2, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> Analysis: ...  # fmt: skip


@overload
def search(
    boards: np.ndarray[tuple[int], np.dtype[np.uint64]], value: Value, plies: int = 2, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> Analyses: ...  # fmt: skip


@overload
def search(
    boards: np.ndarray[tuple[int, int], np.dtype[Exponents]], value: Value, plies: int = 2, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> Analysis: ...  # fmt: skip


@overload
def search(
    boards: np.ndarray[tuple[int, int, int], np.dtype[Exponents]], value: Value, plies: int = 2, *,
    shape: tuple[int, int] | None = None, four_probability: float = 0.1,
) -> Analyses: ...  # fmt: skip


@overload
def search(
    boards: Any, value: Value, plies: int = 2, *, shape: tuple[int, int] | None = None, four_probability: float = 0.1
) -> Any: ...


def search(
    boards: Any, value: Value, plies: int = 2, *, shape: tuple[int, int] | None = None, four_probability: float = 0.1
) -> Analysis | Analyses:
    """Expectimax with the values of your own network, on one board or on an array of boards.

    The result is that of `Model.search`, whose values this function would get from `model.values`. Each ply takes about
    30 times as long as the ply before it. Ctrl-C ends it.

    Args:
        boards: exponents (..., rows, columns) or packed uint64 (...); see `tupelo.boards`
        value: a function of afterstates as exponents, uint8 (N, rows, columns), which returns the score points still to
            come after each of them, N numbers; or a `Model`, which is searched by `Model.search`
        plies: the depth, 1 to 8; 1 is greedy
        shape: rows and columns of packed boards, by default (4, 4), or the shape of the model
        four_probability: the probability that a new tile is a 4

    Returns:
        An `Analysis` of one board, or `Analyses` of many boards. Its values are -inf for illegal moves.

    Raises:
        TypeError, ValueError: `boards` are not boards of the shape, an argument has another type or range, or `value`
            does not return N numbers.
    """
    depth = whole(plies, "plies", 1, 8)
    four = number(four_probability, "four_probability", 0, 1)
    if not callable(value) and not isinstance(value, Model):
        raise TypeError(f"value is {value!r}: give a function of afterstates, such as model.values, or a Model")
    given = Given(boards, value.shape if shape is None and isinstance(value, Model) else shape, "boards")
    tiles = exponents(given.bits, given.high, given.shape)
    if isinstance(value, Model):
        found: Analysis | Analyses = value.search(
            tiles.reshape(*given.lead, *given.shape), plies=depth, four_probability=four
        )
        return found
    values, nodes = _Expectimax(value, four).moves(tiles, depth)
    best = np.where(np.isneginf(values).all(axis=1), -1, values.argmax(axis=1)).astype(np.int8)
    if not given.lead:
        return Analysis(int(best[0]), values[0], depth, int(nodes[0]))
    lead = given.lead
    return Analyses(
        best.reshape(lead), values.reshape(*lead, 4), np.full(lead, depth, np.int32), nodes.reshape(lead)
    )


class _Expectimax:
    """The recursion over plies. Each level works on arrays of boards, and counts the afterstates that it values."""

    def __init__(self, value: Callable[[NDArray[np.uint8]], Any], four_probability: float) -> None:
        self._value, self._four = value, four_probability

    def moves(self, boards: NDArray[np.uint8], plies: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The values of the four moves of each of n boards, float64 (n, 4), and the nodes below each, int64 (n,)."""
        values, nodes = np.full((len(boards), 4), -np.inf), np.zeros(len(boards), np.int64)
        for begin in range(0, len(boards), _BATCH):
            part = slice(begin, begin + _BATCH)
            after, rewards, legal = successors(boards[part])
            worth, count = self._afterstates(after[legal], plies)
            values[part][legal] = rewards[legal] + worth
            nodes[part] = np.bincount(legal.nonzero()[0], count, len(legal))
        return values, nodes

    def _afterstates(self, after: NDArray[np.uint8], plies: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The values of n afterstates, float64 (n,): of the network, or the expected ones of their best moves."""
        if not len(after):
            return np.zeros(0), np.zeros(0, np.int64)
        if plies == 1:
            return self._valued(after), np.ones(len(after), np.int64)
        chance = outcomes(after, four_probability=self._four)
        values, nodes = self.moves(chance.boards, plies - 1)
        best = values.max(axis=1)
        best[np.isneginf(best)] = 0  # The game is over.
        counts = np.bincount(chance.parents, nodes, len(after)).astype(np.int64)
        worth: NDArray[np.float64] = np.bincount(chance.parents, chance.probabilities * best, len(after)).astype(float)
        return worth, counts

    def _valued(self, after: NDArray[np.uint8]) -> NDArray[np.float64]:
        found = np.asarray(self._value(after))
        if found.dtype.kind not in "fiu" or found.size != len(after):
            kind = ValueError if found.dtype.kind in "fiu" else TypeError
            raise kind(
                f"value returns {found.dtype} of shape {found.shape}: give a number for each of {len(after)} "
                "afterstates"
            )
        if not np.isfinite(found).all():
            raise ValueError("value returns a number that is not finite: give score points")
        return found.reshape(-1).astype(np.float64)
