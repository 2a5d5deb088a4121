"""One verdict per move: Play, Review and Analyze show one analysis of a position."""

import re

import records

def counts(text):
    """The numbers of a tally, by verdict: "Best moves: 3 of 9, others: 4 good, 2 mistakes."."""
    best, all_moves = re.search(r"Best moves: (\d+) of (\d+)", text).groups()
    found = {"best": int(best), "all": int(all_moves)}
    for number, name in re.findall(r"(\d+) (good|inaccurac|mistake|blunder)", text):
        found[name] = int(number)
    return found


def test_sixty_judged_moves_are_reviewed_without_a_contradiction(open_page, serve, models):
    """The verdicts that Play gave, by a model in the page, are those of a review right after the game."""
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    page.select_option("#judges", "all")
    page.press("?")
    page.until_model()
    said = []
    for key in "asdw" * 60:
        count = page.moves()
        page.press(key)
        page.settle()
        if page.moves() > count:
            page.until_text("#verdict", ": ")
            said.append(page.text("#verdict"))
        if len(said) == 60 or page.is_visible("#notice"):
            break
    assert len(said) >= 60, "sixty moves are judged"
    before = counts(page.text("#tally"))
    assert before["all"] == len(said)
    page.view("replay")
    page.click("#review")
    page.until_text("#review-note", "were the best move")
    reviewed = {
        "inaccurac": page.number("#count-inaccuracy"),
        "mistake": page.number("#count-mistake"),
        "blunder": page.number("#count-blunder"),
    }
    best = int(re.match(r"(\d+) of", page.text("#review-note"))[1])
    for name in ("inaccurac", "mistake", "blunder"):
        assert reviewed[name] == before.get(name, 0), f"{name}: Review says what Play said"
    assert best == before["best"]
    for row in page.locator("#worst button").all():
        index = int(row.get_attribute("data-index"))
        move, name, loss = re.match(r"Move \S+: (\w+), best \w+\n(\w+)\n−(\S+)", row.inner_text()).groups()
        assert said[index].lower().startswith(f"{name}: {move}"), f"move {index}: {said[index]} and {name}"
        if name != "good":
            assert f"by {loss} points" in said[index]
    page.view("play")
    page.settle()
    assert counts(page.text("#tally")) == before


def test_a_deeper_look_replaces_the_verdict_everywhere(open_page, serve, models):
    """Analyze looks longer at a position of the game, and then Review and Play show what it has found."""
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    page.select_option("#judges", "all")
    page.press("?")
    page.until_model()
    page.set_board("1230020031004211")
    page.press("d")
    page.until_text("#verdict", ": ")
    page.view("replay")
    page.click("#to-back")
    page.settle()
    first = page.text("#replay-values")
    assert first.count("\n") > 3
    page.click("#analyze-this")
    page.until_text("#analysis-note", "")
    page.until("document.querySelectorAll('#lines button').length > 3")
    deeper = page.locator("#analysis-values .number").all_inner_texts()
    plies = page.text("#analysis-plies")
    page.view("replay")
    page.settle()
    assert page.locator("#replay-values .number").all_inner_texts() == deeper, "Review shows the deeper analysis"
    assert plies.split()[0] in page.text("#replay-depth"), "it says how far the coach looked"
    played = dict(zip(("up", "right", "down", "left"), deeper))["right"]
    page.view("play")
    page.settle()
    verdict = page.text("#verdict")
    assert "best move" in verdict or "Good" in verdict or f"by {played[1:]} points" in verdict


def test_the_coach_speaks_at_its_level(page):
    """By default the coach says mistakes and blunders alone; the server's answer says which moves are some."""
    record = records.play(seed=4, moves=60)
    start = record.split('"start":"')[1][:16]
    seen = {}
    for level in ("mistakes", "blunders", "all"):
        if level != "mistakes":
            page.select_option("#judges", level)
        page.set_board(start)
        for key in "wdsa" * 8:
            page.press(key)
            page.settle()
            word = page.text("#verdict").split(":")[0].lower()
            if word and not word.startswith("2048"):
                seen.setdefault(level, set()).add(word)
    assert seen.get("mistakes", set()) <= {"mistake", "blunder"}, "small losses are not said"
    assert seen.get("blunders", set()) <= {"blunder"}
    assert {"good", "you found the best move"} & seen["all"], "all moves are judged on request"
