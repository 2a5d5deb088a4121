"""The exceptions of the package. Each one is also the built-in exception that its kind suggests."""

from __future__ import annotations


class Error(Exception):
    """Base class of the errors of the package.

    Arguments of a wrong type raise a plain `TypeError`, and wrong values a plain `ValueError`, as in numpy.
    """


class ConfigurationError(Error, ValueError):
    """A configuration has an unknown key, or a key with a value that is not allowed."""


class ModelError(Error, ValueError):
    """A file cannot be read or written, or it is not the required model or checkpoint. The text names the file."""


class OutOfMemoryError(Error, MemoryError):
    """A model or a training run does not fit into the memory that the process may use. Nothing was allocated."""


class BusyError(Error, RuntimeError):
    """The object is in use by another thread. Wait for that call, or give each thread its own object."""


class TrainingError(Error, RuntimeError):
    """The weights of a training run diverged. Earlier checkpoints are unchanged."""


class IllegalMoveError(Error, ValueError):
    """An illegal move of a player, or in an environment with `illegal="raise"`. No game moved."""


class GameOverError(Error, RuntimeError):
    """A step of a game that has ended, or that has not begun. Call `reset`. No game moved."""


class LibraryError(Error, ImportError):
    """The compiled library is missing, does not load, or belongs to another version of the package."""


def not_importable(name: str, module: str, packages: str, error: ImportError) -> ImportError:
    """The error for a part of the package whose library is not installed, or is installed and does not load."""
    if isinstance(error, ModuleNotFoundError) and (error.name or module).split(".")[0] == module:
        return ImportError(f"{name} needs {module}: pip install {packages}")
    return ImportError(f"{name} needs {module}, which is installed but does not load: {error}")
