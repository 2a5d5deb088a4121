"""Measures the figures of strength, and writes them into the documents.

    python3 Tests/Measure/strength measure PROGRAM WORK [--jobs N] [--rows NAME...]
    python3 Tests/Measure/strength write PROGRAM
    python3 Tests/Measure/strength check PROGRAM [--three]

measure runs the rows of rows.txt, all or those named, each by one thread, N at once. WORK keeps runs, files and shards.
Stopped by a signal, it goes on where it was. Results are in configs/results.json. write fills the lines of
documents.txt with them where the documents have these lines, and makes the cards of the models again. check compares
instead, and with --three measures three rows of at most two minutes again, drawn by the hash of the commit."""
import argparse
import subprocess
import sys

import check
import documents
import measure


def main():
    parser = argparse.ArgumentParser(prog="strength", description=__doc__.split("\n")[0])
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("measure", help="run the rows that have no result of this commit")
    action.add_argument("program", help="a program that was built from a commit")
    action.add_argument("work", help="a folder outside the repository, with 20 GB to spare")
    action.add_argument("--rows", nargs="+", default=[], metavar="NAME", help="rows (default: all)")
    action.add_argument("--jobs", type=int, default=1, help="rows at once (default: 1)")
    action = actions.add_parser("write", help="write the results into documents and cards")
    action.add_argument("program")
    action = actions.add_parser("check", help="compare documents and cards with the results")
    action.add_argument("program")
    action.add_argument("--three", action="store_true", help="also measure three rows again")
    options = parser.parse_args()
    if options.action == "measure":
        return measure.measure(options.program, options.work, options.rows, options.jobs)
    if options.action == "write":
        return documents.write(options.program)
    return documents.check(options.program) + (check.three(options.program) if options.three else 0)


try:
    sys.exit(1 if main() else 0)
except subprocess.CalledProcessError as error:
    sys.exit(f"strength: {' '.join(error.cmd)}: {(error.stderr or b'').strip() or error.returncode}")
except (ValueError, OSError) as error:
    sys.exit(f"strength: {error}")
except KeyboardInterrupt:
    sys.exit(130)
