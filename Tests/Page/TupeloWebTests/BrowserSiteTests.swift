import Foundation
import TestSupport
import Testing
import TupeloWeb

extension BrowserTests {
  /// The page without a server: on a plain web host, and as a file on the disk.
  @Suite struct Site {
    /// Runs a script with `site(name)` at hand, which opens a site: "host" or "disk".
    static func run(_ script: String, hasSetModel: Bool = true, hasFirstModel: Bool = false) async throws {
      let folder = try TemporaryFolder()
      let setModel = hasSetModel ? StaticSite.Model(title: "set", file: try SiteModel.setBytes) : nil
      let model = StaticSite.Model(title: "small", file: try SiteModel.bytes)
      let first = StaticSite.Model(title: "first", file: model.file)
      let site = StaticSite(model: model, firstModel: hasFirstModel ? first : nil, setModel: setModel)
      for (name, bytes) in site.files { try write(bytes, toFile: folder.file(name)) }
      try write(site.singleFile, toFile: folder.file("tupelo.html"))
      let report = try await Browser.run(
        (#"""
        import functools, http.server, threading
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments): requests.append(self.path)
            # The browser keeps no copy, so each request is seen here.
            def end_headers(self):
                self.send_header("Cache-Control", "no-store")
                super().end_headers()
        requests = []
        host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory="FOLDER"))
        threading.Thread(target=host.serve_forever, daemon=True).start()
        bases = {"host": f"http://127.0.0.1:{host.server_port}/", "disk": base}
        def site(name, path="", **options):
            global base
            base = bases[name] + path
            page = open_page(**options)
            if not path: page.keyboard.press("?")
            until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
            return page
        def hint(): return page.get_attribute("#board", "data-hint")

        """# + script).replacing("FOLDER", with: folder.path), base: "file://" + folder.file("tupelo.html"))
      #expect(report.failures.isEmpty, "\(report.failures)")
      #expect(report.errors.isEmpty, "\(report.errors)")
    }

    @Test func everythingWorksWithTheNetworkOff() async throws {
      try await Self.run(
        #"""
        for name in ("host", "disk"):
            for options in ({}, {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}):
                page = site(name, **options)
                count = len(requests)
                page.context.set_offline(True)
                tabs = page.locator("[role=tab]").all_inner_texts()
                check(tabs == ["Play", "Watch", "Replay", "Analyze", "Set"], f"{tabs}")
                page.click("#open-settings")
                check(page.is_visible("#site-note"), "what needs a server is said"); page.click("#close-settings")
                page.check("#show-hints"); set_board("1123000000000000"); settle()
                check(hint() is not None, f"{name} {options}: a hint")
                page.focus("#board"); page.keyboard.press("a"); page.keyboard.press("s")
                until(page, "document.getElementById('tally').textContent.includes('Best moves')")
                view("watch"); page.focus("#speed"); page.keyboard.press("End"); page.keyboard.press("Space")
                until(page, "+document.getElementById('moves').textContent.replace(',', '') >= 30")
                page.keyboard.press("Space"); settle()
                page.select_option("#agent", "random"); count_before = moves(); page.click("#step"); settle()
                check(moves() == count_before + 1, f"{name} {options}: random moves")
                view("replay"); page.click("#load-current"); page.click("#review")
                until(page, "document.getElementById('review-note').textContent.includes('the best move to')")
                page.keyboard.press("Home"); settle()
                view("analyze")
                until(page, "parseInt(document.getElementById('analysis-plies').textContent) > 3")
                check(page.evaluate("document.documentElement.scrollWidth") <= (options.get("width") or 1100), "wide")
                check(page.evaluate("window.asked ?? 0") == 0 and len(requests) == count, "nothing was asked for")
                page.context.close()
        """#)
    }

    @Test func anAnalysisHasAnAddress() async throws {
      try await Self.run(
        #"""
        for name in ("host", "disk"):
            page = site(name, "#analyze=1123000000000000")
            check(board() == "1123000000000000" and page.is_visible("#panel-analyze"), f"{name}: a link opens")
            until(page, "parseInt(document.getElementById('analysis-plies').textContent) > 2")
            check(page.locator("#analysis-values .best").count() == 1, "the best move is marked")
            page.focus("#board"); page.keyboard.press(hint()[0].replace("u", "w").replace("r", "d") if hint()[0] in "ur"
                                                      else {"d": "s", "l": "a"}[hint()[0]]); settle()
            after = board()
            check(after != "1123000000000000" and page.url.endswith(f"#analyze={after}"), "the address follows moves")
            check(page.input_value("#analysis-link") == page.url, "and the link is shown")
            page.go_back(); settle(); check(board() == "1123000000000000", "back to the board before")
            page.go_forward(); settle(); check(board() == after, "and forth")
            page.fill("#analysis-input", "2 4 8 16"); page.click("#analysis-set")
            check("16" in text("#analysis-error"), "a message says why a board is refused")
            page.fill("#analysis-input", "12..\n....\n....\n...3"); page.click("#analysis-set"); settle()
            check(page.url.endswith("#analyze=1200000000000003"), f"a board can be typed: {page.url}")
            page.reload(); until(page, "document.querySelector('#agent option') !== null"); settle()
            check(board() == "1200000000000003", "a reload keeps it")
            page.click("#analysis-play"); settle()
            check(page.is_visible("#panel-play") and board() == "1200000000000003", "it can be played on")
            page.focus("#board"); page.keyboard.press("a"); settle(); check(moves() == 1, "by keys")
            page.go_back(); settle(); check(page.is_visible("#panel-analyze"), "back to the analysis")
            page.context.close()
            page = site(name, "#analyze=zz")
            check(page.is_visible("#panel-analyze") and len(board()) == 16, "a bad link shows the game's board")
            page.context.close()
        """#)
    }

    @Test func gamesOutliveReloadsAndTabs() async throws {
      try await Self.run(
        #"""
        for name in ("host", "disk"):
            page = site(name)
            set_board("1123000000000000"); page.focus("#board"); page.keyboard.press("a"); page.keyboard.press("s")
            page.wait_for_timeout(600); mine = board()
            page.reload(); until(page, "document.querySelector('#agent option') !== null")
            check(board() == mine, f"{name}: a reload keeps the game")
            tab = open_tab(); check(tab.get_attribute("#board", "data-board") == mine, f"{name}: another tab has it")
            tab.keyboard.press("?")
            until(tab, "document.getElementById('model-name').textContent.includes('MB in this page')")
            tab.focus("#board"); tab.keyboard.press("d"); tab.keyboard.press("s"); tab.wait_for_timeout(800)
            page.bring_to_front(); page.wait_for_timeout(300)
            check(board() == tab.get_attribute("#board", "data-board"), f"{name}: what it plays is here")
            page.context.close()
        """#)
    }

    @Test(.enabled(if: Look.hasAxe, "\(Look.axeIsMissing)"))
    func axeFindsNothing() async throws {
      try await Self.run(
        #"""
        import os, axe_playwright_python
        source = open(os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")).read()
        rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
                 "resultTypes": ["violations"]}
        for options in ({}, {"color_scheme": "dark"}, {"width": 390, "height": 844, "has_touch": True,
                                                         "is_mobile": True}):
            page = site("disk", **options)
            page.evaluate(source)
            page.check("#show-hints")
            for name in ("play", "watch", "replay", "analyze", "set"):
                view(name); settle()
                if name == "set": page.check("#set-values"); settle()
                # A table without a Set has no values.
                while name == "set" and page.locator("#set-choices .choice").count() == 0:
                    page.click("#set-new"); settle(); page.wait_for_timeout(100)
                found = page.evaluate("(options) => axe.run(document, options)", rules)["violations"]
                for one in found:
                    check(False, f"{name} {options}: {one['id']}: {[node['html'][:90] for node in one['nodes']][:3]}")
            page.context.close()
        """#)
    }
  }
}
