import Foundation
import TestSupport
import Testing
import TupeloWeb

extension BrowserTests {
  /// Sizes, colours and names: everything that can be seen and read out.
  @Suite struct Look {
    static let axeIsMissing =
      "axe is not installed, so no view is checked against WCAG: pip install axe-playwright-python"
    static let hasAxe = (try? Python.run("import axe_playwright_python")) != nil

    @Test func theBoardFitsTheWindow() async throws {
      try await BrowserTests.run(
        #"""
        for width, height in ((844, 390), (740, 360), (1366, 650), (1280, 720), (390, 844), (360, 640), (320, 568)):
            page = open_page(width, height)
            for name in ("play", "watch", "replay", "analyze"):
                view(name); page.evaluate("window.scrollTo(0, 0)"); settle()
                box = page.locator("#board").bounding_box()
                check(box["y"] >= 0 and box["y"] + box["height"] <= height,
                      f"{width}x{height} {name}: the board ends at {box['y'] + box['height']}")
                fits(f"{width}x{height} {name}")
            view("play")
            pad = page.locator(".pad").bounding_box()
            check(pad["y"] + pad["height"] <= height, f"{width}x{height}: the buttons are in sight")
            tabs = page.evaluate("[...document.querySelectorAll('[role=tab]')].map((one) => one.offsetTop)")
            check(len(tabs) == 6 and len(set(tabs)) == 1, f"{width}x{height}: the tabs are in a row: {tabs}")
            check(page.locator("#new-game").bounding_box()["height"] < 50, f"{width}x{height}: New game is one line")
            page.context.close()
        page = open_page(390, 844, has_touch=True, is_mobile=True)
        check(not page.is_visible("#panel-play .keys"), "a phone has no keys")
        small = page.evaluate("""[...document.querySelectorAll("button, select, summary, .switch, input[type=range]")]
          .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5).map((one) => one.id)""")
        check(small == [], f"room for fingers: {small}")
        """#)
    }

    @Test func largeTextFits() async throws {
      let runs = TemporaryFile.path("web-runs")
      defer { TemporaryFile.remove(runs) }
      try FileManager.default.createDirectory(atPath: runs + "/first", withIntermediateDirectories: true)
      let row = #"{"games":100,"rollout/score_mean":3700,"train/weights_visited":12,"time/moves_per_second":1000000}"#
      try Data((row + "\n").utf8).write(to: URL(fileURLWithPath: runs + "/first/metrics.jsonl"))
      try await BrowserTests.run(
        #"""
        for width, height in ((390, 844), (1280, 900)):
            page = open_page(width, height)
            page.evaluate("document.documentElement.style.fontSize = '32px'")
            page.check("#show-hints")
            for name in ("play", "watch", "replay", "training", "set"):
                view(name); settle()
                if name == "training": page.wait_for_selector(".chart svg"); settle()
                if name == "set": page.wait_for_selector(".set-card"); page.check("#set-values"); settle()
                check(page.evaluate("document.documentElement.scrollWidth") <= width, f"{width}: {name} is too wide")
                out = page.evaluate("""[...document.querySelectorAll(".card :not(.unseen)")].filter(
                  (one) => one.offsetParent
                    && one.getBoundingClientRect().right > one.closest(".card").getBoundingClientRect().right)
                  .map((one) => one.id || one.className)""")
                check(out == [], f"{width}: {name}: out of its card: {out}")
        """#, service: .stub(runs: try RunShelf(path: runs)))
    }

    /// The board keeps its place and its size in each view.
    @Test func theBoardKeepsItsSize() async throws {
      try await BrowserTests.run(
        #"""
        for width, height in ((1366, 768), (1366, 650), (390, 844), (360, 640), (320, 568), (844, 390)):
            page = open_page(width, height); boxes = {}
            for name in ("play", "watch", "replay", "analyze"):
                view(name); page.evaluate("window.scrollTo(0, 0)"); settle()
                boxes[name] = str(page.locator("#board").bounding_box())
            # Long numbers do not push the board either.
            view("play")
            for score, count in (("2,732", "190"), ("34,560", "1,702"), ("402,456", "16,789")):
                page.evaluate("""([score, count]) => {
                  for (const id of ["score", "best"]) document.getElementById(id).textContent = score;
                  document.getElementById("moves").textContent = count;
                }""", [score, count])
                boxes[score] = str(page.locator("#board").bounding_box())
            check(len(set(boxes.values())) == 1, f"{width}x{height}: {boxes}")
            page.context.close()
        """#)
    }

    /// The gain of a move stands beside no other number, and covers none.
    @Test func theGainHasAPlaceOfItsOwn() async throws {
      try await BrowserTests.run(
        #"""
        for width, height, size in ((1100, 900, 16), (390, 844, 16), (320, 568, 16), (390, 844, 32)):
            page = open_page(width, height, reduced_motion="no-preference")
            page.evaluate(f"document.documentElement.style.fontSize = '{size}px'")
            for cells, gain in (("1100", "+4"), ("7700", "+256"), ("aa00", "+2,048"), ("gg00", "+131,072")):
                set_board(cells + "000000000000"); page.focus("#board")
                shown = page.evaluate("""() => {
                  const gain = document.getElementById("gain");
                  const press = new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
                  document.activeElement.dispatchEvent(press);
                  // Animations are set to a time soon after the move, however late a busy machine measures.
                  for (const one of document.getAnimations()) { one.pause(); one.currentTime = 60; }
                  const box = gain.getBoundingClientRect();
                  const others = [...gain.closest(".scores").querySelectorAll("span, output")].filter((one) => {
                    const other = one.getBoundingClientRect();
                    return getComputedStyle(one).opacity > 0 && other.left < box.right && other.right > box.left
                      && other.top < box.bottom && other.bottom > box.top;
                  });
                  const score = document.getElementById("score").parentElement.getBoundingClientRect();
                  const isBeside = box.right <= score.left || box.bottom <= score.top;
                  const shown = [
                    gain.textContent, getComputedStyle(gain).opacity, others.map((one) => one.id), isBeside];
                  for (const one of document.getAnimations()) { one.play(); }
                  return shown;
                }""")
                check(shown == [gain, "1", [], True], f"{width} at {size}px: {shown}")
            page.context.close()
        """#)
    }

    /// Switches have room for a finger, and answer its touch with the page's own colours.
    @Test func switchesAreLargeEnough() async throws {
      try await BrowserTests.run(
        #"""
        page = open_page(390, 844, has_touch=True, is_mobile=True)
        view("set"); page.wait_for_selector(".set-card"); view("play")
        small = page.evaluate("""[...document.querySelectorAll("input[role=switch]")].map((one) => {
          const { width, height } = getComputedStyle(one);
          return [one.id, parseFloat(width), parseFloat(height)];
        }).filter(([, width, height]) => width < 24 || height < 24)""")
        check(small == [], f"WCAG 2.2, 2.5.8: {small}")
        flash = page.evaluate("""[...document.querySelectorAll("button, label, summary, a")].map(
          (one) => getComputedStyle(one).webkitTapHighlightColor).filter((one) => one !== "rgba(0, 0, 0, 0)")""")
        check(flash == [], f"the browser paints nothing over a touch: {flash[:3]}")
        """#)
    }

    @Test func forcedColoursTellAllThereIs() async throws {
      try await BrowserTests.run(
        #"""
        page = open_page(forced_colors="active")
        page.check("#show-hints"); set_board("1123000000000000"); settle()
        style = lambda selector, name, pseudo="": page.evaluate(
            "([s, n, p]) => getComputedStyle(document.querySelector(s), p || null)[n]", [selector, name, pseudo])
        check(style(".hint", "backgroundColor", "::before") == "rgba(0, 0, 0, 0)", "a hint covers no tiles")
        check(style("#show-hints", "appearance") != "none", "a switch is the system's")
        check(style("#tab-play", "backgroundColor") != style("#tab-watch", "backgroundColor"), "the tab that is chosen")
        check(style(".cells i", "borderTopStyle") == "solid", "empty cells")
        """#)
    }

    /// The page's contrast where axe has no rule: the edges of controls (WCAG 2.2, 1.4.11).
    @Test func edgesAreSeen() async throws {
      try await BrowserTests.run(
        #"""
        measure = """() => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const luminance = (color) => {
            canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
              const share = value / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ratio = (a, b) => {
            const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
            return (high + 0.05) / (low + 0.05);
          };
          const probe = document.body.appendChild(document.createElement("i"));
          const color = (name) => {
            probe.style.color = `var(${name})`;
            return getComputedStyle(probe).color;
          };
          const found = {};
          for (const ground of ["--paper", "--card", "--press"]) {
            for (const name of ["--edge", "--accent"]) {
              found[`${name} on ${ground}`] = ratio(color(name), color(ground));
            }
          }
          for (let run = 0; run < 10; run += 1) {
            found[`run ${run}`] = ratio(color(`--run-${run}`), color("--card"));
          }
          for (const selector of ["#undo", "#odds", "#show-hints", "#board-input"]) {
            const { borderTopColor } = getComputedStyle(document.querySelector(selector));
            found[selector] = ratio(borderTopColor, color("--card"));
          }
          return Object.entries(found).filter(([, value]) => value < 3).map(([name, value]) => `${name} ${value}`);
        }"""
        for scheme in ("light", "dark"):
            page = open_page(color_scheme=scheme)
            low = page.evaluate(measure)
            check(low == [], f"{scheme}: {low}")
            # The visitor chooses the other scheme, while the system stays with this one.
            choose("#theme", "dark" if scheme == "light" else "light")
            low = page.evaluate(measure)
            check(low == [], f"other than {scheme}: {low}")
        """#)
    }

    /// The colours are those of the system until the visitor chooses some. Then the chosen ones stay, also in other
    /// tabs and after a reload.
    @Test func coloursCanBeChosen() async throws {
      try await BrowserTests.run(
        #"""
        ground = lambda one: one.evaluate("getComputedStyle(document.body).backgroundColor")
        bars = lambda one: one.evaluate("""[...document.querySelectorAll('meta[name=theme-color]')]
          .filter((bar) => matchMedia(bar.media).matches).map((bar) => bar.content)""")
        light, dark = "rgb(246, 242, 234)", "rgb(23, 20, 17)"
        for scheme, own, other, name in (("light", light, dark, "dark"), ("dark", dark, light, "light")):
            page = open_page(color_scheme=scheme)
            tab = open_tab()
            check(ground(page) == own, f"{scheme}: as the system says: {ground(page)}")
            choose("#theme", name); settle()
            until(tab, f"document.getElementById('theme').value === '{name}'")
            check(ground(page) == other, f"{scheme}: as chosen: {ground(page)}")
            check(ground(tab) == other, f"{scheme}: in another tab, too")
            check(bars(page) == ["#171411" if name == "dark" else "#f6f2ea"], f"{scheme}: the bar is {bars(page)}")
            page.reload(); settle()
            check(ground(page) == other, f"{scheme}: after a reload")
            choose("#theme", ""); settle(); until(tab, "document.getElementById('theme').value === ''")
            check(ground(page) == own and ground(tab) == own, f"{scheme}: as the system again")
            check(len(bars(page)) == 1, f"{scheme}: one bar again")
            page.context.close()
        """#)
    }

    @Test func screenReadersGetTheBoard() async throws {
      try await BrowserTests.run(
        #"""
        set_board("1200000000000003"); settle()
        check(page.get_attribute("#board", "role") == "application", "move keys reach the board")
        cells = page.locator("#board-table td").all_text_contents()
        check(cells == ["2", "4"] + ["empty"] * 13 + ["8"], f"cells can be read: {cells}")
        for name in ("play", "watch", "replay", "training", "set"):
            view(name)
            check(name in page.locator("h1").text_content().lower(), f"{name} has its heading")
        """#)
    }

    @Test(.enabled(if: hasAxe, "\(axeIsMissing)"))
    func axeFindsNothing() async throws {
      let runs = TemporaryFile.path("web-runs")
      defer { TemporaryFile.remove(runs) }
      try FileManager.default.createDirectory(atPath: runs + "/first", withIntermediateDirectories: true)
      let rows = (1...20).map {
        "{\"games\":\($0),\"rollout/score_mean\":\($0 * 37),\"rollout/rate_2048\":\(Double($0) / 30)}\n"
      }
      try Data(rows.joined().utf8).write(to: URL(fileURLWithPath: runs + "/first/metrics.jsonl"))
      try await BrowserTests.run(
        #"""
        import os, axe_playwright_python
        source = open(os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")).read()
        rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
                 "resultTypes": ["violations"]}
        def axe(name):
            for scheme, forced in (("light", "none"), ("dark", "none"), ("dark", "active")):
                page.emulate_media(color_scheme=scheme, forced_colors=forced)
                found = page.evaluate("(options) => axe.run(document, options)", rules)["violations"]
                for one in found:
                    nodes = [node["html"][:90] for node in one["nodes"]][:3]
                    check(False, f"{name}: {scheme}, {forced}: {one['id']}: {nodes}")
        for options in ({}, {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}):
            page = open_page(**options)
            # The style is added as a script of the protocol: the page's policy allows no other.
            page.evaluate(source)
            name = str(options)
            page.check("#show-hints"); set_board("1123000000000000"); page.focus("#board"); page.keyboard.press("a")
            page.click("#verdict-more summary"); settle(); axe(f"play {name}")
            page.click("#open-settings"); settle(); axe(f"settings {name}"); page.click("#close-settings")
            page.click("#new-game"); page.hover("#toast button >> nth=0"); settle(); axe(f"toast {name}")
            page.evaluate("""localStorage.setItem("tupelo.statistics", JSON.stringify(
              { ids: [], rules: { 0.1: { games: 3, total: 9000, largest: 9 } } }))""")
            page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'tupelo.statistics' }))")
            set_board("1212212112122121"); settle(); axe(f"game over {name}")
            view("watch"); settle(); axe(f"watch {name}")
            view("replay"); page.click("#load-current"); page.click("#review"); settle(); axe(f"replay {name}")
            view("analyze"); settle(); axe(f"analyze {name}")
            page.fill("#analysis-input", "1123000000000000"); page.click("#analysis-set")
            page.click("#edit"); settle(); axe(f"editor {name}"); page.click("#edit")
            page.wait_for_selector("#lines button"); axe(f"lines {name}")
            view("play"); set_board("1123000000000000"); page.focus("#board")
            for key in "asdw": page.keyboard.press(key); page.wait_for_timeout(60)
            view("replay"); page.click("#load-current"); page.click("#review")
            page.wait_for_selector("#review-facts:not([hidden])"); settle(); axe(f"reviewed {name}")
            if page.is_visible("#learn-start"): page.click("#learn-start"); settle(); axe(f"learning {name}")
            view("watch"); page.select_option("#rival", "1"); page.click("#batch")
            page.wait_for_selector("#batch-table td"); settle(); axe(f"two agents {name}")
            view("training"); page.wait_for_selector(".chart path"); settle(); axe(f"training {name}")
            view("set"); page.wait_for_selector(".set-card"); settle(); axe(f"set {name}")
            page.check("#set-letters"); page.check("#set-values"); page.locator("#panel-set summary").click()
            page.locator(".set-card").first.click(); page.click("#set-deal"); page.click("#set-hint"); settle()
            axe(f"set with all {name}")
            page.select_option("#set-speed", "15"); page.click("#set-run")
            page.wait_for_selector("#set-notice:not([hidden])"); settle(); axe(f"set over {name}")
            page.context.close()
        """#, service: .stub(runs: try RunShelf(path: runs)))
    }
  }
}
