"""The state of one game as a value, which can be compared, stored and sent to another process."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._checks import whole
from .boards import one


class State(NamedTuple):
    """The state that determines the rest of a game, given the moves. Environments with equal states continue equally.

    Attributes:
        board: the exponents of the board, row by row
        random: four words of 64 bits, the stream that deals the tiles; not all zero
        score: score points
        plies: legal moves so far
        steps: actions so far, legal or not
        illegal_streak: illegal actions since the last legal move
        ended: whether the game is over or was cut off
    """

    board: tuple[tuple[int, ...], ...]
    random: tuple[int, int, int, int]
    score: int
    plies: int
    steps: int
    illegal_streak: int
    ended: bool


def states(games: Any, numbers: range) -> list[State]:
    """The states of some games of a batch."""
    boards = games.exponents()
    return [
        State(
            tuple(tuple(row) for row in boards[game].tolist()),
            tuple(games.random[game].tolist()),
            int(games.scores[game]),
            int(games.plies[game]),
            int(games.steps[game]),
            int(games.illegal_streaks[game]),
            bool(games.ended[game]),
        )
        for game in numbers
    ]


def arrays(given: list[Any], shape: tuple[int, int]) -> dict[str, np.ndarray]:
    """The state arrays of games with these states.

    Raises:
        TypeError: something is not a state, or a part of it has another type.
        ValueError: a number is out of its range, or a board does not have the shape.
    """
    boards = []
    for state in given:
        if not isinstance(state, State):
            raise TypeError(f"{type(state).__name__} is not a state: give what get_state() returned")
        boards.append(one(state.board, shape, "board of the state"))
        names = ("score", "plies", "steps", "illegal_streak")
        counts = [whole(getattr(state, name), f"{name} of the state", 0) for name in names]
        if counts[1] > counts[2]:
            raise ValueError(f"the state has {counts[1]} plies and {counts[2]} steps: give a step for each ply")
        if not isinstance(state.random, (tuple, list)) or len(state.random) != 4:
            raise TypeError(f"random of the state is {state.random!r}: give 4 words")
    words = [[whole(word, "random of the state", 0, (1 << 64) - 1) for word in s.random] for s in given]
    return {
        "boards": np.array([board.bits[0] for board in boards], np.uint64),
        "overflow": np.array([0 if board.high is None else board.high[0] for board in boards], np.uint32),
        "random": np.array(words, np.uint64).reshape(len(given), 4),
        "scores": np.array([s.score for s in given], np.int64),
        "plies": np.array([s.plies for s in given], np.int64),
        "steps": np.array([s.steps for s in given], np.int64),
        "illegal_streaks": np.array([s.illegal_streak for s in given], np.int64),
        "ended": np.array([bool(s.ended) for s in given], np.uint8),
    }
