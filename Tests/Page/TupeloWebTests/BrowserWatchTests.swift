import Testing
import TupeloNetwork
import TupeloWeb

extension BrowserTests {
  /// Agents at full speed, from a seed, side by side, and in many games.
  @Suite struct Watching {
    private static func service() throws -> WebService {
      WebService(
        agents: WebAgent.offered(model: try NTupleNetwork(path: SiteModel.path), title: "small"),
        pageModel: PageModel(agent: "network", file: try SiteModel.bytes))
    }

    /// When the page plays many moves per frame, they are the moves of the engine. A seed gives the same game again.
    @Test func aSeedGivesTheSameGame() async throws {
      try await BrowserTests.run(
        #"""
        view("watch"); page.select_option("#plies", "1")
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        games, starts = [], []
        for keys in (("End",), ("Home",) + ("ArrowRight",) * 6, ("End", "ArrowLeft")):
            page.fill("#seed", "7"); page.click("#watch-new"); settle(); starts.append(board())
            page.focus("#speed")
            for key in keys: page.keyboard.press(key)
            page.click("#run"); pause_after(60); settle(); snap(f"{keys}")
            games.append(snapshots[-1]["record"].split("\n", 1)[1].split())
        check(len(set(starts)) == 1 and len(starts) == 3, f"one start: {starts}")
        least = min(len(one) for one in games)
        check(least >= 60 and len({str(one[:least]) for one in games}) == 1, "one game at all speeds")
        page.reload(); settle(); page.click("#step"); settle(); snap("after a reload")
        again = snapshots[-1]["record"].split("\n", 1)[1].split(); least = min(len(again), len(games[0]))
        check(again[:least] == games[0][:least], "the seed is kept with the game")
        page.fill("#seed", "8"); page.click("#watch-new"); settle(); check(board() != starts[0], "another seed")
        view("play"); page.keyboard.press("ArrowLeft"); page.keyboard.press("ArrowDown"); settle()
        check("follow from a seed" in text("#best-note"), text("#best-note"))
        """#, service: Self.service())
    }

    /// Both boards have the same start. Equal agents play equal games, on the boards and in many games.
    @Test func twoAgentsPlayTheSameTiles() async throws {
      try await BrowserTests.run(
        #"""
        view("watch"); page.select_option("#plies", "1")
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        names = page.locator("#rival option").all_inner_texts()
        check(names[:3] == ["nobody", "Network small, 1 move ahead", "Network small, 2 moves ahead"], f"{names}")
        page.select_option("#rival", "0"); settle()
        other = lambda: page.evaluate("""[...document.querySelectorAll("#rival-board .tile")].map((one) =>
          [one.style.getPropertyValue("--row") * 4 + +one.style.getPropertyValue("--column"), one.textContent])
          .sort((a, b) => a[0] - b[0]).join()""")
        own = lambda: ",".join(f"{cell},{2 ** int(digit, 18)}" for cell, digit in enumerate(board()) if digit != "0")
        check(other() == own(), f"one start: {other()}, {own()}")
        for _ in range(12): page.click("#step"); settle()
        check(other() == own() and text("#rival-moves") == text("#moves") == "12", f"step by step: {other()}, {own()}")
        page.focus("#speed"); page.keyboard.press("End"); page.click("#run")
        until(page, "+document.getElementById('rival-moves').textContent.replace(',', '') >= 100"); page.click("#run")

        page.fill("#seed", "3"); page.click("#batch")
        until(page, "parseInt(document.getElementById('batch-note').textContent) >= 3"); page.click("#batch"); settle()
        rows = page.evaluate("""[...document.querySelectorAll("#batch-table tr")].slice(1).map((row) =>
          [...row.children].map((one) => one.textContent))""")
        check(len(rows) == 8 and all(row[1] == row[2] for row in rows) and " ± " in rows[0][1], f"{rows}")
        rates = [float(row[1][:-1]) for row in rows[3:]]
        check(rates == sorted(rates) and rates[0] > 0, f"smaller tiles are reached more often: {rates}")
        bars = page.locator("#batch-chart rect").count(); check(bars > 1 and bars % 2 == 0, f"{bars} bars")
        count = text("#batch-note"); page.wait_for_timeout(400); check(text("#batch-note") == count, "Stop stops it")
        """#, service: Self.service())
    }
  }
}
