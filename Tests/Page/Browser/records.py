"""Records of games, made and replayed by the reference of the Python package's tests, which calls no code of Tupelo.

A record is one line of JSON, then the steps, twenty to a line. The step `l52` means: left, then a 2 on cell 5.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
sys.path.append(str(REPOSITORY / "Tests/Python/TupeloPythonTests"))

import reference  # noqa: E402  (the line above makes it importable)

DIGITS = "0123456789abcdefgh"
LETTERS = "urdl"


def text_of(board):
    """A board of exponents as digits."""
    return "".join(DIGITS[tile] for row in board for tile in row)


def board_of(text, columns=4):
    """The board of a text of digits, as rows of exponents."""
    rows = (text[first : first + columns] for first in range(0, len(text), columns))
    return [[DIGITS.index(digit) for digit in row] for row in rows]


def move(board, way):
    """The board after a move (0 up, 1 right, 2 down, 3 left), before a tile appears; `None` if nothing moves."""
    outcome = reference.move(board, way)
    return outcome and outcome[0]


def replay(record):
    """The positions of a record: pairs of a board, as digits, and a score. A damaged record fails."""
    header, *lines = record.split("\n")
    fields = json.loads(header)
    start = fields["start"]
    board, score = board_of(start, fields["columns"]), 0
    assert len(board) == fields["rows"], "the header has the number of rows"
    positions = [(start, score)]
    for number, (letter, cell, tile) in enumerate("".join(line + " " for line in lines).split(), 1):
        outcome = reference.move(board, LETTERS.index(letter))
        assert outcome is not None, f"step {number} moves nothing: {letter} on {text_of(board)}"
        board, reward = outcome
        row, column = divmod(int(cell, 16), 4)
        assert board[row][column] == 0, f"step {number} puts a tile on cell {cell}, which is taken: {text_of(board)}"
        board[row][column] = {"2": 1, "4": 2}[tile]
        score += reward
        positions.append((text_of(board), score))
    return positions


def last_move(board):
    """A careless player: the last legal move in the order up, right, down, left; `None` at the end of the game."""
    return max((way for way in range(4) if move(board, way)), default=None)


def roomy_move(board):
    """A player who keeps cells empty, whose games have some hundred moves."""

    def room(way):
        return sum(row.count(0) for row in move(board, way))

    return max((way for way in range(4) if move(board, way)), key=room, default=None)


def play(seed, player=last_move, moves=None, agent="test", start_tiles=2, **header):
    """The record of a game: to its end, or `moves` moves long."""
    game = reference.Game(seed, start_tiles=start_tiles)
    fields = {
        **{"agent": agent, "columns": 4, "four_probability": 0.1, "rows": 4, "start": text_of(game.board)},
        **{"start_tiles": start_tiles, "tupelo_record": 1, **header},
    }
    steps = []
    while (moves is None or len(steps) < moves) and (way := player(game.board)) is not None:
        moved = move(game.board, way)
        game.play(way)
        changed = zip(text_of(moved), text_of(game.board))
        cell, digit = next((cell, after) for cell, (before, after) in enumerate(changed) if before != after)
        steps.append(f"{LETTERS[way]}{cell:x}{1 << int(digit)}")
    lines = [" ".join(steps[first : first + 20]) for first in range(0, len(steps), 20)]
    return "\n".join([json.dumps(fields, sort_keys=True, separators=(",", ":")), *lines]) + "\n"
