"""What the files of this folder say, worked out again with nothing of Tupelo.

Without arguments it prints the boards of game.txt after each of its moves with their values by model.safetensors, as
values.txt has them. It fails where the game breaks a rule or a move is not the best one.
"""

import json
import struct
from pathlib import Path

FOLDER = Path(__file__).parent
SIZE = 3
PATTERNS = [(0, 1), (3, 4)]


def tensors(path):
    """The F32 tensors of a safetensors file, by their names."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    found = {}
    for name, tensor in header.items():
        if tensor.get("dtype") == "F32":
            begin, end = tensor["data_offsets"]
            found[name] = struct.unpack(f"<{(end - begin) // 4}f", data[8 + length + begin : 8 + length + end])
    return found


def symmetries():
    """The eight ways in which the cells of the board map to each other."""
    cells = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    last = SIZE - 1
    ways = [
        lambda r, c: (r, c), lambda r, c: (c, last - r), lambda r, c: (last - r, last - c), lambda r, c: (last - c, r),
        lambda r, c: (r, last - c), lambda r, c: (c, r), lambda r, c: (last - r, c), lambda r, c: (last - c, last - r),
    ]  # fmt: skip
    return [[way(*cell)[0] * SIZE + way(*cell)[1] for cell in cells] for way in ways]


SYMMETRIES = symmetries()


def value(board, weights):
    """The value of an afterstate: its stage begins when the largest tile reaches 16, the exponent 4."""
    stage = 1 if max(board) >= 4 else 0
    total = 0.0
    for number, (first, second) in enumerate(PATTERNS):
        table = weights[f"weights.{stage * len(PATTERNS) + number}"]
        for cells in SYMMETRIES:
            total += table[board[cells[first]] + 16 * board[cells[second]]]
    return total


def slide(line):
    """A row of exponents after a move to its front, and the points."""
    tiles, result, points = [tile for tile in line if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tiles.pop(0)
            tile += 1
            points += 2**tile
        result.append(tile)
    return result + [0] * (SIZE - len(result)), points


def lines(move):
    """The cells of each line, from the edge to which a move goes."""
    rows = [[SIZE * row + column for column in range(SIZE)] for row in range(SIZE)]
    columns = [list(column) for column in zip(*rows)]
    return {"l": rows, "r": [row[::-1] for row in rows], "u": columns, "d": [column[::-1] for column in columns]}[move]


def play(board, move):
    """The afterstate and the points of a move; None for the board if nothing moves."""
    after, points = list(board), 0
    for cells in lines(move):
        line, gained = slide([board[cell] for cell in cells])
        points += gained
        for cell, tile in zip(cells, line):
            after[cell] = tile
    return (after if after != board else None), points


def game():
    """Each afterstate of game.txt with its value and the score so far.

    Each move must be the best one, and each new tile on an empty cell.
    """
    header, *rest = (FOLDER / "game.txt").read_text().splitlines()
    board = [int(digit) for digit in json.loads(header)["start"]]
    weights = tensors(FOLDER / "model.safetensors")
    score = 0
    for move, cell, tile in " ".join(rest).split():
        worth = {}
        for other in "urdl":
            after, points = play(board, other)
            if after:
                worth[other] = points + value(after, weights)
        if worth[move] < max(worth.values()) - 1e-3:
            raise ValueError(f"{board}: {move} is not the best move: {worth}")
        board, points = play(board, move)
        score += points
        yield board, value(board, weights), score
        # A cell is written as on a board of four columns.
        place = int(cell, 16) // 4 * SIZE + int(cell, 16) % 4
        if board[place]:
            raise ValueError(f"{board}: a tile comes to {cell}, which is taken")
        board = list(board)
        board[place] = {"2": 1, "4": 2}[tile]
    if any(play(board, move)[0] for move in "urdl"):
        raise ValueError(f"{board}: the game is not over")


if __name__ == "__main__":
    for board, worth, score in game():
        print("".join(f"{tile:x}" for tile in board), f"{worth:.3f}", score)
