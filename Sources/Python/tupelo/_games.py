"""N games in the memory of numpy, stepped by the library. Environments and adapters use this class; it needs no
Gymnasium."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from ctypes import byref, c_char, c_int64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _library as library
from ._checks import choice, mapping, result, whole
from ._errors import GameOverError
from ._settings import Settings
from ._structs import GamesStruct

AUTORESET = ("next_step", "same_step", "disabled")

# The arrays of a batch of n games: name, type, and the part of the shape after n.
_STATE: tuple[tuple[str, Any, tuple[int, ...]], ...] = (
    ("boards", np.uint64, ()), ("overflow", np.uint32, ()), ("random", np.uint64, (4,)), ("scores", np.int64, ()),
    ("plies", np.int64, ()), ("steps", np.int64, ()), ("illegal_streaks", np.int64, ()), ("ended", np.uint8, ()),
)  # fmt: skip
_RESULTS: tuple[tuple[str, Any, tuple[int, ...]], ...] = (
    ("rewards", np.float32, ()), ("terminated", np.bool_, ()), ("truncated", np.bool_, ()),
    ("action_masks", np.int8, (4,)), ("largest_tiles", np.int32, ()), ("afterstates", np.uint64, ()),
    ("afterstate_overflow", np.uint32, ()), ("illegal_actions", np.bool_, ()),
)  # fmt: skip
_FINAL: tuple[tuple[str, Any, tuple[int, ...]], ...] = (
    ("final_boards", np.uint64, ()), ("final_scores", np.int64, ()), ("final_largest_tiles", np.int32, ()),
    ("final_action_masks", np.int8, (4,)),
)  # fmt: skip
STATE_NAMES = tuple(name for name, _, _ in _STATE)
#: The numbers that a step of one game returns, and their layout in memory: one read of all costs less than six reads.
_NUMBERS = ("scores", "largest_tiles", "rewards", "terminated", "truncated", "illegal_actions")
_LAYOUT = struct.Struct("=qif???")


class Games:
    """A batch of games: settings, states and the results of the last step.

    The arrays named in `_STATE`, `_RESULTS` and `_FINAL`, and `observations` and `final_observations`, are attributes.

    Args:
        count: the number of games
        autoreset: one of `AUTORESET`
        threads, buffers: see `Game2048VectorEnv`
    """

    def __init__(
        self,
        count: int,
        settings: Settings,
        *,
        autoreset: str = "disabled",
        threads: int = 1,
        buffers: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.count = whole(count, "num_envs", 1, 1 << 32)
        self.settings = settings
        self.shape = self.settings.shape
        self._own = {
            "autoreset": choice(autoreset, AUTORESET, "autoreset_mode"), "threads": whole(threads, "threads", 1, 64),
        }  # fmt: skip
        self.begun = False
        self._allocate({} if buffers is None else mapping(buffers, "buffers"))
        self._bind()

    def _fields(self) -> list[tuple[str, Any, tuple[int, ...]]]:
        fields = [*_STATE, *_RESULTS]
        seen = self.settings.observation_shape
        fields += [("observations", np.uint8, seen), ("afterstate_exponents", np.uint8, self.shape)]
        if self._own["autoreset"] == AUTORESET.index("same_step"):
            fields += [*_FINAL, ("final_observations", np.uint8, seen)]
        return fields

    def _allocate(self, buffers: Mapping[str, np.ndarray]) -> None:
        fields = self._fields()
        given = {"observations", "rewards", "terminated", "truncated", "action_masks"}
        unknown = set(buffers) - given
        if unknown:
            raise ValueError(
                f"buffers has {', '.join(sorted(map(str, unknown)))}: give any of {', '.join(sorted(given))}"
            )
        for name, array in self._memory(fields).items():
            own = buffers.get(name)
            setattr(self, name, array if own is None else result(own, array.shape, array.dtype, f"buffers[{name!r}]"))
        # As for a game that is over: a mask of zeros gives NaN in a masked softmax.
        self.action_masks[...] = 1

    def _memory(self, fields: list[tuple[str, Any, tuple[int, ...]]]) -> dict[str, np.ndarray]:
        """Arrays of zeros. Those of `_NUMBERS` share a block of memory if there is one game."""
        arrays = {name: np.zeros((self.count, *rest), dtype) for name, dtype, rest in fields}
        if self.count == 1:
            block, begin = np.zeros(_LAYOUT.size, np.uint8), 0
            for name in _NUMBERS:
                end = begin + arrays[name].nbytes
                arrays[name], begin = block[begin:end].view(arrays[name].dtype), end
            #: The function that reads `_NUMBERS`, and its argument.
            self.reading: tuple[Any, Any] = _LAYOUT.unpack, block.data
        return arrays

    def _bind(self) -> None:
        """Gives the library the addresses of the arrays.

        Values for steps are made once, because each lookup costs time.
        """
        self.actions = np.zeros(self.count, np.int64)
        addresses = {name: library.address(getattr(self, name)) for name, _, _ in self._fields()}
        self._struct = GamesStruct(count=self.count, **self.settings.fields(), **self._own, **addresses)
        actions: Any = self.actions
        self._pointer, self._actions_pointer = byref(self._struct), byref(c_char.from_buffer(actions))
        shared, held = library.step_functions()
        # Releasing the interpreter's lock costs as much as a step of one game.
        self._step = held if self.count == 1 else shared

    # The arrays, for type checkers.
    boards: NDArray[np.uint64]
    overflow: NDArray[np.uint32]
    random: NDArray[np.uint64]
    scores: NDArray[np.int64]
    plies: NDArray[np.int64]
    steps: NDArray[np.int64]
    illegal_streaks: NDArray[np.int64]
    ended: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    action_masks: NDArray[np.int8]
    largest_tiles: NDArray[np.int32]
    afterstates: NDArray[np.uint64]
    afterstate_overflow: NDArray[np.uint32]
    afterstate_exponents: NDArray[np.uint8]
    illegal_actions: NDArray[np.bool_]
    observations: NDArray[np.uint8]
    final_boards: NDArray[np.uint64]
    final_scores: NDArray[np.int64]
    final_largest_tiles: NDArray[np.int32]
    final_action_masks: NDArray[np.int8]
    final_observations: NDArray[np.uint8]

    def reset(self, seeds: np.ndarray | None, mask: np.ndarray | None = None) -> None:
        """Begins games.

        Args:
            seeds: uint64 (N,); `None` continues each game's stream, or draws seeds before the first reset
            mask: bool (N,), the games that begin; by default all

        Raises:
            GameOverError: some games are left out, and they have never begun.
        """
        if not self.begun:
            if mask is not None and not mask.all():
                raise GameOverError("reset_mask leaves out games that have not begun: call reset without it first")
            if seeds is None:
                seeds = np.frombuffer(os.urandom(8 * self.count), np.uint64)
        keys = None if seeds is None else np.ascontiguousarray(seeds, np.uint64)
        begin = None if mask is None else np.ascontiguousarray(mask, np.uint8)
        library.call("games_reset", self._pointer, library.address(keys), library.address(begin))
        self.begun = True

    def step(self, actions: Any) -> None:
        """Plays one action in each game.

        Args:
            actions: whole numbers 0 to 3 of shape (N,), in any type of integers

        Raises:
            TypeError: the array has no integers; no game has moved.
            ValueError: wrong shape or number; no game has moved.
            IllegalMoveError, GameOverError: depending on the settings; no game has moved.
        """
        array = actions if isinstance(actions, np.ndarray) else np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions is an array of {array.dtype}: give integers of shape ({self.count},)")
        if array.shape != (self.count,):
            raise ValueError(f"actions has shape {array.shape}: give ({self.count},)")
        np.copyto(self.actions, array, casting="same_kind" if array.dtype.kind == "i" else "unsafe")
        self.play()

    def play(self) -> None:
        """Plays the actions in `self.actions`."""
        status = self._step(self._pointer, self._actions_pointer)
        if status:
            raise self.failure(status)

    def failure(self, status: int, *words: str) -> Exception:
        """The exception for a step that was refused. The first of two words in its text is replaced by the second."""
        if not self.begun:
            return GameOverError("the games have not begun: call reset before the first step")
        return library.fail(status, *words)

    def random_steps(self, steps: int, seed: int) -> tuple[int, int]:
        """Plays random legal actions, and returns the numbers of moves and of games that ended."""
        if not self.begun:
            raise GameOverError("the games have not begun: call reset first")
        moves, episodes = c_int64(), c_int64()
        arguments = (whole(steps, "steps", 0, 10**9), whole(seed, "seed", 0, (1 << 64) - 1))

        def play(control: int) -> int:
            results = byref(moves), byref(episodes)
            return library.status("games_random_steps", self._pointer, *arguments, *results)

        library.interruptible(play, is_short=arguments[0] * self.count < 2_000_000)
        return moves.value, episodes.value

    def observe(self) -> None:
        """Writes observations, masks and largest tiles after a change of the boards, and checks the states."""
        library.call("games_observe", self._pointer)

    def save(self) -> dict[str, np.ndarray]:
        """Copies of all state arrays."""
        return {name: getattr(self, name).copy() for name in STATE_NAMES}

    def load(self, state: Mapping[str, np.ndarray]) -> None:
        """Replaces all state arrays, or none if the library refuses one.

        Raises:
            ValueError: an array has another shape, or its content is not the state of a game.
        """
        before = self.save()
        try:
            for name in STATE_NAMES:
                array, found = getattr(self, name), np.asarray(state[name])
                if found.shape != array.shape or found.dtype != array.dtype:
                    raise ValueError(f"{name} is {found.dtype} {found.shape}: give {array.dtype} {array.shape}")
                array[...] = found
            self.observe()
            # No step has been played yet.
            self.rewards[...] = 0
            self.terminated[...] = self.truncated[...] = self.illegal_actions[...] = False
            self.afterstates[...], self.afterstate_overflow[...] = self.boards, self.overflow
            self.afterstate_exponents[...] = self.exponents()
            self.begun = True
        except BaseException:
            for name in STATE_NAMES:
                getattr(self, name)[...] = before[name]
            raise

    def exponents(self) -> NDArray[np.uint8]:
        """The boards as uint8 (N, rows, columns)."""
        from .boards import exponents

        return exponents(self.boards, self.overflow, self.shape)

    def __getstate__(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("count", "shape", "settings", "_own", "begun")},
            "arrays": {name: getattr(self, name).copy() for name, _, _ in self._fields()},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = state.pop("arrays")
        self.__dict__.update(state)
        for name, array in self._memory(self._fields()).items():
            found = arrays[name]
            if found.shape != array.shape:
                raise ValueError(f"{name} of the pickled games has shape {found.shape}")
            array[...] = found
            setattr(self, name, array)
        self._bind()
        if self.begun:
            self.observe()
