"""2048 for reinforcement learning: environments with tested rules, training, models and search.

    import gymnasium, tupelo

    envs = gymnasium.make_vec("tupelo/Game2048-v0", num_envs=1024)
    trainer = tupelo.Trainer("network: {layout: 4x5}")
    model = tupelo.Model("models/medium")

The environments need Gymnasium (`pip install tupelo[gym]`). Everything else needs only numpy.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from . import _library
from ._animation import Animation
from ._errors import (
    BusyError,
    ConfigurationError,
    Error,
    GameOverError,
    IllegalMoveError,
    LibraryError,
    ModelError,
    OutOfMemoryError,
    TrainingError,
    not_importable,
)
from .boards import Outcomes, Successors, legal_moves, outcomes, pack, spawn, successors, symmetries, unpack
from .evaluation import evaluate
from .model import Analyses, Analysis, Model
from .record import Record, play
from .report import Report
from .state import State
from .tables import tuple_indices
from .trainer import Progress, Trainer

__version__ = _library.version

__all__ = [
    "Analyses", "Analysis", "Animation", "BusyError", "ConfigurationError", "Error", "Game2048Env",
    "Game2048VectorEnv", "GameOverError", "IllegalMoveError", "LibraryError", "Model", "ModelError",
    "OutOfMemoryError", "Outcomes", "Progress", "Record", "Report", "State", "Successors", "Trainer", "TrainingError",
    "evaluate", "legal_moves", "outcomes", "pack", "play", "spawn", "successors", "symmetries", "tuple_indices",
    "unpack",
]  # fmt: skip

if TYPE_CHECKING:
    from .env import Game2048Env
    from .vector import Game2048VectorEnv


def __getattr__(name: str) -> Any:
    """Loads the environments at their first use, because they need Gymnasium."""
    if name in ("Game2048Env", "Game2048VectorEnv"):
        try:
            from .env import Game2048Env
            from .vector import Game2048VectorEnv
        except ImportError as error:
            raise not_importable(f"tupelo.{name}", "gymnasium", "gymnasium", error) from error
        globals().update(Game2048Env=Game2048Env, Game2048VectorEnv=Game2048VectorEnv)
        return globals()[name]
    raise AttributeError(f"module 'tupelo' has no attribute {name!r}")


def _register() -> None:
    """Registers `tupelo/Game2048-v0` if Gymnasium is installed."""
    if importlib.util.find_spec("gymnasium") is None:
        return
    import gymnasium

    if "tupelo/Game2048-v0" not in gymnasium.registry:
        gymnasium.register(
            id="tupelo/Game2048-v0",
            entry_point="tupelo.env:Game2048Env",
            vector_entry_point="tupelo.vector:Game2048VectorEnv",
        )


_register()
