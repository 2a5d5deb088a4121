"""The table of rows, and their results."""
import dataclasses
import json
import os
import re
import shlex

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.abspath(os.path.join(HERE, "../../.."))
RESULTS = os.path.join(REPOSITORY, "configs/results.json")
LINE = re.compile(r"(?P<name>[\w-]+)(?:/(?P<shards>\d+))?(?: > (?P<target>\S+))?: (?P<command>.+)")


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    shards: int
    """Parts that are measured one by one; 1 for a whole row."""
    target: str | None
    """The file of the repository that the row makes, such as a picture."""
    command: str

    @property
    def parts(self):
        """The commands of the row, each a list of words; only the last one has a result."""
        return [shlex.split(part) for part in self.command.split(" && ")]

    @property
    def needs(self):
        """The names of rows whose run or file this one reads."""
        return [word[1:].split("/")[0] for part in self.parts for word in part if word.startswith("@")]

    def recipe(self, table):
        """The commands that lead to the row, with those of rows that it needs. A result holds only for its recipe."""
        return " && ".join([table[name].recipe(table) for name in self.needs] + [self.command])

    @property
    def trains(self):
        return self.parts[-1][0] == "train"


def rows(text=None):
    """The rows of rows.txt by name, in their order."""
    if text is None:
        with open(os.path.join(HERE, "rows.txt"), encoding="utf-8") as file:
            text = file.read()
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise ValueError(f"rows.txt:{number}: is not NAME: COMMAND")
        row = Row(match["name"], int(match["shards"] or 1), match["target"], match["command"])
        if row.name in found:
            raise ValueError(f"rows.txt:{number}: {row.name} stands twice")
        found[row.name] = row
    for row in found.values():
        for name in row.needs:
            if name not in found:
                raise ValueError(f"rows.txt: {row.name} needs {name}, which is not a row")
        if threads(row) != 1:
            raise ValueError(f"rows.txt: {row.name} trains on {threads(row)} threads, whose scores do not repeat: add "
                             "--threads 1")
    return found


def threads(row):
    """The threads on which a row trains, by its command or else its configuration; 1 for other rows."""
    words = row.parts[-1]
    if "--threads" in words:
        return int(words[words.index("--threads") + 1])
    path = os.path.join(REPOSITORY, "configs", words[1] + ".yaml")
    if not row.trains or not os.path.exists(path):
        return 1
    with open(path, encoding="utf-8") as file:
        found = re.search(r"^  threads: (\d+)$", file.read(), flags=re.M)
    return int(found[1]) if found else 1


def results(path=RESULTS):
    """The results: `commit`, and `rows` by name."""
    if not os.path.exists(path):
        return {"commit": "", "rows": {}}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(found, path=RESULTS):
    """Writes the results, whole or not at all."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(path + ".part", path)
