"""The view Learn: a network learns in the page, and it is the network that the program would learn."""

import hashlib
import json
import re
import shlex
import struct

import pytest

from programs import run
from tupelo_page import PHONE

SMALL = "0123 4567 0145 1256 4589 569a"
LARGER = "01234 45678 01245 45689"

# Drives the module of the learner: `make()` gives an instance, which begins a run and hashes its tables.
MODULE = """
  const module = await WebAssembly.compileStreaming(fetch("/learn.wasm"));
  const make = () => {
    const full = () => { throw new RangeError("full"); };
    const { exports } = new WebAssembly.Instance(module, { page: { full } });
    const exchange = exports.exchange();
    const look = (Type, at, count) => new Type(exports.memory.buffer, exchange + at, count);
    return {
      exports, look,
      begin({ patterns, coherent = true, alpha = 1, lambda = 0.5, optimism = 0, seed = 7, atOnce = 1 }) {
        const cells = [...`${patterns}  `].map((cell) => (cell === " " ? 255 : parseInt(cell, 16)));
        look(Uint8Array, 256, cells.length).set(cells);
        return exports.begin(Number(coherent), alpha, lambda, optimism, seed, 0, atOnce);
      },
      async hash() {
        const parts = [];
        for (let table = 0; exports.piece(table, 0) > 0; table += 1) {
          for (let start = 0, count; (count = exports.piece(table, start)) > 0; start += 65536) {
            parts.push(look(Uint8Array, 256, 4 * count).slice());
          }
        }
        const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
        return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      },
    };
  };
"""

CONFIGURATIONS = {
    "small": {"patterns": SMALL, "seed": 7},
    "interleaved": {"patterns": LARGER, "seed": 9, "atOnce": 2},
    "optimistic": {
        "patterns": LARGER, "seed": 3, "optimism": 20000, "coherent": False, "alpha": 0.25, "lambda": 0.25,
    },
}


def tables(path):
    """The SHA-256 of all weights of a model file, in the order of the file."""
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    digest = hashlib.sha256()
    number = 0
    while f"weights.{number}" in header:
        start, end = header[f"weights.{number}"]["data_offsets"]
        digest.update(data[start:end])
        number += 1
    assert number > 0
    return digest.hexdigest()


def train(folder, games, settings):
    """Makes the run in the program."""
    sets = {
        "network.patterns": settings["patterns"],
        "learner.step_size": "temporal-coherence" if settings.get("coherent", True) else "constant",
        "learner.alpha": settings.get("alpha", 1),
        "learner.lambda": settings.get("lambda", 0.5),
        "learner.steps": "episode",
        "learner.initial_value": settings.get("optimism", 0),
        "training.games_at_once": settings.get("atOnce", 1),
        "averaging.every_games": 0,
        "evaluation.games": 10,
    }
    words = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
    seed = settings.get("seed", 7)
    run("train", "--threads", 1, "--games", games, "--seed", seed, "--output", folder, *words)
    return folder / "checkpoint.safetensors"


def begin(page, **choices):
    """Opens the view and begins a run with these settings."""
    if not page.is_visible("#panel-learn"):
        page.view("learn")
    for name, value in choices.items():
        page.select_option(f"#learner-{name}", value)
    page.click("#learner-run")


def until_games(page, count):
    page.until(f"+document.getElementById('learner-games').textContent.replace(/,/g, '') >= {count}")


def curves(page):
    """The names of the curves of the average score."""
    return page.locator("#learner-charts .chart").first.locator(".legend span").all_inner_texts()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_weights_are_the_programs_to_the_bit(page, tmp_path, name):
    settings = CONFIGURATIONS[name]
    found = page.evaluate(
        f"""async (settings) => {{{MODULE}
          const learner = make();
          let outcome = learner.begin(settings);
          for (let games = 0; games < 2000; games += 20) outcome ||= learner.exports.learn(20);
          return [outcome, Number(learner.look(BigInt64Array, 64, 1)[0]), await learner.hash()];
        }}""",
        settings,
    )
    assert found == [0, 2000, tables(train(tmp_path / "run", 2000, settings))]


def test_large_sums_are_halved_as_in_the_program(page, tmp_path):
    """The program halves large sums of temporal coherence after each 10,000 games."""
    settings = {"patterns": "0123 4567", "seed": 2}
    found = page.evaluate(
        f"""async (settings) => {{{MODULE}
          const learner = make();
          learner.begin(settings);
          for (let games = 0; games < 10_200; games += 150) learner.exports.learn(150);
          return learner.hash();
        }}""",
        settings,
    )
    assert found == tables(train(tmp_path / "run", 10_200, settings))


def test_pauses_change_no_bit(page):
    """Weights do not depend on how many games a call plays."""
    hashes = page.evaluate(
        f"""async (settings) => {{{MODULE}
          const all = [];
          for (const sizes of [[300], [1, 7, 92, 50, 150]]) {{
            const learner = make();
            learner.begin(settings);
            for (const size of sizes) learner.exports.learn(size);
            all.push(await learner.hash());
          }}
          return all;
        }}""",
        CONFIGURATIONS["small"],
    )
    assert hashes[0] == hashes[1]


def test_totals_have_64_bits(page):
    """A run counts on beyond 2^31 moves and games, although whole numbers of the module have 32 bits."""
    counted = page.evaluate(
        f"""async (settings) => {{{MODULE}
          const learner = make();
          learner.begin(settings);
          const totals = learner.look(BigInt64Array, 64, 2);
          [totals[0], totals[1]] = [2n ** 31n - 5n, 2n ** 31n - 5n];
          for (let games = 0; games < 10; games += 1) learner.exports.learn(1);
          return [...learner.look(BigInt64Array, 64, 2)].map(Number);
        }}""",
        CONFIGURATIONS["small"],
    )
    assert counted[0] == 2**31 + 5
    assert 2**31 + 500 < counted[1] < 2**31 + 20_000


@pytest.mark.visit
def test_a_network_learns_while_one_watches(page):
    begin(page, network="small")
    page.until("document.querySelector('#learner-charts .line') !== null")
    until_games(page, 300)
    page.until("document.querySelectorAll('#board .tile').length > 3")
    assert "expects" in page.text("#best-note")
    assert page.text("#learner-run") == "Pause"
    page.until("document.querySelectorAll('#learner-reasons li').length === 6")
    assert page.tiles() == page.board()
    page.click("#learner-run")
    page.until_text("#learner-run", "Go on")
    games = page.text("#learner-games")
    page.wait_for_timeout(400)
    assert page.text("#learner-games") == games, "a paused run rests"
    page.click("#learner-run")
    until_games(page, int(games.replace(",", "")) + 100)


def test_a_run_survives_a_change_of_view(page):
    begin(page, network="small")
    until_games(page, 100)
    page.view("play")
    board = page.board()
    page.wait_for_timeout(1500)
    assert page.board() == page.tiles() == board, "the learner draws on no other board"
    games = page.number("#learner-games") if page.is_visible("#learner-games") else 100
    page.view("learn")
    until_games(page, games + 100)
    assert page.text("#learner-run") == "Pause"


def test_two_runs_learn_side_by_side(page):
    begin(page, network="small")
    until_games(page, 200)
    page.select_option("#learner-rule", "constant")
    page.select_option("#learner-alpha", "0.25")
    page.click("#learner-beside")
    page.until_text("#learner-note", "side by side")
    assert page.is_disabled("#learner-beside")
    page.until("document.querySelectorAll('#learner-charts .chart:first-child .line').length === 2")
    assert curves(page) == ["temporal coherence, step 1", "constant step, step 0.25"]
    page.click("#learner-again")
    page.until("document.querySelectorAll('#learner-charts .chart:first-child .line').length === 3")
    assert [name.endswith("earlier") for name in curves(page)] == [True, True, False]


def test_4x6_learns_alone(page):
    begin(page, network="small")
    until_games(page, 100)
    page.select_option("#learner-network", "4x6")
    assert page.is_disabled("#learner-beside")
    assert "learns alone" in page.text("#learner-note")


def test_the_program_repeats_the_run(page, tmp_path):
    """The table of the page has the lines that the program prints, but for the speed. The program also takes lambda 0
    together with learner.steps=episode."""
    begin(page, network="small", **{"lambda": "0"})
    until_games(page, 1000)
    page.click("#learner-run")
    page.until_text("#learner-run", "Go on")
    page.click("#learner-table-box summary")
    page.until("document.querySelectorAll('#learner-table tr').length >= 2")
    rows = [row.split("\t") for row in page.text("#learner-table").replace(",", "").splitlines()][:2]
    page.click("#learner-repeat")
    words = shlex.split(page.text("#learner-command"))[1:]
    text = run(*words, "--games", 1000, "--set", "evaluation.games=10", "--output", tmp_path / "run")
    lines = re.findall(
        r"games=(\d+) average=(\d+) max=(\d+) 2048=(\S+) 8192=(\S+) td_error=(\d+)", text
    )
    assert [list(line) for line in lines] == rows


def test_the_program_evaluates_a_saved_network(page, tmp_path):
    begin(page, network="small")
    until_games(page, 1000)
    with page.expect_download() as download:
        page.click("#learner-save")
    model = tmp_path / "page.safetensors"
    download.value.save_as(model)
    report = run("evaluate", model, "--games", 100, "--json")
    assert json.loads(report)["score_mean"] > 5000


def test_the_network_plays_and_gives_advice(page):
    begin(page, network="small")
    until_games(page, 500)
    page.click("#learner-run")
    page.until_text("#learner-run", "Go on")
    page.click("#learner-play")
    page.until_text("#toast", "gives advice now")
    assert "trained here" in page.evaluate("document.querySelector('#agent option:checked').textContent")
    page.view("watch")
    page.click("#step")
    page.until_moves(1)


@pytest.mark.parametrize("network", ["small", "4x6"])
def test_the_engine_gets_the_weights_to_the_bit(page, network):
    """The network goes to the engine in pieces. Both modules give 100 boards equal values."""
    found = page.evaluate(
        """async (network) => {
          const { LearnerRun } = await import("/learn/learner.js");
          const { ENGINE_MODULE, makeEngine } = await import("/engine/engine.js");
          const settings = { network, rule: "coherent", alpha: "1", lambda: "0.5", optimism: "0", seed: "5" };
          const run = new LearnerRun(settings, ({ totals }) => { if (totals.games >= 200) run.ask("pause"); });
          await run.learn();
          const engine = makeEngine(ENGINE_MODULE);
          await engine.load(await run.model(), () => {});
          const different = [];
          let count = 0;
          for (; count < 100; count += 1) {
            const board = Array.from({ length: 16 }, (_, cell) => (7 * cell + 5 * count + cell * count) % 11);
            const [here, there] = [await run.ask("values", { board }), engine.analyze(board, { plies: 1, four: 0.1 })];
            const values = ({ moves }) => moves.map(({ legal, value }) => (legal ? value : null)).join();
            if (values(here) !== values(there)) different.push([values(here), values(there)]);
          }
          run.end();
          return [count, different];
        }""",
        network,
    )
    assert found == [100, []]


def test_a_hidden_tab_goes_on(page):
    """A browser slows down timers and stops drawing in a hidden tab. The run needs neither."""
    begin(page, network="small")
    until_games(page, 100)
    page.evaluate("""() => {
      window.requestAnimationFrame = () => 0;
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    until_games(page, page.number("#learner-games") + 300)


def test_a_page_without_a_server_learns(open_site, place):
    page = open_site()
    page.view("learn")
    page.settle()
    page.wait_for_timeout(500)
    count = len(place.requests)
    page.context.set_offline(True)
    begin(page, network="small")
    until_games(page, 300)
    page.click("#learner-run")
    page.until_text("#learner-run", "Go on")
    page.click("#learner-play")
    page.until_text("#toast", "gives advice now")
    assert len(place.requests) == count, "no request was sent"


def test_new_starts_give_the_memory_back(page):
    """Each start ends the worker of the run before."""
    begin(page, network="small")
    for _ in range(10):
        until_games(page, 100)
        page.click("#learner-again")
        page.wait_for_timeout(300)
    until_games(page, 100)
    assert len(page.workers) <= 2, "the engine and one run"


def test_refused_memory_names_a_smaller_network(page):
    """Patterns of seven cells need more memory than a module can have."""
    page.view("learn")
    page.evaluate("""async () => {
      const { LearnerRun } = await import("/learn/learner.js");
      LearnerRun.NETWORKS["4x5"].patterns = "0123456 4567890 89abcde 0145268";
    }""")
    page.click("#learner-run")
    page.until_text("#learner-note", "choose the small network")
    assert page.text("#learner-run") == "Start"
    begin(page, network="small")
    until_games(page, 100)


def test_a_link_carries_the_settings(open_page):
    page = open_page(at="#learn=network=small&rule=constant&alpha=0.1&lambda=0.9&optimism=20000&seed=42&other=1")
    chosen = {name: page.input_value(f"#learner-{name}") for name in ("network", "rule", "alpha", "lambda", "seed")}
    assert chosen == {"network": "small", "rule": "constant", "alpha": "0.1", "lambda": "0.9", "seed": "42"}
    assert page.input_value("#learner-optimism") == "20000"
    page.evaluate("location.hash = '#learn=alpha=7&seed=-1'")
    assert page.input_value("#learner-alpha") == "0.1", "a link changes nothing that is not among the choices"


def test_the_learner_loads_when_its_view_opens(page):
    requests = []
    page.on("request", lambda request: requests.append(request.url.split("/")[-1]))
    page.view("watch")
    page.settle()
    assert "learn.wasm" not in requests
    page.view("learn")
    page.until("performance.getEntries().some(({ name }) => name.includes('learn.wasm'))")
    requests.clear()
    begin(page, network="small")
    until_games(page, 100)
    assert [name for name in requests if not name.startswith("blob:") and len(name) < 36] == []


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_the_view_fits(open_page, window):
    page = open_page(**window)
    begin(page, network="small")
    until_games(page, 200)
    page.fits("learn")
    if window:
        fold = page.evaluate("""() => ["board", "learner-charts"].map((id) => (
          document.querySelector(`#${id}`).getBoundingClientRect().top < 664))""")
        assert fold == [True, True]
