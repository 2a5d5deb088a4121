import Foundation
import TestSupport
import Testing
import TupeloWeb

extension BrowserTests {
  /// Keys, clicks and touches do what the page says they do.
  @Suite struct Keys {
    @Test func arrowsThatMoveNothingScrollNothing() async throws {
      try await BrowserTests.run(
        #"""
        page.set_viewport_size({"width": 700, "height": 320})
        set_board("0000000000001234"); page.focus("#board"); page.evaluate("scrollTo(0, 0)")
        check(page.evaluate("document.documentElement.scrollHeight > innerHeight"), "the page scrolls")
        before = moves(); page.keyboard.press("ArrowDown"); settle(); page.wait_for_timeout(300)
        check(moves() == before and page.evaluate("scrollY") == 0, f"scrolled to {page.evaluate('scrollY')}")
        """#)
    }

    @Test func keysPlayAfterClicks() async throws {
      try await BrowserTests.run(
        #"""
        view("watch"); view("play")
        set_board("0000011001100000"); page.click("#tab-watch"); page.click("#tab-play")
        page.keyboard.press("ArrowLeft"); settle()
        check(page.is_visible("#panel-play") and moves() == 1, "arrows play after a click on a tab")
        for button in ("#undo", "#redo", "#new-game"):
            page.click(button)
            check(page.evaluate("document.activeElement.id") == "board", f"{button} gives the focus back")
        page.focus("#tab-play"); before = moves()
        for key in ("ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown"): page.keyboard.press(key)
        settle(); check(moves() > before and page.is_visible("#panel-play"), "a tab does not use up and down")

        for key in "asdwasdw": page.keyboard.press(key)
        view("replay"); page.keyboard.press("ArrowLeft"); settle()
        check(page.is_visible("#panel-replay"), "arrows step after a click on Replay")
        check(page.input_value("#scrub-number") == str(moves()), "one move back")
        scrub = page.locator("#scrub").bounding_box()
        page.mouse.click(scrub["x"] + 5, scrub["y"] + scrub["height"] / 2); page.keyboard.press("Space")
        # Space plays after the scrubber was used.
        until(page, "document.getElementById('scrub-number').value > 0")

        view("watch")
        page.click("#watch-new"); page.keyboard.press("Space"); page.wait_for_timeout(200)
        check(page.inner_text("#run") == "Pause", "Space starts after a click on New game")
        page.keyboard.press("Space")
        speed = page.locator("#speed").bounding_box()
        page.mouse.click(speed["x"] + 5, speed["y"] + speed["height"] / 2); count = moves()
        page.keyboard.press("."); settle()
        check(moves() == count + 1, "the point plays a move after the slider was used")
        page.focus("#step"); page.keyboard.press("Space"); settle()
        check(moves() == count + 2, "Space is a button's that the keyboard has reached")
        """#)
    }

    /// Letters of other scripts and layouts work: by the letter that the page names, or by the key in its place.
    @Test func keyboardsOfOtherLettersPlay() async throws {
      try await BrowserTests.run(
        #"""
        def press(key, code):
            page.evaluate("""([key, code]) => document.getElementById("board").dispatchEvent(
              new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }))""", [key, code]); settle()
        # Cyrillic, Greek, Hebrew, AZERTY, Dvorak, and the output of an input method, for moves to the left and up.
        for left, up in ((("ф", "KeyA"), ("ц", "KeyW")), (("α", "KeyA"), ("ς", "KeyW")),
                         (("ש", "KeyA"), ("'", "KeyW")),
                         (("q", "KeyA"), ("z", "KeyW")), (("a", "KeyQ"), ("w", "KeyZ")), (("a", "KeyA"), (",", "KeyW")),
                         (("Process", "KeyA"), ("Process", "KeyW")), (("Ф", "KeyA"), ("р", "KeyH"))):
            for (key, code), cell in ((left, 4), (up, 1)):
                if code == "KeyH": cell = 4
                set_board("0000010000000000"); press(key, code)
                check(moves() == 1 and board()[cell] == "1", f"{key} at {code}: {moves()} moves, {board()}")
        for undo, redo, new in ((("г", "KeyU"), ("к", "KeyR"), ("т", "KeyN")),
                               (("u", "KeyU"), ("r", "KeyR"), ("n", "KeyN")),
                                (("u", "KeyF"), ("r", "KeyO"), ("n", "KeyL"))):
            set_board("0000010000000000"); press("ArrowLeft", "ArrowLeft"); after = board()
            press(*undo); check(moves() == 0, f"{undo} undoes")
            press(*redo); check(moves() == 1 and board() == after, f"{redo} does again")
            press(*new); check(moves() == 0 and board() != after and page.is_disabled("#redo"), f"{new} is a new game")
        # On keyboards with Latin letters, a letter never counts by its place, except for the four moves.
        set_board("0000010000000000"); press("ArrowLeft", "ArrowLeft"); after = board()
        for key, code in (("g", "KeyU"), ("b", "KeyN"), ("p", "KeyR"), ("c", "KeyI"), ("r", "KeyS"),
                          ("ж", "Semicolon")):
            press(key, code); check(board() == after and moves() == 1, f"{key} at {code} does nothing")
        """#)
    }

    /// A list or slider that the pointer has used gives the keys back; one that the keyboard has reached keeps them.
    @Test func keysMoveAfterAChoice() async throws {
      try await BrowserTests.run(
        #"""
        focus = lambda: page.evaluate("document.activeElement.id")
        def choose(id, key="ArrowUp"):
            before = page.input_value("#" + id)
            page.click("#" + id); page.keyboard.press(key); page.keyboard.press("Enter"); settle()
            check(page.input_value("#" + id) != before, f"{id}: chosen with the pointer")
        # A list that was opened with the pointer and closed without a change does not use the next arrow key.
        for close in ("Enter", "Escape"):
            set_board("0000010000000000"); page.click("#open-settings"); value = page.input_value("#coach-plies")
            page.click("#coach-plies"); page.keyboard.press(close); page.keyboard.press("ArrowLeft"); settle()
            check(moves() == 1 and page.input_value("#coach-plies") == value, f"{close}: the arrow key moves")
            check(focus() == "board", f"{close}: the board has the focus: {focus()}")
            page.click("#close-settings")
        set_board("0000010000000000"); page.click("#open-settings")
        for id in ("coach-plies", "coach-milliseconds"):
            choose(id, "ArrowDown" if id == "coach-milliseconds" else "ArrowUp"); value = page.input_value("#" + id)
            check(focus() == "board", f"{id}: the board has the focus: {focus()}")
            before = moves()
            for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"): page.keyboard.press(key)
            settle(); check(moves() > before and page.input_value("#" + id) == value, f"{id}: arrows move: {value}")
        page.focus("#coach-milliseconds"); page.keyboard.press("ArrowUp")
        check(focus() == "coach-milliseconds", "the keyboard's list keeps the focus")
        before = moves(); page.keyboard.press("ArrowDown"); settle(); check(moves() == before, "and the arrow keys")
        page.click("#close-settings"); view("watch"); speed = page.locator("#speed").bounding_box()
        for share in (0.9, 0.9):
            page.mouse.click(speed["x"] + share * speed["width"], speed["y"] + speed["height"] / 2); settle()
            check(focus() == "board", f"a slider gives the focus back: {focus()}")
        value, before = page.input_value("#speed"), moves()
        for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"): page.keyboard.press(key); settle()
        check(page.input_value("#speed") == value and moves() > before, "arrows move")
        view("replay"); scrub = page.locator("#scrub").bounding_box()
        page.mouse.click(scrub["x"] + 2, scrub["y"] + scrub["height"] / 2); settle()
        check(page.input_value("#scrub-number") == "0", "the start"); page.keyboard.press("ArrowRight"); settle()
        check(page.input_value("#scrub-number") == "1", "arrows step")
        """#)
    }

    @Test func pausesDoNotSpeedTheAgentUp() async throws {
      try await BrowserTests.run(
        #"""
        view("watch"); page.click("#watch-new"); page.focus("#speed"); page.keyboard.press("Home")
        for _ in range(2): page.keyboard.press("ArrowRight")
        page.focus("#board"); page.keyboard.press("Space")
        for gap in (80, 150, 220, 300):
            page.wait_for_timeout(gap); page.keyboard.press("Space"); page.wait_for_timeout(40)
            page.keyboard.press("Space")
        page.wait_for_timeout(300)
        made, seconds = page.evaluate("""async () => {
          const moves = () => Number(document.getElementById("moves").textContent);
          const [before, start] = [moves(), performance.now()];
          await new Promise((done) => setTimeout(done, 3000));
          return [moves() - before, (performance.now() - start) / 1000];
        }""")
        # On a busy machine the agent makes fewer moves.
        check(1 <= made <= 4 * seconds + 2, f"four moves a second: {made} in {seconds} seconds")
        """#)
    }

    @Test func twoFingersDoNotPlay() async throws {
      try await BrowserTests.run(
        #"""
        page = open_page(390, 844, has_touch=True)
        set_board("0000010000000000")
        touches = page.context.new_cdp_session(page)
        box = page.locator("#board").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        def send(kind, *points):
            touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": px, "y": py, "id": index} for index, (px, py) in enumerate(points)]})
        send("touchStart", (x - 10, y)); send("touchStart", (x - 10, y), (x + 10, y))
        for step in range(1, 9): send("touchMove", (x - 10 - step * 8, y), (x + 10 + step * 8, y))
        send("touchEnd"); settle()
        check(moves() == 0, f"a pinch plays nothing: {moves()}")
        check(page.evaluate("getComputedStyle(document.getElementById('board')).touchAction") == "pinch-zoom",
              "a pinch zooms")
        page.wait_for_timeout(200)
        page.evaluate("window.scrollTo(0, 0)")
        """#)
    }
  }

  /// The view of training runs.
  @Suite struct Runs {
    private static func withRuns(
      _ names: [String], rows: Int = 50, _ body: (String) async throws -> Void
    ) async throws {
      let runs = TemporaryFile.path("web-runs")
      defer { TemporaryFile.remove(runs) }
      for name in names {
        try FileManager.default.createDirectory(atPath: "\(runs)/\(name)", withIntermediateDirectories: true)
        let lines = (0..<(name.hasPrefix("empty") ? 0 : rows)).map {
          "{\"games\":\($0 * 100),\"moves\":\($0 * 9000),\"seconds\":\($0),\"time\":\(1_800_000_000 + $0),"
            + "\"rollout/score_mean\":\($0 * 37),\"eval/score_mean\":\($0 * 40),\"eval/score_low\":\($0 * 36),"
            + "\"eval/score_high\":\($0 * 44)}\n"
        }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(runs)/\(name)/metrics.jsonl"))
      }
      try await body(runs)
    }

    @Test func chartsAreHonestAndSteady() async throws {
      try await Self.withRuns(["first", "second", "third"]) { runs in
        try await BrowserTests.run(
          #"""
          import os, time
          def names(): return page.locator("#runs li span:not(.swatch)").all_inner_texts()
          def color(name): return page.locator("#runs li", has_text=name).locator(".swatch").get_attribute("style")
          # The page reads the runs ten times as often, so that the script waits less.
          page.context.add_init_script(
              "{ const real = setInterval; window.setInterval = (work, time) => real(work, time / 10); }")
          page.reload(); until(page, "document.querySelector('#agent option') !== null")
          view("training"); page.wait_for_selector(".chart path")
          titles = page.locator(".chart h2").all_inner_texts()
          check(titles == ["Average score over games"], f"no chart of the clock, none of the band's edges: {titles}")
          check(page.locator(".chart .band").count() == 1, "the evaluation has its band")
          for name in ("first", "second", "third"): page.locator("#runs li", has_text=name).locator("input").check()
          settle(); order = names(); colors = [color(name) for name in order]
          check(len(set(colors)) == 3, f"a colour for each: {colors}")
          for name in ("first", "second", "third"):
              os.utime(f"\#(runs)/{name}/metrics.jsonl", (time.time(), time.time() + 5)); page.wait_for_timeout(500)
              check(names() == order, f"the list keeps its order: {names()}")

          box = page.locator(".chart svg").first.bounding_box()
          page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 80); page.wait_for_timeout(100)
          told = page.locator(".chart .legend").first.inner_text()
          with open("\#(runs)/first/metrics.jsonl", "a") as file:
              file.write('{"games": 4900, "rollout/score_mean": 9}\n')
          page.wait_for_timeout(600)
          check(page.locator(".chart .legend").first.inner_text() == told, "the values under the pointer stay")
          check(page.get_attribute(".chart .cross", "visibility") == "visible", "and so does the line")

          page.select_option("#axis", "seconds"); page.select_option("#smoothing", "5")
          page.locator("#runs li", has_text="second").locator("input").uncheck(); settle()
          page.reload(); page.wait_for_selector(".chart path")
          check([page.locator("#runs li", has_text=name).locator("input").is_checked() for name in
                 ("first", "second", "third")] == [True, False, True], "the choice survives a reload")
          check(page.input_value("#axis") == "seconds" and page.input_value("#smoothing") == "5", "and the axis")
          check(color("first") == colors[order.index("first")], "a run keeps its colour")
          for name in ("first", "third"): page.locator("#runs li", has_text=name).locator("input").uncheck()
          settle(); check("Choose a run" in text("#runs-note"), "no run is chosen: it says so")
          """#, service: .stub(runs: try RunShelf(path: runs)))
      }
    }

    @Test func emptyAndLongRunsAreShown() async throws {
      let long = "a-" + String(repeating: "very-", count: 30) + "long-name"
      try await Self.withRuns(["empty", long]) { runs in
        try await BrowserTests.run(
          #"""
          import os, time
          os.utime("\#(runs)/empty/metrics.jsonl", (time.time(), time.time() + 5))
          page = open_page(390, 844)
          view("training"); page.wait_for_selector(".chart path")
          check(page.is_checked("#runs li:last-child input"), "a run with numbers is chosen first")
          page.check("#runs li:first-child input"); settle()
          check("No numbers yet of empty" in text("#runs-note"), text("#runs-note"))
          check(page.evaluate("document.documentElement.scrollWidth <= 390"), "long names fit a phone")
          swatch = page.locator("#runs .swatch").last.bounding_box()
          check(swatch["width"] >= 12, f"the swatch keeps its width: {swatch['width']}")
          check(page.locator("#runs small").last.bounding_box()["height"] < 30, "the age stays on a line")
          with open("\#(runs)/\#(long)/metrics.jsonl", "a") as file:
              for index in range(150000): file.write('{"games":%d,"x":%d}\n' % (5000 + index, index % 7))
          until(page, "[...document.querySelectorAll('.chart h2')].some((one) => one.textContent.startsWith('X'))")
          until(page, "document.getElementById('charts').textContent.includes('100k')")
          """#, service: .stub(runs: try RunShelf(path: runs)))
      }
    }
  }
}
