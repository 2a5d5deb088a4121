"""Set: whole games by clicks and by keys, claims, hints, and agents that are watched."""

import pytest

from set_page import button, replay

WORDS = {
    **{"1": "one", "2": "two", "3": "three", "r": "red", "g": "green", "p": "purple"},
    **{"s": "solid", "t": "striped", "o": "open", "d": "diamonds", "v": "ovals", "q": "squiggles"},
}


@pytest.mark.visit
def test_a_set_is_found_and_taken(open_set):
    page = open_set()
    assert len(page.cards()) == 12 and page.deck() == 69, "12 of 81 cards are dealt"
    page.deal_until_set()
    page.claim_wrongly()
    page.take(page.sets()[0])
    assert page.score() == 1 and "1 wrong claim" in page.text("#set-note")
    page.check_game("after a Set")


def test_a_whole_game_by_clicks(open_set, tmp_path):
    page = open_set()
    assert len(page.cards()) == 12 and page.deck() == 69, "12 of 81 cards are dealt"
    while not page.is_visible("#set-notice"):
        before, found = page.cards(), page.sets()
        if found:
            page.take(found[-1])
            announced = page.text("#live")
            assert "A Set: " in page.text("#set-message") or page.is_visible("#set-notice"), "a message names the Set"
            assert any(part in announced for part in (f"{page.score()} Set", "Game over", "clear")), announced
            if len(before) == 12 and page.deck() > 0:
                stays = [(old == new) == (old not in found[-1]) for old, new in zip(before, page.cards())]
                assert all(stays), "new cards come to the places of the Set"
        else:
            page.deal()
            assert page.cards()[: len(before)] == before, "three more cards come at the end"
            assert "Three more" in page.text("#live"), "three more cards are announced"
        page.check_game(f"after {len(page.saved()['choices'])} choices")
    assert page.sets() == [] and page.deck() == 0, "the game ends when no Set can be taken"
    title, text = page.text("#set-notice-title"), page.text("#set-notice-text")
    assert title in ("Game over", "The table is clear")
    assert f"{page.score()} Sets in 0:" in text
    assert ("no card left" if len(page.cards()) == 0 else f"{len(page.cards())} cards left") in text
    assert page.score() * 3 + len(page.cards()) == 81, "no card is lost"
    assert page.text("#set-note") == "", "no mistake is counted"
    with page.expect_download() as download:
        page.click("#set-save")
    download.value.save_as(tmp_path / "game.txt")
    record = (tmp_path / "game.txt").read_text()
    score, cards, seed = page.score(), page.cards(), page.saved()["seed"]
    assert replay(record) == (cards, score, True), "the record gives the end of the game"
    assert '"agent":"person"' in record
    page.click("#set-back")
    page.until_dealt()
    assert page.score() == score - 1 and not page.is_visible("#set-notice"), "the last Set is given back"
    page.click("#set-redo")
    page.until_dealt()
    page.check_game("redone")
    assert page.cards() == cards, "redo takes the last Set again"
    assert page.text("#set-statistics").startswith("1 game of your own"), "a game counts once"
    page.click("#set-same")
    page.until_dealt()
    game = page.saved()
    assert game["seed"] == seed and game["choices"] == [] and len(page.cards()) == 12, (
        "the same cards are dealt again"
    )
    page.set_input_files("#set-file", tmp_path / "game.txt")
    page.until_score(score)
    assert page.cards() == cards, "a record is continued"
    assert page.text("#set-statistics").startswith("1 game of your own"), "a record does not count"
    (tmp_path / "bad.txt").write_text("nonsense")
    page.set_input_files("#set-file", tmp_path / "bad.txt")
    page.settle()
    assert "header" in page.text("#set-record-error") and page.cards() == cards, "a bad file is refused with a reason"


def focused_card(page):
    return page.evaluate("document.activeElement.dataset.card ?? null")


def reach(page, card, is_upright):
    """Moves the focus to a card with the arrow keys alone. The table has three rows, or upright three columns."""
    goal = page.cards().index(card)
    for _ in range(20):
        at = page.cards().index(focused_card(page))
        if at == goal:
            break
        (x, y), (goal_x, goal_y) = divmod(at, 3), divmod(goal, 3)
        if is_upright:
            (x, y), (goal_x, goal_y) = (y, x), (goal_y, goal_x)
        key = "ArrowRight" if x < goal_x else "ArrowLeft" if x > goal_x else "ArrowDown" if y < goal_y else "ArrowUp"
        page.press(key)
    assert focused_card(page) == card, f"arrows reach {card}"


def play_by_keys(page, is_upright, most):
    """Plays by keys, until the game is over or `most` choices are made. Returns the number of choices."""
    page.focus("#tab-set")
    page.press("Tab", "Tab")
    assert focused_card(page) == page.cards()[0], "the cards come after the tabs and the settings"
    order = page.evaluate("""() => {
      const cards = [...document.querySelectorAll("#set-cards .set-card")];
      const [first, second] = cards.map((one) => one.getBoundingClientRect());
      return first.top === second.top ? "rows" : "columns";
    }""")
    assert order == ("rows" if is_upright else "columns"), "the places are those that the keys know"
    count = 0
    while not page.is_visible("#set-notice") and count < most:
        count += 1
        found, score = page.sets(), page.score()
        if not found:
            page.press("+")
            page.until_dealt()
            page.settle()
            continue
        for index, card in enumerate(found[0]):
            reach(page, card, is_upright)
            page.press("Space" if index % 2 else "Enter")
            if index < 2:
                assert page.get_attribute(button(card), "aria-pressed") == "true", "the card is pressed"
        page.until_score(score + 1)
        page.until_dealt()
        assert focused_card(page) in page.cards() or page.is_visible("#set-notice"), "the focus stays on the table"
    page.check_game("played by keys")
    return count


def test_a_whole_game_by_keys(open_set):
    page = open_set()
    play_by_keys(page, is_upright=False, most=100)
    assert page.focus_id() == "set-again", "the focus is on what comes next"
    page.press("Enter")
    page.until_dealt()
    page.settle()
    assert page.score() == 0 and not page.is_visible("#set-notice"), "a key starts a new game"


def test_an_upright_table_by_keys(open_set):
    page = open_set(390, 844)
    count = play_by_keys(page, is_upright=True, most=6)
    page.press("u")
    page.until_dealt()
    page.settle()
    assert page.score() == count - 1 or page.saved()["choices"].count("deal") > 0, "a key undoes a choice"
    page.press("r")
    page.until_dealt()
    page.press("n")
    page.until_dealt()
    page.settle()
    assert page.score() == 0 and page.deck() == 69, "a key starts a new game"
    page.click("#toast button >> nth=0")
    page.until_dealt()
    page.settle()
    assert page.score() > 0, "the game before comes back on request"

    def pressed():
        return page.locator('.set-card[aria-pressed="true"]').count()

    for _ in range(2):
        page.locator(".set-card").first.click()
        page.settle()
    assert pressed() == 0, "a second press takes the choice back"
    page.locator(".set-card").first.click()
    page.press("Escape")
    assert pressed() == 0, "Escape takes the choice back"


def test_claims_hints_and_deals_are_announced(open_set):
    page = open_set()
    page.deal_until_set()
    cards = page.cards()
    wrong = page.claim_wrongly()
    message = page.text("#set-message")
    for symbols in zip(*wrong):
        if len(set(symbols)) == 2:
            assert WORDS[max(symbols, key=symbols.count)] in message, f"the message names what two share: {wrong}"
    assert message in page.text("#live"), "a wrong claim is announced"
    assert page.locator(".set-card.wrong").count() == 3, "the wrong cards are marked"
    assert page.locator('.set-card[aria-pressed="true"]').count() == 0, "no card stays selected"
    assert "1 wrong claim" in page.text("#set-note") and page.cards() == cards, (
        "a mistake is counted and takes nothing"
    )
    page.click("#set-deal")
    page.settle()
    message = page.text("#set-message")
    assert "There is a Set" in message and page.cards() == cards, "three more are refused while there is a Set"
    assert "2 wrong claims" in page.text("#set-note"), "a refused deal is a mistake"

    for count in (1, 2, 3, 3):
        page.click("#set-hint")
        page.settle()
        hinted = page.listed(".set-card.hinted")
        assert len(hinted) == count
        message = page.text("#set-message")
        names = [page.get_attribute(button(card), "aria-label") for card in hinted]
        assert all(name in message for name in names), f"the message names the hinted cards: {names}, {message}"
    assert tuple(hinted) in page.sets(), "three hints are a Set"
    assert sorted(page.analysis("heuristic")["best"]) == sorted(hinted), "the hints are the agent's choice"
    assert "3 hints" in page.text("#set-note")
    page.take(hinted)
    assert page.locator(".set-card.hinted").count() == 0, "hints go with their table"
    page.reload()
    page.wait_for_selector(".set-card")
    page.until_dealt()
    assert "2 wrong claims, 3 hints" in page.text("#set-note"), "mistakes survive a reload"
    page.check_game("reloaded")

    # The hint for a table without a Set says so.
    for _ in range(300):
        if page.is_visible("#set-notice"):
            page.click("#set-again")
            page.until_dealt()
        elif page.sets():
            page.take(page.sets()[0])
        else:
            break
    page.click("#set-hint")
    page.settle()
    assert page.text("#set-message") == "There is no Set on the table: deal three more."
    page.deal()


def test_a_choice_on_a_phone_shows_its_table(open_set):
    page = open_set(390, 664, has_touch=True, is_mobile=True)
    loses = False
    while not loses:
        page.deal_until_set()
        worst = page.analysis("heuristic")["choices"][-1]
        loses = worst["difference"] < -0.05
        page.take(worst["cards"])
    page.click("#set-review")
    page.wait_for_selector("#set-worst button")
    page.locator("#set-worst button").first.click()
    page.until_dealt()
    page.settle()
    box = page.locator("#set-cards").bounding_box()
    assert box["y"] >= -1 and box["y"] + box["height"] <= 665, "the table is in sight"
    assert "Back to the last one" in page.text("#toast"), "the game before can be brought back"


def test_values_of_agents_are_shown(open_set):
    page = open_set()
    assert not page.is_visible("#set-choices"), "the Sets are hidden from a person who looks for them"
    page.deal_until_set()
    assert page.agents() == ["heuristic", "counting", "most-left", "random"]
    page.check("#set-values")
    page.settle()
    for agent in page.agents():
        page.select_option("#set-agent", agent)
        page.settle()
        answer = page.analysis(agent)
        rows = page.locator("#set-choices .choice").evaluate_all("(all) => all.map((one) => one.dataset.cards)")
        assert sorted(rows) == sorted("".join(choice["cards"]) for choice in answer["choices"]), f"{agent}: every Set"
        assert len(rows) == len(page.sets()), f"{agent}: no more than the Sets on the table"
        best = page.locator("#set-choices .best")
        assert best.count() == 1, f"{agent}: one Set is chosen"
        chosen = page.listed(".set-card.chosen")
        assert sorted(chosen) == sorted(answer["best"]) or agent == "random", f"{agent}: its cards are marked"
        numbers = page.locator("#set-choices .number").all_inner_texts()
        first = answer["choices"][0]
        if agent == "heuristic":
            assert numbers[0] == f"{first['value']:.2f}", agent
        elif agent == "counting":
            assert numbers[0] == f"{first['setsLeft']:,} Sets", agent
        elif agent == "most-left":
            assert numbers[0].startswith(str(first["tableSets"])), agent
        else:
            assert set(numbers) == {""}, agent
    text = best.inner_text() + best.text_content()
    assert "agent’s choice: " in text.lower(), "words say which Set is chosen"


def test_agents_are_watched(open_set):
    page = open_set()

    def choices():
        return page.saved()["choices"]

    def until_choices(condition):
        page.until(f"JSON.parse(localStorage['tupelo.set']).choices.length {condition}")

    page.select_option("#set-agent", "heuristic")
    page.deal_until_set()
    page.take(page.sets()[0])
    page.deal_until_set()
    mine = choices()
    page.click("#set-step")
    until_choices(f"=== {len(mine) + 1}")
    page.until_dealt()
    page.settle()
    assert page.is_visible("#set-choices"), "the agent's values are shown"
    assert page.saved()["players"] == ["heuristic", "person"], "the record names both players"
    assert page.text("#set-time") == "–", "an agent's time does not count"
    page.click("#toast button >> nth=0")
    page.until_dealt()
    page.settle()
    assert choices() == mine and page.saved()["players"] == ["person"], "a person's game comes back on request"
    assert not page.is_visible("#set-choices"), "the Sets of the person's game are hidden again"

    page.select_option("#set-speed", "15")
    page.click("#set-run")
    until_choices(f">= {len(mine) + 5}")
    page.click("#set-run")
    page.until_dealt()
    page.settle()
    count = len(choices())
    page.settle()
    assert len(choices()) == count and page.text("#set-run") == "Start", "Pause stops the agent"
    page.select_option("#set-speed", "2")
    # The agent starts, pauses, starts, pauses and starts in quick succession.
    for _ in range(5):
        page.press("p")
        page.wait_for_timeout(60)
    made, seconds = page.evaluate("""async () => {
      const choices = () => JSON.parse(localStorage["tupelo.set"]).choices.length;
      const [before, start] = [choices(), performance.now()];
      await new Promise((done) => setTimeout(done, 2000));
      return [choices() - before, (performance.now() - start) / 1000];
    }""")
    # On a busy machine the agent makes fewer choices.
    assert made <= 2 * seconds + 2, f"starting again does not add up: {seconds} seconds"
    until_choices(f"> {count}")
    page.press("p")
    page.until_dealt()
    page.select_option("#set-speed", "15")
    page.click("#set-run")
    page.wait_for_selector("#set-notice:not([hidden])")
    page.settle()
    assert page.text("#set-run") == "Start" and "Sets" in page.text("#set-notice-text"), (
        "the agent ends with the game"
    )
    page.check_game("watched to the end")
    page.click("#set-step")
    page.settle()
    assert "over" in page.text("#toast"), "a step after the end says why nothing happens"
