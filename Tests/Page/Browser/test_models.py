"""When the page loads a model, and its messages when it cannot."""

import functools
import http.server
import os
import threading
from pathlib import Path

from tupelo_page import PHONE


def test_the_model_comes_when_it_is_asked_for(open_page, site, models):
    """A page on which a person only plays requests no model; a coach and the views of agents do."""
    host = site("--model", models / "17x4", "--set-model", models / "set")

    def is_requested(name):
        return any(path.startswith(f"/{name}.safetensors?") for path in host.requests)

    page = open_page(at=host.address)
    page.settle()
    assert not any("safetensors" in path for path in host.requests), "opening the page requests no model"
    page.view("watch")
    assert page.input_value("#plies") == "3", "the agent looks as far ahead as the server's"
    page.view("play")
    page.select_option("#judges", "none")
    host.requests.clear()
    page = page.open_tab()
    page.play(*"asdwasdw")
    # In this time the page would request a model.
    page.wait_for_timeout(300)
    assert page.moves() > 3 and not is_requested("model") and not is_requested("set"), "play requests no model"
    assert page.text("#model-name") == "Network 17x4", "play takes no memory for a model"
    page.click("#hint")
    page.until_hint()
    assert is_requested("model") and "MB in this page" in page.text("#model-name"), "a hint requests the model"

    def play_with_verdicts(page):
        page.select_option("#judges", "all")
        page.focus("#board")
        page.press("a", "d")

    for ask in (play_with_verdicts, lambda page: page.view("watch"), lambda page: page.view("analyze")):
        page.click("#tab-play")
        page.select_option("#judges", "none")
        page = page.open_tab()
        host.requests.clear()
        ask(page)
        page.until_model()
        assert is_requested("model"), f"the model is requested: {host.requests}"
    assert not is_requested("set"), "only the view of Set requests the model of Set"
    page.view("set")
    page.until_model()
    assert is_requested("set"), "the view of Set requests its model"


def test_a_missing_model_is_asked_for_again(open_page, site, models, errors):
    """Without a server, the page reports a missing model, and loads it as soon as it can."""
    errors.expect("404")
    host = site("--model", models / "17x4", "--set-model", models / "set")
    model, away = host.folder / "model.safetensors", host.folder / "away"
    reason = "The model did not load: its file is not there (status 404)."
    os.rename(model, away)
    page = open_page(at=host.address)
    page.check("#show-hints")
    page.wait_for_selector("#coach-note.error")
    assert page.text("#coach-note") == reason + " The coach asks again."
    assert page.text("#model-name") == "Network 17x4. " + reason
    page = open_page(390, 844, at=host.address)
    page.press("?")
    page.wait_for_selector("#retry:not([hidden])")
    excess = page.evaluate("""(() => {
      const text = document.getElementById("news-text");
      return text.scrollWidth - text.clientWidth;
    })()""")
    assert excess <= 0 and page.width() <= 390, "the reason can be read on a phone"
    assert page.text("#news-text") == reason
    host.requests.clear()
    page.click("#retry")
    page.settle()
    assert any("model" in path for path in host.requests), "a button asks again at once"
    page.view("analyze")
    page.wait_for_selector("#analysis-error:not(:empty)")
    assert page.text("#analysis-error") == reason
    page.view("watch")
    assert "random" in page.text("#agent").lower(), "other agents are there"
    page.select_option("#agent", "random")
    page.click("#step")
    page.settle()
    assert page.moves() == 1, "other agents play"
    page.view("play")
    page.check("#show-hints")
    page.view("analyze")
    page.wait_for_selector("#analysis-error:not(:empty)")
    os.rename(away, model)
    for _ in range(100):
        page.select_option("#analysis-time", "5")
        page.select_option("#analysis-time", "1")
        page.settle()
        if page.text("#analysis-error") == "":
            break
    page.until("parseInt(document.getElementById('analysis-plies').textContent) > 2")
    assert page.text("#analysis-error") == "", "a later try removes the error"
    os.rename(model, away)
    page.reload()
    page.view("play")
    page.wait_for_selector("#coach-note.error")
    os.rename(away, model)
    page.until_hint()
    assert page.text("#coach-note") == "" and "MB in this page" in page.text("#model-name"), (
        "the coach asks by itself"
    )
    assert not page.is_visible("#retry") and page.text("#news-text") == "", "the message goes"
    assert not any(path.startswith(("/analyze", "/api")) for path in host.requests), "no server is asked"


def test_a_phone_has_a_model_of_its_own(open_page, site, models):
    """The model of phones is named wherever the coach is named, and it is the only one that loads."""
    host = site("--model", models / "17x4", "--phone-model", models / "tiny")
    page = open_page(at=host.address, **PHONE)
    page.locator("#hint").tap()
    page.until_hint()
    assert page.text("#model-name").startswith("Network tiny, ") and "MB in this page" in page.text("#model-name")
    assert page.locator("#coach option").all_text_contents() == ["Network tiny"]
    assert "Network tiny" in page.text("#coach-name")
    assert {path.split("?")[0] for path in host.requests if "safetensors" in path} == {"/phone.safetensors"}


def test_a_phone_loads_no_large_model_unasked(open_page, site, models, errors):
    """When the small model of a phone does not load, the large one is offered with its size."""
    errors.expect("404")
    host = site("--model", models / "17x4", "--first-model", models / "tiny")
    os.remove(host.folder / "first.safetensors")
    page = open_page(at=host.address, **PHONE)
    page.locator("#hint").tap()
    page.until_text("#toast", "did not load")
    page.settle()

    def is_requested():
        return any(path.startswith("/model.safetensors") for path in host.requests)

    assert not is_requested() and " MB)" in page.text("#stronger")
    page.locator("#stronger").tap()
    page.until_model()
    assert is_requested()


def test_a_folder_on_the_disk_says_what_helps(open_page, site, models, errors):
    """A folder that is opened from the disk cannot read its models, and the page says what helps."""
    errors.expect("engine.wasm", "ERR_FAILED")  # The page has the engine as a script, too.
    host = site("--model", models / "17x4", "--set-model", models / "set")
    page = open_page(at=(host.folder / "index.html").as_uri())
    page.check("#show-hints")
    page.wait_for_selector("#coach-note.error")
    assert page.text("#model-name").endswith("cannot read other files.")
    note = page.text("#coach-note")
    assert "--single-file" in note and "web server" in note, "the note says what helps"
    assert "asks again" not in note, "the note does not promise what cannot work"
    page.set_board("1100000000000000")
    page.play("a")
    assert page.moves() == 1, "the game can be played"
    page.view("analyze")
    page.wait_for_selector("#analysis-error:not(:empty)")
    assert "--single-file" in page.text("#analysis-error")
    page.view("set")
    page.wait_for_selector(".set-card")
    page.check("#set-values")
    page.settle()


def test_the_server_helps_while_the_model_does_not_load(open_page, serve, models, errors):
    """With a server, hints come from the server, and the model is tried again."""
    errors.expect("ERR_FAILED", "model.safetensors")
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    page.select_option("#judges", "none")
    page.context.route("**/model.safetensors", lambda route: route.abort())
    page.reload()
    page.until_ready()
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.until_text("#model-name", "did not load")
    reason = "Hints come from the server; the model did not load: its file cannot be read."
    assert page.text("#model-name") == "Network 17x4. " + reason
    page.settle()
    assert page.hint() is not None, "the server gives hints"
    page.view("analyze")
    page.until("parseInt(document.getElementById('analysis-plies').textContent) > 2")
    assert page.evaluate("window.asked") > 0, "the server analyzes"
    page.context.unroute("**/model.safetensors")
    page.view("play")
    for _ in range(100):
        if "MB in this page" in page.text("#model-name"):
            break
        page.set_board("1123000000000000")
        page.play("a")
    assert "MB in this page" in page.text("#model-name"), "the model is tried again"


def test_a_page_with_a_model_asks_no_server(open_page, serve, models):
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    page.press("?")
    page.until_model()
    page.until("!document.getElementById('why').hidden")  # The server has answered what it was asked before.
    page.evaluate("window.asked = 0")
    page.break_answers("/a")
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()
    assert page.hint() in ("up", "right", "down", "left"), "there is a hint without the server"
    page.focus("#board")
    page.press("a", "s")
    page.until_text("#tally", "Best moves")
    page.view("watch")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.until_moves(40)
    page.click("#run")
    page.settle()
    page.view("replay")
    page.click("#load-current")
    page.click("#review")
    page.until_text("#review-note", "the best move to")
    page.view("analyze")
    page.until("parseInt(document.getElementById('analysis-plies').textContent) > 3")
    assert page.evaluate("window.asked") == 0, "no request went to the server"
    page.break_answers("")
    page.view("watch")
    page.select_option("#agent", "heuristic")
    page.click("#step")
    page.settle()
    assert page.evaluate("window.asked") > 0, "other agents are the server's"


def test_a_damaged_model_is_reported(open_page, serve, models):
    """The page reports a model that it cannot load, and the server answers."""
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    damaged = (models / "17x4/model.safetensors").read_bytes()[:-1000]
    page.context.route("**/model.safetensors", lambda route: route.fulfill(body=damaged))
    page.press("?")
    page.until_text("#model-name", "did not load")
    assert "damaged" in page.text("#model-name") and "damaged" in page.text("#news-text")
    assert not page.is_visible("#retry"), "the page does not offer what would fail again"
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()
    assert page.hint() is not None, "the server gives hints"


def test_a_search_without_memory_is_reported(open_page, serve, models):
    """An error of a search in the page has a sentence of its own."""
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    # The text of the worker gets a search that always fails.
    page.context.add_init_script("""{
      const search = "const analyze = (question, progress) => {";
      const failing = `${search} throw new RangeError("grow");`;
      window.Blob = class extends Blob {
        constructor(parts, options) {
          super(parts.map((part) => part.replace?.(search, failing) ?? part), options);
        }
      };
    }""")
    page.reload()
    page.until_ready()
    page.press("?")
    page.until_model()
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.wait_for_selector("#coach-note.error")
    assert page.text("#coach-note") == "There is no memory left. The coach asks again."


class CuttingHandler(http.server.SimpleHTTPRequestHandler):
    """Cuts the connection in the middle of the model, and sends the rest when it is asked for it."""

    ranges = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        if "/model.safetensors" not in self.path:
            return super().do_GET()
        body = (Path(self.directory) / "model.safetensors").read_bytes()
        wanted = self.headers.get("Range")
        self.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start:] if wanted else body[: len(body) // 2])
        self.close_connection = True


def test_a_load_that_is_cut_goes_on(open_page, site, models, errors):
    """A model whose connection is cut is loaded on from there, and not from its start."""
    errors.expect("ERR_CONTENT_LENGTH_MISMATCH", "ERR_INCOMPLETE_CHUNKED_ENCODING", "model.safetensors")
    folder = site("--model", models / "17x4").folder
    CuttingHandler.ranges.clear()
    handler = functools.partial(CuttingHandler, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = open_page(at=f"http://127.0.0.1:{server.server_port}/")
        page.press("?")
        page.until_model()
        page.until_hint()
    finally:
        server.shutdown()
        server.server_close()
    size = (folder / "model.safetensors").stat().st_size
    assert CuttingHandler.ranges == [None, f"bytes={size // 2}-"], "only the rest is requested"
