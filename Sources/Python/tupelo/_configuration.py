"""The configuration of a run as Python gives it, and as the library takes it."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator, Mapping
from ctypes import c_char_p
from pathlib import Path
from typing import Any

import numpy as np

from . import _library as library
from ._errors import ConfigurationError, ModelError


def source(config: Any) -> tuple[bytes, bytes]:
    """The text of a configuration, and its name in errors."""
    if isinstance(config, Mapping):
        return library.encoded(json.dumps(_nested(config)), "config"), b"config"  # JSON is YAML.
    if isinstance(config, str) and re.fullmatch(r"[\w-]+", config):
        config = _shipped(config)
    if isinstance(config, str) and not config.endswith((".yaml", ".yml")):
        if "/" in config and not set(config) & set(":{#\n"):  # A path, and not settings.
            raise ModelError(f"{config}: not the path of a YAML file: give a path that ends in .yaml, or YAML as text")
        return library.encoded(config, "config"), b"config"
    try:
        path = Path(config)
        return path.read_bytes(), library.encoded(path, "config")
    except TypeError:
        raise TypeError(f"config is {config!r}: give a name, a path, YAML or a dictionary") from None
    except ValueError:  # A zero character.
        raise ValueError(f"config is {config!r}: give a name, a path, YAML or a dictionary") from None
    except OSError as error:
        raise ModelError(f"{config}: {error.strerror}: give the path of a YAML file, or YAML as text") from None


def with_default(settings: Mapping[str, Any], key: str, value: str) -> dict[str, Any]:
    """Settings with a value for a key that they do not have."""
    return {key: value, **dict(_pairs(settings))}


def _shipped(name: str) -> Path:
    """The file of a configuration that comes with the package: in a wheel beside this file, or in the checkout."""
    package = Path(__file__).resolve().parent
    files = [*package.glob("configs/*.yaml"), *package.parents[2].glob("configs/*.yaml")]
    found = {file.stem: file for file in reversed(files)}
    if name not in found:
        near = difflib.get_close_matches(name, found, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise ConfigurationError(
            f"{name}: not the name of a configuration: {meant}give {', '.join(sorted(found))}, the path of a YAML "
            "file, or YAML as text"
        )
    return found[name]


def key_of(word: str) -> str:
    """`learner__alpha` is learner.alpha, and `games` is training.games; `name`, `seed` and `game` have no section."""
    if "__" in word:
        return word.replace("__", ".")
    return word if word in ("name", "seed", "game") else f"training.{word}"


def _pairs(settings: Mapping[str, Any], section: str = "") -> Iterator[tuple[str, Any]]:
    """Nested settings one by one, by their names in documents, such as learner.alpha."""
    for key, value in settings.items():
        if not isinstance(key, str):
            raise TypeError(f"{key!r} is not the name of a setting: give texts such as 'learner.alpha'")
        if isinstance(value, Mapping):
            yield from _pairs(value, f"{section}{key}.")
        else:
            yield section + key, _plain(value, section + key)


def _plain(value: Any, key: str) -> Any:
    """A value as JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one, key) for one in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{key} is {value!r}: give a text, a number, true or false, None, or a list of them")


def _nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the sections of a YAML file."""
    result: dict[str, Any] = {}
    for name, value in _pairs(settings):
        *sections, key = name.split(".")
        place = result
        for section in sections:
            inner = place.setdefault(section, {})
            if not isinstance(inner, dict):
                raise ConfigurationError(f"{name}: {section} is a setting and a section")
            place = inner
        place[key] = value
    return result


def texts(overrides: Mapping[str, Any] | None, named: Mapping[str, Any]) -> tuple[Any, int]:
    """Overrides as an array of `key=value`, and their number."""
    if not (overrides is None or isinstance(overrides, Mapping)):
        raise TypeError(f"overrides is {overrides!r}: give a dictionary")
    pairs = [*_pairs(overrides or {}), *_pairs({key_of(word): value for word, value in named.items()})]
    texts = [library.encoded(f"{key}={_text(value)}", key) for key, value in pairs]
    return ((c_char_p * len(texts))(*texts) if texts else None), len(texts)


def _text(value: Any) -> str:
    """A value as text of the command line: numbers in brackets, words separated by spaces."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value)
