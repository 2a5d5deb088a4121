"""The state of one game as a value, which can be compared, stored and sent to another process."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._checks import as_shape, whole


class State(NamedTuple):
    """The state that determines the rest of a game, given the moves. Environments with equal states continue equally.

    Attributes:
        board: 64 bits, four per cell; see `tupelo.boards`
        overflow: 32 bits, for tiles beyond 32768
        random: four words of 64 bits, the stream that deals the tiles; not all zero
        score: score points
        plies: legal moves so far
        steps: actions so far, legal or not
        ended: whether the game is over or was cut off
        shape: rows and columns
    """

    board: int
    overflow: int
    random: tuple[int, int, int, int]
    score: int
    plies: int
    steps: int
    ended: bool
    shape: tuple[int, int]

    @staticmethod
    def of(games: Any, game: int) -> State:
        """The state of a game in a batch."""
        return State(
            int(games.boards[game]),
            int(games.overflow[game]),
            tuple(games.random[game].tolist()),
            int(games.scores[game]),
            int(games.plies[game]),
            int(games.steps[game]),
            bool(games.ended[game]),
            games.shape,
        )


def arrays(states: list[Any], shape: tuple[int, int]) -> dict[str, np.ndarray]:
    """The state arrays of games with these states.

    Raises:
        ValueError: something is not a state, a number does not fit, or a state has another shape than `shape`.
    """
    for state in states:
        if not isinstance(state, State):
            raise ValueError(f"{type(state).__name__} is not a state: give what get_state() returned")
        if as_shape(state.shape) != shape:
            raise ValueError(f"the state is of a board of shape {state.shape}, and the games have {shape}")
        counts = [whole(getattr(state, name), f"{name} of the state", 0) for name in ("score", "plies", "steps")]
        if counts[1] > counts[2]:
            raise ValueError(f"the state has {counts[1]} plies and {counts[2]} steps: each ply is a step, too")
        if not isinstance(state.random, (tuple, list)) or len(state.random) != 4:
            raise ValueError(f"random of the state is {state.random!r}: give 4 words")
    words = [[whole(word, "random of the state", 0, (1 << 64) - 1) for word in s.random] for s in states]
    return {
        "boards": np.array([whole(s.board, "board of the state", 0, (1 << 64) - 1) for s in states], np.uint64),
        "overflow": np.array([whole(s.overflow, "overflow of the state", 0, (1 << 32) - 1) for s in states], np.uint32),
        "random": np.array(words, np.uint64),
        "scores": np.array([s.score for s in states], np.int64),
        "plies": np.array([s.plies for s in states], np.int64),
        "steps": np.array([s.steps for s in states], np.int64),
        "ended": np.array([bool(s.ended) for s in states], np.uint8),
    }
