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
from ._settings import Settings
from .evaluation import chosen


@dataclass(frozen=True, eq=False)
class Record:
    """A game of n moves, as `tupelo.play` makes it. A notebook shows its last board.

    Attributes:
        boards: uint8 (n + 1, rows, columns), the exponents of the board before each move and at the end
        actions: int64 (n,), 0 up, 1 right, 2 down, 3 left
        rewards: int64 (n,), score points of each move
    """

    boards: NDArray[np.uint8]
    actions: NDArray[np.int64]
    rewards: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def score(self) -> int:
        """The sum of all rewards, in score points."""
        return int(self.rewards.sum())

    @property
    def largest_tile(self) -> int:
        """The largest tile on the last board, such as 2048."""
        return _drawing.tile(int(self.boards[-1].max()))

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
        return _animation.animate(self.boards[begin : end + 1], self.actions[begin:end], scores, begin, seconds)

    def __repr__(self) -> str:
        return f"<tupelo.Record: {len(self):,} moves, score {self.score:,}, largest tile {self.largest_tile}>"

    def _repr_html_(self) -> str:
        return _drawing.svg(self.boards[-1], f"{len(self):,} moves · score {self.score:,}")


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
        player: a `Model`, which plays its best move without search; "random"; or a function as in `tupelo.evaluate`,
            of exponents, uint8 (N, rows, columns), and the masks of legal moves, bool (N, 4), that returns N legal
            moves. Here N is 1
        seed: the seed of the tiles, which equal those of `Game2048Env` after `reset(seed=seed)`
        moves: the largest number of moves; by default the game goes to its end
        shape: rows and columns; by default the shape of the model, or 4x4
        four_probability: the probability that a new tile is a 4
        start_tiles: the number of tiles at the start

    Raises:
        TypeError: `player` is not a player, or an argument has another type.
        ValueError: a setting is out of its range.
        IllegalMoveError: the function returns an illegal move.
    """
    seed = whole(seed, "seed", 0, (1 << 64) - 1)
    move = _moves(player, np.random.default_rng(seed))
    limit = None if moves is None else whole(moves, "moves", 0)
    size: Any = (player.shape if hasattr(player, "best_moves") else (4, 4)) if shape is None else shape
    games = Games(1, Settings(size, four_probability, start_tiles, illegal="raise"))
    games.reset(np.array([seed], np.uint64))
    boards = [games.exponents()[0]]
    actions: list[int] = []
    rewards: list[int] = []
    score = 0
    while not games.ended[0] and (limit is None or len(actions) < limit):
        chosen_moves = chosen(move, games.exponents(), games.action_masks.astype(np.bool_))
        games.step(chosen_moves)
        actions.append(int(chosen_moves[0]))
        rewards.append(int(games.scores[0]) - score)
        score = int(games.scores[0])
        boards.append(games.exponents()[0])
    return Record(np.stack(boards), np.array(actions, np.int64), np.array(rewards, np.int64))


def _moves(player: Any, random: np.random.Generator) -> Callable[[NDArray[np.uint8], NDArray[np.bool_]], Any]:
    """The player as a function of boards and masks."""
    best: Callable[..., Any] | None = getattr(player, "best_moves", None)
    if best is not None:
        return lambda boards, masks: best(boards)
    if isinstance(player, str) and player == "random":
        return lambda boards, masks: [random.choice(np.flatnonzero(masks[0]))]
    if not callable(player):
        raise TypeError(f"player is {player!r}: give a Model, 'random' or a function")
    function: Callable[[NDArray[np.uint8], NDArray[np.bool_]], Any] = player
    return function
