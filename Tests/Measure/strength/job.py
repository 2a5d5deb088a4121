"""The folder of work, where the commands of rows run."""
import fcntl
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

from rows import REPOSITORY, rows


def commit_of(program):
    """The commit from which a program was built, which the repository must have."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"\(([0-9a-f]{12})\)", text)
    if not match:
        raise ValueError(f"{program}: is not built from a commit ({text.strip()}): give the program tupelo of the "
                         "folder of work to go on, or commit the changes and build again")
    return subprocess.run(
        ["git", "-C", REPOSITORY, "rev-parse", match[1]], capture_output=True, text=True, check=True).stdout.strip()


class Job:
    """One folder of work, for one program. Rows are run in a copy of the commit's configurations and models, so a build
    or a change in the repository does not reach them."""

    def __init__(self, program, work, tree=None):
        self.work = os.path.abspath(work)
        for name in ["runs", "files", "shards", "seconds"]:
            os.makedirs(os.path.join(self.work, name), exist_ok=True)
        # Commands that a killed measuring has left hold the lock, too.
        self.guard = open(self.path("lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self.guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{work}: another measuring, or a command that it has left, is still at work") from None
        self.program, self.tree = os.path.abspath(program), tree
        self.rows, self.stopped, self.children, self.lock = rows(), False, set(), threading.Lock()
        if tree:
            return
        self.commit = commit_of(program)
        for place in glob.glob(self.path("*.commit")):
            if place != self.path(self.commit + ".commit"):
                raise ValueError(f"{work}: holds the work of another commit: give {work}/tupelo as the program to "
                                 "go on, or another folder")
        self.tree = self.path("tree")
        if not os.path.exists(self.path(self.commit + ".commit")):
            os.makedirs(self.tree, exist_ok=True)
            archive = subprocess.run(
                ["git", "-C", REPOSITORY, "archive", self.commit, "configs", "models", "Sources/Python"],
                capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", self.tree], input=archive, check=True)
            shutil.copy2(program, self.path("tupelo"))
            open(self.path(self.commit + ".commit"), "w", encoding="utf-8").close()
        for ending in ("so", "dylib"):
            library = os.path.join(os.path.dirname(self.program), "libtupelo_c." + ending)
            if os.path.exists(library) and not os.path.exists(self.path("libtupelo_c." + ending)):
                shutil.copy2(library, self.work)
        self.program = self.path("tupelo")

    def path(self, *names):
        return os.path.join(self.work, *names)

    def output(self, name):
        """The run or the file that a row makes."""
        row = self.rows[name]
        if row.trains:
            return self.path("runs", name)
        return self.path("files", name + (os.path.splitext(row.target)[1] if row.target else ".safetensors"))

    def words(self, row, part):
        """The words of a command as they are run."""
        words = [word.replace("FILE", self.output(row.name)) for word in part]
        for index, word in enumerate(words):
            if word.startswith("@"):
                name, *rest = word[1:].split("/")
                words[index] = "/".join([self.output(name), *rest])
        if words[0] == "python":
            return [sys.executable] + words[1:]
        if words[0] == "train":
            run = self.output(row.name)
            if os.path.exists(run + "/checkpoint.safetensors"):
                words = ["train", "--resume", run]
            else:
                words += ["--output", run]
        elif words[0] in ("evaluate", "probe", "solve"):
            words += ["--threads", "1", "--json"]
        return [self.program] + words

    def run(self, row, words):
        """The output of a command. Its processor time is added to that of the row, also if it is stopped."""
        library = (glob.glob(self.path("libtupelo_c.*")) + [""])[0]
        environment = dict(os.environ, PYTHONPATH=self.tree + "/Sources/Python", TUPELO_LIBRARY=library)
        with open(self.path("seconds", row.name + ".log"), "ab") as errors, self.lock:
            if self.stopped:
                raise InterruptedError
            open(self.path("seconds", row.name + ".open"), "w", encoding="utf-8").close()
            child = subprocess.Popen(
                words, cwd=self.tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                pass_fds=[self.guard.fileno()])
            self.children.add(child)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            self.children.discard(child)
        with open(self.path("seconds", row.name), "a", encoding="utf-8") as file:
            file.write(f"{usage.ru_utime + usage.ru_stime:.1f}\n")
        os.remove(self.path("seconds", row.name + ".open"))
        if self.stopped:
            raise InterruptedError
        if child.returncode:
            raise ValueError(f"{row.name}: {' '.join(words)}: exit status {child.returncode}, see {errors.name}")
        return output.decode()

    def result(self, row):
        """Runs what is left of a row.

        - Returns: its figures, with the recipe and the seconds of processor time."""
        self.forget_others(row)
        for part in row.parts[:-1]:
            self.run(row, self.words(row, part))
        words = self.words(row, row.parts[-1])
        if row.shards > 1:
            os.makedirs(self.path("shards", row.name), exist_ok=True)
            files = [self.path("shards", row.name, f"{number}-of-{row.shards}.json")
                     for number in range(1, row.shards + 1)]
            for number, file in enumerate(files, 1):
                if not os.path.exists(file):
                    text = self.run(row, words[:-1] + ["--shard", f"{number}/{row.shards}"])
                    with open(file + ".part", "w", encoding="utf-8") as part:
                        part.write(text)
                    os.replace(file + ".part", file)
            figures = json.loads(self.run(row, [self.program, "merge", *files, "--json"]))
        elif row.trains:
            if not os.path.exists(self.output(row.name) + "/evaluation.json"):
                self.run(row, words)
            figures = run_figures(self.output(row.name))
        elif row.target:
            self.run(row, words)
            shutil.copyfile(self.output(row.name), os.path.join(REPOSITORY, row.target))
            figures = {}
        else:
            figures = json.loads(self.run(row, words))
        with open(self.path("seconds", row.name), encoding="utf-8") as file:
            figures["processor_seconds"] = round(sum(float(line.split()[0]) for line in file), 1)
        if os.path.exists(self.output(row.name)) and not row.trains:
            figures["bytes"] = os.path.getsize(self.output(row.name))
        return figures | {"recipe": row.recipe(self.rows)}

    def forget_others(self, row):
        """Removes what the row has left in the folder of work by another recipe, and a run whose time is not known,
        because this program was killed."""
        killed = self.path("seconds", row.name + ".open")
        if self.is_of_its_recipe(row) and not (row.trains and os.path.exists(killed)):
            return
        for path in (self.path("runs", row.name), self.path("shards", row.name)):
            shutil.rmtree(path, ignore_errors=True)
        for path in (self.path("seconds", row.name), killed):
            if os.path.exists(path):
                os.remove(path)
        with open(self.path("seconds", row.name + ".recipe"), "w", encoding="utf-8") as file:
            file.write(row.recipe(self.rows))

    def is_of_its_recipe(self, row):
        path = self.path("seconds", row.name + ".recipe")
        if not os.path.exists(path):
            return False
        with open(path, encoding="utf-8") as file:
            return file.read() == row.recipe(self.rows)

    def stop(self, *_):
        with self.lock:
            self.stopped = True
            for child in self.children:
                child.send_signal(signal.SIGTERM)


def run_figures(run):
    """The figures of a run that has ended: its evaluation, and the average score of its last 1,000 training games. Of
    these there are several records where the run was stopped among them."""
    figures = {}
    if os.path.exists(run + "/evaluation.json"):
        with open(run + "/evaluation.json", encoding="utf-8") as file:
            figures = json.load(file)
    with open(run + "/metrics.jsonl", encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if "rollout/score_mean" in record]
    last, total = records[-1], 0
    start = before = (last["games"] - 1) // 1000 * 1000
    for record in records:
        if record["games"] > start:
            total += record["rollout/score_mean"] * (record["games"] - before)
            before = record["games"]
    return figures | {"training": {"games": last["games"], "moves": last["moves"],
                                   "score_mean": total / (last["games"] - start)}}
