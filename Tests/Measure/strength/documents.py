"""Writes the results into documents and cards, or compares them."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile

from rows import HERE, REPOSITORY, results, rows

FIELD = re.compile(r"\{(commit|[\w-]+\*?(?= ))(?: (\w+))?\}")
# What a placeholder can stand for in a document: the older figure, or nothing.
FIGURE = r"[\w.,%±+() -]{0,60}?"


class Figures:
    """The texts that placeholders stand for."""

    def __init__(self, found, table):
        self.found, self.table = found, table

    def row(self, name):
        result = self.found["rows"].get(name)
        if name not in self.table:
            raise ValueError(f"documents.txt: {name} is not a row")
        if result is None or result["recipe"] != self.table[name].recipe(self.table):
            raise ValueError(f"{name}: has no result of its present recipe: measure it")
        if result.get("commit", self.found["commit"]) != self.found["commit"]:
            raise ValueError(f"{name}: is of commit {result['commit']}: measure it again")
        return result

    def text(self, name, field):
        """The text of one placeholder, `{commit}` or `{ROW FIELD}`."""
        if name == "commit":
            return self.found["commit"]
        try:
            if name.endswith("*"):
                return spread([self.row(row) for row in self.table if row.startswith(name[:-1])], field)
            result = self.row(name)
            if field.isdigit():
                return f"{100 * (result.get('reach_rates') or result['left_rates'])[field]:.1f}%"
            return FIELDS[field](result)
        except (KeyError, ZeroDivisionError):
            raise ValueError(f"documents.txt: {{{name} {field}}} has no value") from None


def score(result):
    digits = 3 if "left_rates" in result else 0
    return f"{result['score_mean']:,.{digits}f} ± {result['score_margin_95']:,.{digits}f}"


def time(seconds):
    """A duration with two digits, in the unit that a person would use."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5700 else f"{seconds / 3600:.1f} hours"


def share(rate):
    """A share with its 95% interval."""
    return f"{100 * rate['rate']:.1f}% ({100 * rate['low_95']:.1f} to {100 * rate['high_95']:.1f})"


def power(value):
    """A count as 3.6e9."""
    return re.sub(r"e\+0?", "e", f"{value:.1e}")


def spread(found, field):
    """Mean and standard deviation of training scores over seeds, in thousands."""
    values = [result["training"]["score_mean"] / 1000 for result in found]
    mean = sum(values) / len(values)
    deviation = (sum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
    return {"mean": f"{mean:.1f}k", "sd": f"{deviation:.1f}k"}[field]


FIELDS = {
    "score": score,
    "mean": lambda result: f"{result['score_mean']:,.0f}",
    "evaluations": lambda result: f"{result['games']:,}",
    "seed": lambda result: str(result["seed"]),
    "episodes": lambda result: f"{result['training']['games']:,}",
    "moves": lambda result: power(result["training"]["moves"]),
    "time": lambda result: time(result["processor_seconds"]),
    "megabytes": lambda result: f"{result['bytes'] / 1e6:.1f} MB",
    "optimum": lambda result: f"{100 * result['model']['expected_score'] / result['expected_score']:.2f}%",
    "one": lambda result: share(result["groups"][0]["goal"]),
    "two": lambda result: share(result["groups"][1]["goal"]),
    "three": lambda result: share(result["groups"][2]["goal"]),
}


def templates(text):
    """The lines of documents.txt, each with the path of its document."""
    found = []
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        path, *lines = part.split("\n")
        found += [(path, line) for line in lines if line]
    return found


def pattern(line):
    """An expression for a line of a template, where each placeholder may stand for any figure."""
    parts = FIELD.split(line)
    return re.compile("".join(re.escape(text) if index % 3 == 0 else FIGURE if index % 3 == 1 else ""
                              for index, text in enumerate(parts)))


def place(lines, template, path):
    """The number of the line of a document that a template is for."""
    expression = pattern(template)
    found = [number for number, line in enumerate(lines) if expression.fullmatch(line)]
    if len(found) != 1:
        raise ValueError(f"{path}: has {len(found)} places for this line of documents.txt: {template}")
    return found[0]


def filled(template, figures, repository=REPOSITORY):
    """The documents as they must be, by path."""
    documents = {}
    for path, line in templates(template):
        if path not in documents:
            with open(os.path.join(repository, path), encoding="utf-8") as file:
                documents[path] = file.read().split("\n")
        lines, sign = documents[path], "+-" if path.endswith(".yaml") else "±"
        number = place(lines, line, path)
        lines[number] = FIELD.sub(lambda match: figures.text(match[1], match[2]).replace("±", sign), line)
    return {path: "\n".join(lines) for path, lines in documents.items()}


def cards(program, found, table):
    """The cards of the shipped models as they must be, by path. The program makes them in a copy of the folder models,
    because a card names the model beside it that its model was made from."""
    made = {}
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(os.path.join(REPOSITORY, "models"), os.path.join(place, "models"))
        for path in sorted(glob.glob(os.path.join(place, "models/*/model.safetensors"))):
            folder = os.path.dirname(path)
            name = "models/" + os.path.basename(folder)
            write_evaluations(folder, name, found, table)
            with open(folder + "/README.md", encoding="utf-8") as file:
                license = re.search(r"^license: (\S+)$", file.read(), flags=re.M)[1]
            run = subprocess.run(
                [program, "models", "card", folder, "--license", license], capture_output=True, text=True)
            if run.returncode:
                reason = run.stderr.strip().replace(folder, name)
                raise ValueError(f"{name}: no card can be made of configs/results.json, measure again: {reason}")
            with open(folder + "/README.md", encoding="utf-8") as file:
                made[name + "/README.md"] = file.read()
    return made


def write_evaluations(folder, name, found, table):
    """Writes the evaluations of a model into its folder, as `tupelo evaluate --json` does, for its card."""
    for row in table.values():
        result = found["rows"].get(row.name)
        if row.parts[-1][:2] != ["evaluate", name] or result is None or result["agent"].startswith("search"):
            continue
        plies = re.search(r"plies: (\d)", result["agent"])
        kind = plies[1] + "-ply" if plies else result["agent"]
        file = os.path.join(folder, f"evaluation-{kind}.json")
        if os.path.exists(file):
            raise ValueError(f"{row.name}: is a second evaluation of {name} by {result['agent']}")
        with open(file, "w", encoding="utf-8") as output:
            own = ("recipe", "processor_seconds")
            json.dump({key: value for key, value in result.items() if key not in own}, output)


def all_texts(program):
    found, table = results(), rows()
    with open(os.path.join(HERE, "documents.txt"), encoding="utf-8") as file:
        texts = filled(file.read(), Figures(found, table))
    return texts | cards(os.path.abspath(program), found, table)


def write(program):
    """Writes all documents, or none where a result is missing."""
    for path, text in all_texts(program).items():
        with open(os.path.join(REPOSITORY, path), "w", encoding="utf-8") as file:
            file.write(text)
    return 0


def check(program):
    """- Returns: how many documents differ from the results."""
    count = 0
    for path, text in all_texts(program).items():
        with open(os.path.join(REPOSITORY, path), encoding="utf-8") as file:
            if file.read() != text:
                print(f"{path}: differs from configs/results.json: python3 Tests/Measure/strength write PROGRAM")
                count += 1
    return count
