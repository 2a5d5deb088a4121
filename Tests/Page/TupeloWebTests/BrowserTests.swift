import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// The page in a real browser, on a real socket.
@Suite(.serialized, .slow, .enabled(if: Browser.isHere, "\(Browser.isMissing)"))
struct BrowserTests {
  /// Runs a script against a server of its own, and checks three conditions that hold after every script: none of its
  /// checks failed, the console is silent, and each game of its snapshots, replayed by the engine, equals the game on
  /// the page.
  static func run(_ script: String, service: WebService = .stub()) async throws {
    let server = RunningServer(service)
    let port = try await server.port()
    let report = try await Browser.run(script, base: "http://127.0.0.1:\(port)/")
    await server.stop()
    #expect(report.failures.isEmpty, "\(report.failures)")
    #expect(report.errors.isEmpty, "\(report.errors)")
    for snapshot in report.snapshots {
      let last = try #require(try GameRecord(text: snapshot.record).replay().last)
      #expect(last.board.hex() == snapshot.board, "\(snapshot.name)")
      #expect(String(last.score) == snapshot.score, "\(snapshot.name)")
    }
  }

  @Test func keysButtonsAndSwipesPlay() async throws {
    try await Self.run(
      """
      page = open_page(reduced_motion="no-preference")
      set_board("1000000000000000"); snap("set")
      ways = [("ArrowRight", "0001"), ("ArrowDown", "0002"), ("ArrowLeft", "x"), ("ArrowUp", "x"),
              ("d", "x"), ("s", "x"), ("a", "x"), ("w", "x"), ("l", "x"), ("j", "x"), ("h", "x"), ("k", "x")]
      for key, _ in ways:
          page.click("body", position={"x": 3, "y": 3})
          before, count = board(), moves()
          page.keyboard.press(key); settle()
          check((board() != before) == (moves() == count + 1), f"key {key}: {before} to {board()}, {count} to \
          {moves()}")
          snap(f"key {key}")
      check(moves() >= 6, f"twelve keys made {moves()} moves")

      for text, expected in (("0000000000000001", "left"), ("1000000000000000", "right")):
          set_board(text)
          page.click(f'[data-move="{3 if expected == "left" else 1}"]'); settle()
          check(moves() == 1, f"button {expected}")
          snap(f"button {expected}")

      def swipe(dx, dy):
          box = page.locator("#board").bounding_box()
          x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
          page.mouse.move(x, y); page.mouse.down(); page.mouse.move(x + dx, y + dy, steps=1); page.mouse.up(); settle()
      centre = "0000010000000000"
      for dx, dy, cell in ((40, 0, 7), (-40, 0, 4), (0, 40, 13), (0, -40, 1), (30, 30, 7), (-25, 25, 4), (20, 0, 7), \
      (10, -21, 1)):
          set_board(centre)
          swipe(dx, dy)
          check(moves() == 1 and board()[cell] == "1", f"swipe {dx},{dy}: {board()}")
          snap(f"swipe {dx},{dy}")
      for dx, dy in ((19, 0), (0, -19), (14, 14), (0, 0)):
          set_board(centre)
          swipe(dx, dy)
          check(moves() == 0 and board() == centre, f"swipe {dx},{dy} is inside the dead zone: {board()}")
      page.keyboard.press("Control+ArrowLeft"); settle()
      check(moves() == 0, "keys with Control are the browser's")
      """)
  }

  @Test func gameIsUndoneRedoneKeptAndEnded() async throws {
    try await Self.run(
      """
      page.keyboard.press("n"); settle()
      boards = [board()]
      for key in ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"] * 5:
          page.keyboard.press(key); settle()
          if board() != boards[-1]: boards.append(board())
      check(len(boards) == moves() + 1, "every change is a move")
      for _ in range(4): page.keyboard.press("u")
      settle(); check(board() == boards[-5], "undo"); snap("undone")
      page.click("#redo"); page.click("#redo"); settle()
      check(board() == boards[-3], "redo brings back the same tiles"); snap("redone")
      page.reload(); settle()
      check(board() == boards[-3] and moves() == len(boards) - 3, "the game survives a reload")
      check(not page.is_disabled("#redo"), "and so does what was undone")
      page.click("#redo"); page.click("#redo"); settle()
      check(board() == boards[-1], "redo after the reload"); snap("reloaded")
      record = json.loads(page.evaluate("localStorage.getItem('tupelo.game')"))["record"]
      check('"agent":"person, 4 undone"' in record, "undoing is marked in the record")

      set_board("1212212112122110"); page.keyboard.press("ArrowRight"); settle()
      check(page.inner_text("#notice-title") == "Game over" or not page.is_visible("#notice"), "over or not")
      set_board("1212212112122121"); settle()
      check(page.inner_text("#notice-title") == "Game over", "a full board is over")
      check(not page.is_visible("#notice-second"), "there is nothing to undo")
      page.click("#notice-first"); settle()
      check(not page.is_visible("#notice") and moves() == 0, "a new game from the notice")
      set_board("aa00000000000000"); page.keyboard.press("ArrowLeft"); settle()
      check(page.inner_text("#notice-title") == "2048", "a notice says that the game is won")
      snap("won")
      page.click("#notice-first"); settle()
      check(not page.is_visible("#notice"), "keep going")
      page.keyboard.press("ArrowRight"); settle()
      check(not page.is_visible("#notice") and moves() == 2, "and says so once"); snap("kept going")

      for value, four in (("0", 0), ("0.5", 0.5), ("0.1", 0.1)):
          choose("#odds", value); page.click("#new-game"); settle(); snap(f"odds {value}")
          check(json.loads(snapshots[-1]["record"].split("\\n")[0])["four_probability"] == four, f"odds {value}")
      for text in ("12", "zzzzzzzzzzzzzzzz", "0000000000000000", "1 2 3"):
          before = board(); set_board(text)
          check(page.inner_text("#board-error") != "" and board() == before, f"'{text}' is refused")
      set_board("2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 65536 131072"); settle()
      check(board() == "123456789abcdegh", "numbers set the board"); snap("numbers")
      check(page.evaluate("[...document.querySelectorAll('#board .tile')].every((tile) => \
      tile.firstChild.scrollWidth <= tile.clientWidth)"),
            "numbers fit their tiles")
      """)
  }

  @Test func agentPlaysAHundredMoves() async throws {
    try await Self.run(
      """
      view("watch")
      page.click("#watch-new"); settle()
      page.focus("#speed"); page.keyboard.press("End")
      check(page.inner_text("#speed-text") == "as fast as the agent plays", "the fastest speed")
      page.select_option("#plies", "2")
      page.click("#run")
      until(page, "+document.getElementById('moves').textContent.replace(',', '') >= 100")
      page.keyboard.press("n"); pause_after(100); settle()
      count = moves(); settle(); check(moves() == count, "pause stops it")
      snap("watched")
      check('"agent":"player 2-ply"' in snapshots[-1]["record"], "the record names the agent")
      best = page.locator("#watch-values .best")
      hint = page.get_attribute("#board", "data-hint")
      check(best.count() == 1 and hint in best.inner_text().lower(), f"the hint is the best move: {hint}")
      page.click("#step"); settle(); check(moves() == count + 1, "one step"); snap("stepped")
      page.select_option("#agent", "random"); settle()
      page.click("#step"); settle(); check(moves() == count + 2, "a step of another agent"); snap("random")
      check("player 2-ply, random" in snapshots[-1]["record"], "the record names both")
      page.reload(); settle()
      check(moves() == count + 2, "the watched game survives a reload"); snap("reloaded")
      """, service: WebService(agents: [.searching(EmptyCells(), name: "player", title: "Player"), .random]))
  }

  @Test func withoutAModelTheHeuristicPlays() async throws {
    try await Self.run(
      """
      check(page.inner_text("#model-name") == "No model loaded", "no model")
      page.keyboard.press("?"); settle()
      check(page.get_attribute("#board", "data-hint") in ("up", "right", "down", "left"), "the heuristic gives hints")
      view("watch")
      check("tupelo serve MODEL" in page.inner_text("#agent-note"), "how to name a model")
      names = page.locator("#agent option").evaluate_all("(all) => all.map((one) => one.value)")
      check(names == ["heuristic", "greedy", "minimax", "montecarlo", "random"], f"{names}")
      for index, name in enumerate(names):
          page.select_option("#agent", name); settle()
          check(page.is_disabled("#plies") == (name not in ("heuristic", "minimax")), f"{name}: plies")
          page.click("#step")
          until(page, f"document.getElementById('moves').textContent === '{index + 1}'")
          settle()
          best = page.locator("#watch-values .best .number").all_inner_texts()
          check(len(best) == 1 and any(one.isdigit() for one in best[0]) or name == "random", f"{name}: {best}")
      snap("watched")
      check("greedy, heuristic 2-ply, minimax 2-ply, montecarlo rollouts: 5, random" in snapshots[-1]["record"],
            f"the record names all of them: {snapshots[-1]['record'][:300]}")
      view("play")
      check(page.locator("#coach option").count() == 4, "random moves have no opinion")
      choose("#coach", "montecarlo"); settle()
      view("replay"); page.click("#load-current"); page.click("#review")
      until(page, "document.getElementById('review-note').textContent.includes('best move')")
      check("Monte Carlo by the heuristic" in page.inner_text("#review-note"), "who judges is named")
      """, service: WebService(agents: WebAgent.offered()))
  }

  @Test func coachHintsAndJudges() async throws {
    try await Self.run(
      """
      check(page.get_attribute("#board", "data-hint") is None, "no hint unless asked")
      page.keyboard.press("?"); settle()
      hint = page.get_attribute("#board", "data-hint")
      check(hint in ("up", "right", "down", "left"), "the question mark asks")
      page.check("#show-hints"); settle()
      check(page.locator("#play-values .best").count() == 1, "one best move")
      page.keyboard.press({"up": "w", "right": "d", "down": "s", "left": "a"}[hint])
      until(page, "document.getElementById('verdict').textContent.includes('Best move: ')")
      for _ in range(40):
          hint = page.get_attribute("#board", "data-hint")
          illegal = page.locator("#play-values .illegal").all_inner_texts()
          other = [(key, way) for key, way in (("w", "up"), ("d", "right"), ("s", "down"), ("a", "left"))
                   if way != hint and not any(way in text.lower() for text in illegal)]
          if not other: break
          page.keyboard.press(other[0][0]); settle()
          if "was better" in page.inner_text("#verdict"): break
      words = page.inner_text("#verdict").split(":")[0]
      check(words in ("Good", "Inaccuracy", "Mistake", "Blunder"), f"a worse move has its word: {words}")
      counted = [word for word in page.inner_text("#tally").rstrip(".").split(", ") if words.lower()[:-1] in word]
      check(len(counted) == 1, f"and is counted: {page.inner_text('#tally')}")
      check(not page.is_visible("#verdict-numbers"), "numbers are shown on demand")
      page.click("#verdict-more summary")
      numbers = page.inner_text("#verdict-numbers")
      check("points against" in numbers and "% of the" in numbers, f"how much it costs, and which share: {numbers}")
      check("points were lost per move" in numbers, f"and the average: {numbers}")
      snap("coached")
      check(page.inner_text("#live") != "", "moves are announced")
      check(page.inner_text("#board-text").startswith("Row 1: "), "the board is described")
      page.reload(); settle()
      check(page.evaluate("document.getElementById('verdict-more').open"), "numbers stay on demand")
      """)
  }

  @Test func recordsAreLookedBackAt() async throws {
    let runs = TemporaryFile.path("record")
    defer { TemporaryFile.remove(runs) }
    var game = Game(seed: 4)
    var record = GameRecord(.init(rules: .standard, start: game.board, agent: "test"))
    while let move = game.legalMoves.moves.last, let turn = game.play(move) { record.append(turn) }
    try FileManager.default.createDirectory(atPath: runs, withIntermediateDirectories: true)
    try Data(record.text.utf8).write(to: URL(fileURLWithPath: runs + "/game.txt"))
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: runs + "/bad.txt"))
    let boards = try record.replay().map { $0.board.hex() }
    try await Self.run(
      """
      view("replay")
      page.set_input_files("#record-file", "\(runs)/bad.txt"); settle()
      check("not a record" in page.inner_text("#record-error"), "a bad file is refused with a reason")
      page.set_input_files("#record-file", "\(runs)/game.txt"); settle()
      boards = "\(boards.joined(separator: " "))".split()
      check(board() == boards[-1] == tiles(), "the end is shown")
      page.click("#to-first"); settle(); check(board() == boards[0] == tiles(), "the start")
      for index in range(1, 12):
          page.click("#to-forth"); settle(); check(board() == boards[index] == tiles(), f"position {index}")
      page.keyboard.press("ArrowLeft"); settle(); check(board() == boards[10] == tiles(), "back by key")
      page.focus("#scrub"); page.keyboard.press("End"); settle(); check(board() == boards[-1] == tiles(), "scrubbed")
      page.click("#review")
      page.wait_for_selector("#worst button")
      worst = page.locator("#worst button").all_inner_texts()
      losses = [float(text.split("−")[1].replace(",", "")) for text in worst]
      check(len(losses) > 1 and losses == sorted(losses, reverse=True), f"worst first: {losses}")
      first = page.locator("#worst button").first
      index = int(first.get_attribute("data-index")); first.click(); settle()
      check(board() == boards[index] == tiles() and first.get_attribute("aria-current") == "true", "jump to a worst \
      move")
      with page.expect_download() as saved: page.click("#save-record")
      saved.value.save_as("\(runs)/saved.txt")
      page.click("#play-on"); settle()
      check(board() == boards[index] and page.is_visible("#panel-play"), "play on from there"); snap("played on")
      """)
    let saved = try GameRecord(text: String(contentsOfFile: runs + "/saved.txt", encoding: .utf8))
    #expect(saved.steps == record.steps && saved.header.start == record.header.start)
  }

  @Test func trainingIsFollowed() async throws {
    let runs = TemporaryFile.path("web-runs")
    defer { TemporaryFile.remove(runs) }
    for name in ["first", "second"] {
      try FileManager.default.createDirectory(atPath: "\(runs)/\(name)", withIntermediateDirectories: true)
      let lines = (1...50).map {
        "{\"games\":\($0 * 100),\"moves\":\($0 * 9000),\"seconds\":\($0),\"rollout/score_mean\":\($0 * 37),"
          + "\"rollout/rate_2048\":\(Double($0) / 60),\"time/moves_per_second\":1000000}\n"
      }
      try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(runs)/\(name)/metrics.jsonl"))
    }
    try await Self.run(
      """
      view("training")
      page.wait_for_selector(".chart path")
      check(page.locator("#runs input").count() == 2, "both runs are listed")
      for box in page.locator("#runs input").all(): box.check()
      until(page, "document.querySelector('.chart').querySelectorAll('path').length === 2")
      titles = page.locator(".chart h2").all_inner_texts()
      known = [f"{one} over games" for one in ("Average score", "Games that reach", "Moves per second")]
      check(titles == known, f"{titles}")
      check("1.85k" in page.locator(".chart").first.inner_text(), "the chart names the last value")
      with open("\(runs)/first/metrics.jsonl", "a") as file: file.write('{"games": 5100, "rollout/score_mean": \
      4321}\\n{"ga')
      until(page, "document.querySelector('.chart').textContent.includes('4.32k')")
      page.select_option("#axis", "seconds")
      check("over time" in page.get_attribute(".chart svg", "aria-label"), "another axis")
      """, service: .stub(runs: try RunShelf(path: runs)))
  }

  @Test func phonesAndKeyboardsGetThePage() async throws {
    try await Self.run(
      """
      page = open_page(390, 844, has_touch=True, is_mobile=True, color_scheme="dark")
      for name in ("play", "watch", "replay", "training", "set"):
          view(name); settle()
          check(page.evaluate("document.documentElement.scrollWidth <= 390"), f"{name} fits a phone")
          small = page.evaluate(\"\"\"[...document.querySelectorAll('button, select, input[type=range], summary')]
            .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 31).map((one) => one.id || \
            one.textContent)\"\"\")
          check(small == [], f"{name}: too small to touch: {small}")
          nameless = page.evaluate(\"\"\"[...document.querySelectorAll('button, select, input, textarea, \
          svg[role=img]')]
            .filter((one) => one.offsetParent && !one.textContent.trim() && !one.getAttribute('aria-label')
              && !one.getAttribute('aria-labelledby') && !one.labels?.length).map((one) => one.id)\"\"\")
          check(nameless == [], f"{name}: nothing to read out: {nameless}")
      view("play")
      check(page.evaluate("getComputedStyle(document.querySelector('.tile')).transitionDuration") in ("0s", "0s, 0s"), \
      "no motion")
      page = open_page()
      page.keyboard.press("Tab"); page.keyboard.press("Tab")
      check(page.evaluate("document.activeElement.id") == "tab-play", "the tabs come after the name")
      page.keyboard.press("ArrowRight")
      check(page.evaluate("document.activeElement.id") == "tab-watch" and page.is_visible("#panel-watch"), "arrows \
      change tabs")
      page.keyboard.press("Tab")
      check(page.evaluate("document.activeElement.id") == "open-settings", "then the settings")
      page.keyboard.press("Tab")
      check(page.evaluate("document.activeElement.id") == "board", "then the board")
      """)
  }
}
