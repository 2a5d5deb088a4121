import Foundation
import Synchronization
import TestSupport

/// A real browser without a window, driven by Python.
enum Browser {
  static let isMissing =
    "chromium and python3's playwright are not installed: pip install playwright; apt-get install chromium"
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first(where: FileManager.default.isExecutableFile(atPath:))
  static let isHere = path != nil && (try? Python.run("import playwright.sync_api")) != nil

  /// Runs `script` with `page`, `base`, `snap(name)` and `check(condition, text)` at hand.
  ///
  /// - Returns: a report of the script: failed checks, console errors, and the games it took snapshots of.
  static func run(_ script: String, base: String) async throws -> Report {
    let question = try JSONEncoder().encode(["script": preamble + script, "base": base])
    let answer = try await OwnThread.run {
      try driver.withLock { driver in
        if driver?.isRunning != true { driver = try PythonDriver(loop, arguments: [path ?? ""]) }
        return try driver?.ask(question) ?? Data()
      }
    }
    return try JSONDecoder().decode(Report.self, from: answer)
  }

  /// One browser for all scripts, each with windows of its own: starting one takes longer than most scripts.
  private static let driver = Mutex<PythonDriver?>(nil)

  struct Report: Decodable {
    struct Snapshot: Decodable {
      let name: String
      let record: String
      let board: String
      let score: String
    }
    let failures: [String]
    let errors: [String]
    let snapshots: [Snapshot]
  }

  /// Answers each line, which holds a script, with a line of results.
  private static let loop = """
    import json, sys, traceback
    from playwright.sync_api import sync_playwright
    play = sync_playwright().start()
    browser = None
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        question = json.loads(line)
        if browser is None or not browser.is_connected():
            browser = play.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
        found = {"failures": [], "errors": [], "snapshots": []}
        try: exec(question["script"], {"browser": browser, "base": question["base"], **found})
        except Exception:
            found["failures"].append(traceback.format_exc(limit=1))
            for context in browser.contexts:
                found["failures"] += [f"{page.url}: {page.inner_text('body')!r}" for page in context.pages]
        for context in browser.contexts: context.close()
        print(json.dumps(found), file=answers, flush=True)
    if browser is not None: browser.close()
    play.stop()
    """

  private static let preamble = """
    import json, os

    # wait_for_function is not used, because the page's policy refuses code from texts.
    def until(page, condition):
        for _ in range(6000):
            if page.evaluate(condition): return
            page.wait_for_timeout(20)
        failures.append(f"not within two minutes: {condition}")

    # `keeps`: whether the page may be kept as an app. By default it may not, so that each request is seen.
    # `luck`: decides decks and tiles. By default it is the number of open pages, the script's first page among them.
    def open_page(width=1100, height=900, keeps=False, luck=None, **options):
        if luck is None: luck = len(browser.contexts) + (FirstPage.opened is None)
        # Motion takes time, so only scripts about motion turn it on.
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(120000)
        if not keeps: context.add_init_script("delete Navigator.prototype.serviceWorker")
        context.add_init_script(\"\"\"
          {
            // Decks and tiles are the same at every run: no test fails because a table happens to have no Set.
            let luck = LUCK;
            const draw = () => {
              luck = (luck + 0x6d2b79f5) | 0;
              let bits = Math.imul(luck ^ (luck >>> 15), luck | 1);
              bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
              return (bits ^ (bits >>> 14)) >>> 0;
            };
            crypto.getRandomValues = (array) => {
              array.forEach((_, index) => { array[index] = draw(); });
              return array;
            };

            // Work in progress: requests without an answer yet, the numbers of requests that are answered soon and of
            // those that were, and timers. Searches for a time do not count: scripts that need their end wait for its
            // effect on the page.
            let waiting = 0;
            let [begun, ended] = [0, 0];
            let due = 0;
            // How long answers about boards take, which addresses do not answer at all, and which requests about Set
            // are answered after more than a second, by the server and by the engine in the page.
            window.slow = 0; window.broken = ""; window.late = "";
            const ask = (by, kind) => {
              if (kind !== "long") waiting += by;
              if (kind === "soon" && by > 0) begun += 1;
              else if (kind === "soon") ended += 1;
            };
            const during = async (kind, work) => {
              ask(1, kind);
              try { return await work(); } finally { ask(-1, kind); }
            };

            const real = window.fetch;
            window.fetch = async (path, options = {}) => {
              if (window.broken && path.startsWith(window.broken)) throw new TypeError("broken");
              const isAnalysis = path.startsWith("/analyze");
              window.asked = (window.asked ?? 0) + isAnalysis;
              const kind = /milliseconds=\\d{4}/.test(path) ? "long" : isAnalysis ? "soon" : "usual";
              return during(kind, async () => {
                if (window.slow && isAnalysis) await new Promise((done) => later(done, window.slow));
                if (window.late && path.includes(window.late)) await new Promise((done) => later(done, 1200));
                const response = await real(path, options);
                if (isAnalysis) await response.clone().arrayBuffer();
                return response;
              });
            };
            const { text } = Blob.prototype;
            Blob.prototype.text = function () { return during("soon", () => text.call(this)); };

            const KINDS = { analyze: "soon", review: "soon", set: "soon", deepen: "long", run: "long" };
            window.Worker = class extends Worker {
              #kinds = new Map(); // the kinds of the requests without an answer yet, by number

              constructor(...values) {
                super(...values);
                this.addEventListener("message", ({ data: { id, progress } }) => {
                  if (progress === undefined) ask(-1, this.#kinds.get(id));
                });
              }
              postMessage(message) {
                if (message.cancel === undefined) {
                  this.#kinds.set(message.id, KINDS[message.kind]);
                  ask(1, KINDS[message.kind]);
                }
                const question = `/set/${message.name}?agent=${message.values?.agent}`;
                if (window.late && question.includes(window.late)) later(() => super.postMessage(message), 1200);
                else super.postMessage(message);
              }
            };

            // Whether there is work in progress: an answer is awaited, something moves, or something is due soon.
            const later = window.setTimeout;
            window.setTimeout = (work, milliseconds, ...more) => {
              if (milliseconds <= 300) due = Math.max(due, performance.now() + milliseconds);
              return later(work, milliseconds, ...more);
            };
            const isBusy = () => waiting > 0 || performance.now() < due
              || document.getAnimations().some((one) => one.playState === "running");

            // Waits until the page has been idle for a while, for 300 ms at most, since agents may continue to play. A
            // busy machine needs longer for answers that are due soon: those that are awaited by then are awaited.
            window.settled = async () => {
              const start = performance.now();
              let goal = null; // a number of answers
              for (let quiet = 0; quiet < 3;) {
                await new Promise((done) => later(done, 16));
                quiet = isBusy() ? 0 : quiet + 1;
                const time = performance.now() - start;
                if (time > 300) goal ??= window.slow || window.late || window.broken ? 0 : begun;
                if (goal !== null && (ended >= goal || time > 20_000)) return;
              }
            };
          }
        \"\"\".replace("LUCK", str(luck)))
        page = watched(context.new_page())
        page.goto(base)
        until(page, "document.querySelector('#agent option') !== null")
        return page

    # `TUPELO_BROWSER_SLOWDOWN` simulates a machine that is slower by this factor.
    slowdown = float(os.environ.get("TUPELO_BROWSER_SLOWDOWN", "1"))

    def watched(page):
        if slowdown > 1: page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else \
        None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("requestfailed", lambda request: errors.append(request.url) if not request.failure == \
        "net::ERR_ABORTED" else None)
        return page

    # Opens another tab of the browser window of the page.
    def open_tab():
        tab = watched(page.context.new_page())
        tab.goto(base)
        until(tab, "document.querySelector('#agent option') !== null")
        return tab

    # The first page opens when a script first uses it: many scripts have pages of their own.
    class FirstPage:
        opened = None
        def __getattr__(self, name):
            FirstPage.opened = self.opened or open_page(luck=0)
            return getattr(self.opened, name)

    page = FirstPage()

    def check(condition, text):
        if not condition: failures.append(text)

    def board(): return page.get_attribute("#board", "data-board")
    def moves(): return int(page.inner_text("#moves").replace(",", ""))

    def tiles():
        return page.evaluate(\"\"\"() => {
          const cells = Array(16).fill("0");
          for (const tile of document.querySelectorAll("#board .tile")) {
            const style = tile.style;
            cells[style.getPropertyValue("--row") * 4 + +style.getPropertyValue("--column")] =
              "0123456789abcdefgh"[Math.log2(+tile.textContent)];
          }
          return cells.join("");
        }\"\"\")

    def settle(): page.evaluate("settled()")

    def snap(name):
        settle()
        page.evaluate("dispatchEvent(new Event('pagehide'))")
        saved = json.loads(page.evaluate("localStorage.getItem('tupelo.game')"))
        check(tiles() == board(), f"{name}: the tiles show {tiles()}, the board is {board()}")
        snapshots.append({"name": name, "record": saved["record"], "board": board(),
                          "score": page.inner_text("#score").replace(",", "")})

    def stored(key): return json.loads(page.evaluate("(key) => localStorage.getItem(key)", "tupelo." + key))
    # `pause_after` clicks Pause after `count` moves of the watched agent. The loop runs in the page, so the game cannot
    # end before the click.
    def pause_after(count):
        page.evaluate(\"\"\"(count) => new Promise((done) => {
          const look = () => {
            const moves = Number(document.getElementById("moves").textContent.replace(",", ""));
            if (moves < count) return requestAnimationFrame(look);
            document.getElementById("run").click();
            done();
          };
          look();
        })\"\"\", count)

    def keep(): page.evaluate("dispatchEvent(new Event('pagehide'))")
    def text(selector): return page.locator(selector).inner_text()

    def view(name):
        page.click(f"#tab-{name}")
        page.wait_for_selector(f"#panel-{name}:not([hidden])")

    # Makes a choice in the settings.
    def choose(selector, value):
        page.click("#open-settings")
        page.select_option(selector, value)
        page.click("#close-settings")

    # Checks that the page fits with fonts of other machines, also with one whose letters are all wide.
    def fits(name):
        for font in ("", "Verdana, 'DejaVu Sans', sans-serif", "monospace"):
            page.evaluate("(font) => { document.documentElement.style.fontFamily = font; }", font)
            width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            check(width <= 0, f"{name}: too wide by {width} in {font}")
        page.evaluate("() => { document.documentElement.style.fontFamily = ''; }")

    def set_board(text):
        if not page.is_visible("#board-input"): page.click("#set-board-title")
        page.fill("#board-input", text)
        page.click("#set-board")


    """
}
