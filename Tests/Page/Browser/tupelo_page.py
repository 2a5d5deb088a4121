"""The page under test in a window of the browser, with names for what tests do and see."""

from __future__ import annotations

import json
import os

import records

# `TUPELO_BROWSER_SLOWDOWN` simulates a machine that is slower by this factor.
SLOWDOWN = float(os.environ.get("TUPELO_BROWSER_SLOWDOWN", "1"))

# Options of a window like that of a phone.
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


class ErrorLog:
    """Errors and warnings of the console, errors of scripts, and failed requests of all pages of a test."""

    def __init__(self):
        self.errors = []
        self.expected = []

    def expect(self, *parts):
        """Allows errors that contain one of these texts."""
        self.expected += parts

    def watch(self, page):
        page.on("console", self.note_message)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("requestfailed", self.note_failure)

    def note_message(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def note_failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # The page may cancel its own requests.
            self.errors.append(request.url)

    def unexpected(self):
        return [error for error in self.errors if not any(part in error for part in self.expected)]


class TupeloPage:
    """A page of playwright, whose methods it has, with methods of its own for the page under test.

    `window` is the page of playwright, `address` the address that it was opened at.
    """

    def __init__(self, window, address, log):
        self.window, self.address, self.log = window, address, log
        if SLOWDOWN > 1:
            window.context.new_cdp_session(window).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        log.watch(window)
        window.goto(address)
        self.until_ready()

    def __getattr__(self, name):
        return getattr(self.window, name)

    def open_tab(self):
        """Another tab of the same browser window, at the same address."""
        return type(self)(self.context.new_page(), self.address, self.log)

    # Waiting

    def until(self, condition):
        """Waits for a condition in JavaScript, for two minutes or longer.

        `wait_for_function` is not used, because the page's policy refuses code from texts.
        """
        for _ in range(6000):
            if self.evaluate(condition):
                return
            self.wait_for_timeout(20)
        raise AssertionError(f"not within two minutes: {condition}")

    def until_text(self, selector, part):
        self.until(f"document.querySelector({json.dumps(selector)}).textContent.includes({json.dumps(part)})")

    def until_texts(self, selector, texts):
        """Waits until the elements of a selector have these texts."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)"
        self.until(f"JSON.stringify({found}) === JSON.stringify({json.dumps(texts)})")

    def until_ready(self):
        """Waits until the page knows the agents, which come from its server or its files."""
        self.until("document.querySelector('#agent option') !== null")

    def until_model(self):
        """Waits until the page has loaded a model."""
        self.until_text("#model-name", "MB in this page")

    def until_hint(self):
        self.until("document.getElementById('board').dataset.hint !== undefined")

    def until_moves(self, count):
        """Waits until the game has at least `count` moves."""
        self.until(f"+document.getElementById('moves').textContent.replace(',', '') >= {count}")

    def settle(self):
        """Waits until the page is idle: see `settled.js`."""
        self.evaluate("settled()")

    def pause_after(self, count):
        """Clicks Pause after `count` moves of the watched agent.

        The loop runs in the page, so the game cannot end before the click.
        """
        self.evaluate(
            """(count) => new Promise((done) => {
              const look = () => {
                const moves = Number(document.getElementById("moves").textContent.replace(",", ""));
                if (moves < count) return requestAnimationFrame(look);
                document.getElementById("run").click();
                done();
              };
              look();
            })""",
            count,
        )

    # What the page shows

    def text(self, selector):
        return self.inner_text(selector)

    def number(self, selector):
        return int(self.inner_text(selector).replace(",", ""))

    def board(self):
        """The board as digits: 16 of them, or fewer for a smaller board."""
        return self.get_attribute("#board", "data-board")

    def tiles(self):
        """The tiles as they are drawn, as a digit for each visible cell."""
        return self.evaluate("""() => {
          const cells = [...document.querySelectorAll("#board .cells i")]
            .map((cell) => (getComputedStyle(cell).display === "none" ? "" : "0"));
          for (const tile of document.querySelectorAll("#board .tile")) {
            const style = tile.style;
            cells[style.getPropertyValue("--row") * 4 + +style.getPropertyValue("--column")] =
              "0123456789abcdefgh"[Math.log2(+tile.textContent)];
          }
          return cells.join("");
        }""")

    def moves(self):
        return self.number("#moves")

    def hint(self):
        """The move of the hint on the board, such as `left`; `None` without a hint."""
        return self.get_attribute("#board", "data-hint")

    def focus_id(self):
        """The id of the element that has the focus."""
        return self.evaluate("document.activeElement.id")

    def width(self):
        """The width of the content, in pixels."""
        return self.evaluate("document.documentElement.scrollWidth")

    # What a test does

    def press(self, *keys):
        for key in keys:
            self.keyboard.press(key)

    def play(self, *keys):
        """Presses keys with the focus on the board, and waits until the page is idle."""
        self.focus("#board")
        self.press(*keys)
        self.settle()

    def hold(self, address):
        """Holds back the requests whose addresses contain a text: they are not sent until `release`."""
        self.evaluate("(address) => { window.held = address; }", address)

    def release(self):
        """Sends the requests that were held back, and waits for their answers and for what the page does with them."""
        self.evaluate("release()")
        self.until("window.heldAnswers === 0")
        self.settle()

    def break_answers(self, address):
        """Requests whose addresses begin with a text fail as without a network. The empty text ends this."""
        self.evaluate("(address) => { window.broken = address; }", address)

    def view(self, name):
        self.click(f"#tab-{name}")
        self.wait_for_selector(f"#panel-{name}:not([hidden])")
        if name == "watch" and self.get_attribute("#advanced", "open") is None:
            self.click("#advanced > summary")

    def choose(self, selector, value):
        """Makes a choice in the settings."""
        self.click("#open-settings")
        self.select_option(selector, value)
        self.click("#close-settings")

    def enter(self, field, text, button):
        """Puts a text of any length into a field at once, as a paste does, and presses a button."""
        self.evaluate("([id, text]) => { document.getElementById(id).value = text; }", [field, text])
        self.click(f"#{button}")

    def set_board(self, text):
        """Puts a board on the table of Play, by way of Analyze."""
        self.view("analyze")
        self.fill("#analysis-input", text)
        self.click("#analysis-set")
        self.click("#analysis-play")
        self.wait_for_selector("#panel-play:not([hidden])")
        self.focus("#board")

    def keep(self):
        """Makes the page store its game, as it does when it is left."""
        self.evaluate("dispatchEvent(new Event('pagehide'))")

    def stored(self, key):
        return json.loads(self.evaluate("(key) => localStorage.getItem(key)", "tupelo." + key))

    def table(self, name):
        """The values of a table of the page's database."""
        return self.evaluate(
            """(name) => new Promise((done, fail) => {
              const request = indexedDB.open("tupelo");
              request.onerror = () => fail(request.error);
              request.onsuccess = () => {
                const all = request.result.transaction(name).objectStore(name).getAll();
                all.onsuccess = () => {
                  request.result.close();
                  done(all.result);
                };
              };
            })""",
            name,
        )

    def games(self, kind="2048", agents=False):
        """The games in the list of the browser, newest first: their facts, and the games as they were saved.

        The game on the table is one of them.
        """
        self.keep()
        saved = {game["id"]: game for game in self.table("saved")}
        facts = [one for one in self.table("games") if one["kind"] == kind and bool(one.get("isAgents")) == agents]
        return [{**saved.get(one["id"], {}), **one} for one in sorted(facts, key=lambda one: -one["when"])]

    # Checks

    def snap(self, name):
        """Checks the game on the page: its tiles show its board, and its record gives its board and score.

        Returns the record.
        """
        self.settle()
        self.keep()
        record = self.stored("watched" if self.is_visible("#panel-watch") else "game")["record"]
        assert self.tiles() == self.board(), f"{name}: the tiles show the board"
        assert records.replay(record)[-1] == (self.board(), self.number("#score")), f"{name}: {record}"
        return record

    def fits(self, name):
        """Checks that the page fits with fonts of other machines, also with one whose letters are all wide."""
        for font in ("", "Verdana, 'DejaVu Sans', sans-serif", "monospace"):
            self.evaluate("(font) => { document.documentElement.style.fontFamily = font; }", font)
            excess = self.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert excess <= 0, f"{name}: too wide in {font}"
        self.evaluate("() => { document.documentElement.style.fontFamily = ''; }")
