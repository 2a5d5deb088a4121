"""The structs of `tupelo.h`, field for field. Each begins with its own size, which the library compares."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p

#: The version of the interface that these structs and the prototypes in `_library` are written for.
ABI = 4


class Sized(ctypes.Structure):
    """A struct whose `size` is set."""

    def __init__(self, **values: object) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **values)


class GamesStruct(Sized):
    _fields_ = [
        ("size", c_uint64), ("count", c_int64), ("rows", c_int32), ("columns", c_int32),
        ("four_probability", c_double), ("start_tiles", c_int32), ("reward", c_int32), ("illegal", c_int32),
        ("autoreset", c_int32), ("illegal_reward", c_double), ("maximum_steps", c_int64),
        ("maximum_illegal", c_int64), ("observation", c_int32), ("threads", c_int32),
        # The state.
        ("boards", c_void_p), ("overflow", c_void_p), ("random", c_void_p), ("scores", c_void_p), ("plies", c_void_p),
        ("steps", c_void_p), ("illegal_streaks", c_void_p), ("ended", c_void_p),
        # The results.
        ("observations", c_void_p), ("rewards", c_void_p), ("terminated", c_void_p), ("truncated", c_void_p),
        ("action_masks", c_void_p), ("largest_tiles", c_void_p), ("afterstates", c_void_p),
        ("afterstate_overflow", c_void_p), ("afterstate_exponents", c_void_p), ("illegal_actions", c_void_p),
        # The ends of games that begin again in the same step.
        ("final_observations", c_void_p), ("final_boards", c_void_p), ("final_overflow", c_void_p),
        ("final_scores", c_void_p), ("final_plies", c_void_p), ("final_largest_tiles", c_void_p),
        ("final_action_masks", c_void_p),
    ]  # fmt: skip


class SearchSettings(Sized):
    _fields_ = [
        ("size", c_uint64), ("four_probability", c_double), ("threads", c_int32), ("table_mebibytes", c_int32),
    ]  # fmt: skip


class SearchLimits(Sized):
    _fields_ = [
        ("size", c_uint64), ("plies", c_int32), ("extend_empty_cells", c_int32), ("milliseconds", c_double),
        ("nodes", c_int64), ("cutoff", c_double),
    ]  # fmt: skip


class SearchResult(Sized):
    _fields_ = [("size", c_uint64), ("values", c_double * 4), ("move", c_int32), ("plies", c_int32), ("nodes", c_int64)]


class EvaluationStruct(Sized):
    _fields_ = [
        ("size", c_uint64), ("agent", c_char_p), ("seed", c_uint64), ("first", c_int64), ("games", c_int64),
        ("threads", c_int32), ("start_tiles", c_int32), ("four_probability", c_double), ("rows", c_int32),
        ("columns", c_int32),
    ]  # fmt: skip


class ProgressStruct(Sized):
    _fields_ = [
        ("size", c_uint64), ("games", c_int64), ("moves", c_int64), ("slice_games", c_int64), ("slice_moves", c_int64),
        ("fresh_games", c_int64), ("score_sum", c_int64), ("score_maximum", c_int64),
        ("absolute_error_sum", c_double), ("seconds", c_double), ("outcomes", c_int64 * 28),
    ]  # fmt: skip
