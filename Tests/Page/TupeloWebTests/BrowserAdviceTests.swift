import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

extension BrowserTests {
  /// Advice belongs to the board that is shown, or there is none.
  @Suite struct Advice {
    @Test func adviceOfAnotherBoardGoes() async throws {
      try await BrowserTests.run(
        #"""
        def hint(): return page.get_attribute("#board", "data-hint")
        def best(): return page.locator("#play-values .best").count()
        def told(): return page.locator("#play-values .number").all_inner_texts()
        page.check("#show-hints"); set_board("1123000000000000"); settle()
        check(hint() is not None and best() == 1, "there is advice")
        page.evaluate("window.slow = 1500"); page.focus("#board"); page.keyboard.press("s")
        check(hint() is None, "a hint of another board goes at once")
        page.wait_for_timeout(400)
        check(best() == 0 and told() == [""] * 4, f"values of another board go: {told()}")
        check(page.get_attribute("#play-values", "aria-busy") == "true", "and it shows that new ones are asked for")
        until(page, "document.querySelectorAll('#play-values .best').length === 1")
        page.evaluate("window.slow = 0; window.broken = '/analyze'"); page.keyboard.press("a"); settle()
        check(hint() is None and best() == 0, "no advice when the server is away")
        check("does not answer" in text("#coach-note"), "it says so")
        check(page.get_attribute("#coach-note", "class") == "error", "as an error")
        check("does not answer" not in text("#verdict") and text("#verdict") == "" or moves() < 3, "no old verdict")
        page.evaluate("window.broken = ''")
        until(page, "document.getElementById('board').dataset.hint !== undefined")
        check(text("#coach-note") == "", "and the coach asks again by itself")
        check("Best move now" in page.inner_text("#live-coach"), "screen readers say the best move")
        check(page.get_attribute("#verdict", "role") == "status", "and so is the verdict")
        check("best" in page.locator("#play-values .best").text_content(), "the best one is named in the list")

        view("replay"); page.click("#to-back"); settle()
        check(hint() is not None, "replays have advice")
        page.evaluate("window.broken = '/analyze'"); page.click("#to-first"); settle()
        check(hint() is None and "does not answer" in text("#replay-error"), "or say that they have none")
        """#)
    }

    /// The list of the worst moves and the values of their positions are one verdict: both look as far as the coach,
    /// whose time does not count where thousands of positions are judged.
    @Test func aReviewAgreesWithTheValues() async throws {
      let folder = try TemporaryFolder()
      var game = Game(seed: 4)
      var record = GameRecord(.init(rules: .standard, start: game.board, agent: "test"))
      while record.steps.count < 40, let move = game.legalMoves.moves.last, let turn = game.play(move) {
        record.append(turn)
      }
      try write(Array(record.text.utf8), toFile: folder.file("game.txt"))
      try await BrowserTests.run(
        #"""
        def review(note):
            page.click("#review"); page.wait_for_selector("#worst button"); settle()
            check(note in text("#review-note") and note in text("#coach-name"), text("#review-note"))
            rows = page.locator("#worst button").all_inner_texts()
            check(len(rows) > 2, f"{len(rows)} moves")
            for index, row in enumerate(rows):
                page.locator("#worst button").nth(index).click(); settle()
                played, best = row.split(": ")[1].split("\n")[0].split(", best ")
                loss = row.split("\n")[-1]
                told = [page.locator(f"#replay-values .{kind}").inner_text().lower().split("\n")
                        for kind in ("played", "best")]
                check(told[0][0].startswith(played) and told[0][-1] == loss, f"{row!r}: played {told[0]}")
                check(told[1][0].startswith(best), f"{row!r}: best {told[1]}")
            return rows
        def shown(): return page.is_visible("#review-facts"), page.locator("#worst button").count()
        found = {}
        view("replay"); page.set_input_files("#record-file", "FOLDER/game.txt"); settle()
        for plies in ("3", "2", "1"):
            view("play"); choose("#coach-plies", plies); view("replay"); settle()
            check(shown() == (False, 0), f"the review of another coach is gone: {shown()}")
            found[plies] = review(f"{plies} move" + ("s" if plies > "1" else "") + " ahead")
        check(len({str(rows) for rows in found.values()}) == 3, "the depths differ, so that agreement says something")
        view("play"); view("replay"); settle()
        check(shown() == (True, len(found["1"])), f"a review stays while its coach stays: {shown()}")
        view("play"); choose("#coach-plies", "2"); choose("#coach-milliseconds", "10")
        view("replay"); settle(); check(review("2 moves ahead") == found["2"], "a coach with a time, too")
        """#.replacing("FOLDER", with: folder.path))
    }

    @Test func thePageWaitsForItsServer() async throws {
      try await BrowserTests.run(
        #"""
        page.context.add_init_script("window.broken = '/api/state'")
        page.reload(); settle()
        check("does not answer" in text("#news-text"), "a message says what is wrong")
        check(page.is_disabled("#run") is True, "nothing can be started")
        page.keyboard.press("?"); settle()
        check("not answered yet" in text("#toast"), f"a hint has its reason: {text('#toast')}")
        page.evaluate("window.broken = ''")
        until(page, "document.querySelector('#agent option') !== null")
        view("watch"); page.click("#step"); settle()
        check(moves() == 1, "the agents are there without a reload")
        """#)
    }

    @Test func whoPlaysIsNotTheCoach() async throws {
      try await BrowserTests.run(
        #"""
        view("watch"); page.select_option("#agent", "random"); settle()
        view("play"); page.keyboard.press("?"); settle()
        check(page.get_attribute("#board", "data-hint") is not None, "the coach stays when random moves are watched")
        options = page.locator("#coach option").all_inner_texts()
        check("Random moves" not in options, f"who has no opinion is no coach: {options}")
        page.click("#hint"); settle()
        check(page.get_attribute("#board", "data-hint") is not None, "a button gives a hint")

        set_board("1123000000000000"); page.focus("#board")
        for key in "asdw": page.keyboard.press(key)
        settle(); mine, count = board(), moves()
        view("watch"); page.focus("#speed"); page.keyboard.press("End"); page.click("#run")
        until(page, "+document.getElementById('moves').textContent > 8")
        page.click("#toast button >> nth=0"); settle()
        check(board() == mine and moves() == count, "a person's game can be had back")
        check(page.inner_text("#run") == "Start", "and the agent stops")
        set_board_over = "1212212112122121"
        view("play"); set_board(set_board_over); view("watch"); page.click("#step"); settle()
        check("over" in text("#toast"), "a step after the end says why nothing happens")
        """#)
    }

    @Test func boardsAreTypedAsPeopleDo() async throws {
      try await BrowserTests.run(
        #"""
        for typed, expected in (("1200 0000 0000 0000", "1200000000000000"),
                                ("12..\n....\n...1\n....", "1200000000010000"),
                                ("2 4 . .\n- - - -\n. . . 2\n0 0 0 0", "1200000000010000"),
                                ("12--0000........", "1200000000000000")):
            set_board(typed); settle(); check(board() == expected, f"{typed!r} is {board()}")
        for typed in ("1024 2048 4096 8192", "-2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "12"):
            set_board(typed); check(text("#board-error") != "", f"{typed!r} is refused")
        page.click("#new-game"); check(text("#board-error") == "", "an error goes with the next game")
        page.fill("#board-input", "0000000000000012"); page.keyboard.press("Control+Enter"); settle()
        check(board() == "0000000000000012", "Control and Enter set the board")
        page = open_page(390, 844)
        page.locator("#set-board-title").scroll_into_view_if_needed(); set_board("0000000000000012"); settle()
        box = page.locator("#board").bounding_box()
        check(box["y"] >= -1 and box["y"] + box["height"] <= 845, f"the board that was set is in sight: {box}")
        choose("#start-tiles", "3"); page.click("#new-game"); settle()
        check(16 - board().count("0") == 3, f"three tiles at the start: {board()}")
        page.evaluate("localStorage.setItem('tupelo.best', '\"x\"')"); page.reload()
        until(page, "document.querySelector('#agent option') !== null")
        check(page.is_visible("#board"), "a damaged best score stops nothing")
        """#)
    }

    @Test func messagesWait() async throws {
      try await BrowserTests.run(
        #"""
        page = open_page(1280, 800)
        # A quarter of the time is used, so that the script waits less.
        page.evaluate("() => { const real = setTimeout; window.setTimeout = (work, time) => real(work, time / 4); }")
        page.focus("#board"); page.keyboard.press("a"); page.keyboard.press("s"); page.keyboard.press("d"); settle()
        page.click("#new-game"); settle()
        overlaps = page.evaluate("""() => {
          const toast = document.getElementById("toast").getBoundingClientRect();
          return [...document.querySelectorAll(".pad button, #board")].some((one) => {
            const box = one.getBoundingClientRect();
            return box.bottom > toast.top && box.top < toast.bottom && box.right > toast.left && box.left < toast.right;
          });
        }""")
        check(not overlaps, "a message covers no button of the board")
        page.hover("#toast button >> nth=0")
        style = page.evaluate("""() => {
          const style = getComputedStyle(document.querySelector("#toast button"));
          return [style.color, style.backgroundColor];
        }""")
        check(style[0] != style[1], f"its button can be read under the pointer: {style}")
        page.wait_for_timeout(3400)
        check(page.is_visible("#toast"), "it stays while it is pointed at")
        page.focus("#toast button >> nth=0"); page.mouse.move(5, 5)
        page.keyboard.press("Escape")
        check(not page.is_visible("#toast"), "Escape closes it")
        check(page.evaluate("document.activeElement.id") == "board", "and gives the focus back")
        order = page.evaluate("""() => document.getElementById("toast").compareDocumentPosition(
          document.getElementById("board")) & Node.DOCUMENT_POSITION_FOLLOWING""")
        check(order != 0, "it comes before the board in the order of the keyboard")
        """#)
    }
  }
}
