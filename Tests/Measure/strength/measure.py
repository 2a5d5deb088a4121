"""Measures rows, several at once, and keeps their results."""
import os
import signal
import threading

from job import Job
from rows import REPOSITORY, RESULTS, results, save


def measure(program, work, names, jobs):
    """Measures rows, and keeps each result as soon as it is there.

    - Returns: the number of rows that failed or were not reached."""
    job = Job(program, work)
    try:
        return run_rows(job, names, jobs)
    finally:
        job.guard.close()


def run_rows(job, names, jobs):
    found = results()
    if found["commit"] != job.commit:
        if names and found["rows"]:
            raise ValueError(f"configs/results.json is of commit {found['commit'][:12]}, and a new commit begins with "
                             "all rows: leave --rows out, or give a program of that commit")
        found = {"commit": job.commit, "rows": {}}
    done = {name for name, result in found["rows"].items()
              if name in job.rows and result["recipe"] == job.rows[name].recipe(job.rows)}
    found["rows"] = {name: found["rows"][name] for name in done}
    waiting = to_do(job, names or list(job.rows), done)
    done -= {row.name for row in waiting}
    busy, failed, turn = set(), [], threading.Condition()

    def next_row():
        """The next row whose runs and files are there; None when none is left, or can come."""
        with turn:
            while not job.stopped:
                ready = [row for row in waiting if all(name in done for name in row.needs)]
                if ready:
                    waiting.remove(ready[0])
                    busy.add(ready[0].name)
                    return ready[0]
                if not waiting or not busy:
                    return None
                turn.wait()

    print(f"{len(waiting)} rows to measure; kill {os.getpid()} stops it after the present step", flush=True)

    def work_on():
        while row := next_row():
            try:
                result = job.result(row)
                with turn:
                    found["rows"][row.name] = result
                    done.add(row.name)
                    save(found)
                print(f"{row.name}: {result['processor_seconds']} s", flush=True)
            except InterruptedError:
                print(f"{row.name}: stopped", flush=True)
            except Exception as error:
                failed.append(row.name)
                print(f"{row.name}: failed: {type(error).__name__}: {error}", flush=True)
            finally:
                with turn:
                    busy.discard(row.name)
                    turn.notify_all()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, job.stop)
    threads = [threading.Thread(target=work_on) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for row in [] if job.stopped else waiting:
        print(f"{row.name}: not measured" + (f", it needs {', '.join(row.needs)}" if row.needs else ""), flush=True)
    print(f"{len(found['rows'])} of {len(job.rows)} rows have results in {os.path.relpath(RESULTS, REPOSITORY)}")
    return len(failed) + len(waiting) + job.stopped


def to_do(job, names, done):
    """The rows to run: those named that have no result, and those whose run or file they read, if it is not there."""
    found = set()

    def add(row):
        found.add(row.name)
        for name in row.needs:
            needed = job.rows[name]
            is_there = name in done and job.is_of_its_recipe(needed) and os.path.exists(job.output(name))
            if name not in found and not is_there:
                add(needed)

    for name in names:
        if name not in job.rows:
            raise ValueError(f"{name}: is not a row of rows.txt")
        if name not in done:
            add(job.rows[name])
    return [row for row in job.rows.values() if row.name in found]
