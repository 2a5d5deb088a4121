"""The exceptions of the package. Each one is also the built-in exception that its kind suggests."""

from __future__ import annotations


class Error(Exception):
    """Base class of the errors that the package raises on purpose.

    Wrong arguments are plain `ValueError`s, whether their type is wrong or their value: most of them are arrays, and
    numbers that only look like others. A `TypeError` is a call that does not fit a signature.
    """


class ConfigurationError(Error, ValueError):
    """A configuration of a training names an unknown key, or a key has a value that it cannot have."""


class ModelError(Error, ValueError):
    """A file cannot be read or written, or it is not the model or checkpoint that is needed. The text names it."""


class OutOfMemoryError(Error, MemoryError):
    """A model or a training does not fit into the memory that the process may use. Nothing was allocated."""


class BusyError(Error, RuntimeError):
    """The object is in use by another thread. Wait for that call, or give each thread an object of its own."""


class TrainingError(Error, RuntimeError):
    """The weights of a training grew beyond all bounds. A checkpoint from before is untouched."""


class IllegalMoveError(Error, ValueError):
    """An illegal move in an environment with `illegal="raise"`. No game moved."""


class GameOverError(Error, RuntimeError):
    """A step of a game that has ended, or that has not begun. Call `reset`. No game moved."""


class LibraryError(Error, ImportError):
    """The compiled library is missing, does not load, or belongs to another version of the package."""
