"""The state that the table of Set keeps, and its behaviour when answers are late or missing."""

import pytest

from set_page import SetPage, wrong_claim


def test_late_values_are_dropped(open_set):
    page = open_set()
    page.deal_until_set()
    page.check("#set-values")
    page.settle()
    assert page.choices() == len(page.sets()), "each Set of the table has a value"
    page.hold("/set/analyze")
    page.take(page.sets()[0])
    # Values of another table go, when new ones take long.
    page.until("document.querySelectorAll('#set-choices .choice').length === 0")
    assert page.locator(".set-card.chosen").count() == 0, "marks of another table go"
    page.release()
    assert page.choices() == len(page.sets()), "the values of this table come"

    # The slower agent answers last: its values must not replace those of the other agent.
    page.hold("agent=heuristic")
    if page.sets():
        page.take(page.sets()[0])
    page.deal_until_set()
    page.select_option("#set-agent", "counting")
    page.until_text("#set-choices-note", "among all cards")
    page.release()
    assert "among all cards" in page.text("#set-choices-note"), "the values are those of the chosen agent"
    numbers = page.locator("#set-choices .number").all_inner_texts()
    assert all(number.endswith("Sets") for number in numbers), "all values are those of the chosen agent"


def test_late_hints_and_verdicts_are_dropped(open_set):
    page = open_set()
    page.select_option("#set-agent", "most-left")
    page.deal_until_set()
    page.take(page.sets()[0])
    page.deal_until_set()
    page.hold("/set/analyze")
    page.click("#set-hint")
    page.until("window.heldAnswers > 0")
    page.press("u")
    page.settle()
    page.release()
    assert page.locator(".set-card.hinted").count() == 0, "a late hint is not for the new table"
    assert "hint" not in page.text("#set-note"), "a late hint is not counted"

    # A verdict arrives on cards of a game that no longer exists.
    page.hold("/set/claim")
    page.claim(wrong_claim(page.cards()))
    page.until("window.heldAnswers > 0")
    page.press("n")
    page.settle()
    page.release()
    page.until_dealt()
    message, note = page.text("#set-message"), page.text("#set-note")
    assert "No Set" not in message and note == "", "a late verdict is not the new game's"
    assert page.score() == 0 and page.deck() == 69, "the new game is there"


def test_two_undos_both_count(open_set):
    """Two undos at once, while the engine is slow: both count, and the newest request is answered."""
    page = open_set()
    for _ in range(3):
        page.deal_until_set()
        page.take(page.sets()[0])
    count = len(page.saved()["choices"])
    page.hold("/set/game")
    page.press("u", "u")
    page.until("document.getElementById('set-cards').ariaBusy === 'true'")
    assert page.get_attribute("#set-cards", "aria-busy") == "true", "the table shows that the engine is asked"
    page.locator(".set-card").first.click()
    pressed = page.locator('.set-card[aria-pressed="true"]').count()
    assert pressed == 0, "no card is chosen on a table that is about to go"
    page.release()
    page.until_dealt()
    page.check_game("undone twice")
    assert len(page.saved()["choices"]) == count - 2, "both undos count"


def test_the_server_may_be_away(open_set):
    """Once the page is loaded, games, hints and values need no server."""
    page = open_set()
    page.break_answers("/")
    page.deal_until_set()
    score = page.score()
    page.claim_wrongly()
    page.take(page.sets()[0])
    assert page.score() == score + 1, "Sets are taken without the server"
    page.deal_until_set()
    page.click("#set-hint")
    page.wait_for_selector(".set-card.hinted")
    page.check("#set-values")
    page.wait_for_selector("#set-choices .choice")
    page.check_game("the server was away")
    page.break_answers("")

    page.context.add_init_script("window.broken = '/api/state'")
    page.reload()
    page.wait_for_selector(".set-card")
    page.until_dealt()
    page.check_game("the server is not there yet")
    page.click("#set-run")
    page.settle()
    assert "no answer yet" in page.text("#toast"), "agents are not there yet"
    page.break_answers("")
    page.until("document.querySelector('#set-agent option') !== null")


def test_a_page_with_a_model_asks_no_server(open_set, serve, models):
    """A page loads the server's model of Set, and plays by it without the server."""
    page = open_set(at=serve(models / "set"))
    page.until_model()
    assert page.text("#model-name").startswith("Network set, ")
    assert page.agents() == ["network", "heuristic", "counting", "most-left", "random"]
    page.deal_until_set()
    choices = page.analysis("network", model="/set.safetensors")["choices"]
    page.break_answers("/")
    page.check("#set-values")
    page.wait_for_selector("#set-choices .choice")
    page.settle()
    rows = page.locator("#set-choices .choice").evaluate_all("(all) => all.map((one) => one.dataset.cards)")
    assert rows == ["".join(choice["cards"]) for choice in choices], "the rows are the Sets of the table"
    numbers = page.locator("#set-choices .number").all_inner_texts()
    assert numbers[0] == f"{choices[0]['value']:.2f}", "the values are those of the model"
    page.click("#set-hint")
    page.wait_for_selector(".set-card.hinted")
    page.select_option("#set-speed", "15")
    page.click("#set-run")
    page.wait_for_selector("#set-notice:not([hidden])")
    page.settle()
    assert page.score() >= 20, "the agent plays a whole game"


def test_a_damaged_model_is_reported(open_page, serve, models):
    """The page reports a model that it cannot load, and its other agents play."""
    page = open_page(at=serve(models / "set"), kind=SetPage)
    damaged = (models / "set/model.safetensors").read_bytes()[:-1000]
    page.context.route("**/set.safetensors", lambda route: route.fulfill(body=damaged))
    page.view("set")
    page.until_dealt()
    page.until_text("#model-name", "did not load")
    assert "damaged" in page.text("#model-name")
    assert page.text("#news-text").startswith("The model did not load: "), "no server gives hints in Set"
    page.deal_until_set()
    page.check("#set-values")
    page.wait_for_selector("#set-choices-error:not(:empty)")
    assert "damaged" in page.text("#set-choices-error") and "Retrying" not in page.text("#set-choices-error")
    page.click("#set-hint")
    page.settle()
    assert "damaged" in page.text("#set-message"), "there is no hint"
    assert page.get_attribute("#set-message", "class").endswith("error"), "the message is an error"
    assert "damaged" in page.text("#live"), "the error is announced"
    page.select_option("#set-agent", "counting")
    page.wait_for_selector("#set-choices .choice")
    assert page.text("#set-choices-error") == ""


def test_a_browser_without_webassembly_is_told(open_page, errors):
    """Without its engine the page plays neither game, and says so."""
    errors.expect("WebAssembly")
    page = open_page(kind=SetPage)
    page.context.add_init_script("delete window.WebAssembly")
    for view in ("play", "set"):
        page.goto(f"{page.address}#{view}")
        page.reload()
        page.until_text("#starting", "This browser cannot run the engine (WebAssembly): use a newer one.")
        assert page.is_visible("#starting")


def test_tabs_do_not_overwrite_each_other(open_set):
    page = open_set()
    page.deal_until_set()
    page.take(page.sets()[0])
    page.settle()
    own = page.saved()["choices"]
    tab = page.open_tab()
    assert tab.score() == 1, "another tab begins with the stored game"
    tab.deal_until_set()
    tab.take(tab.sets()[0])
    tab.settle()
    newest = tab.saved()
    page.bring_to_front()
    page.settle()
    assert page.score() == 1, "no tab takes a game from another one"
    page.deal_until_set()
    page.take(page.sets()[-1])
    page.settle()
    assert page.saved()["choices"][: len(own)] == own and page.score() == 2
    kept = [game["choices"] for game in page.table("saved") if "choices" in game]
    assert newest["choices"] in kept or newest["choices"] == page.saved()["choices"], "the other tab's game is kept"
    page.check_game("both tabs")

    # A tab that missed the other tab's game keeps the game that it finds before it writes.
    table = page.game_of(9, [])
    three = sorted(table["table"][place]["card"] for place in table["sets"][0])
    other = {"id": "elsewhere", "seed": "9", "game": "0", "choices": ["".join(three)], "undone": [], "players": []}
    page.evaluate(
        """(other) => {
          localStorage.setItem("tupelo.set", JSON.stringify(other));
          localStorage.setItem("tupelo.set-stamp", '"elsewhere"');
        }""",
        other,
    )
    # The clock of the game ticks at least once.
    clock = page.text("#set-time")
    page.until(f"document.getElementById('set-time').textContent !== '{clock}'")
    page.keep()
    assert page.saved()["id"] == "elsewhere", "neither time nor leaving a tab writes a game"
    page.deal_until_set()
    page.take(page.sets()[0])
    page.settle()
    assert any(game["id"] == "elsewhere" for game in page.games("set")), "a game of another tab is kept"
    assert page.saved()["id"] != "elsewhere", "the game that is played is stored"

    page.click("#set-new")
    page.until_dealt()
    page.settle()
    assert page.locator("#set-past button").count() == 3, "earlier games are listed"
    page.locator("#set-past button").nth(1).click()
    page.until_dealt()
    page.settle()
    assert page.saved()["id"] == "elsewhere" and page.score() == 1, "an earlier game can be continued"
    page.check_game("an earlier game")


@pytest.mark.parametrize(
    "text",
    [
        '"x"',
        "5",
        "{",
        '{"seed": 1}',
        '{"seed": "1", "game": "0", "choices": ["<b>"]}',
        '{"seed": "1", "game": "0", "choices": ["1rsd2rsd3gsd"]}',
        '{"seed": "99999999999999999999", "game": "0", "choices": []}',
    ],
)
def test_what_is_stored_is_not_trusted(open_set, text):
    page = open_set()
    page.evaluate("(text) => localStorage.setItem('tupelo.set', text)", text)
    # The test opens a tab: on a reload, the page would write the game as it leaves.
    tab = page.open_tab()
    assert tab.score() == 0 and len(tab.cards()) == 12, "a damaged game gives way to a new one"
