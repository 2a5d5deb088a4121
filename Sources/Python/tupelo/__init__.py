"""2048 for reinforcement learning: environments with tested rules, training, models and search.

    import gymnasium, tupelo

    envs = gymnasium.make_vec("tupelo/Game2048-v0", num_envs=1024)
    trainer = tupelo.Trainer("network: {layout: 4x5}")
    model = tupelo.Model("models/medium")  # in a checkout

The environments need Gymnasium (`pip install tupelo[gym]`). Everything else needs only numpy. Without an import of this
package, `gymnasium.make("tupelo:tupelo/Game2048-v0")` works, too.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

from . import _library
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

if TYPE_CHECKING:
    from ._animation import Animation
    from ._history import Progress
    from .boards import Outcomes, Successors, legal_moves, outcomes, pack, spawn, successors, symmetries, unpack
    from .comparison import Comparison, compare
    from .env import Game2048Env
    from .evaluation import evaluate
    from .expectimax import search
    from .model import Analyses, Analysis, Model
    from .record import Record, play
    from .report import Report
    from .run import Run
    from .state import State
    from .tables import tuple_indices
    from .trainer import Trainer
    from .vector import Game2048VectorEnv

__version__ = _library.version

__all__ = [
    "Analyses", "Analysis", "Animation", "BusyError", "Comparison", "ConfigurationError", "Error", "Game2048Env",
    "Game2048VectorEnv", "GameOverError", "IllegalMoveError", "LibraryError", "Model", "ModelError",
    "OutOfMemoryError", "Outcomes", "Progress", "Record", "Report", "Run", "State", "Successors", "Trainer",
    "TrainingError", "compare", "evaluate", "legal_moves", "outcomes", "pack", "play", "search", "spawn", "successors",
    "symmetries", "tuple_indices", "unpack",
]  # fmt: skip

#: The modules that are loaded at the first use of one of their names: loading all would double the time of the import.
_MODULES = {
    "_animation": ["Animation"],
    "boards": [
        "Outcomes", "Successors", "legal_moves", "outcomes", "pack", "spawn", "successors", "symmetries", "unpack",
    ],
    "comparison": ["Comparison", "compare"],
    "env": ["Game2048Env"],
    "evaluation": ["evaluate"],
    "expectimax": ["search"],
    "model": ["Analyses", "Analysis", "Model"],
    "record": ["Record", "play"],
    "report": ["Report"],
    "run": ["Run"],
    "state": ["State"],
    "tables": ["tuple_indices"],
    "_history": ["Progress"],
    "trainer": ["Trainer"],
    "vector": ["Game2048VectorEnv"],
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Loads the module of a name at its first use."""
    for module, names in _MODULES.items():
        if name == module or name in names:
            try:
                loaded = importlib.import_module(f"tupelo.{module}")
            except ImportError as error:
                if module not in ("env", "vector"):
                    raise
                raise not_importable(f"tupelo.{name}", "gymnasium", "gymnasium", error) from error
            globals().update({each: getattr(loaded, each) for each in names})
            return globals()[name]
    raise AttributeError(f"module 'tupelo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _register() -> None:
    """Registers `tupelo/Game2048-v0` in Gymnasium, which is loaded."""
    import gymnasium

    if "tupelo/Game2048-v0" not in gymnasium.registry:
        gymnasium.register(
            id="tupelo/Game2048-v0",
            entry_point="tupelo.env:Game2048Env",
            vector_entry_point="tupelo.vector:Game2048VectorEnv",
        )


class _AfterGymnasium:
    """Registers the environment when somebody imports Gymnasium, which takes ten times as long as this package."""

    def __init__(self) -> None:
        self._is_looking = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "gymnasium" or self._is_looking:
            return None
        self._is_looking = True  # The other finders answer the next line.
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._is_looking = False
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_register(module: Any) -> None:
                run(module)
                if self in sys.meta_path:
                    sys.meta_path.remove(self)
                _register()

            spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec


if "gymnasium" not in sys.modules:
    sys.meta_path.insert(0, _AfterGymnasium())
elif sys.modules["gymnasium"] is not None:
    _register()
