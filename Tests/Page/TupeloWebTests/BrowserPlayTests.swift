import Testing
import TupeloWeb

extension BrowserTests {
  /// Statistics, moments and settings of Play.
  @Suite struct PlayView {
    /// Puts a game on the table as another tab would: from a board, but as one that counts for statistics.
    private static let put = #"""
      def put(start, id):
          record = json.dumps({"columns": 4, "rows": 4, "four_probability": 0.1, "start": start, "start_tiles": 2,
                               "tupelo_record": 1}) + "\n"
          game = {"id": id, "record": record, "fresh": True, "undos": 0, "players": ["person"], "celebrated": True,
                  "redo": [], "judged": []}
          page.evaluate("""([game, id]) => {
            dispatchEvent(new Event("pagehide"));
            localStorage.setItem("tupelo.game", JSON.stringify(game));
            localStorage.setItem("tupelo.stamp", JSON.stringify(id));
            dispatchEvent(new StorageEvent("storage", { key: "tupelo.stamp" }));
          }""", [game, id])
          settle(); check(board() == start, f"the game is on the table: {board()}"); page.focus("#board")
      ended = []  # the scores and largest tiles of all games, also of those that do not count
      # Plays until the game is over, however many moves that takes.
      def finish():
          page.evaluate("""() => {
            const notice = document.getElementById("notice");
            for (let turn = 0; turn < 20_000 && notice.hidden; turn += 1) {
              document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "asdw"[turn % 4], bubbles: true }));
            }
          }""")
          settle(); check(text("#notice-title") == "Game over", f"the game is over: {board()}")
          ended.append((int(text("#score").replace(",", "")), 2 ** int(max(board()), 18)))
      def rows(): return [row.all_inner_texts() for row in
                          [row.locator("th, td") for row in page.locator("#statistics tbody tr").all()]]

      """#

    @Test func gamesAreCountedByTheirRules() async throws {
      try await BrowserTests.run(
        Self.put + #"""
          check(rows() == [] and page.is_visible("#statistics-note"), "no game yet")
          put("1212212112122110", "one"); finish()
          score = ended[0][0]
          check(rows()[0][:3] == ["Usual rules", "1", f"{score:,}"], f"it is counted: {rows()}")
          page.click("#notice-second"); settle(); finish()
          put("1212212112122110", "one"); finish()
          check(rows()[0][1] == "1", f"a game counts once: {rows()}")
          put("1212212112122110", "two"); finish()
          both = score + ended[-1][0]
          check(rows()[0][1] == "2" and abs(int(rows()[0][2].replace(",", "")) - both / 2) <= 0.5, f"{rows()}")
          del ended[1]  # Undo was used.
          check(rows()[0][3:] == [f"{max(numbers):,}" for numbers in zip(*ended)], f"{rows()}, {ended}")
          page.reload(); settle(); check(rows()[0][1] == "2", "they are kept")
          check(text("#best-note") == "Best: usual rules", text("#best-note"))

          page.click("#notice-first"); settle(); page.focus("#board")
          for key in "as": page.keyboard.press(key)
          page.click("#open-settings"); page.select_option("#odds", "0"); page.select_option("#start-tiles", "3")
          check(page.is_visible("#rules-next"), "other rules are the next game's")
          page.click("#rules-restart"); page.click("#close-settings"); settle()
          check(16 - board().count("0") == 3 and not page.is_visible("#rules-next"), "which begins at once on request")
          check(text("#best-note") == "Best: 2 only, 3 tiles at the start", text("#best-note"))
          check(text("#best") == "0", "Best is of these rules")
          page.reload(); settle()
          check(page.input_value("#odds") == "0" and page.input_value("#start-tiles") == "3", "rules are remembered")
          page.evaluate("localStorage.setItem('tupelo.statistics', '{\"rules\":{\"0.1\":7},\"ids\":3}')"); page.reload()
          until(page, "document.querySelector('#agent option') !== null")
          check(rows() == [], "damaged statistics stop nothing")
          """#)
    }

    @Test func aNewLargestTileHasItsMoment() async throws {
      try await BrowserTests.run(
        Self.put + #"""
          def moment(): return page.get_attribute("#board", "data-moment")
          def gone(): until(page, "document.getElementById('board').dataset.moment === undefined")
          put("6600000000000000", "one"); page.keyboard.press("a"); settle()
          check(moment() == "quiet" and text("#moment-note") == "128: your largest tile so far.", text("#moment-note"))
          check("your largest tile" in page.inner_text("#live"), "it is said")
          gone(); check(text("#moment-note") == "" and page.is_visible("#best-note"), "it passes")
          put("6600000000000000", "two"); page.keyboard.press("a"); settle()
          check(moment() is None, "an equal one is no moment")
          put("bb00000000000000", "three"); page.keyboard.press("a"); settle()
          check(moment() == "full" and not page.is_visible("#moment"), "without motion it covers no tile")
          check(text("#moment-note") == "4,096: your largest tile so far.", text("#moment-note"))
          page.keyboard.press("u"); settle(); page.keyboard.press("a"); settle()

          page = open_page(reduced_motion="no-preference"); set_board("aa00000000000000"); page.focus("#board")
          page.keyboard.press("a"); page.wait_for_timeout(200)
          check(moment() == "full" and page.is_visible("#moment"), "2048 is seen")
          check(text("#moment") == "2048" and text("#moment-note") == "2,048 reached.", text("#moment-note"))
          events = page.evaluate("getComputedStyle(document.getElementById('moment')).pointerEvents")
          check(events == "none", "and in no pointer's way")
          page.click("#notice-second"); page.wait_for_timeout(50)
          check(moment() is None, "another game ends it")
          """#)
    }

    /// With settings in a panel beside the board, keys still play the game; over a small page the settings take the
    /// keys.
    @Test func settingsAreAPanelOrADialog() async throws {
      try await BrowserTests.run(
        #"""
        focus = lambda: page.evaluate("document.activeElement.id")
        is_modal = lambda: page.evaluate("document.querySelector('dialog:modal') !== null")
        check(not page.is_visible("#odds"), "no setting stands beside the board")
        set_board("0000010000000000"); page.click("#open-settings")
        check(page.is_visible("#odds") and not is_modal(), "a panel")
        boxes = [page.locator(one).bounding_box() for one in ("#board", "#settings")]
        check(boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"], f"beside the board: {boxes}")
        page.focus("#board"); page.keyboard.press("a"); settle(); check(moves() == 1, "the game continues")
        page.keyboard.press("Escape"); check(not page.is_visible("#settings"), "Escape closes it")
        page.focus("#open-settings"); page.keyboard.press("Enter")
        check(page.get_attribute("#open-settings", "aria-expanded") == "true", "the button says so")
        page.keyboard.press("Tab"); page.keyboard.press("Escape")
        check(focus() == "open-settings", f"and has the focus again: {focus()}")

        page = open_page(390, 844, has_touch=True, is_mobile=True)
        set_board("0000010000000000"); page.click("#open-settings"); check(is_modal(), "a dialog on a phone")
        page.focus("#close-settings")
        for key in ("a", "s", "ArrowUp", "n"): page.keyboard.press(key)
        settle(); check(moves() == 0 and board() == "0000010000000000", "keys are the dialog's")
        page.select_option("#theme", "dark"); check(is_modal(), "it stays for another choice")
        page.mouse.click(195, 6); check(not page.is_visible("#settings"), "a touch beside it closes it")
        """#)
    }
  }
}
