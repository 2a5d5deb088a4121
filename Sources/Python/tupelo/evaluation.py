"""Evaluation: many games of a player, and a report with confidence intervals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from ctypes import byref, c_int64
from typing import Any

import numpy as np

from . import _library as library
from ._checks import as_shape, flag, number, processors, whole
from ._errors import IllegalMoveError
from ._games import Games
from ._settings import Settings
from ._structs import EvaluationStruct
from .report import Report

#: The games that a function plays at once.
_BATCH = 1024
ShowProgress = bool | Callable[[int, int], None]


def evaluate(
    player: Any,
    games: int = 1000,
    *,
    plies: int | None = None,
    seed: int = 1000003,
    threads: int | None = None,
    shape: tuple[int, int] | None = None,
    four_probability: float = 0.1,
    start_tiles: int = 2,
    progress: ShowProgress = False,
) -> Report:
    """Plays games of 2048 and reports them. Ctrl-C ends it.

    Players with an equal seed meet equal random numbers: game k depends on (seed, k) and on the moves alone.

    Args:
        player: a `Model`; an agent as in `tupelo help agents`, such as "random", "greedy", "heuristic" or
            "expectimax(plies: 3)", which value boards by the built-in heuristic; or a function of exponents, uint8 (N,
            rows, columns), and the masks of legal moves, bool (N, 4), that returns N legal moves
        games: the number of games, 1 to 10^8
        plies: the depth of the search of a model, 1 to 8; by default 1, which is greedy
        seed: 0 to 2^64 - 1
        threads: 1 to 1024 for a model or an agent, by default one for each processor that this process may use. A
            function is called by this thread
        shape: rows and columns; by default the shape of the model, or 4x4
        four_probability: the probability that a new tile is a 4
        start_tiles: the number of tiles at the start
        progress: true for a bar of tqdm if it is installed, or a function of finished games and all games

    Returns:
        A `Report`, such as `report.score_mean`, `report.rate(2048)` and `report.scores`.

    Raises:
        TypeError: an argument has another type, or the function returns no whole numbers.
        ValueError: an argument is unknown or out of its range.
        IllegalMoveError: the function returns an illegal move.
    """
    settings: dict[str, Any] = {
        "games": games, "seed": seed, "four_probability": four_probability, "start_tiles": start_tiles,
        "progress": progress,
    }  # fmt: skip
    from .model import Model  # That module imports this one.

    if isinstance(player, Model):
        if shape is not None and as_shape(shape) != player.shape:
            raise ValueError(f"shape is {shape!r}: give {player.shape}, which is the shape of the model, or None")
        return player.evaluate(plies=plies, threads=threads, **settings)
    if not isinstance(player, str) and not callable(player):
        raise TypeError(f"player is {player!r}: give a Model, an agent such as 'random', or a function")
    if plies is not None:
        wanted = f"the agent 'expectimax(plies: {plies})'" if isinstance(player, str) else "a function that searches"
        raise ValueError(f"plies is {plies!r}, and the player is not a Model: give plies=None, and {wanted}")
    if isinstance(player, str):
        agent = "greedy(evaluator: heuristic)" if player == "heuristic" else player
        return by_library(0, agent, shape=(4, 4) if shape is None else shape, threads=threads, **settings)
    if threads is not None:
        whole(threads, "threads", 1, 1024)
    return _by_function(player, shape=(4, 4) if shape is None else shape, **settings)


def _struct(
    agent: str | None, shape: tuple[int, int] | None, games: int, seed: int, threads: int | None,
    four_probability: float, start_tiles: int,
) -> EvaluationStruct:  # fmt: skip
    rows, columns = (0, 0) if shape is None else as_shape(shape)
    return EvaluationStruct(
        agent=None if agent is None else library.encoded(agent, "agent"),
        seed=whole(seed, "seed", 0, (1 << 64) - 1),
        first=0,
        games=whole(games, "games", 1, 10**8),
        threads=processors() if threads is None else whole(threads, "threads", 1, 1024),
        start_tiles=whole(start_tiles, "start_tiles", 1, 15),
        four_probability=number(four_probability, "four_probability", 0, 1),
        rows=rows,
        columns=columns,
    )


def _report(handle: int, settings: EvaluationStruct, results: list[np.ndarray], seconds: float) -> dict[str, Any]:
    addresses = [library.address(array) for array in results]
    text = library.text("report", handle, byref(settings), settings.games, *addresses, seconds)
    return dict(json.loads(text))


def by_library(
    handle: int, agent: str | None, *, shape: Any, games: int, seed: int, threads: int | None,
    four_probability: float, start_tiles: int, progress: ShowProgress,
) -> Report:  # fmt: skip
    """The report of a player in the library: a model, or 0, and an agent."""
    settings = _struct(agent, shape, games, seed, threads, four_probability, start_tiles)
    results = results_of(settings.games)
    addresses, finished = [library.address(array) for array in results], c_int64()

    def evaluate(control: int) -> int:
        return library.status("evaluate", handle, byref(settings), control, *addresses, byref(finished))

    begin = time.perf_counter()
    with Bar(progress, settings.games) as bar:
        library.interruptible(evaluate, bar.show)
        seconds = time.perf_counter() - begin
        bar.show(settings.games)
    return Report(_report(handle, settings, results, seconds), *results)


def facts_of(
    handle: int, results: list[np.ndarray], seconds: float, *, agent: str | None, seed: int, four_probability: float,
    start_tiles: int,
) -> dict[str, Any]:  # fmt: skip
    """The facts in a report of games that a model has played."""
    settings = _struct(agent, None, len(results[0]), seed, 1, four_probability, start_tiles)
    return _report(handle, settings, results, seconds)


def results_of(games: int) -> list[np.ndarray]:
    """Arrays for scores, moves and largest tiles."""
    return [np.zeros(games, np.int64), np.zeros(games, np.int64), np.zeros(games, np.int32)]


def _by_function(
    function: Callable[[np.ndarray, np.ndarray], Any], *, shape: tuple[int, int], games: int, seed: int,
    four_probability: float, start_tiles: int, progress: ShowProgress,
) -> Report:  # fmt: skip
    """The report of a function. Up to `_BATCH` games are played at once; each game that ends gives its place to the
    next one, and in the end there are fewer places."""
    settings = _struct("random", shape, games, seed, 1, four_probability, start_tiles)
    rules = Settings(shape, four_probability, start_tiles, illegal="raise")
    total, results = settings.games, results_of(settings.games)
    numbers = np.arange(min(total, _BATCH))
    begun = len(numbers)
    batch = Games(begun, rules)
    _seed(batch, settings.seed, numbers, np.ones(begun, np.bool_))
    begin = time.perf_counter()
    with Bar(progress, total) as bar:
        while True:
            batch.step(chosen(function, batch.exponents(), batch.action_masks.astype(np.bool_)))
            if not batch.terminated.any():
                continue
            over = batch.terminated.nonzero()[0]
            ends: list[np.ndarray] = [batch.scores, batch.plies, batch.largest_tiles]
            for array, found in zip(results, ends, strict=True):
                array[numbers[over]] = found[over]
            fresh = over[: total - begun]
            numbers[over] = -1
            numbers[fresh] = np.arange(begun, begun + len(fresh))
            begun += len(fresh)
            bar.show(begun - int(np.count_nonzero(numbers >= 0)))
            if len(fresh):
                began = np.zeros(len(numbers), np.bool_)
                began[fresh] = True
                _seed(batch, settings.seed, numbers, began)
            if len(fresh) < len(over):
                live = numbers >= 0
                if not live.any():
                    break
                state, numbers = batch.save(), numbers[live]
                batch = Games(len(numbers), rules)
                batch.load({name: array[live] for name, array in state.items()})
    facts = _report(0, settings, results, time.perf_counter() - begin)
    return Report({**facts, "agent": getattr(function, "__name__", repr(function))}, *results)


def chosen(
    function: Callable[[np.ndarray, np.ndarray], Any], exponents: np.ndarray, masks: np.ndarray
) -> np.ndarray:
    """The moves of a function that plays N games at once, checked."""
    moves, count = np.asarray(function(exponents, masks)), len(exponents)
    if moves.shape != (count,) or moves.dtype.kind not in "iu":
        kind = ValueError if moves.dtype.kind in "iu" else TypeError
        raise kind(
            f"the player's moves are {moves.dtype} of shape {moves.shape}: give whole numbers of shape ({count},), "
            "because the player gets the boards of all games at once"
        )
    if ((moves < 0) | (moves > 3)).any():
        bad = moves[(moves < 0) | (moves > 3)][0]
        raise ValueError(f"the player's move is {bad}: give 0 (up), 1 (right), 2 (down) or 3 (left)")
    legal = masks[np.arange(count), moves]
    if not legal.all():
        game = int(legal.argmin())
        raise IllegalMoveError(
            f"the player's move is {moves[game]} on a board whose mask is {masks[game].tolist()}: give a move where "
            "the mask, the second argument of the player, is true"
        )
    return moves


def _seed(batch: Games, seed: int, numbers: np.ndarray, began: np.ndarray) -> None:
    """Begins the games of a mask with the random streams of their numbers, which are those of the library."""
    for place in began.nonzero()[0]:
        library.call("random", seed, int(numbers[place]), library.address(batch.random[place]))
    batch.begun = True
    batch.reset(None, began)


class Bar:
    """Shows the progress of an evaluation: by tqdm, by a function, or not at all."""

    def __init__(self, progress: ShowProgress, total: int) -> None:
        if not callable(progress):
            flag(progress, "progress")
        self._told, self._total = progress if callable(progress) else None, total
        self._bar = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, unit="game")

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, games: int) -> None:
        if self._bar is not None:
            self._bar.update(games - self._bar.n)
        if self._told is not None:
            self._told(games, self._total)
