"""2048 written as simply as possible, and the random streams of Tupelo from their published algorithms.

Nothing here calls the package under test. Boards are lists of rows of exponents. Run as a program, this file prints
`Tests/Fixtures/golden-games.txt`: whole games, which the engine in Swift and the environments in Python must repeat.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
UP, RIGHT, DOWN, LEFT = range(4)


def slide(line):
    """A line slid to its start, and the reward. Two tiles of 131072 do not merge."""
    tiles, reward, free = [], 0, False
    for tile in (t for t in line if t):
        if free and tiles[-1] == tile and tile < 17:
            tiles[-1] += 1
            reward += 1 << tiles[-1]
            free = False
        else:
            tiles.append(tile)
            free = True
    return tiles + [0] * (len(line) - len(tiles)), reward


def merges(board, action):
    """The exponents of the tiles that a move makes."""
    rows = [list(row) for row in board] if action in (LEFT, RIGHT) else [list(column) for column in zip(*board)]
    made = []
    for row in rows:
        tiles = [tile for tile in (row[::-1] if action in (RIGHT, DOWN) else row) if tile]
        while len(tiles) > 1:
            first, *tiles = tiles
            if first == tiles[0] and first < 17:
                made.append(first + 1)
                tiles = tiles[1:]
    return made


def move(board, action):
    """The board after a move and its reward; `None` for a move that changes nothing."""
    rows = [list(row) for row in board] if action in (LEFT, RIGHT) else [list(column) for column in zip(*board)]
    back = action in (RIGHT, DOWN)
    slid = [slide(row[::-1] if back else row) for row in rows]
    after = [row[::-1] if back else row for row, _ in slid]
    if action in (UP, DOWN):
        after = [list(row) for row in zip(*after)]
    if after == [list(row) for row in board]:
        return None
    return after, sum(reward for _, reward in slid)


def legal(board):
    return [move(board, action) is not None for action in range(4)]


def mask(board):
    """The action mask: the legal moves, or four ones when the game is over."""
    return legal(board) if any(legal(board)) else [True] * 4


def _mix(value):
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


class Stream:
    """xoshiro256++, filled by SplitMix64."""

    def __init__(self, seed, stream=0):
        state = _mix(seed & MASK) ^ _mix((stream * 0xD1342543DE82EF95 + 1) & MASK)
        self.s = []
        for _ in range(4):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            self.s.append(_mix(state))

    def next(self):
        s0, s1, s2, s3 = self.s
        total = (s0 + s3) & MASK
        result = ((total << 23 | total >> 41) + s0) & MASK
        shifted = s1 << 17 & MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        self.s = [s0, s1, s2, (s3 << 45 | s3 >> 19) & MASK]
        return result


class Game:
    """A game whose tiles come from a stream: 32 bits choose the cell, 32 bits the tile."""

    def __init__(self, seed, shape=(4, 4), four=0.1, start_tiles=2):
        self.random = Stream(seed)
        self.threshold = round(four * 2**32)
        self.shape = shape
        self.start_tiles = start_tiles
        self.reset()

    def reset(self):
        self.board = [[0] * self.shape[1] for _ in range(self.shape[0])]
        self.score = self.plies = 0
        for _ in range(self.start_tiles):
            self.spawn()

    def spawn(self):
        empty = [(r, c) for r, row in enumerate(self.board) for c, tile in enumerate(row) if not tile]
        draw = self.random.next()
        row, column = empty[(draw >> 32) * len(empty) >> 32]
        self.board[row][column] = 2 if draw & 0xFFFFFFFF < self.threshold else 1

    def play(self, action):
        """The reward; `None` for an illegal move, which changes nothing."""
        result = move(self.board, action)
        if result is None:
            return None
        self.board, reward = result
        self.score += reward
        self.plies += 1
        self.spawn()
        return reward


def pack(board):
    """A board as 64 bits and 32 bits of overflow, cell (row, column) at nibble 4 * row + column."""
    bits = overflow = 0
    for r, row in enumerate(board):
        for c, tile in enumerate(row):
            bits |= min(tile, 15) << 4 * (4 * r + c)
            overflow |= max(tile - 15, 0) << 2 * (4 * r + c)
    return bits, overflow


#: The move of each player from the number of moves so far and the legal moves, which are not empty.
PLAYERS = {
    "first": lambda plies, legal: min(legal),
    "last": lambda plies, legal: max(legal),
    "turning": lambda plies, legal: min(legal, key=lambda move: (move - plies) % 4),
}


def golden_games():
    """Lines of text: rows, columns, probability of a 4, start tiles, seed, player; then score, moves, the exponents of
    all merged tiles added up, and the last board in the digits of the engine."""
    for rows in (2, 3, 4):
        for columns in (2, 3, 4):
            for four, start_tiles in ((0.1, 2), (0.0, 1), (1.0, 3), (0.4, 2)):
                for seed in (1, 7, 2**63 + 5):
                    for player, choose in PLAYERS.items():
                        game, made = Game(seed, (rows, columns), four, start_tiles), 0
                        while any(legal(game.board)):
                            action = choose(game.plies, [move for move in range(4) if legal(game.board)[move]])
                            made += sum(merges(game.board, action))
                            game.play(action)
                        board = "".join("0123456789abcdefgh"[tile] for row in game.board for tile in row)
                        facts = (rows, columns, four, start_tiles, seed, player, game.score, game.plies, made, board)
                        yield " ".join(map(str, facts))


if __name__ == "__main__":
    print(*golden_games(), sep="\n")
