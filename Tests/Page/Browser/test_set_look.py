"""Sizes, colours and motion of the table of Set."""

import pytest

SIZES = [
    (360, 640),
    (640, 360),
    (844, 390),
    (390, 844),
    (320, 568),
    (768, 1024),
    (1366, 650),
    (1280, 720),
    (1920, 1080),
]


def game_with_cards(page, count):
    """A game with `count` cards on its table, after three more were dealt. The engine tries seeds."""
    for seed in range(400):
        choices = []
        game = page.game_of(seed, choices)
        while game["stuck"] and len(game["table"]) < count:
            choices.append("deal")
            game = page.game_of(seed, choices)
        if len(game["table"]) == count:
            return {"seed": str(seed), "game": "0", "choices": choices, "id": "x", "undone": [], "players": []}
    raise AssertionError(f"no game has {count} cards")


@pytest.mark.parametrize(("width", "height"), SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
def test_the_table_fits_the_window(open_set, width, height):
    page = open_set(width, height)
    for count in (12, 15):
        if count == 15:
            game = game_with_cards(page, 15)
            page.evaluate("(game) => localStorage.setItem('tupelo.set', JSON.stringify(game))", game)
            page = page.open_tab()
        page.evaluate("window.scrollTo(0, 0)")
        page.settle()
        assert len(page.cards()) == count
        boxes = [card.bounding_box() for card in page.locator(".set-card").all()]
        assert max(box["y"] + box["height"] for box in boxes) <= height, f"{count} cards are in sight"
        assert all(box["width"] >= 44 and box["height"] >= 30 for box in boxes), f"{count} cards are large enough"
        assert all(abs(box["width"] / box["height"] - 1.5) < 0.05 for box in boxes), f"{count} cards have their shape"
        page.fits(f"{count} cards")
        button = page.locator("#set-deal").bounding_box()
        assert button["y"] + button["height"] <= height, f"the buttons are in sight with {count} cards"


def test_letters_name_colours(open_set):
    def letters(page):
        """The letter of each symbol, how it is displayed, and the letter of the card's colour."""
        return page.locator("#set-cards .letter").evaluate_all(
            """(all) => all.map((one) => [
              one.textContent, getComputedStyle(one).display, one.closest("button").dataset.card[1].toUpperCase(),
            ])"""
        )

    page = open_set()
    assert all(display == "none" for _, display, _ in letters(page)), "without the switch there are no letters"
    page.check("#set-letters")
    assert all(display == "block" and letter == colour for letter, display, colour in letters(page))
    page.reload()
    page.wait_for_selector(".set-card")
    page.until_dealt()
    assert all(display == "block" for _, display, _ in letters(page)), "letters survive a reload"
    page = open_set(forced_colors="active")
    assert all(display == "block" for _, display, _ in letters(page)), "forced colours have letters"
    drawn = page.locator("#set-cards svg").evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
    assert len(set(drawn)) == 1, "forced colours have one colour, the system's"


@pytest.mark.parametrize("has_motion", [True, False], ids=["motion", "reduced"])
def test_motion_is_left_out_on_request(open_set, has_motion):
    page = open_set(reduced_motion="no-preference" if has_motion else "reduce")
    page.deal_until_set()
    # The page counts the cards that move to a place and the cards that leave.
    page.evaluate("""() => {
      window.motions = { moved: 0, left: 0 };
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...values) {
        if (this.closest(".set-stage")) motions.moved += 1;
        return animate.apply(this, values);
      };
      new MutationObserver((changes) => {
        const added = changes.flatMap((one) => [...one.addedNodes]);
        motions.left += added.filter((one) => one.classList?.contains("leaving")).length;
      }).observe(document.querySelector(".set-stage"), { childList: true, subtree: true });
    }""")
    page.take(page.sets()[0])
    motions = page.evaluate("motions")
    assert motions["left"] == (3 if has_motion else 0), "three cards leave with motion"
    assert (motions["moved"] > 0) == has_motion, "cards move with motion"
    page.until("document.querySelector('.leaving') === null")


def test_no_two_cards_are_drawn_alike(open_set):
    page = open_set()
    drawings = {}
    for seed in range(1, 60):
        if len(drawings) == 81:
            break
        page.evaluate(
            """(game) => {
              dispatchEvent(new Event("pagehide"));
              localStorage.setItem("tupelo.set", JSON.stringify(game));
            }""",
            {"seed": str(seed), "game": "0", "choices": [], "id": "x"},
        )
        page.reload()
        page.until_dealt()
        drawings |= page.locator("#set-cards .set-card").evaluate_all(
            "(all) => Object.fromEntries(all.map((one) => [one.dataset.card, one.querySelector('svg').outerHTML]))"
        )
    assert len(drawings) == 81, "all cards were seen"
    assert len(set(drawings.values())) == 81, "no two cards are drawn alike"
    for card, drawing in drawings.items():
        assert drawing.count("<g") == int(card[0]), f"{card}: the number of symbols"
        assert ("filled" in drawing, "stripes" in drawing) == (card[2] == "s", card[2] == "t"), f"{card}: the shading"
