"""One game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import _drawing
from ._checks import mapping, whole
from ._games import Games
from ._settings import RENDER_MODES, Illegal, Observation, RenderMode, Reward, Settings
from .boards import Given, one
from .state import State, arrays, states


def observation_space(settings: Settings) -> gymnasium.spaces.Box:
    """The space of one observation: exponents 0 to 17, or zeros and ones."""
    high = 17 if settings.observation == "exponents" else 1
    return gymnasium.spaces.Box(0, high, settings.observation_shape, np.uint8)


class Game2048Env(gymnasium.Env[np.ndarray, int]):
    """2048, one game. Its id is `tupelo/Game2048-v0`.

    Actions are 0 up, 1 right, 2 down, 3 left. Game `reset(seed=s)` is the Swift `Game(seed: s)`, tile for tile, on
    every machine. A reset without a seed continues the random stream.

    Args:
        shape: rows and columns, 2 to 4 each
        four_probability: the probability that a new tile is a 4, 0 to 1
        start_tiles: the number of tiles on a new board, 1 to rows * columns - 1
        observation: "exponents", uint8 (rows, columns), 0 for an empty cell, 1 for a 2, up to 17 for 131072;
            "onehot", uint8 (rows, columns, 18), 1 at the exponent; "planes", uint8 (18, rows, columns)
        reward: "score", score points of the move; or "log2", the sum of the base-2 logarithms of the merged tiles
        illegal: the effect of an illegal move: "ignore", no change; "terminate", the game ends; "raise", an error
        illegal_reward: the reward of an illegal move
        max_episode_steps: the number of actions after which a game is truncated; by default there is no limit
        max_illegal_moves: the number of illegal moves in a row after which a game is truncated. A deterministic policy
            without masks repeats an illegal move for ever, so with `None`, which is no limit, its game may never end
        render_mode: "ansi", text; "rgb_array", uint8 (height, width, 3)

    `info` of every step and reset:
        action_mask: int8 (4,), 1 for legal moves, in the form of `Discrete.sample(mask)`; four ones when the game is
            over, because a mask of zeros gives NaN in a masked softmax
        score: int, score points of the game so far
        largest_tile: int, such as 2048
        afterstate: uint8 (rows, columns), the exponents of the board after the move and before the new tile
        illegal: bool, whether the move was illegal

    Raises:
        TypeError: a setting is unknown, or has another type.
        ValueError: a setting is out of its range.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        *,
        shape: tuple[int, int] = (4, 4),
        four_probability: float = 0.1,
        start_tiles: int = 2,
        observation: Observation = "exponents",
        reward: Reward = "score",
        illegal: Illegal = "ignore",
        illegal_reward: float = 0.0,
        max_episode_steps: int | None = None,
        max_illegal_moves: int | None = 100,
        render_mode: RenderMode | None = None,
    ) -> None:
        settings = Settings(
            shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves, render_mode,
        )  # fmt: skip
        self._games = Games(1, settings)
        self.render_mode = settings.render_mode
        self.action_space: gymnasium.Space[Any] = gymnasium.spaces.Discrete(4)
        self.observation_space = observation_space(settings)
        self._bind()

    def _bind(self) -> None:
        """Prepares for `step` what costs time to look up."""
        games: Any = self._games
        self._observation: NDArray[np.uint8] = games.observations[0]
        self._mask: NDArray[np.int8] = games.action_masks[0]
        self._afterstate: NDArray[np.uint8] = games.afterstate_exponents[0]
        self._views: Any = (
            memoryview(games.actions), games._step, games._pointer, games._actions_pointer, self._observation.copy,
            self._mask.copy, self._afterstate.copy, *games.reading,
        )  # fmt: skip

    def _info(self) -> dict[str, Any]:
        games = self._games
        return {
            "action_mask": self._mask.copy(),
            "score": int(games.scores[0]),
            "largest_tile": int(games.largest_tiles[0]),
            "afterstate": self._afterstate.copy(),
            "illegal": bool(games.illegal_actions[0]),
        }

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins a game.

        Args:
            seed: 0 to 2^64 - 1; without one the random stream continues, and the first game has a random seed
            options: `{"board": board}` begins the game on a board with score 0, in any form of `tupelo.boards`

        Returns:
            The observation and `info`.

        Raises:
            TypeError, ValueError: the seed or the board has another type, range or shape, or an option is unknown.
        """
        board = None if options is None else board_option(options, self._games.shape, ("board",))
        if seed is not None:
            seed = whole(seed, "seed", 0, (1 << 64) - 1)
        super().reset(seed=seed)
        if seed is not None:
            seeds: np.ndarray | None = np.array([seed], np.uint64)
        elif self._games.begun:
            seeds = None
        else:
            seeds = self.np_random.integers(0, 1 << 64, 1, np.uint64)
        self._games.reset(seeds)
        if board is not None:
            put_boards(self._games, [0], board)
        return self._observation.copy(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Plays a move.

        Args:
            action: 0 up, 1 right, 2 down, 3 left; any whole number, also of numpy

        Returns:
            Observation, reward, terminated (no move is legal), truncated (`max_episode_steps` or `max_illegal_moves`),
            and `info`.

        Raises:
            TypeError: the action is not a whole number; the game has not moved.
            ValueError: the action is not 0 to 3; the game has not moved.
            IllegalMoveError: the action is illegal, and `illegal` is "raise"; the game has not moved.
            GameOverError: the game has ended, or no game has begun.
        """
        write, call, pointer, actions, copy, mask, after, read, numbers = self._views
        try:
            write[0] = action
        except (TypeError, ValueError) as error:
            kind = type(error)
            raise kind(f"action is {action!r}: give 0 (up), 1 (right), 2 (down) or 3 (left)") from None
        if status := call(pointer, actions):
            raise self._games.failure(status, "actions[0] is", "action is")
        score, largest, reward, terminated, truncated, illegal = read(numbers)
        return (
            copy(),
            reward,
            terminated,
            truncated,
            {
                "action_mask": mask(),
                "score": score,
                "largest_tile": largest,
                "afterstate": after(),
                "illegal": illegal,
            },
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, bool (4,), in the form for MaskablePPO; four times true when the game is over."""
        mask: NDArray[np.bool_] = self._mask.astype(np.bool_)
        return mask

    @property
    def board(self) -> NDArray[np.uint8]:
        """The exponents of the board, uint8 (rows, columns), for any form of observations."""
        board: NDArray[np.uint8] = self._games.exponents()[0]
        return board

    def get_state(self) -> State:
        """The state that determines the rest of the game, given the moves.

        Raises:
            GameOverError: no game has begun.
        """
        if not self._games.begun:
            raise self._games.failure(-1)
        return states(self._games, range(1))[0]

    def set_state(self, state: State) -> None:
        """Continues from a state of an environment with this shape.

        Raises:
            TypeError, ValueError: `state` is not a state of this shape, or has impossible values. Nothing has changed.
        """
        self._games.load(arrays([state], self._games.shape))

    def set_board(self, board: Any, score: int = 0) -> None:
        """Continues from a board, with the random stream of this environment; the game has 0 plies and steps.

        Args:
            board: exponents (rows, columns), or another form of `tupelo.boards`
            score: score points so far

        Raises:
            TypeError, ValueError: `board` is not a board of this shape. Nothing has changed.
            GameOverError: no game has begun, so there is no random stream.
        """
        put_boards(self._games, [0], one(board, self._games.shape, "board"), score)

    def render(self) -> Any:
        """The board as `render_mode` says: text, an array of pixels, or `None`."""
        if self.render_mode == "ansi":
            return _drawing.text(self.board)
        return _drawing.pixels(self.board) if self.render_mode == "rgb_array" else None

    def _repr_html_(self) -> str:
        return _drawing.svg(self.board, f"score {int(self._games.scores[0]):,}")

    def __getstate__(self) -> dict[str, Any]:
        views = {"_observation", "_mask", "_afterstate", "_views"}
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()


def board_option(
    options: Any, shape: tuple[int, int], known: tuple[str, ...], games: int | None = None
) -> Given | None:  # fmt: skip
    """The board on which games begin, or a board for each, from the options of a reset."""
    unknown = set(mapping(options, "options")) - set(known)
    if unknown:
        raise ValueError(f"options has {', '.join(sorted(map(repr, unknown)))}: give {' and '.join(map(repr, known))}")
    if "board" not in options:
        return None
    given = Given(options["board"], shape, "options['board']")
    if given.lead and given.lead != (games,):
        wanted = "one board" if games is None else f"one board, or one for each of {games} games"
        raise ValueError(f"options['board'] has boards of shape {given.lead}: give {wanted}")
    return given


def put_boards(games: Games, numbers: list[int], given: Given, score: int = 0) -> None:
    """Puts boards into some games of a batch, which get 0 plies and steps: one board for all, or one for each."""
    if not games.begun:
        raise games.failure(-1)
    score = whole(score, "score", 0)
    state = games.save()
    state["boards"][numbers], state["overflow"][numbers] = given.bits, 0 if given.high is None else given.high
    state["scores"][numbers] = score
    for name in ("plies", "steps", "illegal_streaks", "ended"):
        state[name][numbers] = 0
    games.load(state)
