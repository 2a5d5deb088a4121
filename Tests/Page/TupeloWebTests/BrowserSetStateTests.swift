import Safetensors
import SetAgents
import Testing
import TupeloWeb

extension BrowserTests.SetTable {
  /// The state that the table of Set keeps, and its behaviour when answers are late or missing.
  @Suite struct State {
    @Test func lateAnswersAreDropped() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        while not sets(): deal()
        page.check("#set-values"); settle()
        check(page.locator("#set-choices .choice").count() == len(sets()), "values of this table")
        page.evaluate("window.late = '/set/analyze'")
        score = number("score")
        for card in sets()[0]: page.click(button(card))
        until(page, f"document.getElementById('set-score').textContent === '{score + 1}'")
        page.wait_for_timeout(350)
        check(page.locator("#set-choices .choice").count() == 0, "values of another table go")
        check(page.locator(".set-card.chosen").count() == 0, "and so does what is marked")
        page.wait_for_timeout(1500)
        check(page.locator("#set-choices .choice").count() == len(sets()), "until those of this one are there")
        # The slower agent answers last: its values must not replace those of the other agent.
        page.evaluate("window.late = 'agent=search'"); take(sets()[0]) if sets() else deal()
        while not sets(): deal()
        page.select_option("#set-agent", "counting"); page.wait_for_timeout(1700)
        check("among all cards" in text("#set-choices-note"), f"each agent's are its own: {text('#set-choices-note')}")
        numbers = page.locator("#set-choices .number").all_inner_texts()
        check(all(one.endswith("Sets") for one in numbers), f"all of them: {numbers}")
        page.uncheck("#set-values"); page.select_option("#set-agent", "search")
        page.evaluate("window.late = '/set/analyze'")

        # A hint arrives when the table has changed.
        page.select_option("#set-agent", "most-left"); page.wait_for_timeout(100)
        while not sets(): deal()
        page.click("#set-hint"); page.wait_for_timeout(50); page.keyboard.press("u"); page.wait_for_timeout(1600)
        check(page.locator(".set-card.hinted").count() == 0, "a late hint is not the new table's")
        check("hint" not in text("#set-note"), "and is not counted")

        # A verdict arrives on cards of a game that no longer exists.
        page.evaluate("window.late = '/set/claim'")
        wrong = next(three for three in itertools.combinations(cards(), 3) if not is_set(three))
        for card in wrong: page.click(button(card))
        page.wait_for_timeout(50); page.keyboard.press("n"); page.wait_for_timeout(1700)
        check("No Set" not in text("#set-message") and text("#set-note") == "", "a late verdict is not the new game's")
        check(number("score") == 0 and number("deck") == 69, "and the new game is there")

        # Two undos at once, while the engine is slow: both count, and the newest request is answered.
        page.evaluate("window.late = ''")
        for _ in range(3):
            while not sets(): deal()
            take(sets()[0])
        count = len(saved()["choices"])
        page.evaluate("window.late = '/set/game'")
        page.keyboard.press("u"); page.keyboard.press("u"); page.wait_for_timeout(100)
        check(page.get_attribute("#set-cards", "aria-busy") == "true", "it shows that the engine is asked")
        page.locator(".set-card").first.click()
        check(page.locator('.set-card[aria-pressed="true"]').count() == 0, "no choice on a table that is about to go")
        page.wait_for_timeout(2600)
        page.evaluate("window.late = ''"); shows_the_game("undone twice")
        check(len(saved()["choices"]) == count - 2, "both undos count")
        """#)
    }

    /// A game continues without the server; only what the server computes waits for it.
    @Test func theServerMayBeAway() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        page.evaluate("window.broken = '/'")
        while not sets(): deal()
        before, score = cards(), number("score")
        wrong = next(three for three in itertools.combinations(before, 3) if not is_set(three))
        for card in wrong: page.click(button(card))
        until(page, "document.getElementById('set-message').textContent.startsWith('No Set: ')")
        take(sets()[0]); check(number("score") == score + 1, "Sets are taken without the server")
        while not sets(): deal()
        page.click("#set-hint"); settle()
        check("does not answer" in text("#set-message"), f"no hint of the server's: {text('#set-message')}")
        check(page.get_attribute("#set-message", "class").endswith("error"), "as an error")
        check("does not answer" in page.inner_text("#live"), "and announced")
        page.check("#set-values"); settle()
        check("does not answer" in text("#set-choices-error"), "no values of the server's")
        page.select_option("#set-agent", "heuristic"); page.wait_for_selector("#set-choices .choice")
        check(text("#set-choices-error") == "", "the page's own agents answer")
        page.select_option("#set-agent", "search"); settle()
        check("does not answer" in text("#set-choices-error"), "the search is the server's")
        page.evaluate("window.broken = ''")
        until(page, "document.querySelectorAll('#set-choices .choice').length > 0")
        check(text("#set-choices-error") == "", "and is asked again by itself")
        shows_the_game("the server was away")

        page.context.add_init_script("window.broken = '/api/state'")
        page.reload(); page.wait_for_selector(".set-card"); ready(page)
        shows_the_game("the server is not there yet")
        page.click("#set-run"); settle(); check("no answer yet" in text("#toast"), "agents are not there yet, either")
        page.evaluate("window.broken = ''")
        until(page, "document.querySelector('#set-agent option') !== null")
        """#)
    }

    /// A page that has the server's model of Set requests only the search from the server.
    @Test func aPageWithAModelAsksNoServer() async throws {
      let network = try SetNetwork(file: SafetensorsFile(path: SiteModel.setPath))
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        check(text("#model-name").startswith("Network set, "), text("#model-name"))
        names = page.locator("#set-agent option").evaluate_all("(all) => all.map((one) => one.value)")
        check(names == ["network", "search", "heuristic", "counting", "most-left", "random"], f"{names}")
        while not sets(): deal()
        wanted = analysis("network")
        page.evaluate("window.broken = '/'")
        page.check("#set-values"); page.wait_for_selector("#set-choices .choice"); settle()
        rows = page.locator("#set-choices .choice").evaluate_all("(all) => all.map((one) => one.dataset.cards)")
        check(rows == ["".join(one["cards"]) for one in wanted["choices"]], f"as the server's: {rows}")
        numbers = page.locator("#set-choices .number").all_inner_texts()
        check(numbers[0] == f"{wanted['choices'][0]['value']:.2f}", f"{numbers}")
        page.click("#set-hint"); page.wait_for_selector(".set-card.hinted")
        page.select_option("#set-speed", "15"); page.click("#set-run")
        page.wait_for_selector("#set-notice:not([hidden])"); settle()
        check(number("score") >= 20, f"a whole game is watched: {number('score')}")
        """#,
        service: WebService(
          agents: [.random], setAgents: SetWebAgent.offered(model: network, title: "set"),
          setPageModel: PageModel(agent: "network", file: try SiteModel.setBytes)))
    }

    /// The page reports a model that it cannot load, and the server answers.
    @Test func aDamagedModelIsTold() async throws {
      let network = try SetNetwork(file: SafetensorsFile(path: SiteModel.setPath))
      var file = try SiteModel.setBytes
      file.removeLast(1000)
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        until(page, "document.getElementById('model-name').textContent.includes('did not load')")
        check("damaged" in text("#model-name"), text("#model-name"))
        while not sets(): deal()
        page.check("#set-values"); page.wait_for_selector("#set-choices .choice")
        """#,
        service: WebService(
          agents: [.random], setAgents: SetWebAgent.offered(model: network, title: "set"),
          setPageModel: PageModel(agent: "network", file: file)))
    }

    @Test func tabsDoNotOverwriteEachOther() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        while not sets(): deal()
        take(sets()[0]); settle()
        first = page
        page = open_tab(); page.click("#tab-set"); page.wait_for_selector(".set-card"); ready(page)
        check(number("score") == 1, "the other tab continues the game")
        while not sets(): deal()
        take(sets()[0]); settle()
        newest = saved()["choices"]
        page = first; page.bring_to_front(); page.wait_for_timeout(300); ready(page); settle()
        check(saved()["choices"] == newest and number("score") == 2, "and this one with what was played there")
        shows_the_game("both tabs")

        # A tab that missed the other tab's game keeps the game that it finds before it writes.
        other = {"id": "elsewhere", "seed": "9", "game": "0", "choices": [], "undone": [], "players": []}
        table = game_of(9, [])
        three = [table["table"][place]["card"] for place in table["sets"][0]]
        other["choices"] = ["".join(sorted(three))]
        page.evaluate("""(other) => {
          localStorage.setItem("tupelo.set", JSON.stringify(other));
          localStorage.setItem("tupelo.set-stamp", '"elsewhere"');
        }""", other)
        # Time that passes, and a tab that is left, write nothing.
        page.wait_for_timeout(1500); keep()
        check(saved()["id"] == "elsewhere", "a tab that has changed nothing writes nothing")
        while not sets(): deal()
        take(sets()[0]); settle()
        check(any(one["id"] == "elsewhere" for one in stored("set-past")), "a game that another tab wrote is kept")
        check(saved()["id"] != "elsewhere", "and the game that is played is stored")

        page.click("#set-new"); ready(page); settle()
        check(page.locator("#set-past button").count() == 2, "earlier games are listed")
        page.locator("#set-past button").last.click(); ready(page); settle()
        check(saved()["id"] == "elsewhere" and number("score") == 1, f"and gone on with: {saved()}")
        shows_the_game("an earlier game")
        """#)
    }

    @Test func whatIsStoredIsNotTrusted() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        for text_stored in ('"x"', "5", "{", '{"seed": 1}', '{"seed": "1", "game": "0", "choices": ["<b>"]}',
                            '{"seed": "1", "game": "0", "choices": ["1rsd2rsd3gsd"]}',
                            '{"seed": "99999999999999999999", "game": "0", "choices": []}'):
            page.evaluate("""(text) => {
              localStorage.setItem("tupelo.set", text);
              localStorage.setItem("tupelo.set-past", text);
            }""", text_stored)
            # The script opens a tab: on a reload, the page would write the game as it leaves.
            page = open_tab(); page.click("#tab-set"); page.wait_for_selector(".set-card"); ready(page)
            check(number("score") == 0 and len(cards()) == 12, f"{text_stored}: a new game")
        """#)
    }
  }
}
