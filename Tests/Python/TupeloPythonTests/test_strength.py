"""The program that measures the figures of strength, with a program of a few lines in the place of tupelo."""

import importlib
import json
import signal
import stat
import subprocess
import sys
import time

import pytest

# Prints its arguments into a log, and as figures; fails where a file says so, and waits where a file says so.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
words = sys.argv[1:]
if words == ["--version"]:
    print("1.0.0 (COMMIT)"); sys.exit()
open(os.path.join("LOG"), "a").write(" ".join(words) + "\\n")
if os.path.exists("LOG.fail"): sys.exit("it fails")
while os.path.exists("LOG.wait"): time.sleep(0.01)
option = lambda name: words[words.index(name) + 1]
if words[0] == "train":
    run = option("--resume" if "--resume" in words else "--output")
    os.makedirs(run, exist_ok=True)
    open(run + "/checkpoint.safetensors", "w")
    json.dump({"score_mean": 70.5, "score_margin_95": 1.25, "games": 10}, open(run + "/evaluation.json", "w"))
    record = {"games": 30, "moves": 3600, "rollout/score_mean": 12.5}
    open(run + "/metrics.jsonl", "w").write(json.dumps(record) + "\\n")
elif words[0] == "export": open(option("-o"), "w").write("12345")
elif words[0] == "merge": print(json.dumps({"parts": [json.load(open(path))["shard"] for path in words[1:-1]]}))
elif "--shard" in words: print(json.dumps({"shard": option("--shard")}))
else: print(json.dumps({"score_mean": len(words), "score_margin_95": 0.5, "games": 4, "seed": 7, "commit": "COMMIT"}))
"""


@pytest.fixture
def strength(repository, tmp_path, monkeypatch):
    """The modules of the program, for a repository of its own with the table `rows.txt` of a test."""
    folder = tmp_path / "repository"
    (folder / "configs").mkdir(parents=True)
    (folder / "models").mkdir()
    (folder / "Sources/Python").mkdir(parents=True)
    for path in ["configs/own.yaml", "models/one", "Sources/Python/one"]:
        (folder / path).write_text("training:\n  threads: 2\n")

    def git(*words):
        return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=b", *words], text=True,
                              capture_output=True, check=True).stdout.strip()

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    monkeypatch.syspath_prepend(str(repository / "Tests/Measure/strength"))
    modules = {}
    for name in ["rows", "job", "measure", "documents", "check"]:
        sys.modules.pop(name, None)
        modules[name] = importlib.import_module(name)

    class Strength:
        log, results, work = tmp_path / "log", folder / "configs/results.json", tmp_path / "work"
        program, repository = tmp_path / "tupelo", folder

        def table(self, text):
            (tmp_path / "rows.txt").write_text(text)

        def measure(self, *names, jobs=1):
            return modules["measure"].measure(str(self.program), str(self.work), list(names), jobs)

        def rows(self):
            return json.loads(self.results.read_text())["rows"]

        def commands(self):
            return self.log.read_text().split("\n")[:-1]

        def build(self):
            text = PROGRAM.replace("COMMIT", git("rev-parse", "--short=12", "HEAD")).replace("LOG", str(self.log))
            self.program.write_text(text)
            self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

        commit = staticmethod(lambda: git("commit", "-q", "--allow-empty", "-m", "two"))

    for name, value in {"HERE": str(tmp_path), "REPOSITORY": str(folder), "RESULTS": str(Strength.results)}.items():
        for module in modules.values():
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(modules["measure"], "results", lambda: read(str(Strength.results)))
    read, write = modules["rows"].results, modules["rows"].save
    monkeypatch.setattr(modules["measure"], "save", lambda found: write(found, str(Strength.results)))
    strength = Strength()
    for name, module in modules.items():
        setattr(strength, "read_" + name if name == "rows" else name + "_module", module)
    strength.build()
    yield strength
    for name in modules:
        sys.modules.pop(name, None)


def test_rows_give_their_figures(strength):
    strength.table("a: evaluate models/one --plies 3\nb: train own --threads 1\nc: evaluate @b\n"
                   "d: export @b -o FILE && evaluate FILE\n")
    assert strength.measure(jobs=2) == 0
    rows, run, file = strength.rows(), str(strength.work / "runs/b"), str(strength.work / "files/d.safetensors")
    assert set(strength.commands()) == {
        "evaluate models/one --plies 3 --threads 1 --json", f"train own --threads 1 --output {run}",
        f"evaluate {run} --threads 1 --json", f"export {run} -o {file}", f"evaluate {file} --threads 1 --json"}
    assert rows["a"]["score_mean"] == 7 and rows["d"]["bytes"] == 5
    assert rows["b"]["training"] == {"games": 30, "moves": 3600, "score_mean": 12.5}
    assert rows["b"]["score_mean"] == 70.5 and rows["c"]["recipe"] == "train own --threads 1 && evaluate @b"
    # All rows have results, so nothing runs again.
    strength.log.unlink()
    assert strength.measure() == 0 and not strength.log.exists()


def test_a_failed_row_is_no_result_and_its_shards_stay(strength):
    strength.table("a/3: evaluate models/one\nb: evaluate @a2\na2: train own --threads 1\n")
    fail = strength.log.with_name("log.fail")
    fail.write_text("")
    assert strength.measure() == 3  # Two fail, and one cannot be measured without them.
    fail.unlink()
    assert not strength.results.exists()
    (strength.work / "shards/a/2-of-3.json").write_text('{"shard": "kept"}')
    strength.log.unlink()
    assert strength.measure("a") == 0
    assert strength.rows()["a"]["parts"] == ["1/3", "kept", "3/3"]
    assert [line.split()[-1] for line in strength.commands()[:-1]] == ["1/3", "3/3"]


def test_a_changed_row_and_those_that_need_it_are_measured_again(strength):
    strength.table("a: train own --threads 1\nb: evaluate @a\nc/2: evaluate models/one\n")
    assert strength.measure() == 0
    strength.log.unlink()
    strength.table("a: train own --threads 1 --seed 2\nb: evaluate @a\nc/2: evaluate models/one\n")
    assert strength.measure() == 0
    run = strength.work / "runs/a"
    # The run begins again: it is not resumed.
    assert strength.commands() == [f"train own --threads 1 --seed 2 --output {run}",
                                   f"evaluate {run} --threads 1 --json"]


def test_a_run_that_is_gone_is_made_again_for_those_that_need_it(strength):
    strength.table("a: train own --threads 1\n")
    assert strength.measure() == 0
    strength.work = strength.work.with_name("other")
    strength.log.unlink()
    strength.table("a: train own --threads 1\nb: evaluate @a\n")
    assert strength.measure("b") == 0
    assert [line.split()[0] for line in strength.commands()] == ["train", "evaluate"]


def test_a_run_of_a_killed_measuring_begins_again(strength):
    """Its time would be too short."""
    strength.table("a: train own --threads 1\n")
    assert strength.measure() == 0
    strength.results.unlink()
    (strength.work / "seconds/a.open").touch()
    strength.log.unlink()
    assert strength.measure() == 0
    assert strength.commands() == [f"train own --threads 1 --output {strength.work / 'runs/a'}"]
    assert not (strength.work / "seconds/a.open").exists()


def test_only_one_program_measures_in_a_folder(strength):
    strength.table("a: evaluate models/one\n")
    strength.work.mkdir()
    code = ("import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); "
            "print(1, flush=True); input()")
    other = subprocess.Popen([sys.executable, "-c", code, strength.work / "lock"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    other.stdout.readline()
    with pytest.raises(ValueError, match="is still at work"):
        strength.measure()
    other.communicate(b"\n")
    assert strength.measure() == 0


def test_a_record_of_a_stop_is_a_part_of_the_last_thousand_games(strength, tmp_path):
    records = [{"games": 9000, "moves": 1, "rollout/score_mean": 1},
               {"games": 9250, "moves": 2, "rollout/score_mean": 8},
               {"games": 10000, "moves": 3, "rollout/score_mean": 4}, {"games": 10000, "final/score_mean": 5}]
    (tmp_path / "metrics.jsonl").write_text("\n".join(map(json.dumps, records)) + "\n")
    assert strength.job_module.run_figures(str(tmp_path))["training"] == {
        "games": 10000, "moves": 3, "score_mean": 5}


def test_results_of_another_commit_are_not_kept(strength):
    strength.table("a: evaluate models/one\n")
    assert strength.measure() == 0
    strength.commit()
    strength.build()
    with pytest.raises(ValueError, match="holds the work of another commit"):
        strength.measure()
    strength.work = strength.work.with_name("other")
    with pytest.raises(ValueError, match="a new commit begins with all rows"):
        strength.measure("a")
    strength.log.unlink()
    assert strength.measure() == 0 and len(strength.commands()) == 1
    strength.program.write_text("#!/bin/sh\necho '1.0.0 (0123456789ab+)'\n")
    with pytest.raises(ValueError, match="is not built from a commit"):
        strength.measure()


def test_a_build_during_the_hours_changes_nothing(strength):
    strength.table("a: evaluate models/one\n")
    assert strength.measure() == 0
    copy = strength.work / "tupelo"
    before = copy.read_text()
    strength.program.write_text(before + "# changed\n")
    strength.program.chmod(0o755)
    strength.table("a: evaluate models/one\nb: evaluate models/one --plies 2\n")
    assert strength.measure() == 0 and copy.read_text() == before
    assert (strength.work / "tree/models/one").is_file()


def test_a_signal_stops_the_commands(strength, repository, tmp_path):
    strength.table("a: evaluate models/one\n")
    (tmp_path / "log.wait").write_text("")
    # In a process of its own, which the signal reaches.
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import rows, job, measure; rows.HERE = sys.argv[2]; "
            "job.REPOSITORY = measure.REPOSITORY = sys.argv[3]; measure.results = lambda: {'commit': '', 'rows': {}}; "
            "sys.exit(measure.measure(*sys.argv[4:6], [], 1))")
    process = subprocess.Popen(
        [sys.executable, "-c", code, repository / "Tests/Measure/strength", tmp_path, strength.repository,
         strength.program, strength.work], stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not strength.log.exists() and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    assert process.returncode and "a: stopped" in output and not strength.results.exists(), output


@pytest.mark.parametrize("text, problem", [
    ("a evaluate\n", "rows.txt:1: is not NAME: COMMAND"),
    ("a: evaluate x\na: evaluate y\n", "rows.txt:2: a stands twice"),
    ("a: evaluate @b\n", "a needs b, which is not a row"),
    ("a: train own\n", "a trains on 2 threads, whose scores do not repeat: add --threads 1"),
])
def test_wrong_tables(strength, text, problem):
    with pytest.raises(ValueError, match=problem):
        strength.read_rows.rows(text)


TEMPLATE = """## page.md

Score {a score}, of commit {commit}.
| one | {a 2048} |
| two | {b moves} of {b episodes} in {b time} |

## own.yaml

# Expect {a score}
"""
PAGE = """Score 1,234 ± 5, of commit .

Other text, {a: 1}.

| x | y |
|---|---|
| one | 5.0% |
| two | 3.6e9 of  in  |
"""


def figures(strength, rows):
    table = strength.read_rows.rows("a: evaluate x\nb: evaluate y\n")
    return strength.documents_module.Figures({"commit": "c0ffee", "rows": rows}, table)


RESULTS = {
    "a": {"recipe": "evaluate x", "score_mean": 70180.912, "score_margin_95": 1497.61, "reach_rates": {"2048": 0.969}},
    "b": {"recipe": "evaluate y", "training": {"moves": 74370617, "games": 30000}, "processor_seconds": 5759.9},
}


def test_documents_are_filled(strength, tmp_path):
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "own.yaml").write_text("# Expect 7 +- 1\nkey: 1\n")
    filled = strength.documents_module.filled(TEMPLATE, figures(strength, RESULTS), str(tmp_path))
    assert filled["page.md"] == """Score 70,181 ± 1,498, of commit c0ffee.

Other text, {a: 1}.

| x | y |
|---|---|
| one | 96.9% |
| two | 7.4e7 of 30,000 in 1.6 hours |
"""
    assert filled["own.yaml"] == "# Expect 70,181 +- 1,498\nkey: 1\n"


@pytest.mark.parametrize("rows, page, problem", [
    ({"a": RESULTS["a"]}, PAGE, "b: has no result"),
    ({**RESULTS, "b": {**RESULTS["b"], "recipe": "evaluate z"}}, PAGE, "b: has no result of its present recipe"),
    ({**RESULTS, "a": {**RESULTS["a"], "commit": "abc"}}, PAGE, "a: is of commit abc"),
    ({**RESULTS, "b": {"recipe": "evaluate y"}}, PAGE, r"documents.txt: \{b moves\} has no value"),
    (RESULTS, PAGE.replace("| one |", "| none |"), "page.md: has 0 places for this line"),
    (RESULTS, PAGE + "\n" + PAGE, "page.md: has 2 places for this line"),
])
def test_documents_are_not_filled_in_part(strength, tmp_path, rows, page, problem):
    (tmp_path / "page.md").write_text(page)
    (tmp_path / "own.yaml").write_text("# Expect 7 +- 1\n")
    with pytest.raises(ValueError, match=problem):
        strength.documents_module.filled(TEMPLATE, figures(strength, rows), str(tmp_path))


def test_differences_are_of_figures_alone(strength):
    old = {"score_mean": 1.5, "seconds": 3, "commit": "a", "training": {"moves": 5}}
    assert strength.check_module.differences(old, {**old, "seconds": 4, "commit": "b"}) == []
    assert strength.check_module.differences(old, {**old, "training": {"moves": 6}}) == ["training.moves: 5, now 6"]


def test_three_rows_are_drawn_by_the_commit(strength):
    table = strength.read_rows.rows("".join(f"r{number}: evaluate x --seed {number}\n" for number in range(40))
                                    + "long: evaluate y\ndense: train 5x4-dense\nneeds: evaluate @r1\n")
    found = {name: {"processor_seconds": 121 if name == "long" else 1} for name in table}
    names = [row.name for row in strength.check_module.drawn(table, found, "abc")]
    assert len(set(names)) == 3 and not {"long", "dense", "needs"} & set(names)
    assert names == [row.name for row in strength.check_module.drawn(table, found, "abc")]
    assert len({row.name for commit in "abcdefgh" for row in strength.check_module.drawn(table, found, commit)}) > 6


def test_the_shipped_table_is_that_of_the_documents(repository):
    """Each placeholder names a row, and each row stands in a document, is needed by another one, or is a picture."""
    code = """
import sys; sys.path.insert(0, sys.argv[1])
import documents, rows
table = rows.rows()
text = open(sys.argv[1] + "/documents.txt", encoding="utf-8").read()
named = {match[1] for _, line in documents.templates(text) for match in documents.FIELD.finditer(line)}
groups = {name[:-1] for name in named if name.endswith("*")}
print(sorted({name for name in named if not name.endswith("*")} - set(table) - {"commit"}))
left = set(table) - named - {name for row in table.values() for name in row.needs}
print(sorted(name for name in left if not any(name.startswith(group) for group in groups)))
"""
    found = subprocess.run([sys.executable, "-c", code, repository / "Tests/Measure/strength"], text=True,
                           capture_output=True, check=True).stdout
    assert found == "[]\n['curve', 'game']\n"
