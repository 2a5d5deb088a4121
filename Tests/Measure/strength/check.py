"""Measures three rows again, as a machine that checks the repository does."""
import hashlib
import json
import subprocess
import tempfile

from job import Job
from rows import REPOSITORY, results

LONGEST = 120
"""The longest row to draw, in seconds of processor time."""
# What may differ between two runs of one command: the machine, and the program where it plays the same.
VOLATILE = {"seconds", "moves_per_second", "processor_seconds", "commit", "version", "bytes"}


def drawn(rows, found, commit):
    """Three rows by the hash of a commit: short, of shipped files alone, and without BLAS, whose last digits depend on
    the processor."""
    short = [row for row in rows.values()
             if not row.needs and not row.target and "dense" not in row.command
             and found[row.name]["processor_seconds"] <= LONGEST]
    return sorted(short, key=lambda row: hashlib.sha256(f"{commit} {row.name}".encode()).hexdigest())[:3]


def differences(old, new):
    """Lines about figures that differ; nested ones have names such as `training.moves`."""
    def flat(value, name=""):
        if isinstance(value, dict):
            return {key: text for part in value for key, text in flat(value[part], f"{name}.{part}").items()
                    if part not in VOLATILE}
        return {name[1:]: json.dumps(value)}

    old, new = flat(old), flat(new)
    return [f"{name}: {old.get(name)}, now {new.get(name)}"
            for name in sorted(old | new) if old.get(name) != new.get(name)]


def three(program):
    """- Returns: how many of three rows differ from their results."""
    commit = subprocess.run(["git", "-C", REPOSITORY, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    found, count = results()["rows"], 0
    with tempfile.TemporaryDirectory() as work:
        job = Job(program, work, tree=REPOSITORY)
        for row in drawn(job.rows, found, commit.stdout.strip()):
            lines = differences(found[row.name], job.result(row))
            print(f"{row.name}: tupelo {row.command}: " + ("; ".join(lines) or "equal to the digit"), flush=True)
            count += bool(lines)
    return count
