import Foundation
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
  /// - Returns: what it found, as JSON: failed checks, console errors, and the games it took snapshots of.
  static func run(_ script: String, base: String) async throws -> Report {
    let output = try await OwnThread.run { try Python.run(preamble + script + ending, path ?? "", base) }
    return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
  }

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

  private static let preamble = """
    import json, sys
    from playwright.sync_api import sync_playwright
    failures, errors, snapshots = [], [], []
    play = sync_playwright().start()
    browser = play.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
    base = sys.argv[2]

    # Not wait_for_function: the page's policy refuses code from texts.
    def until(page, condition):
        for _ in range(1200):
            if page.evaluate(condition): return
            page.wait_for_timeout(100)
        failures.append(f"not within two minutes: {condition}")

    def open_page(width=1100, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(120000)
        context.add_init_script(\"\"\"
          // How long answers about boards take, and which addresses do not answer at all.
          window.slow = 0; window.broken = "";
          const real = window.fetch;
          window.fetch = async (path, options = {}) => {
            if (window.broken && path.startsWith(window.broken)) throw new TypeError("broken");
            window.asked = (window.asked ?? 0) + (path.startsWith("/analyze") || path.startsWith("/api/review"));
            if (window.slow && path.startsWith("/analyze")) await new Promise((done) => setTimeout(done, window.slow));
            return real(path, options);
          };
        \"\"\")
        page = watched(context.new_page())
        page.goto(base)
        until(page, "document.querySelector('#agent option') !== null")
        return page

    def watched(page):
        page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else \
        None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("requestfailed", lambda request: errors.append(request.url) if not request.failure == \
        "net::ERR_ABORTED" else None)
        return page

    # Another tab of the same browser window's page.
    def open_tab():
        tab = watched(page.context.new_page())
        tab.goto(base)
        until(tab, "document.querySelector('#agent option') !== null")
        return tab

    page = open_page()

    def check(condition, text):
        if not condition: failures.append(text)

    def board(): return page.get_attribute("#board", "data-board")
    def moves(): return int(page.inner_text("#moves").replace(",", ""))

    def tiles():
        return page.evaluate(\"\"\"() => {
          const cells = Array(16).fill("0");
          for (const tile of document.querySelectorAll(".tile")) {
            const style = tile.style;
            cells[style.getPropertyValue("--row") * 4 + +style.getPropertyValue("--column")] =
              "0123456789abcdefgh"[Math.log2(+tile.textContent)];
          }
          return cells.join("");
        }\"\"\")

    def settle(): page.wait_for_timeout(300)

    def snap(name):
        settle()
        page.evaluate("dispatchEvent(new Event('pagehide'))")
        saved = json.loads(page.evaluate("localStorage.getItem('tupelo.game')"))
        check(tiles() == board(), f"{name}: the tiles show {tiles()}, the board is {board()}")
        snapshots.append({"name": name, "record": saved["record"], "board": board(),
                          "score": page.inner_text("#score").replace(",", "")})

    def stored(key): return json.loads(page.evaluate("(key) => localStorage.getItem(key)", "tupelo." + key))
    def keep(): page.evaluate("dispatchEvent(new Event('pagehide'))")
    def text(selector): return page.locator(selector).inner_text()

    def view(name):
        page.click(f"#tab-{name}")
        page.wait_for_selector(f"#panel-{name}:not([hidden])")

    def set_board(text):
        if not page.is_visible("#board-input"): page.click("summary")
        page.fill("#board-input", text)
        page.click("#set-board")


    """

  private static let ending = """

    browser.close()
    play.stop()
    print(json.dumps({"failures": failures, "errors": errors, "snapshots": snapshots}))
    """
}
