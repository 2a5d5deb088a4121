"""Many games as one Gymnasium vector environment, stepped by one call of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _drawing
from ._checks import entries, flag, whole
from ._games import STATE_NAMES, Games
from ._settings import RENDER_MODES, Illegal, Observation, RenderMode, Reward, Settings
from .boards import Given, exponents
from .env import board_option, observation_space, put_boards
from .state import State, arrays, states

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class Game2048VectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """N games of 2048 in one environment: `gymnasium.make_vec("tupelo/Game2048-v0", num_envs=N)`.

    Game i after `reset(seed=s)` is `Game2048Env` after `reset(seed=s + i)`, so a `SyncVectorEnv` of single environments
    gives equal results. Two environments share games unless their seeds are N or more apart.

    Args:
        num_envs: the number of games, N
        shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves, render_mode: see `Game2048Env`
        autoreset_mode: when a game that has ended begins again, as `gymnasium.vector.AutoresetMode` or its value:
            NEXT_STEP, the next step begins it and ignores its action; SAME_STEP, the step itself does, and
            `info["final_obs"]` and `info["final_info"]` have the end; DISABLED, only `reset` does, with
            `options={"reset_mask": ...}` for some games, and a step of an ended game is an error
        copy: whether results are new arrays. Without copies they are arrays of this object, which the next step
            overwrites
        threads: the number of threads that share a step, 1 to 64; results do not depend on it
        buffers: arrays to write results to: any of "observations", "rewards" float32 (N,), "terminated" and "truncated"
            bool (N,), "action_masks" int8 (N, 4); C-contiguous

    `info` of every step and reset has these keys, and for each key `_key`, bool (N,), the games that have it:
        action_mask: int8 (N, 4), 1 for legal moves; ones where the game is over
        score: int64 (N,), score points of the games so far
        largest_tile: int64 (N,)
        afterstate: uint8 (N, rows, columns), the exponents of the boards after the moves and before the new tiles
        illegal: bool (N,)

    Raises:
        TypeError: a setting is unknown, or has another type.
        ValueError: a setting is out of its range.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        buffers: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        settings = Settings(
            shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves, render_mode,
        )  # fmt: skip
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ValueError(f"autoreset_mode is {autoreset_mode!r}: give an AutoresetMode, or {known}") from None
        self._games = Games(num_envs, settings, autoreset=_MODES[mode], threads=threads, buffers=buffers)
        self.num_envs = self._games.count
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.render_mode = settings.render_mode
        self.copy = flag(copy, "copy")
        self.single_action_space = gymnasium.spaces.Discrete(4)
        self.single_observation_space = observation_space(settings)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._same_step = mode is AutoresetMode.SAME_STEP
        self._all = np.ones(self.num_envs, np.bool_)
        self._all.flags.writeable = False

    # The state, as views that cannot be written to. `set_states` and `set_boards` change it.

    @property
    def boards(self) -> NDArray[np.uint8]:
        """uint8 (N, rows, columns): a copy of the exponents of the boards, for any form of observations."""
        return self._games.exponents()

    @property
    def scores(self) -> NDArray[np.int64]:
        """int64 (N,): score points of each game so far."""
        return _read_only(self._games.scores)

    @property
    def plies(self) -> NDArray[np.int64]:
        """int64 (N,): legal moves of each game so far."""
        return _read_only(self._games.plies)

    @property
    def ended(self) -> NDArray[np.bool_]:
        """bool (N,): the games that have ended and not begun again."""
        return _read_only(self._games.ended.view(np.bool_))

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (N, 4): 1 for legal moves; ones where the game is over."""
        return _read_only(self._games.action_masks)

    @property
    def afterstates(self) -> NDArray[np.uint8]:
        """uint8 (N, rows, columns): the exponents of the boards after the last moves, before the new tiles."""
        return self._games.afterstate_exponents.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, bool (N, 4); four times true where the game is over."""
        return self._games.action_masks.astype(np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins all games, or the games of a mask.

        Args:
            seed: game i gets seed + i; or a sequence of N seeds, where `None` continues the random stream of that
                game; or `None` for all. Without seeds the first games have random ones.
            options: `{"reset_mask": mask}` begins only the games of the mask, bool (N,) with at least one true.
                `{"board": board}` begins them on a board with score 0, or on a board for each of the N games

        Returns:
            Observations of all games, and `info` with masks of the games that began.

        Raises:
            TypeError, ValueError: a seed, the mask or the board has another type, shape or range, or an option is
                unknown.
            GameOverError: the mask leaves out games that have never begun.
        """
        games = self._games
        mask = board = None
        if options is not None:
            board = board_option(options, games.shape, ("reset_mask", "board"), self.num_envs)
        if options is not None and "reset_mask" in options:
            mask = options["reset_mask"]  # It stays there: wrappers such as RecordEpisodeStatistics read it afterwards.
            if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_):
                raise TypeError(f"reset_mask is {mask!r}: give a bool array of shape ({self.num_envs},)")
            if mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(
                    f"reset_mask has shape {mask.shape} and {np.count_nonzero(mask)} true entries: give a bool array "
                    f"of shape ({self.num_envs},) with at least one true"
                )
        if seed is None or isinstance(seed, (int, np.integer)):
            first = None if seed is None else whole(seed, "seed", 0, (1 << 64) - self.num_envs)
            super().reset(seed=first)
            if first is None:
                seeds = None if games.begun else self.np_random.integers(0, 1 << 64, self.num_envs, np.uint64)
            else:
                seeds = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(first)
            games.reset(seeds, mask)
        else:
            self._reset_each(seed, mask)
        if board is not None:
            chosen = range(self.num_envs) if mask is None else mask.nonzero()[0].tolist()
            put_boards(games, list(chosen), board.of(chosen))
        return self._seen(games.observations), self._info(self._all if mask is None else mask.copy())

    def _reset_each(self, seed: Sequence[int | None], mask: np.ndarray | None) -> None:
        """Begins games. Some of them continue their stream."""
        games = self._games
        given = entries(seed, "seed")
        if len(given) != self.num_envs:
            raise ValueError(f"seed has {len(given)} entries: give one for each of {self.num_envs} games")
        known = np.array([one is not None for one in given])
        keys = [0 if one is None else whole(one, "seed", 0, (1 << 64) - 1) for one in given]
        chosen = np.ones(self.num_envs, np.bool_) if mask is None else mask
        if not games.begun:
            fresh = self.np_random.integers(0, 1 << 64, self.num_envs, np.uint64)
            games.reset(np.where(known, np.array(keys, np.uint64), fresh), mask)
            return
        if (chosen & known).any():
            games.reset(np.array(keys, np.uint64), chosen & known)
        if (chosen & ~known).any():
            games.reset(None, chosen & ~known)

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one move in every game. All actions are checked before any game moves.

        Args:
            actions: whole numbers 0 to 3 of shape (N,), in any integer type

        Returns:
            Observations uint8 (N, ...), rewards float32 (N,), terminated bool (N,), truncated bool (N,), and `info`.

        Raises:
            TypeError: the array has no integers. No game has moved.
            ValueError: an action is not 0 to 3, or the array has another shape. No game has moved.
            IllegalMoveError: an action is illegal, and `illegal` is "raise". No game has moved.
            GameOverError: a game has ended and autoreset is off, or the games have not begun. No game has moved.
        """
        games = self._games
        games.step(actions)
        info = self._info(self._all)
        if self._same_step:
            self._add_final(info)
        if not self.copy:
            return games.observations, games.rewards, games.terminated, games.truncated, info
        return (
            games.observations.copy(),
            games.rewards.copy(),
            games.terminated.copy(),
            games.truncated.copy(),
            info,
        )

    def step_into(self, actions: Any) -> None:
        """Plays one move in every game as `step` does, and returns nothing: the results are in the arrays of this
        object and in `buffers`."""
        self._games.step(actions)

    def random_steps(self, steps: int, seed: int) -> tuple[int, int]:
        """Plays uniformly random legal moves inside the library, which is the fastest way to positions.

        Args:
            steps: moves of each game, 0 to 10^9; games that end begin again as `autoreset_mode` says
            seed: the seed of the choices; game i uses stream i

        Returns:
            The number of moves of all games, and the number of games that ended.

        Raises:
            TypeError, ValueError: autoreset is off, or a number has another type or is out of its range.
        """
        return self._games.random_steps(steps, seed)

    def _seen(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _info(self, which: np.ndarray) -> dict[str, Any]:
        games, seen = self._games, self._seen
        return {
            "action_mask": seen(games.action_masks), "_action_mask": which,
            "score": seen(games.scores), "_score": which,
            "largest_tile": games.largest_tiles.astype(np.int64), "_largest_tile": which,
            "afterstate": seen(games.afterstate_exponents), "_afterstate": which,
            "illegal": seen(games.illegal_actions), "_illegal": which,
        }  # fmt: skip

    def _add_final(self, info: dict[str, Any]) -> None:
        """Adds the ends of the games that this step began again, as SyncVectorEnv does. Only the entries of these games
        are touched: a step of many games has few ends."""
        games = self._games
        over = games.terminated | games.truncated
        numbers = over.nonzero()[0]
        if not len(numbers):
            return
        ends = np.empty(self.num_envs, object)  # All entries are None.
        for number, end in zip(numbers.tolist(), games.final_observations[numbers], strict=True):
            ends[number] = end
        final: dict[str, Any] = {}
        for key, source in (
            ("action_mask", games.final_action_masks),
            ("score", games.final_scores),
            ("largest_tile", games.final_largest_tiles),
            ("afterstate", games.afterstate_exponents),
            ("illegal", games.illegal_actions),
        ):
            array = np.zeros(source.shape, np.int64 if key == "largest_tile" else source.dtype)
            array[numbers] = source[numbers]
            final[key], final["_" + key] = array, over
        info.update(final_obs=ends, _final_obs=over, final_info=final, _final_info=over)
        # The step's afterstate and illegal move belong to the old game, not to the new one.
        if not self.copy:
            info.update(afterstate=games.afterstate_exponents.copy(), illegal=games.illegal_actions.copy())
        info["afterstate"][numbers] = exponents(games.boards[numbers], games.overflow[numbers], games.shape)
        info["illegal"][numbers] = False

    def get_states(self) -> list[State]:
        """The state of each game.

        Raises:
            GameOverError: the games have not begun.
        """
        if not self._games.begun:
            raise self._games.failure(-1)
        return states(self._games, range(self.num_envs))

    def set_states(self, states: Sequence[State], games: Sequence[int] | None = None) -> None:
        """Continues games from states.

        Args:
            states: one for each game
            games: the numbers of the games that get them; by default all

        Raises:
            TypeError, ValueError: something is not a state of this shape, or a number is not a game. Nothing has
                changed.
        """
        given = entries(states, "states")
        numbers = self._numbers(games, len(given))
        new = arrays(given, self._games.shape)
        whole_state = self._games.save()
        for name in STATE_NAMES:
            whole_state[name][numbers] = new[name]
        if not self._games.begun and len(set(numbers)) < self.num_envs:
            raise self._games.failure(-1)
        self._games.load(whole_state)

    def set_boards(self, boards: Any, games: Sequence[int] | None = None, score: int = 0) -> None:
        """Continues games from boards, with the random streams of these games, 0 plies and 0 steps.

        Args:
            boards: a board for each game: exponents (M, rows, columns), or another form of `tupelo.boards`
            games: the numbers of the games that get them; by default all
            score: score points of these games so far

        Raises:
            TypeError, ValueError: something is not a board of this shape, or a number is not a game. Nothing has
                changed.
            GameOverError: the games have not begun.
        """
        given = Given(boards, self._games.shape, "boards")
        if len(given.lead) != 1:
            raise ValueError(f"boards has shape {given.lead} without rows and columns: give a board for each game")
        put_boards(self._games, self._numbers(games, given.count), given, score)

    def _numbers(self, games: Sequence[int] | None, count: int) -> list[int]:
        given = range(self.num_envs) if games is None else entries(games, "games")
        numbers = [whole(game, "games", 0, self.num_envs - 1) for game in given]
        if len(numbers) != count:
            raise ValueError(f"{count} entries for {len(numbers)} games: give one for each")
        return numbers

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game as `render_mode` says; `None` without one."""
        if self.render_mode is None:
            return None
        draw = _drawing.text if self.render_mode == "ansi" else _drawing.pixels
        return tuple(draw(board) for board in self._games.exponents())

    def _repr_html_(self) -> str:
        boards = self._games.exponents()[:4]
        pictures = "".join(
            f'<span style="margin: 0 8px 8px 0">{_drawing.svg(board, f"game {n} · score {int(score):,}")}</span>'
            for n, (board, score) in enumerate(zip(boards, self._games.scores, strict=False))
        )
        return f'<div style="display: flex; flex-wrap: wrap">{pictures}</div>'


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
