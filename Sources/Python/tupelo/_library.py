"""Finds the compiled library, checks that it has the version of this package, and calls it."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
from collections.abc import Callable
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_int64, c_uint64, c_void_p
from typing import Any

import numpy as np

from . import _errors as errors
from ._structs import ABI, EvaluationStruct, GamesStruct, ProgressStruct, SearchLimits, SearchResult, SearchSettings

CANCELLED, TOO_SMALL = -7, -9
_KINDS: dict[int, type[Exception]] = {
    -1: ValueError, -2: errors.ConfigurationError, -3: errors.ModelError, -4: errors.OutOfMemoryError,
    -5: errors.BusyError, -6: errors.Error, -8: errors.TrainingError, -10: errors.IllegalMoveError,
    -11: errors.GameOverError,
}  # fmt: skip

_P = c_void_p
# Every function returns a status, except the three that `_load` calls first.
_PROTOTYPES: dict[str, list[Any]] = {
    "games_reset": [_P, _P, _P],
    "games_step": [_P, _P],
    "games_random_steps": [_P, c_int64, c_uint64, POINTER(c_int64), POINTER(c_int64)],
    "games_observe": [_P],
    "successors": [c_int32, c_int32, c_int64, _P, _P, _P, _P, _P, _P],
    "legal": [c_int32, c_int32, c_int64, _P, _P, _P],
    "spawn": [c_int32, c_int32, c_double, c_int64, _P, _P, _P, _P],
    "random": [c_uint64, c_uint64, _P],
    "symmetries": [c_int32, c_int32, c_int64, _P, _P, _P, _P],
    "pack": [c_int32, c_int32, c_int64, _P, _P, _P],
    "unpack": [c_int32, c_int32, c_int64, _P, _P, _P],
    "release": [c_int64],
    "control_create": [POINTER(c_int64)],
    "control_cancel": [c_int64],
    "control_use": [c_int64],
    "control_progress": [c_int64, POINTER(c_int64)],
    "model_load": [c_char_p, POINTER(c_int64)],
    "model_save": [c_int64, c_char_p, c_int32, c_float, c_float],
    "model_from_bytes": [_P, c_uint64, POINTER(c_int64)],
    "model_bytes": [c_int64, c_int32, c_float, c_float, POINTER(c_int64)],
    "model_from_tables": [c_char_p, POINTER(_P), c_uint64, POINTER(c_int64)],
    "model_tables": [c_int64, POINTER(_P), c_uint64],
    "bytes_read": [c_int64, _P, c_uint64, POINTER(c_uint64)],
    "model_info": [c_int64, _P, c_uint64, POINTER(c_uint64)],
    "model_identity": [c_int64, _P, c_uint64, POINTER(c_uint64)],
    "model_values": [c_int64, c_int64, _P, _P, _P],
    "model_move_values": [c_int64, c_int64, _P, _P, _P, _P],
    "searcher_create": [c_int64, POINTER(SearchSettings), POINTER(c_int64)],
    "searcher_search": [c_int64, c_uint64, ctypes.c_uint32, POINTER(SearchLimits), c_int64, POINTER(SearchResult)],
    "evaluate": [c_int64, POINTER(EvaluationStruct), c_int64, _P, _P, _P, POINTER(c_int64)],
    "report": [
        c_int64, POINTER(EvaluationStruct), c_int64, _P, _P, _P, c_double, _P, c_uint64, POINTER(c_uint64),
    ],
    "compare": [c_int64, _P, _P, _P, c_uint64, POINTER(c_uint64)],
    "trainer_create": [c_char_p, c_char_p, POINTER(c_char_p), c_uint64, POINTER(c_int64)],
    "trainer_resume": [c_char_p, POINTER(c_char_p), c_uint64, c_int32, POINTER(c_int64)],
    "trainer_slice": [c_int64, c_int64, c_int64, c_int64, POINTER(ProgressStruct)],
    "trainer_model": [c_int64, POINTER(c_int64)],
    "trainer_save": [c_int64, c_char_p],
    "trainer_attach": [c_int64, _P, c_uint64],
    "trainer_attached": [c_int64, POINTER(c_int64)],
    "trainer_info": [c_int64, _P, c_uint64, POINTER(c_uint64)],
    "run_create": [
        c_char_p, c_char_p, c_char_p, POINTER(c_char_p), c_uint64, POINTER(c_char_p), c_uint64, c_int32,
        POINTER(c_int64),
    ],
    "run_log": [c_int64, c_int64, c_int64, c_double, c_uint64, POINTER(c_char_p), _P],
    "run_save": [c_int64, c_int64],
    "run_evaluate": [c_int64, c_int64, c_int32, c_int64, _P, _P, _P],
    "run_results": [c_int64, c_char_p, c_int32, c_int64, _P, _P, _P, c_double],
    "run_end": [c_int64, c_int32],
    "run_info": [c_int64, _P, c_uint64, POINTER(c_uint64)],
}  # fmt: skip


def _path() -> str:
    """The library that TUPELO_LIBRARY names, or the library in the wheel, or that of a checkout around the package."""
    given = os.environ.get("TUPELO_LIBRARY")
    if given:
        if not os.path.isfile(given):
            raise errors.LibraryError(f"TUPELO_LIBRARY is {given}, and there is no such file")
        return os.path.abspath(given)
    package = os.path.dirname(os.path.realpath(__file__))
    own = os.path.join(package, "libtupelo_c" + (".dylib" if sys.platform == "darwin" else ".so"))
    if os.path.isfile(own):
        return own
    # In a checkout, the package is in Sources/Python, beside hatch_build.py.
    built = os.path.join(package, "../../../.build/release", os.path.basename(own))
    if os.path.isfile(os.path.join(package, "../hatch_build.py")) and os.path.isfile(built):
        return os.path.normpath(built)
    raise errors.LibraryError(
        f"{own} is missing: install a wheel of tupelo; in a checkout, swift build -c release --product "
        "tupelo_c; or name a library in TUPELO_LIBRARY"
    )


def _load() -> tuple[str, ctypes.CDLL, ctypes.PyDLL]:
    path = _path()
    try:
        library, locked = ctypes.CDLL(path), ctypes.PyDLL(path)
        abi, version = library.tupelo_abi, library.tupelo_version
        last_error = library.tupelo_last_error
    except (OSError, AttributeError) as error:
        raise errors.LibraryError(f"{path}: {error}") from None
    abi.restype, version.restype, last_error.restype = c_int32, c_char_p, c_char_p
    abi.argtypes = version.argtypes = last_error.argtypes = []
    if abi() != ABI:
        raise errors.LibraryError(
            f"{path} has interface {abi()}, and this package needs {ABI}: build or install both from one version"
        )
    for name, arguments in _PROTOTYPES.items():
        function = getattr(library, "tupelo_" + name)
        function.restype, function.argtypes = c_int32, arguments
    # An empty batch is well formed if, and only if, the struct has the size of the library's struct. The library builds
    # a table for the lines of the board. The table for 2x2 takes the least time.
    memory = c_uint64()
    state = ("boards", "overflow", "random", "scores", "plies", "steps", "ended")
    addresses = dict.fromkeys(state, ctypes.addressof(memory))
    probe = GamesStruct(rows=2, columns=2, four_probability=0.1, start_tiles=1, threads=1, **addresses)
    if library.tupelo_games_observe(ctypes.addressof(probe)) != 0:
        text = (last_error() or b"").decode("utf-8", "replace")
        raise errors.LibraryError(f"{path} does not fit this package: {text}")
    return path, library, locked


path, _library, _locked = _load()
_functions: dict[str, Callable[..., int]] = {name: getattr(_library, "tupelo_" + name) for name in _PROTOTYPES}
version: str = (_library.tupelo_version() or b"").decode()


def last_error() -> str:
    """The text of the last failing call of this thread."""
    return (_library.tupelo_last_error() or b"").decode("utf-8", "replace")


#: Words of the command line and of C in the library's errors, and the words for Python.
_WORDS = (
    (r"^handle -?\d+ is ", "this object is "), ("add --allow-changes", "pass allow_changes=True"), ("--set ", ""),
    (r"resume it with --resume .*, or ", ""), ("holds a run: resume it", "holds a run: pass resume=True"),
    (" with --output", ""),
)  # fmt: skip


def fail(result: int, *words: str) -> Exception:
    """The exception for a status that is not 0. The first of two words in its text is replaced by the second."""
    text = last_error().replace(words[0], words[1], 1) if words else last_error()
    for theirs, ours in _WORDS:
        text = re.sub(theirs, ours, text)
    return _KINDS.get(result, errors.Error)(text)


def status(name: str, *arguments: Any) -> int:
    """Calls `tupelo_<name>` and returns its status."""
    return _functions[name](*arguments)


def call(name: str, *arguments: Any) -> None:
    """Calls `tupelo_<name>`. The interpreter runs other threads during the call.

    Raises:
        The exception of the status, with the text of the library.
    """
    result = status(name, *arguments)
    if result:
        raise fail(result)


def step_functions() -> tuple[Callable[[Any, Any], int], Callable[[Any, Any], int]]:
    """`tupelo_games_step` in two forms: one lets other threads run, and one is faster for a single game.

    They take results of `byref` that are made once: converting other arguments would cost as much as the call.
    """
    shared, held = _library["tupelo_games_step"], _locked["tupelo_games_step"]
    shared.restype = held.restype = c_int32
    return shared, held


def handle(name: str, *arguments: Any) -> int:
    """Calls a function that makes an object."""
    number = c_int64()
    call(name, *arguments, byref(number))
    return number.value


def text(name: str, *arguments: Any) -> str:
    """Calls a function that writes a text."""
    length, buffer = c_uint64(), ctypes.create_string_buffer(4096)
    while True:
        result = status(name, *arguments, ctypes.addressof(buffer), len(buffer), byref(length))
        if result == 0:
            break
        if result != TOO_SMALL:
            raise fail(result)
        buffer = ctypes.create_string_buffer(length.value + 1)
    return buffer.raw[: length.value].decode("utf-8")


#: The boards of one call. Ctrl-C waits at most for these.
PART = 1 << 20


def apply(name: str, head: tuple[Any, ...], count: int, *arrays: Any, shape: tuple[int, ...], part: int = PART) -> None:
    """Calls `tupelo_<name>(*head, count, *arrays)` for `count` boards, in parts, so that Ctrl-C ends it.

    Args:
        arrays: arrays with an entry for each board, `None` for an array that is left out, or the address of an array
            that all parts share
        shape: the shape of the boards without rows and columns, for errors that name one of them
        part: the boards of one call
    """
    for begin in range(0, count, part):
        end = min(begin + part, count)
        parts = [array if array is None or isinstance(array, int) else address(array[begin:end]) for array in arrays]
        result = status(name, *head, end - begin, *parts)
        if result:
            raise placed(fail(result), begin, shape)


def placed(error: Exception, begin: int, shape: tuple[int, ...]) -> Exception:
    """An error that names an entry of a part by its place in the array of the caller."""

    def place(found: re.Match[str]) -> str:
        number, places = begin + int(found[1]), []
        for size in reversed(shape):
            number, last = divmod(number, size)
            places.append(str(last))
        return f"[{', '.join(reversed(places))}]" if places else ""

    return type(error)(re.sub(r"\[(\d+)\]", place, str(error), count=1))


def content(number: int) -> bytes:
    """The content of an object of bytes, which ends."""
    try:
        length = c_uint64()
        status("bytes_read", number, None, 0, byref(length))
        memory = np.empty(length.value, np.uint8)
        call("bytes_read", number, address(memory), length.value, byref(length))
        return memory.tobytes()
    finally:
        release(number)


def address(array: Any) -> int | None:
    """The address of a C-contiguous array; `None` without an array. An empty array has an address, too."""
    if array is None:
        return None
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # A quarter of the time of `array.ctypes`.
    except (TypeError, ValueError):  # The array is read-only, or empty.
        return int(array.ctypes.data)


def encoded(value: Any, name: str) -> bytes:
    """A text or a path, encoded for the library."""
    try:
        data = os.fspath(value) if not isinstance(value, str) else value
        result = data if isinstance(data, bytes) else data.encode("utf-8")
    except TypeError:
        raise TypeError(f"{name} is {value!r}: give a text or a path") from None
    except UnicodeEncodeError:
        raise ValueError(f"{name} is {value!r}: give a text or a path that UTF-8 can encode") from None
    if b"\0" in result:
        raise ValueError(f"{name} is {value!r}: give a text without a zero character")
    return result


def path_text(value: Any, name: str) -> bytes:
    """A path, encoded for the library."""
    if isinstance(value, (str, bytes)) and not value:
        raise ValueError(f"{name} is {value!r}: give a path")
    return encoded(value, name)


def release(number: int) -> None:
    """Ends an object. If it has ended already, nothing happens."""
    _library.tupelo_release(number)


def interruptible(
    body: Callable[[int], int], watch: Callable[[int], None] | None = None, *, is_short: bool = False,
    forget: Callable[[], None] | None = None,
) -> int:  # fmt: skip
    """Runs a call that may be long so that Ctrl-C ends it.

    Python handles signals only between two instructions of the main thread. So the call runs in a second thread, and
    this thread waits. When an exception comes here, such as `KeyboardInterrupt`, the function ends the call, waits
    for its end, and raises the exception again. The object of the call stays usable.

    Args:
        body: makes the call, with the number of the control of its thread, and returns its status
        watch: called about ten times a second with the number of games that are finished
        is_short: whether the call takes less than about half a second: then it runs in this thread, because starting
            another one would take longer
        forget: for a call that no control ends: it is left alone, and this function removes its result when it comes

    Returns:
        The status, which is 0 or `CANCELLED`.
    """
    if is_short:
        result = body(0)
        if result:
            raise fail(result)
        return result
    control = handle("control_create")
    # An event, because an interrupted join counts the thread as ended (CPython before 3.13).
    done = threading.Event()
    # The thread takes it to begin, and this one to give up before that: an interrupt can come while a thread starts.
    turn = threading.Lock()
    # The thread takes it when its call has ended, and this one to leave the call alone.
    left = threading.Lock()
    outcome: list[Any] = []

    def run() -> None:
        if not turn.acquire(blocking=False):
            return
        try:
            status("control_use", control)
            result = body(control)
            outcome.append(None if result in (0, CANCELLED) else fail(result))
            outcome.append(result)
        except BaseException as error:  # For the waiting thread.
            outcome.append(error)
        finally:
            if forget is not None and not left.acquire(blocking=False):
                forget()
            done.set()

    try:
        threading.Thread(target=run, name="tupelo", daemon=True).start()
        while not done.wait(None if watch is None else 0.1):
            if watch is not None:
                games = c_int64()
                call("control_progress", control, byref(games))
                watch(games.value)
    except BaseException:
        status("control_cancel", control)
        if not turn.acquire(blocking=False):
            if forget is None:
                _wait(done)
            elif not left.acquire(blocking=False):  # The call has ended already.
                forget()
        raise
    finally:
        release(control)
    if outcome[0] is not None:
        raise outcome[0]
    return int(outcome[1])


def long_handle(name: str, *arguments: Any, is_short: bool = False, memory: Any = None) -> int:
    """Calls a function that makes an object, and may take long.

    Args:
        memory: what owns the memory that the call reads. After Ctrl-C the call may still go on
    """
    number = c_int64()

    def forget() -> None:
        if number.value:
            release(number.value)

    def make(control: int, memory: Any = memory) -> int:
        return status(name, *arguments, byref(number))

    interruptible(make, is_short=is_short, forget=forget)
    return number.value


def _wait(done: threading.Event) -> None:
    """Waits for the end of a call that was cancelled, which is near, also through another Ctrl-C: the call still uses
    the memory of this one."""
    while not done.is_set():
        try:
            done.wait()
        except BaseException:  # Also exceptions of signal handlers: the memory is in use until the call ends.
            continue
