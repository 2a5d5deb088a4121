"""Checks arguments from outside before the library gets them. Errors say what to give instead. A wrong type is a
`TypeError`, and a wrong value a `ValueError`, as in numpy."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np


def as_shape(shape: Any) -> tuple[int, int]:
    """Rows and columns, both 2 to 4."""
    try:
        sizes = [index(number) for number in shape]
    except TypeError:
        raise TypeError(f"shape is {shape!r}: give rows and columns, such as (4, 4)") from None
    if len(sizes) != 2:
        raise ValueError(f"shape is {shape!r}: give rows and columns, such as (4, 4)")
    rows, columns = sizes
    if not (2 <= rows <= 4 and 2 <= columns <= 4):
        raise ValueError(f"shape is {rows}x{columns}, which is not supported: rows and columns go from 2 to 4")
    return rows, columns


def result(out: Any, shape: tuple[int, ...], dtype: Any, name: str) -> Any:
    """An array of the caller for results of this shape and type."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        found = out.dtype if isinstance(out, np.ndarray) else type(out)
        raise TypeError(f"{name} is {found}: give an array of {np.dtype(dtype)}")
    if out.shape != shape:
        raise ValueError(f"{name} has shape {out.shape}: give {shape}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError(f"{name} must be C-contiguous, aligned and writable: give an array that numpy.zeros made")
    return out


def entries(values: Any, name: str) -> list[Any]:
    """The entries of a sequence."""
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name} is {values!r}: give a sequence") from None


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """A dictionary or another mapping."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r}: give a dictionary")
    return value


def choice(value: Any, allowed: tuple[str, ...], name: str) -> int:
    """The number of a word in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is {value!r}: give {', '.join(repr(word) for word in allowed)}")
    return allowed.index(value)


def whole(value: Any, name: str, least: int, most: int = (1 << 63) - 1) -> int:
    """A whole number in a range."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: give a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {number}: give {least} to {most}")
    return number


def processors() -> int:
    """The number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def flag(value: Any, name: str) -> bool:
    """True or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}: give True or False")
    return bool(value)


def number(value: Any, name: str, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number in a range."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}: give a number") from None
    except OverflowError:
        raise ValueError(f"{name} is too large: give a number that float can hold") from None
    if not (math.isfinite(result) and least <= result <= most):
        limits = f" from {least:g} to {most:g}" if math.isfinite(least) else ""
        raise ValueError(f"{name} is {result:g}: give a finite number{limits}")
    return result
