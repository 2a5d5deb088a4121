"""The vector environment on the buffers of PufferLib: `tupelo.puffer.G2048(num_envs=4096, buf=buf)`. It works with
PufferLib 2.0.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import not_importable

try:
    import pufferlib  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise not_importable("tupelo.puffer", "pufferlib", "pufferlib", error) from error

import gymnasium

from ._checks import whole
from ._games import Games
from ._settings import Illegal, Observation, Reward, Settings
from .env import observation_space


class G2048(pufferlib.PufferEnv):  # type: ignore[misc]
    """N games of 2048 that write into the buffers of PufferLib, without copies. A game that ends begins again in the
    same step.

    Args:
        num_envs: the number of games
        buf: the buffers of PufferLib; by default arrays of its own
        log_interval: the steps between two reports of finished games in the infos
        threads, shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves: see `Game2048VectorEnv`
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        buf: Mapping[str, np.ndarray] | None = None,
        log_interval: int = 128,
        seed: int = 0,
        threads: int = 1,
        shape: tuple[int, int] = (4, 4),
        four_probability: float = 0.1,
        start_tiles: int = 2,
        observation: Observation = "exponents",
        reward: Reward = "score",
        illegal: Illegal = "ignore",
        illegal_reward: float = 0.0,
        max_episode_steps: int | None = None,
        max_illegal_moves: int | None = 100,
    ) -> None:
        settings = Settings(
            shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves,
        )  # fmt: skip
        self.single_observation_space = observation_space(settings)
        self.single_action_space: gymnasium.Space[Any] = gymnasium.spaces.Discrete(4)
        self.num_agents = num_envs
        self.render_mode = "ansi"
        super().__init__(buf)
        self._games = Games(
            num_envs,
            settings,
            autoreset="same_step",
            threads=threads,
            buffers={
                "observations": self.observations,
                "rewards": self.rewards,
                "terminated": self.terminals,
                "truncated": self.truncations,
            },
        )
        self._seed, self._interval, self._ticks = seed, log_interval, 0
        self._scores: list[int] = []
        self._tiles: list[int] = []

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (N, 4): 1 for legal moves. `masks` of PufferLib marks live agents, and all agents here are live."""
        return self._games.action_masks

    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Begins all games. The seeds of environments with neighbouring seeds do not overlap.

        Args:
            seed: 0 to 2^64 - 1, or a sequence of one seed, as `Multiprocessing` of PufferLib gives it; by default the
                seed of the constructor

        Raises:
            ValueError: the seed has another type or range, or the sequence has another length.
        """
        given = self._seed if seed is None else seed
        if isinstance(given, (list, tuple)):
            if len(given) != 1:
                raise ValueError(f"seed has {len(given)} entries: give a number, or one entry for this environment")
            given = given[0]
        first = whole(given, "seed", 0, (1 << 64) - 1) * self.num_agents
        self._games.reset(np.array([(first + n) % (1 << 64) for n in range(self.num_agents)], np.uint64))
        self._ticks = 0
        return self.observations, []

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Plays one move in every game; the results are in the buffers."""
        games = self._games
        self.actions[:] = actions
        games.step(self.actions)
        over = np.flatnonzero(self.terminals | self.truncations)
        self._scores += games.final_scores[over].tolist()
        self._tiles += games.final_largest_tiles[over].tolist()
        self._ticks += 1
        infos: list[dict[str, Any]] = []
        if self._scores and self._ticks % self._interval == 0:
            infos.append(
                {
                    "score": float(np.mean(self._scores)),
                    "largest_tile": float(np.mean(self._tiles)),
                    "episodes": len(self._scores),
                }
            )
            self._scores, self._tiles = [], []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def render(self) -> str:
        """The first game as text."""
        from . import _drawing

        return _drawing.text(self._games.exponents()[0])

    def close(self) -> None:
        pass
