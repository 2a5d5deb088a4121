"""Accessibility: axe finds nothing against WCAG 2.2 in any view, in light, dark and forced colours."""

from pathlib import Path

import pytest

from tupelo_page import PHONE

axe_playwright_python = pytest.importorskip(
    "axe_playwright_python",
    reason="axe is not installed, so no view is checked against WCAG: pip install axe-playwright-python",
)
SOURCE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def violations(page):
    found = page.evaluate("(options) => axe.run(document, options)", RULES)["violations"]
    return [(one["id"], [node["html"][:90] for node in one["nodes"]][:3]) for one in found]


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_no_view_has_a_violation(open_page, serve, tmp_path, window):
    (tmp_path / "first").mkdir()
    rows = (
        f'{{"games":{games},"rollout/score_mean":{games * 37},"rollout/rate_2048":{games / 30}}}\n'
        for games in range(1, 21)
    )
    (tmp_path / "first/metrics.jsonl").write_text("".join(rows))
    page = open_page(at=serve("--runs", tmp_path), **window)
    # The source comes as a script of the protocol: the page's policy allows no other.
    page.evaluate(SOURCE.read_text())

    def check(name):
        for scheme, forced in (("light", "none"), ("dark", "none"), ("dark", "active")):
            page.emulate_media(color_scheme=scheme, forced_colors=forced)
            assert violations(page) == [], f"{name}: {scheme}, forced colours {forced}"

    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.focus("#board")
    page.press("a")
    page.settle()
    check("play")
    page.click("#open-settings")
    page.settle()
    check("settings")
    page.click("#close-settings")
    page.click("#new-game")
    page.hover("#toast button >> nth=0")
    page.settle()
    check("toast")
    page.press("?")
    page.until("!document.getElementById('why').hidden")
    check("hint")
    page.view("games")
    page.settle()
    check("games")
    page.set_board("1212212112122121")
    page.settle()
    check("game over")
    page.view("watch")
    page.settle()
    check("watch")
    page.view("learn")
    page.select_option("#learner-network", "small")
    page.click("#learner-run")
    page.until("document.querySelectorAll('#learner-reasons li').length > 0")
    page.click("#learner-run")
    page.click("#learner-table-box summary")
    page.settle()
    check("learn")
    page.view("replay")
    page.click("#load-current")
    page.click("#review")
    page.settle()
    check("replay")
    page.view("analyze")
    page.settle()
    check("analyze")
    page.fill("#analysis-input", "1123000000000000")
    page.click("#analysis-set")
    page.click("#edit")
    page.settle()
    check("editor")
    page.click("#edit-done")
    page.wait_for_selector("#lines button")
    check("lines")
    page.view("play")
    page.set_board("1123000000000000")
    for key in "asdw":
        page.play(key)
    page.view("replay")
    page.click("#load-current")
    page.click("#review")
    page.wait_for_selector("#review-facts:not([hidden])")
    page.settle()
    check("reviewed")
    if page.is_visible("#learn-start"):
        page.click("#learn-start")
        page.settle()
        check("learning")
    page.view("watch")
    page.select_option("#rival", "1")
    page.click("#batch")
    page.wait_for_selector("#batch-table td")
    page.settle()
    check("two agents")
    page.view("training")
    page.wait_for_selector("#charts .chart path")
    page.settle()
    check("training")
    page.view("set")
    page.wait_for_selector(".set-card")
    page.settle()
    check("set")
    page.check("#set-letters")
    page.check("#set-values")
    page.locator("#panel-set summary").click()
    page.locator(".set-card").first.click()
    page.click("#set-deal")
    page.click("#set-hint")
    page.settle()
    check("set with everything shown")
    page.select_option("#set-speed", "15")
    page.click("#set-run")
    page.wait_for_selector("#set-notice:not([hidden])")
    page.settle()
    check("set at its end")


@pytest.mark.parametrize("window", [{}, {"color_scheme": "dark"}, PHONE], ids=["light", "dark", "phone"])
def test_no_view_of_a_site_has_a_violation(open_page, single_file, models, window):
    page = open_page(at=single_file("--model", models / "17x4", "--set-model", models / "set").address, **window)
    page.press("?")
    page.until_model()
    page.evaluate(SOURCE.read_text())
    page.check("#show-hints")
    for name in ("play", "games", "watch", "replay", "analyze", "set"):
        page.view(name)
        page.settle()
        if name == "set":
            page.check("#set-values")
            page.settle()
            # A table without a Set has no values.
            while page.locator("#set-choices .choice").count() == 0:
                page.click("#set-new")
                page.until("document.getElementById('set-cards').ariaBusy === 'false'")
                page.settle()
        assert violations(page) == [], name
