"""The vector environment for Stable-Baselines3: `PPO("MlpPolicy", tupelo.sb3.VecEnv(256))`. MaskablePPO of sb3-contrib
gets its masks by `action_masks`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import not_importable

try:
    from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv  # pyright: ignore[reportMissingImports]
except ImportError as error:
    raise not_importable("tupelo.sb3", "stable_baselines3", "stable-baselines3 sb3-contrib", error) from error

from gymnasium.vector import AutoresetMode

from ._settings import Illegal, Observation, RenderMode, Reward
from .vector import Game2048VectorEnv


class VecEnv(BaseVecEnv):  # type: ignore[misc]
    """N games of 2048 as a `VecEnv`. A game that ends begins again in the same step, as Stable-Baselines3 requires.

    Args:
        num_envs: the number of games
        shape, four_probability, start_tiles, observation, reward, illegal, illegal_reward, max_episode_steps,
            max_illegal_moves, render_mode, threads: see `Game2048VectorEnv`

    The info of a game that ended has "terminal_observation", "TimeLimit.truncated", "score" and "largest_tile".
    """

    def __init__(
        self,
        num_envs: int,
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
        threads: int = 1,
    ) -> None:
        self.envs = Game2048VectorEnv(
            num_envs, shape=shape, four_probability=four_probability, start_tiles=start_tiles, observation=observation,
            reward=reward, illegal=illegal, illegal_reward=illegal_reward, max_episode_steps=max_episode_steps,
            max_illegal_moves=max_illegal_moves, render_mode=render_mode, threads=threads,
            autoreset_mode=AutoresetMode.SAME_STEP,
        )  # fmt: skip
        self._waiting: np.ndarray | None = None
        self._next_seed: int | None = None
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Game i of the next reset gets seed + i."""
        self._next_seed = seed
        return [None if seed is None else seed + game for game in range(self.num_envs)]

    def reset(self) -> NDArray[np.uint8]:
        """Begins all games, and returns their observations."""
        observations, _ = self.envs.reset(seed=self._next_seed)
        self._next_seed = None
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._waiting = np.asarray(actions).reshape(self.num_envs)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, info = self.envs.step(self._waiting)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(done):
            infos[game] = {
                "terminal_observation": info["final_obs"][game],
                "TimeLimit.truncated": bool(truncated[game] and not terminated[game]),
                "score": int(info["final_info"]["score"][game]),
                "largest_tile": int(info["final_info"]["largest_tile"][game]),
            }
        return observations, rewards, done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, bool (N, 4)."""
        return self.envs.action_masks()

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        if attr_name == "action_masks":
            return [lambda game=game: self.envs.action_masks()[game] for game in self._get_indices(indices)]
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        raise AttributeError(f"{attr_name} cannot be set for single games: make a VecEnv with other settings")

    def env_method(
        self, method_name: str, *arguments: Any, indices: int | Iterable[int] | None = None, **named: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name}: they have action_masks")
        masks = self.envs.action_masks()
        return [masks[game] for game in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[np.ndarray]:
        from . import _drawing

        return [_drawing.pixels(board) for board in self.envs._games.exponents()]
