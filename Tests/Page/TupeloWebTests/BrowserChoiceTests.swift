import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

extension BrowserTests {
  /// Settings of agents, and the graph of a review.
  @Suite struct Choices {
    private static let models = [
      WebModel(StubEvaluator(), title: "Stub"), WebModel(EmptyCells(), title: "Empty cells"),
    ]

    /// The page shows the server's answer to a request with the chosen settings.
    @Test func settingsOfAgentsAreAsked() async throws {
      try await BrowserTests.run(
        #"""
        check(page.inner_text("#model-name") == "Networks Stub, Empty cells", page.inner_text("#model-name"))
        def fields(place): return page.locator(f"#{place} label > span").all_inner_texts()
        # The four numbers as the view shows them, compared with the answer.
        shown = lambda place: page.locator(f"#{place} .number").all_inner_texts()
        answer = lambda query: page.evaluate("""async (query) => {
          const { moves, best } = await (await fetch("/analyze?" + query)).json();
          const digits = (value) => Math.round(value).toLocaleString("en-US");
          return moves.map(({ move, legal, value, difference }) => !legal ? "changes nothing"
            : move === best ? digits(value) : difference > -0.05 ? "equally good"
              : "−" + (-difference < 9.95 ? (-difference).toFixed(1) : digits(-difference)));
        }""", query)
        def agree(place, query):
            wanted = answer(f"board={board()}&{query}")
            for _ in range(200):
                if shown(place) == wanted: break
                page.wait_for_timeout(100)
            check(shown(place) == wanted, f"{query}: {shown(place)}, not {wanted}")
            return wanted

        set_board("1230020031004211"); view("watch")
        check(fields("agent-more") == ["Plays by", "Time a move"], f"network: {fields('agent-more')}")
        page.select_option("#agent-evaluator", "model-2")
        first = agree("watch-values", "agent=network&plies=2&evaluator=model-2")
        page.select_option("#agent", "greedy")
        check(fields("agent-more") == ["Plays by"], f"greedy: {fields('agent-more')}")
        agree("watch-values", "agent=greedy&evaluator=model-2")
        page.select_option("#agent-evaluator", "heuristic")
        second = agree("watch-values", "agent=greedy&evaluator=heuristic")
        page.select_option("#agent", "montecarlo")
        check(fields("agent-more") == ["Plays by", "Games a move"], f"montecarlo: {fields('agent-more')}")
        page.select_option("#agent-rollouts", "20")
        third = agree("watch-values", "agent=montecarlo&evaluator=heuristic&rollouts=20")
        check(len({str(one) for one in (first, second, third)}) == 3, "each choice has its values")
        page.select_option("#agent", "random")
        check(not page.is_visible("#agent-more"), "random moves have nothing to choose")
        page.select_option("#agent", "network")
        page.select_option("#agent-milliseconds", "10")
        check(page.is_disabled("#plies"), "where time is the limit, plies are none"); settle()
        count = moves(); page.click("#step"); settle(); check(moves() == count + 1, "a move in its time")
        page.evaluate("dispatchEvent(new Event('pagehide'))")
        record = json.loads(page.evaluate("localStorage.getItem('tupelo.game')"))["record"]
        check('"network evaluator: model milliseconds: 10"' in record, f"the record says how: {record[:120]}")

        view("play"); set_board("1230020031004211"); page.check("#show-hints")
        check(fields("coach-more") == ["Plays by", "Time a move"], "the coach has its own")
        choose("#coach", "greedy"); choose("#coach-evaluator", "model-2")
        agree("play-values", "agent=greedy&evaluator=model-2")
        page.reload(); settle()
        check(page.input_value("#coach-evaluator") == "model-2", "choices are kept")
        agree("play-values", "agent=greedy&evaluator=model-2")
        view("replay"); check("Greedy by Empty cells" in text("#coach-name"), text("#coach-name"))
        page.click("#load-current"); settle(); agree("replay-values", "agent=greedy&evaluator=model-2")
        """#, service: WebService(agents: WebAgent.offered(models: Self.models)))
    }

    /// Games that a run has kept are opened like files.
    @Test func gamesOfRunsAreOpened() async throws {
      let folder = TemporaryFile.path("run-games")
      defer { TemporaryFile.remove(folder) }
      var boards: [String] = []
      for (run, seed) in [("first", 3), ("second", 8)] {
        try FileManager.default.createDirectory(atPath: "\(folder)/\(run)", withIntermediateDirectories: true)
        try Data("{\"games\":1}\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(run)/metrics.jsonl"))
        var game = Game(seed: UInt64(seed))
        var record = GameRecord(.init(rules: .standard, start: game.board, agent: run))
        while let move = game.legalMoves.moves.last, let turn = game.play(move) { record.append(turn) }
        boards.append(game.board.hex())
        try Data(record.text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(run)/game-worst.txt"))
      }
      try await BrowserTests.run(
        #"""
        view("replay"); page.wait_for_selector("#run-choice")
        check(page.locator("#run-buttons button").all_inner_texts() == ["Worst game"], "the games there are")
        for run, end in zip(("first", "second"), "\#(boards.joined(separator: " "))".split()):
            page.select_option("#run-choice", run); page.click("#run-buttons button"); settle()
            check(board() == end == tiles(), f"{run}: {board()}")
            check(text("#record-note").startswith(f"Worst game of {run}: {run}, "), text("#record-note"))
        """#, service: .stub(runs: try RunShelf(path: folder)))
    }

    /// The graph under the board has a bar for each move that lost, as high as its loss, and a slider. A click on a bar
    /// leads to its move.
    @Test func aReviewIsDrawn() async throws {
      let folder = TemporaryFile.path("graph")
      defer { TemporaryFile.remove(folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var game = Game(seed: 4)
      var record = GameRecord(.init(rules: .standard, start: game.board, agent: "test"))
      while record.steps.count < 60, let move = game.legalMoves.moves.last, let turn = game.play(move) {
        record.append(turn)
      }
      try Data(record.text.utf8).write(to: URL(fileURLWithPath: folder + "/game.txt"))
      try await BrowserTests.run(
        #"""
        view("replay")
        page.set_input_files("#record-file", "\#(folder)/game.txt"); settle()
        bars = lambda: page.locator("#loss-graph .loss").count()
        check(bars() == 0 and page.locator("#loss-graph .value-line").count() == 1, "at first there is the score")
        page.click("#review"); page.wait_for_selector("#worst button"); settle()
        lines = page.evaluate("""[...document.querySelectorAll('#loss-graph .loss')].map((one) =>
          [+one.getAttribute('x1'), one.getAttribute('y2') - one.getAttribute('y1')])""")
        worst = [(int(one.get_attribute("data-index")), float(one.inner_text().split("−")[1].replace(",", "")))
                 for one in page.locator("#worst button").all()]
        check(len(lines) >= len(worst) > 2, f"{len(lines)} bars")
        width = page.evaluate("document.getElementById('loss-graph').clientWidth")
        place = lambda index: 2 + index / \#(record.steps.count) * (width - 4)
        for index, loss in worst:
            near = min(lines, key=lambda line: abs(line[0] - place(index)))
            check(abs(near[0] - place(index)) < 0.01, f"move {index}: the bar is at its place: {near}")
            share = near[1] / max(line[1] for line in lines)
            check(abs(share - loss / worst[0][1]) < 0.01, f"move {index}: {share} of the height, lost {loss}")
        said = page.get_attribute("#loss-graph", "aria-label")
        check(f"Most was lost at move {worst[0][0] + 1}:" in said, said)
        for index, _ in worst[:3]:
            page.locator("#scrub").click(position={"x": place(index) + 2, "y": 50}); settle()
            check(page.input_value("#scrub-number") == str(index), f"a click at move {index}")
            check(page.input_value("#scrub") == str(index), "the handle stands there")
        page.focus("#scrub"); page.keyboard.press("ArrowRight"); settle()
        check(page.input_value("#scrub-number") == str(worst[2][0] + 1), "a key steps by one move")
        # The board is in sight of the chosen move: beside the list, and above it on a phone.
        def in_sight():
            box = page.locator("#board").bounding_box()
            return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]
        page.locator("#worst button").last.scroll_into_view_if_needed(); settle()
        check(in_sight(), "the board stays beside the list")
        page.set_viewport_size({"width": 390, "height": 844}); settle()
        page.locator("#worst button").last.click(); settle()
        check(in_sight(), "the board comes into sight on a phone")
        edge = page.evaluate("""document.querySelector('#loss-graph').getBoundingClientRect().right -
          Math.max(...[...document.querySelectorAll('#loss-graph .loss')]
            .map((one) => one.getBoundingClientRect().right))""")
        check(edge > -1, f"a narrow window has a narrow graph: {edge}")
        page.set_input_files("#record-file", "\#(folder)/game.txt"); settle()
        check(bars() == 0 and not page.is_visible("#review-facts"), "another record has no review yet")
        """#)
    }
  }
}
