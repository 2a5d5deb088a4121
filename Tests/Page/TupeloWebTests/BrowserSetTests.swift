import Foundation
import SetEngine
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

extension BrowserTests {
  /// The table of Set. The scripts find Sets by comparing symbols, as a person does.
  @Suite struct SetTable {
    /// Functions that every script can call.
    static let table = #"""
      import base64, itertools
      # A second copy of the page's engine, which knows nothing of the page's game.
      oracle = "const ENGINE = '" + base64.b64encode(open("PAGE/engine.wasm", "rb").read()).decode() + "';\n"
      oracle += open("PAGE/engine.js").read() + open("PAGE/set-engine.js").read()
      oracle += "window.oracle = makeSetEngine(makeEngine(ENGINE_MODULE));"
      def set_page(width=1366, height=650, **options):
          page = open_page(width, height, **options)
          page.click("#tab-set"); page.wait_for_selector("#panel-set:not([hidden])")
          ready(page)
          return page
      # Waits until the engine has answered, and the table shows the answer.
      def ready(page):
          until(page, "document.querySelector('.set-card, #set-notice:not([hidden])') !== null && "
                      "document.getElementById('set-cards').ariaBusy === 'false'")
      def listed(selector):
          return page.locator(selector).evaluate_all("(all) => all.map((one) => one.dataset.card)")
      def cards(): return listed("#set-cards .set-card")
      def is_set(three): return all(len(set(card[place] for card in three)) != 2 for place in range(4))
      def sets(): return [three for three in itertools.combinations(cards(), 3) if is_set(three)]
      def button(card): return f'#set-cards [data-card="{card}"]'
      def number(name): return int(text(f"#set-{name}"))
      def saved(): return stored("set")
      def ask(kind, **values):
          if not page.evaluate("'oracle' in window"): page.evaluate("() => {" + oracle + "}")
          return page.evaluate("([kind, values]) => oracle[kind](values)", [kind, values])
      def game_of(seed, choices, game="0"):
          return ask("game", seed=str(seed), game=game, choices=choices, player="person")
      def engine():
          game = saved()
          return game_of(game["seed"], game["choices"], game["game"])
      # An agent's values for this table, from the server or from the page.
      def analysis(name):
          unseen = engine()["unseen"]
          if name not in ("search", "network"):
              return ask("analyze", cards=cards(), unseen=unseen, agent=name, seed=[1, 2])
          path = f"/set/analyze?table={','.join(cards())}&unseen={unseen}&agent={name}"
          return page.evaluate("async (path) => (await fetch(path)).json()", path)
      def shows_the_game(name):
          said = engine()
          check([one["card"] for one in said["table"]] == cards(), f"{name}: {cards()}")
          check(number("deck") == said["deck"] and number("score") == said["score"], f"{name}: the numbers")
          labels = page.locator("#set-cards .set-card").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
          check([one["name"] for one in said["table"]] == labels, f"{name}: {labels}")
      def take(three):
          score = number("score")
          for card in three: page.click(button(card))
          until(page, f"document.getElementById('set-score').textContent === '{score + 1}'")
          ready(page)
      def deal():
          count = len(cards())
          page.click("#set-deal")
          until(page, f"document.querySelectorAll('#set-cards .set-card').length === {count + 3}")
          ready(page)

      """#.replacing("PAGE", with: PageSources.folder.path)

    static func run(_ script: String, service: WebService = .stub()) async throws {
      try await BrowserTests.run(table + script, service: service)
    }

    @Test func aWholeGameByClicks() async throws {
      let folder = TemporaryFile.path("set")
      defer { TemporaryFile.remove(folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try await Self.run(
        #"""
        page = set_page()
        check(len(cards()) == 12 and number("deck") == 69, "twelve cards of 81")
        dealt = 0
        while not page.is_visible("#set-notice"):
            found = sets()
            if found:
                places = cards()
                take(found[-1])
                check("A Set: " in text("#set-message") or page.is_visible("#set-notice"), "a message names the Set")
                check(f"{number('score')} Set" in page.inner_text("#live") or "Game over" in page.inner_text("#live")
                      or "clear" in page.inner_text("#live"), f"and announced: {page.inner_text('#live')}")
                if len(places) == 12 and number("deck") > 0:
                    check(all((a == b) == (a not in found[-1]) for a, b in zip(places, cards())), "places stay")
            else:
                before = cards()
                deal(); dealt += 1
                check(cards()[:len(before)] == before, "three more come at the end")
                check("Three more" in page.inner_text("#live"), "and are announced")
            shows_the_game(f"after {len(saved()['choices'])} choices")
        check(sets() == [] and number("deck") == 0, "the game ends when nothing is left to take")
        title, told = text("#set-notice-title"), text("#set-notice-text")
        check(title in ("Game over", "The table is clear"), title)
        check(f"{number('score')} Sets in 0:" in told, told)
        check(("no card left" if len(cards()) == 0 else f"{len(cards())} cards left") in told, told)
        check(number("score") * 3 + len(cards()) == 81, "no card is lost")
        check(text("#set-note") == "", f"no mistake: {text('#set-note')}")
        with page.expect_download() as file: page.click("#set-save")
        file.value.save_as("\#(folder)/game.txt")
        score = number("score")
        page.click("#set-back"); ready(page)
        check(number("score") == score - 1 and not page.is_visible("#set-notice"), "the last Set is given back")
        page.click("#set-redo"); ready(page); shows_the_game("redone")
        cards_before = cards(); seed = saved()["seed"]
        page.click("#set-same"); ready(page)
        check(saved()["seed"] == seed and saved()["choices"] == [] and len(cards()) == 12, "the same cards again")
        page.set_input_files("#set-file", "\#(folder)/game.txt")
        until(page, f"document.getElementById('set-score').textContent === '{score}'")
        check(cards() == cards_before, "a record is gone on with")
        open("\#(folder)/bad.txt", "w").write("nonsense")
        page.set_input_files("#set-file", "\#(folder)/bad.txt"); settle()
        check("header" in text("#set-record-error") and cards() == cards_before, "a bad file is refused with a reason")
        open("\#(folder)/found.txt", "w").write(f"{score} {','.join(cards())}")
        """#)
      let record = try SetRecord(text: String(contentsOfFile: folder + "/game.txt", encoding: .utf8))
      let last = try #require(try record.replay().last)
      let found = try String(contentsOfFile: folder + "/found.txt", encoding: .utf8)
      #expect(found == "\(last.score) \(last.table.map(\.notation).joined(separator: ","))")
      #expect(last.isOver && record.header.agent == "person")
    }

    @Test func aWholeGameByKeys() async throws {
      try await Self.run(
        #"""
        page = set_page()
        def focused(): return page.evaluate("document.activeElement.dataset.card ?? null")
        # A card is reached and chosen with the arrow keys alone.
        def reach(card, upright):
            goal = cards().index(card)
            for _ in range(20):
                at = cards().index(focused())
                if at == goal: break
                (x, y), (gx, gy) = divmod(at, 3), divmod(goal, 3)
                if upright: (y, x), (gy, gx) = (x, y), (gx, gy)
                key = "ArrowRight" if x < gx else "ArrowLeft" if x > gx else "ArrowDown" if y < gy else "ArrowUp"
                page.keyboard.press(key)
            check(focused() == card, f"arrows reach {card}: {focused()}")
        for upright in (False, True):
            if upright: page = set_page(390, 844)
            page.focus("#tab-set")
            page.keyboard.press("Tab"); page.keyboard.press("Tab")
            check(focused() == cards()[0], f"the cards come after the tabs and the settings: {focused()}")
            columns = page.evaluate("""() => {
              const cards = [...document.querySelectorAll("#set-cards .set-card")];
              const boxes = cards.map((one) => one.getBoundingClientRect());
              return boxes[0].top === boxes[1].top ? "rows" : "columns";
            }""")
            check(columns == ("rows" if upright else "columns"), f"places as the keys know them: {columns}")
            count = 0
            while not page.is_visible("#set-notice") and count < (100 if not upright else 6):
                count += 1
                found, score = sets(), number("score")
                if not found:
                    page.keyboard.press("+"); ready(page); settle(); continue
                for index, card in enumerate(found[0]):
                    reach(card, upright); page.keyboard.press("Space" if index % 2 else "Enter")
                    if index < 2: check(page.get_attribute(button(card), "aria-pressed") == "true", "it is pressed")
                until(page, f"document.getElementById('set-score').textContent === '{score + 1}'")
                ready(page)
                check(focused() in cards() or page.is_visible("#set-notice"), f"the focus stays: {focused()}")
            shows_the_game("played by keys")
            if not upright:
                check(page.evaluate("document.activeElement.id") == "set-again", "the focus is on what comes next")
                page.keyboard.press("Enter"); ready(page); settle()
                check(number("score") == 0 and not page.is_visible("#set-notice"), "a new game by key")
                page.keyboard.press("Tab"); page.focus(button(cards()[0]))
        page.keyboard.press("u"); ready(page); settle()
        check(number("score") == count - 1 or saved()["choices"].count("deal") > 0, "undo by key")
        page.keyboard.press("r"); ready(page); page.keyboard.press("n"); ready(page); settle()
        check(number("score") == 0 and number("deck") == 69, "a new game by key")
        page.click("#toast button >> nth=0"); ready(page); settle()
        check(number("score") > 0, "and back to the last one")
        for _ in range(2): page.locator(".set-card").first.click(); settle()
        check(page.locator('.set-card[aria-pressed="true"]').count() == 0, "a second press takes it back")
        page.locator(".set-card").first.click(); page.keyboard.press("Escape")
        check(page.locator('.set-card[aria-pressed="true"]').count() == 0, "and so does Escape")
        """#)
    }

    @Test func claimsHintsAndDealsAreTold() async throws {
      try await Self.run(
        #"""
        page = set_page()
        while not sets(): deal()
        table = cards()
        words = {"1": "one", "2": "two", "3": "three", "r": "red", "g": "green", "p": "purple", "s": "solid",
                 "t": "striped", "o": "open", "d": "diamonds", "v": "ovals", "q": "squiggles"}
        wrong = next(three for three in itertools.combinations(table, 3) if not is_set(three))
        for card in wrong: page.click(button(card))
        until(page, "document.getElementById('set-message').textContent.startsWith('No Set: ')")
        told = text("#set-message")
        for place in range(4):
            symbols = [card[place] for card in wrong]
            if len(set(symbols)) == 2: check(words[max(symbols, key=symbols.count)] in told, f"{wrong}: {told}")
        check(told in page.inner_text("#live"), "it is announced")
        check(page.locator(".set-card.wrong").count() == 3, "and shown")
        check(page.locator('.set-card[aria-pressed="true"]').count() == 0, "nothing stays selected")
        check("1 wrong claim" in text("#set-note") and cards() == table, "a mistake takes nothing but is counted")
        page.click("#set-deal"); settle()
        check("There is a Set" in text("#set-message") and cards() == table, "no three more while there is a Set")
        check("2 wrong claims" in text("#set-note"), "which is a mistake as well")

        for count in (1, 2, 3, 3):
            page.click("#set-hint"); settle()
            hinted = listed(".set-card.hinted")
            check(len(hinted) == count, f"{count}: {hinted}")
            names = [page.get_attribute(button(card), "aria-label") for card in hinted]
            check(all(name in text("#set-message") for name in names), f"the hint: {text('#set-message')}")
        check(tuple(hinted) in sets(), f"three hints are a Set: {hinted}")
        best = analysis("search")["best"]
        check(sorted(best) == sorted(hinted), f"the agent's: {best}")
        check("3 hints" in text("#set-note"), text("#set-note"))
        take(hinted)
        check(page.locator(".set-card.hinted").count() == 0, "hints go with their table")
        page.reload(); page.wait_for_selector(".set-card"); ready(page)
        check("2 wrong claims, 3 hints" in text("#set-note"), "mistakes survive a reload")
        shows_the_game("reloaded")

        # The hint for a table without a Set says so.
        for _ in range(300):
            if page.is_visible("#set-notice"): page.click("#set-again"); ready(page)
            elif sets(): take(sets()[0])
            else: break
        page.click("#set-hint"); settle()
        check(text("#set-message") == "There is no Set on the table: deal three more.", text("#set-message"))
        deal()
        """#)
    }

    @Test func agentsAreWatched() async throws {
      try await Self.run(
        #"""
        page = set_page()
        check(not page.is_visible("#set-choices"), "who looks for Sets is shown none")
        while not sets(): deal()
        names = page.locator("#set-agent option").evaluate_all("(all) => all.map((one) => one.value)")
        check(names == ["search", "heuristic", "counting", "most-left", "random"], f"{names}")
        page.check("#set-values"); settle()
        for name in names:
            page.select_option("#set-agent", name); settle(); settle()
            said = analysis(name)
            rows = page.locator("#set-choices .choice").evaluate_all("(all) => all.map((one) => one.dataset.cards)")
            check(sorted(rows) == sorted("".join(three["cards"]) for three in said["choices"]), f"{name}: every Set")
            check(len(rows) == len(sets()), f"{name}: as many as there are")
            best = page.locator("#set-choices .best")
            check(best.count() == 1, f"{name}: one is chosen")
            chosen = listed(".set-card.chosen")
            check("".join(sorted(chosen)) == "".join(sorted(said["best"])) or name == "random", f"{name}: on the table")
            numbers = page.locator("#set-choices .number").all_inner_texts()
            if name in ("search", "heuristic"):
                check(numbers[0] == f"{said['choices'][0]['value']:.2f}", f"{name}: {numbers}")
            elif name == "counting":
                check(numbers[0] == f"{said['choices'][0]['setsLeft']:,} Sets", f"{name}: {numbers}")
            elif name == "most-left":
                check(numbers[0].startswith(str(said["choices"][0]["tableSets"])), f"{name}: {numbers}")
            else: check(set(numbers) == {""}, f"{name}: {numbers}")
        check("agent’s choice: " in page.locator("#set-choices .best").inner_text().lower()
              or "agent’s choice: " in page.locator("#set-choices .best").text_content().lower(), "told in words")
        page.uncheck("#set-values"); page.select_option("#set-agent", "heuristic")
        mine = saved()["choices"]
        if not mine: take(sets()[0]); mine = saved()["choices"]
        while not sets(): deal(); mine = saved()["choices"]
        page.click("#set-step")
        until(page, f"JSON.parse(localStorage['tupelo.set']).choices.length === {len(mine) + 1}")
        ready(page); settle()
        check(page.is_visible("#set-choices"), "what the agent thinks is shown")
        check(saved()["players"] == ["heuristic", "person"], f"who played: {saved()['players']}")
        check(text("#set-time") == "–", "an agent's time does not count")
        page.click("#toast button >> nth=0"); ready(page); settle()
        check(saved()["choices"] == mine and saved()["players"] == ["person"], "a person's game can be had back")
        check(not page.is_visible("#set-choices"), "and its Sets are hidden again")

        page.select_option("#set-speed", "15"); page.click("#set-run")
        until(page, f"JSON.parse(localStorage['tupelo.set']).choices.length >= {len(mine) + 5}")
        page.click("#set-run"); ready(page); settle()
        count = len(saved()["choices"]); settle(); settle()
        check(len(saved()["choices"]) == count and text("#set-run") == "Start", "pause stops it")
        page.select_option("#set-speed", "2")
        for _ in range(4): page.keyboard.press("p"); page.wait_for_timeout(60)
        page.keyboard.press("p"); page.wait_for_timeout(2200); page.keyboard.press("p"); ready(page)
        played = len(saved()["choices"]) - count
        check(1 <= played <= 6, f"starting again does not add up: {played} in two seconds")
        page.select_option("#set-speed", "15"); page.click("#set-run")
        page.wait_for_selector("#set-notice:not([hidden])"); settle()
        check(text("#set-run") == "Start" and "Sets" in text("#set-notice-text"), "it ends with the game")
        shows_the_game("watched to the end")
        page.click("#set-step"); settle()
        check("over" in text("#toast"), "a step after the end says why nothing happens")
        """#)
    }
  }
}
