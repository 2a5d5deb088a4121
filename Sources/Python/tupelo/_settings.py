"""The settings of games, which all environments share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ._checks import as_shape, choice, number, whole

Observation = Literal["exponents", "onehot", "planes"]
Reward = Literal["score", "log2"]
Illegal = Literal["ignore", "terminate", "raise"]
RenderMode = Literal["ansi", "rgb_array"]

OBSERVATIONS = ("exponents", "onehot", "planes")
REWARDS = ("score", "log2")
ILLEGAL = ("ignore", "terminate", "raise")
#: How environments draw themselves.
RENDER_MODES = ("ansi", "rgb_array")


@dataclass(frozen=True)
class Settings:
    """The settings of `Game2048Env`, whose docstring describes them. A setting out of its range is a `ValueError`."""

    shape: tuple[int, int] = (4, 4)
    four_probability: float = 0.1
    start_tiles: int = 2
    observation: str = "exponents"
    reward: str = "score"
    illegal: str = "ignore"
    illegal_reward: float = 0.0
    max_episode_steps: int | None = None
    max_illegal_moves: int | None = 100
    render_mode: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", as_shape(self.shape))
        if self.render_mode is not None:
            choice(self.render_mode, RENDER_MODES, "render_mode")
        self.fields()

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        return {"exponents": self.shape, "onehot": (*self.shape, 18), "planes": (18, *self.shape)}[self.observation]

    def fields(self) -> dict[str, Any]:
        """The settings as fields of the library's struct."""
        rows, columns = self.shape
        limit, illegal = self.max_episode_steps, self.max_illegal_moves
        return {
            "rows": rows,
            "columns": columns,
            "four_probability": number(self.four_probability, "four_probability", 0, 1),
            "start_tiles": whole(self.start_tiles, "start_tiles", 1, rows * columns - 1),
            "reward": choice(self.reward, REWARDS, "reward"),
            "illegal": choice(self.illegal, ILLEGAL, "illegal"),
            "illegal_reward": number(self.illegal_reward, "illegal_reward"),
            "maximum_steps": 0 if limit is None else whole(limit, "max_episode_steps", 1),
            "maximum_illegal": 0 if illegal is None else whole(illegal, "max_illegal_moves", 1),
            "observation": 1 + choice(self.observation, OBSERVATIONS, "observation"),
        }
