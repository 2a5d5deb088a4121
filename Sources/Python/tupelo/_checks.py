"""Checks arguments from outside before the library gets them. Errors say what to give instead."""

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
        rows, columns = (index(number) for number in shape)
    except (TypeError, ValueError):
        raise ValueError(f"shape is {shape!r}: give rows and columns, such as (4, 4)") from None
    if not (2 <= rows <= 4 and 2 <= columns <= 4):
        raise ValueError(f"shape is {rows}x{columns}, which is not supported: rows and columns go from 2 to 4")
    return rows, columns


def as_array(values: Any, dtype: Any, name: str) -> np.ndarray:
    """`values` as an array of exactly this type. Only whole numbers are converted, and only if all of them fit."""
    try:
        array = np.asarray(values)
    except ValueError:  # Its rows differ in length.
        raise ValueError(f"{name} is {values!r}: give an array") from None
    if array.dtype == dtype:
        return array
    wanted = np.dtype(dtype)
    if array.size == 0 and not isinstance(values, np.ndarray):
        return array.astype(wanted)
    # Lists and numbers of Python become int64 or object. Arrays of another type are a mistake: each would cost a copy.
    if isinstance(values, np.ndarray) or not (np.issubdtype(array.dtype, np.integer) or array.dtype == object):
        raise ValueError(f"{name} is an array of {array.dtype}: give {wanted}, such as {name}.astype('{wanted}')")
    try:
        limits = np.iinfo(wanted)
        numbers = [index(number) for number in array.ravel().tolist()]
        if any(not limits.min <= number <= limits.max for number in numbers):
            raise OverflowError
    except (TypeError, OverflowError):
        raise ValueError(f"{name} has a number that {wanted} cannot hold: give {limits.min} to {limits.max}") from None
    return np.array(numbers, wanted).reshape(array.shape)


def as_row(values: Any, dtype: Any, name: str, count: int | None = None) -> np.ndarray:
    """`values` as a contiguous array of one dimension, with `count` entries if that is given."""
    array = as_array(values, dtype, name)
    if array.ndim != 1 or count is not None and len(array) != count:
        wanted = "(N,)" if count is None else f"({count},)"
        raise ValueError(f"{name} has shape {array.shape}: give {wanted}")
    return np.ascontiguousarray(array)


def result(out: Any, shape: tuple[int, ...], dtype: Any, name: str) -> Any:
    """The array of the caller for a result of this shape and type, or a new one for `None`."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != shape:
        found = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out)
        raise ValueError(f"{name} is {found}: give {np.dtype(dtype)} of shape {shape}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError(f"{name} must be C-contiguous, aligned and writable")
    return out


def floats(values: Any, name: str) -> np.ndarray:
    """`values` as an array of float64."""
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {values!r}: give an array of numbers") from None


def entries(values: Any, name: str) -> list[Any]:
    """The entries of a sequence."""
    try:
        return list(values)
    except TypeError:
        raise ValueError(f"{name} is {values!r}: give a sequence") from None


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """A dictionary or another mapping."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}: give a dictionary")
    return value


def choice(value: Any, allowed: tuple[str, ...], name: str) -> int:
    """The number of a word in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} is {value!r}: give {', '.join(repr(word) for word in allowed)}")
    return allowed.index(value)


def whole(value: Any, name: str, least: int, most: int = (1 << 63) - 1) -> int:
    """A whole number in a range."""
    try:
        number = index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}: give a whole number") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {number}: give {least} to {most}")
    return number


def processors() -> int:
    """The number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def number(value: Any, name: str, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number in a range."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {value!r}: give a number") from None
    if not (math.isfinite(result) and least <= result <= most):
        limits = f" from {least:g} to {most:g}" if math.isfinite(least) else ""
        raise ValueError(f"{name} is {result:g}: give a finite number{limits}")
    return result
