"""A whole game: its boards, moves and rewards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _animation, _drawing
from ._animation import Animation
from ._checks import number, whole
from ._games import Games
from .boards import unpack


@dataclass(frozen=True, eq=False)
class Record:
    """A game of n moves, as `tupelo.play` makes it. A notebook shows its last board.

    Attributes:
        boards: uint64 (n + 1,), the board before each move and at the end
        overflow: uint32 (n + 1,), the parts of exponents above 15; see `tupelo.unpack`
        actions: int64 (n,), 0 up, 1 right, 2 down, 3 left
        rewards: int64 (n,), score points of each move
        shape: rows and columns
    """

    boards: NDArray[np.uint64]
    overflow: NDArray[np.uint32]
    actions: NDArray[np.int64]
    rewards: NDArray[np.int64]
    shape: tuple[int, int] = (4, 4)

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def score(self) -> int:
        """The sum of all rewards, in score points."""
        return int(self.rewards.sum())

    @property
    def largest_tile(self) -> int:
        """The largest tile on the last board, such as 2048."""
        return _drawing.tile(int(self.exponents[-1].max()))

    @property
    def exponents(self) -> NDArray[np.uint8]:
        """uint8 (n + 1, rows, columns): 0 for an empty cell, 1 for a 2, 2 for a 4."""
        return unpack(self.boards, self.overflow, self.shape)

    def animate(self, first: int = 0, moves: int = 300, seconds_per_move: float = 0.25) -> Animation:
        """The game as one animated SVG, without scripts.

        Args:
            first: the number of the first move; negative numbers count from the end
            moves: the largest number of moves to show; 300 moves are about 400 KB
            seconds_per_move: the time of a move

        Raises:
            ValueError: `first` is not a move of the game, or a number is out of its range.
        """
        begin = whole(first, "first", -len(self), len(self))
        begin += len(self) if begin < 0 else 0
        end = min(begin + whole(moves, "moves", 1), len(self))
        seconds = number(seconds_per_move, "seconds_per_move", 1e-6, 1e6)
        scores = np.concatenate([[0], np.cumsum(self.rewards)])[begin : end + 1]
        boards = unpack(self.boards[begin : end + 1], self.overflow[begin : end + 1], self.shape)
        return _animation.animate(boards, self.actions[begin:end], scores, begin, seconds)

    def __repr__(self) -> str:
        return f"<tupelo.Record: {len(self):,} moves, score {self.score:,}, largest tile {self.largest_tile}>"

    def _repr_html_(self) -> str:
        return _drawing.svg(self.exponents[-1], f"{len(self):,} moves · score {self.score:,}")


def play(
    player: Any = "random",
    seed: int = 1,
    *,
    moves: int | None = None,
    shape: tuple[int, int] | None = None,
    four_probability: float = 0.1,
    start_tiles: int = 2,
) -> Record:
    """Plays one game and records all of it.

    Args:
        player: a `Model`, which plays its best move without search; "random"; or a function that takes exponents,
            uint8 (rows, columns), and the mask of legal moves, bool (4,), and returns a move
        seed: the seed of the tiles, which equal those of `Game2048Env` after `reset(seed=seed)`
        moves: the largest number of moves; by default the game goes to its end
        shape: rows and columns; by default the shape of the model, or 4x4
        four_probability: the probability that a new tile is a 4
        start_tiles: the number of tiles at the start

    Raises:
        ValueError: `player` is not a player, a setting is out of its range, or the player names an illegal move.
    """
    best: Callable[..., Any] | None = getattr(player, "best_moves", None)
    is_random = isinstance(player, str) and player == "random"
    if best is None and not is_random and not callable(player):
        raise ValueError(f"player is {player!r}: give a Model, 'random' or a function")
    if shape is None:
        shape = (4, 4) if best is None else player.shape
    seed = whole(seed, "seed", 0, (1 << 64) - 1)
    limit = None if moves is None else whole(moves, "moves", 0)
    games = Games(1, shape=shape, four_probability=four_probability, start_tiles=start_tiles, illegal="raise")
    games.reset(np.array([seed], np.uint64))
    choice = np.random.default_rng(seed)
    boards, overflow = [games.boards[0]], [games.overflow[0]]
    actions: list[int] = []
    rewards: list[int] = []
    score = 0
    while not games.ended[0] and (limit is None or len(actions) < limit):
        if best is not None:
            action = int(best(games.boards, games.overflow)[0])
        elif is_random:
            action = int(choice.choice(np.flatnonzero(games.action_masks[0])))
        else:
            chosen = player(games.exponents()[0], games.action_masks[0].astype(bool))
            action = whole(chosen, "the player's move", 0, 3)
        games.step(np.array([action], np.int64))
        actions.append(action)
        rewards.append(int(games.scores[0]) - score)
        score = int(games.scores[0])
        boards.append(games.boards[0])
        overflow.append(games.overflow[0])
    return Record(
        np.array(boards, np.uint64),
        np.array(overflow, np.uint32),
        np.array(actions, np.int64),
        np.array(rewards, np.int64),
        games.shape,
    )
