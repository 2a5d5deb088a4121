"""A game as one animated SVG without scripts or other files. Notebooks, browsers and README pages play it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from . import _drawing

#: The part of a move's time in which tiles slide. They do not move in the rest of the time.
SLIDE = 0.5


class Animation:
    """An animated picture. A notebook shows it, and `save` writes it as an SVG file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Writes the picture; a browser opens the file."""
        Path(path).write_text(self.svg, encoding="utf-8")


class _Tile:
    """A tile from its appearance until it merges, with its places over time."""

    def __init__(self, exponent: int, cell: tuple[int, int], born: float) -> None:
        self.exponent, self.cell, self.born = exponent, cell, born
        self.path: list[tuple[float, tuple[int, int]]] = [(0.0, cell)]
        self.died: float | None = None

    def slide(self, cell: tuple[int, int], begin: float, end: float) -> None:
        if cell != self.cell:
            self.path += [(begin, self.cell), (end, cell)]
            self.cell = cell

    def svg(self, seconds: float) -> str:
        step = _drawing.CELL + _drawing.GAP
        clock = f'dur="{seconds:g}s" repeatCount="indefinite"'
        times = ([] if self.born == 0 else [("hidden", 0.0)]) + [("visible", self.born)]
        times += [] if self.died is None else [("hidden", self.died)]
        shown = (
            f'<animate attributeName="visibility" calcMode="discrete" values="{";".join(v for v, _ in times)}" '
            f'keyTimes="{";".join(f"{t / seconds:.6g}" for _, t in times)}" {clock}/>'
        )
        moved = ""
        if len(self.path) > 1:
            path = [*self.path, (seconds, self.cell)]
            moved = (
                '<animateTransform attributeName="transform" type="translate" '
                f'values="{";".join(f"{c * step},{r * step}" for _, (r, c) in path)}" '
                f'keyTimes="{";".join(f"{t / seconds:.6g}" for t, _ in path)}" {clock}/>'
            )
        row, column = self.path[0][1]
        place = "" if moved else f' transform="translate({column * step},{row * step})"'
        return f'<g visibility="hidden"{place}>{_drawing.svg_tile(self.exponent)}{shown}{moved}</g>'


def animate(
    boards: np.ndarray, actions: np.ndarray, scores: np.ndarray, first: int, seconds_per_move: float
) -> Animation:
    """Draws a part of a game.

    Args:
        boards: uint8 (n + 1, rows, columns), exponents before each move and at the end
        actions: the n moves
        scores: the score on each of the n + 1 boards
        first: the number of the first move, for the text below the board
        seconds_per_move: the time of a move
    """
    _, rows, columns = boards.shape
    seconds = len(actions) * seconds_per_move + 2.0
    places = [(r, c) for r in range(rows) for c in range(columns)]
    live = {cell: _Tile(int(boards[0][cell]), cell, 0.0) for cell in places if boards[0][cell]}
    tiles = list(live.values())
    for number, action in enumerate(actions):
        begin = number * seconds_per_move
        end = begin + SLIDE * seconds_per_move
        after: dict[tuple[int, int], _Tile] = {}
        for line in _lines(rows, columns, int(action)):
            target, free = 0, None  # The previous tile, if it may still merge.
            for tile in (live[cell] for cell in line if cell in live):
                if free is not None and free.exponent == tile.exponent and tile.exponent < 17:
                    tile.slide(free.cell, begin, end)
                    free.died = tile.died = end
                    merged = _Tile(tile.exponent + 1, free.cell, end)
                    after[free.cell] = merged
                    tiles.append(merged)
                    free = None
                else:
                    tile.slide(line[target], begin, end)
                    after[tile.cell] = free = tile
                    target += 1
        for cell in places:
            if boards[number + 1][cell] and cell not in after:
                after[cell] = _Tile(int(boards[number + 1][cell]), cell, end)
                tiles.append(after[cell])
        live = after
    captions = []
    for number, score in enumerate(scores):
        begin = 0.0 if number == 0 else (number - 1 + SLIDE) * seconds_per_move
        times = ([] if begin == 0 else ["hidden"]) + ["visible"]
        keys = ([] if begin == 0 else ["0"]) + [f"{begin / seconds:.6g}"]
        if number < len(actions):
            times, keys = [*times, "hidden"], [*keys, f"{(number + SLIDE) * seconds_per_move / seconds:.6g}"]
        text = _drawing.caption_text((rows, columns), f"move {first + number:,} · score {int(score):,}")
        captions.append(
            text[: -len("</text>")].replace("<text ", '<text visibility="hidden" ', 1)
            + f'<animate attributeName="visibility" calcMode="discrete" values="{";".join(times)}" '
            f'keyTimes="{";".join(keys)}" dur="{seconds:g}s" repeatCount="indefinite"/></text>'
        )
    content = "".join(tile.svg(seconds) for tile in tiles) + "".join(captions)
    return Animation(_drawing.frame((rows, columns), content, 24, f"a game of 2048, {len(actions)} moves"))


def _lines(rows: int, columns: int, action: int) -> list[list[tuple[int, int]]]:
    """The cells of each line. The first cell is at the wall that tiles slide to."""
    if action in (1, 3):
        lines = [[(r, c) for c in range(columns)] for r in range(rows)]
    else:
        lines = [[(r, c) for r in range(rows)] for c in range(columns)]
    return [line[::-1] for line in lines] if action in (1, 2) else lines
