"""Set in a page without a server."""

import os

import pytest

from set_page import SetPage
from tupelo_page import PHONE


@pytest.fixture
def open_set_site(open_site):
    """Opens Set in a page without a server, and waits for its model."""

    def open(**options):
        page = open_site(kind=SetPage, **options)
        page.view("set")
        page.until_dealt()
        page.until_model()
        return page

    return open


@pytest.mark.parametrize(
    ("place", "window"), [("host", PHONE), ("disk", {})], indirect=["place"], ids=["host", "disk"]
)
def test_a_whole_game_by_hints_with_the_network_off(open_set_site, place, window):
    page = open_set_site(**window)
    assert page.text("#model-name").startswith("Network set, ")
    count = len(place.requests)
    page.context.set_offline(True)
    assert len(page.cards()) == 12 and page.deck() == 69, "12 of 81 cards are dealt"
    page.deal_until_set()
    before = page.cards()
    page.claim_wrongly()
    assert page.cards() == before and "1 wrong claim" in page.text("#set-note"), "a wrong claim takes nothing"
    page.click("#set-deal")
    page.settle()
    assert "There is a Set" in page.text("#set-message"), "three more are refused while there is a Set"
    hints = 0
    while not page.is_visible("#set-notice"):
        if not page.sets():
            page.click("#set-hint")
            page.settle()
            hints += 1
            assert "deal three more" in page.text("#set-message")
            page.deal()
            continue
        for shown in (1, 2, 3):
            page.click("#set-hint")
            hints += 1
            page.until(f"document.querySelectorAll('.set-card.hinted').length === {shown}")
        hinted = page.listed(".set-card.hinted")
        assert tuple(hinted) in page.sets(), "three hints are a Set"
        page.take(hinted)
    assert page.sets() == [] and page.deck() == 0, "the game ends when no Set can be taken"
    assert page.score() * 3 + len(page.cards()) == 81, "no card is lost"
    assert f"{hints} hints" in page.text("#set-note")
    score, cards = page.score(), page.cards()
    assert page.width() <= window.get("width", 1100), "the page is not wider than its window"
    assert len(place.requests) == count, "no request was sent"
    page.context.set_offline(False)
    page.reload()
    page.wait_for_selector("#set-notice:not([hidden])")
    assert page.score() == score and page.cards() == cards, "the game survives a reload"
    page.click("#set-back")
    page.until_dealt()
    page.until_score(score - 1)
    page.click("#set-new")
    page.until("document.getElementById('set-deck').textContent === '69'")


def test_agents_are_watched(open_set_site, tmp_path):
    page = open_set_site()
    page.deal_until_set()
    assert page.agents() == ["network", "heuristic", "counting", "most-left", "random"]
    page.check("#set-values")
    for agent in page.agents():
        page.select_option("#set-agent", agent)
        page.settle()
        assert page.choices() == len(page.sets()), f"{agent}: every Set has a row"
        assert tuple(page.listed(".set-card.chosen")) in page.sets(), f"{agent}: one Set is chosen"
        numbers = page.locator("#set-choices .number").all_inner_texts()
        if agent in ("network", "heuristic"):
            assert 20 < float(numbers[0]) < 27, f"{agent}: the value of the best Set"
            assert 20 < float(page.text("#set-expected")) < 27, f"{agent}: the expected number of Sets"
        elif agent == "random":
            assert set(numbers) == {""}, agent
        else:
            assert numbers[0].endswith(("Set", "Sets")), agent
    page.select_option("#set-agent", "network")
    page.select_option("#set-speed", index=4)
    page.click("#set-run")
    page.wait_for_selector("#set-notice:not([hidden])")
    assert page.score() >= 20 and page.sets() == [], "the agent plays a whole game"
    with page.expect_download() as download:
        page.click("#set-save")
    download.value.save_as(tmp_path / "watched.txt")
    page.click("#set-again")
    page.until_score(0)
    page.set_input_files("#set-file", tmp_path / "watched.txt")
    page.wait_for_selector("#set-notice:not([hidden])")
    (tmp_path / "bad.txt").write_text("nonsense")
    page.set_input_files("#set-file", tmp_path / "bad.txt")
    page.settle()
    assert "header" in page.text("#set-record-error"), "a bad record is refused with a reason"


def test_without_a_model_the_heuristic_plays(open_set, single_file, models):
    page = open_set(at=single_file("--model", models / "17x4").address)
    assert page.text("#model-name") == "No model of Set loaded"
    page.deal_until_set()
    page.click("#set-hint")
    page.wait_for_selector(".set-card.hinted")


def test_a_missing_model_is_reported(open_set, site, models, errors):
    """The page reports a model whose file is missing, other agents play, and the page requests the model again."""
    errors.expect("404")
    host = site("--model", models / "17x4", "--set-model", models / "set")
    model, away = host.folder / "set.safetensors", host.folder / "away"
    os.rename(model, away)
    page = open_set(at=host.address)
    page.until_text("#model-name", "did not load")
    page.deal_until_set()
    page.check("#set-values")
    page.wait_for_selector("#set-choices-error:not(:empty)")
    error = page.text("#set-choices-error")
    assert error == "The model did not load: its file is not there (status 404). Retrying."
    page.select_option("#set-agent", "counting")
    page.wait_for_selector("#set-choices .choice")
    os.rename(away, model)
    page.select_option("#set-agent", "network")
    page.wait_for_selector("#set-choices .choice")
    page.until_model()
