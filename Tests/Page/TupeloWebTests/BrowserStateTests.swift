import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch
import TupeloWeb

extension BrowserTests {
  /// The state that the page keeps: games, best scores, verdicts and records.
  @Suite struct State {
    @Test func tabsDoNotOverwriteEachOther() async throws {
      try await BrowserTests.run(
        #"""
        def best(tab): return int(tab.inner_text("#best").replace(",", ""))
        page.keyboard.press("n"); settle(); keep()
        other = open_tab()
        for _ in range(12):
            for key in "asdw": page.keyboard.press(key); page.wait_for_timeout(30)
        settle(); keep()
        score, steps = int(page.inner_text("#score").replace(",", "")), moves()
        showing = "document.getElementById('moves').textContent === '%d'"
        until(other, showing % steps)
        check(score > 0 and max(stored("best").values()) >= score, "the first tab's best is stored")
        top = max(stored("best").values())
        check(best(other) == best(page), "and shows the same best score")
        other.keyboard.press("u"); until(page, showing % (steps - 1))
        other.evaluate("dispatchEvent(new Event('pagehide'))")
        check(max(stored("best").values()) == top, "an older tab keeps the best score")

        # A tab that missed the other tab's moves keeps the game that it finds before it writes.
        record = stored("game")["record"]
        page.evaluate("""() => {
          const game = JSON.parse(localStorage.getItem('tupelo.game'));
          localStorage.setItem('tupelo.stamp', '"elsewhere"');
        }""")
        page.keyboard.press("n"); settle(); keep()
        check(any(one["record"] == record for one in stored("past")), "a game that another tab wrote is kept")
        """#)
    }

    @Test func verdictsBelongToTheirMoves() async throws {
      try await BrowserTests.run(
        #"""
        judged = lambda: text("#tally")
        set_board("1123000000000000"); page.keyboard.press("a"); settle()
        for _ in range(3):
            page.keyboard.press("u"); page.wait_for_timeout(50); page.keyboard.press("a"); settle()
        check("of 1" in judged(), f"an undone move does not count: {judged()}")
        page.keyboard.press("s"); settle()
        count = moves()
        check(f" of {count}" in judged(), f"each move counts once: {judged()}")
        verdict, tally = text("#verdict"), judged()
        keep(); page.reload(); settle()
        check(judged() == tally, f"the tally survives a reload: {judged()}")
        page.evaluate("window.slow = 700")
        page.keyboard.press("d"); page.keyboard.press("w"); page.keyboard.press("n")
        page.wait_for_timeout(1500)
        check(judged() == "" and text("#verdict") == "", f"a late verdict is not the new game's: {judged()}")
        page.click("#new-game"); page.evaluate("window.slow = 0"); settle()
        page.click("#tab-play"); page.uncheck("#show-verdicts"); page.keyboard.press("a"); page.keyboard.press("s")
        settle(); check(judged() == "" and text("#verdict") == "", "who wants no verdict gets none")
        """#)
    }

    @Test func noticesTellThePositionAndWait() async throws {
      try await BrowserTests.run(
        #"""
        set_board("aa85421946356263"); page.focus("#board"); page.keyboard.press("ArrowLeft"); settle()
        check(text("#notice-title") == "2048", "a notice says that the game is won")
        count = moves()
        for key in ("ArrowDown", "ArrowRight", "s"): page.keyboard.press(key)
        settle(); check(moves() == count and page.is_visible("#notice"), "the notice waits for a choice")
        check(page.evaluate("document.activeElement.id") == "notice-first", "the focus is on the choice")
        page.keyboard.press("Enter"); settle(); check(not page.is_visible("#notice"), "Enter keeps going")
        page.keyboard.press("ArrowDown"); settle()
        if page.is_visible("#notice"): check(text("#notice-title") == "Game over", "the notice is of this position")
        for board_text, tile in (("hgfedcba98765432", "131,072"), ("1212212112122121", "4")):
            set_board(board_text); settle()
            check(text("#notice-text").endswith(f"largest tile {tile}."), f"{board_text}: {text('#notice-text')}")
        said = page.inner_text("#live")
        check("The board is set." in said and "Game over." in said, f"messages say both: {said}")
        overlaps = page.evaluate("""() => {
          const [a, b] = ["board", "notice"].map((id) => document.getElementById(id).getBoundingClientRect());
          return a.bottom > b.top && b.bottom > a.top && a.right > b.left && b.right > a.left;
        }""")
        check(not overlaps, "the board can be seen behind no notice")
        set_board("1011223344556677"); page.keyboard.press("a"); settle()
        check("undo" not in text("#best-note") and "board was set" in text("#best-note"), "why Best stays")
        """#)
    }

    @Test func recordsComeBackAsTheyCame() async throws {
      let folder = TemporaryFile.path("records")
      defer { TemporaryFile.remove(folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let rules = try Rules(startTiles: 3)
      var game = Game(rules: rules, seed: 5)
      var record = GameRecord(
        .init(
          rules: rules, start: game.board, agent: "expectimax(plies: 3, downgrade: 32768)", seed: .max,
          gameNumber: 7))
      while let move = game.legalMoves.moves.last, let turn = game.play(move) { record.append(turn) }
      try Data(record.text.utf8).write(to: URL(fileURLWithPath: folder + "/game.txt"))
      let (count, score) = (record.steps.count, game.score)
      let empty = record.text.replacing(record.header.start.hex(), with: "0000000000000000")
      try Data(empty.utf8).write(to: URL(fileURLWithPath: folder + "/empty.txt"))
      let word = record.text.replacing(
        "expectimax(plies: 3, downgrade: 32768)", with: String(repeating: "w ", count: 2500))
      try Data(word.utf8).write(to: URL(fileURLWithPath: folder + "/word.txt"))
      try await BrowserTests.run(
        #"""
        view("replay")
        page.set_input_files("#record-file", "\#(folder)/word.txt"); settle()
        check(page.evaluate("document.documentElement.scrollWidth") <= 1100, "a long agent name wraps")
        told = text("#record-note")
        check(told.startswith("word.txt: w w w") and "…, \#(record.steps.count) moves" in told, told)
        check(page.locator("#record-note").bounding_box()["height"] < 120, "and leaves room for the rest")
        page.set_input_files("#record-file", "\#(folder)/empty.txt"); settle()
        check("empty board" in text("#record-error"), "an empty start is refused")
        page.set_input_files("#record-file", "\#(folder)/game.txt"); settle()
        with page.expect_download() as saved: page.click("#save-record")
        saved.value.save_as("\#(folder)/saved.txt")
        page.click("#to-back"); page.click("#to-back"); settle()
        kept, score = board(), text("#score")
        page.click("#play-on"); settle()
        check(board() == kept and text("#score") == score and moves() == \#(count - 2),
              "the game continues with its past")
        page.keyboard.press("u"); page.keyboard.press("r"); settle(); snap("played on")
        check('"agent":"expectimax(plies: 3, downgrade: 32768), 1 undone"' in snapshots[-1]["record"], "and its player")
        check('"start_tiles":3' in snapshots[-1]["record"], "and its start")
        """#)
      let saved = try GameRecord(text: String(contentsOfFile: folder + "/saved.txt", encoding: .utf8))
      #expect(saved == record)
      #expect(score > 0)
    }

    @Test func earlierGamesAreKept() async throws {
      try await BrowserTests.run(
        #"""
        set_board("1212212112122110"); page.focus("#board")
        for key in "asdw" * 8: page.keyboard.press(key)
        settle(); keep(); over = stored("game")["record"]
        page.keyboard.press("Escape"); page.click("#new-game"); settle()
        check(any(one["record"] == over for one in stored("past")), "a game that is replaced is kept")
        view("replay"); page.locator("#past button").first.click(); settle()
        check("An earlier game" in text("#record-note"), "and can be looked back at")
        page.click("#load-current"); settle()

        view("play")
        for key in "asdw" * 12: page.keyboard.press(key); page.wait_for_timeout(20)
        view("replay"); settle()
        total = int(page.get_attribute("#scrub", "max"))
        page.click("#review"); page.wait_for_selector("#worst button")
        page.locator("#worst button").first.click(); settle()
        position, worst = page.input_value("#scrub-number"), text("#worst")
        check(f"Move {int(position) + 1:,} was" in text("#played"), f"the move played is named: {text('#played')}")
        check(f"Move {int(position) + 1:,}:" in worst.split("\n")[0], "by the number in the list")
        check(page.locator("#replay-values .played").count() == 1, "and marked among the four")
        check(page.get_attribute("#board", "data-played") is not None, "and on the board")
        view("play"); view("replay"); settle()
        check(page.input_value("#scrub-number") == position and text("#worst") == worst, "position and list stay")
        page.fill("#scrub-number", "3"); page.keyboard.press("Tab"); settle()
        check(page.input_value("#scrub") == "3", "a move number can be typed")
        page.focus("#board"); page.keyboard.press("End"); settle()
        check(page.input_value("#scrub") == str(total), "End goes to the end")
        page.keyboard.press("Home"); settle(); check(page.input_value("#scrub") == "0", "Home to the start")

        page.evaluate("""() => {
          window.asked = 0;
          const scrub = document.getElementById("scrub");
          for (let step = 0; step < 60; step++) {
            scrub.value = step % Number(scrub.max);
            scrub.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }""")
        settle()
        check(page.evaluate("window.asked") <= 2, f"scrubbing asks seldom: {page.evaluate('window.asked')}")
        """#)
    }

    @Test func reviewsStopWhenLeft() async throws {
      let folder = TemporaryFile.path("long")
      defer { TemporaryFile.remove(folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var game = Game(seed: 5)
      var search = Expectimax(EmptyCells(), plies: 1)
      var record = GameRecord(.init(rules: .standard, start: game.board, agent: "test"))
      while let move = search.move(on: game.board), let turn = game.play(move) { record.append(turn) }
      try Data(record.text.utf8).write(to: URL(fileURLWithPath: folder + "/game.txt"))
      try await BrowserTests.run(
        #"""
        view("replay")
        page.set_input_files("#record-file", "\#(folder)/game.txt"); settle()
        page.evaluate("""() => {
          const real = window.fetch;
          window.fetch = async (path, options) => {
            const isReplay = document.body.dataset.view === "replay";
            if (isReplay && path.startsWith("/analyze")) await new Promise((done) => setTimeout(done, 500));
            return real(path, options);
          };
        }""")
        page.click("#review"); page.wait_for_timeout(700)
        check(text("#review") == "Stop", "a review can be stopped")
        page.click("#review"); settle()
        check("Stopped after" in text("#review-note") or "looks at every" in text("#review-note"), "it says how far")
        page.click("#review"); page.wait_for_timeout(200); view("play"); page.wait_for_timeout(300)
        asked = page.evaluate("window.asked"); page.wait_for_timeout(1200)
        check(page.evaluate("window.asked") <= asked + 1, "and stops when its view is left")
        """#)
    }
  }
}
