"""Learns an n-tuple network with numpy: TD(0) on afterstates of 1,024 games at once.

The package slides boards and adds tiles. The weights are numpy arrays, and `Model.from_tables` makes a model of them.
Run it as `python td.py [STEPS]`. It writes the run folder runs/td, which `tupelo runs`, `plot` and `compare` show
beside the runs of `tupelo train`.
"""

import sys

import numpy as np
import tupelo

GAMES, ALPHA, STEPS = 1024, 1.0, int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
PATTERNS = ["0123", "4567", "0145", "1256", "5689", "0156"]
tables = [np.zeros(16 ** len(pattern)) for pattern in PATTERNS]
rng, each = np.random.default_rng(1), np.arange(GAMES)
settings = {"name": "td", "own.learner": "td.py", "own.steps": STEPS, "learner.step_size": "constant"}
settings |= {"learner.alpha": ALPHA, "network.patterns": " ".join(PATTERNS), "evaluation.games": 200}


def value(indices):  # (patterns, ..., 8): the sum of a weight for each pattern on each symmetric board
    return sum(table[index].sum(axis=-1) for table, index in zip(tables, indices))


def learn(indices, errors):  # moves each weight by the average error of the games that have used it
    for table, index in zip(tables, indices):
        sums = np.bincount(index.ravel(), errors.repeat(8), len(table))
        counts = np.bincount(index.ravel(), minlength=len(table))
        table += ALPHA / (8 * len(tables)) * sums / np.maximum(counts, 1)


def start(count):  # boards with two tiles
    return tupelo.spawn(tupelo.spawn(np.zeros(count, np.uint64), rng), rng)


run = tupelo.Run("runs/td", settings)
boards, last, going = start(GAMES), None, np.zeros(GAMES, bool)
scores, finished, games, moved = np.zeros(GAMES), [], 0, 0
for step in range(1, STEPS + 1):
    moves = tupelo.successors(boards)
    indices = tupelo.tuple_indices(PATTERNS, moves.afterstates)
    values = np.where(moves.legal, moves.rewards + value(indices), -np.inf)
    best, over = values.argmax(axis=1), ~moves.legal.any(axis=1)
    if last is not None:  # The value of the last afterstate goes toward reward plus value of this one; 0 at the end.
        targets = np.where(over, 0, values[each, best])[going]
        learn(last[:, going], targets - value(last[:, going]))
    last, going = indices[:, each, best], ~over
    finished += scores[over].tolist()
    scores = np.where(over, 0, scores + moves.rewards[each, best])
    games, moved = games + int(over.sum()), moved + int(going.sum())
    if finished and (step % 100 == 0 or step == STEPS):
        run.log(games, moved, {"rollout/score_mean": np.mean(finished), "rollout/score_max": max(finished)})
        finished = []
    boards = tupelo.spawn(np.where(over, np.uint64(0), moves.afterstates[each, best]), rng)
    boards[over] = start(over.sum())

model = tupelo.Model.from_tables(PATTERNS, tables)
run.save(model)
print(run.evaluate(model))
run.end()
print(model.search("0123012301230000", plies=3))
print(model.evaluate(games=20, plies=3))
