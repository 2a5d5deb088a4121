"""Sizes, colours and names: everything that can be seen and read out."""

import pytest

from tupelo_page import PHONE


def sizes(*windows):
    """Runs a test once for each size of the window."""
    return pytest.mark.parametrize(("width", "height"), windows, ids=[f"{w}x{h}" for w, h in windows])


@sizes((844, 390), (740, 360), (1366, 650), (1280, 720), (390, 844), (360, 640), (320, 568))
def test_the_board_fits_the_window(open_page, width, height):
    page = open_page(width, height)
    for name in ("play", "watch", "replay", "analyze"):
        page.view(name)
        page.evaluate("window.scrollTo(0, 0)")
        page.settle()
        box = page.locator("#board").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, f"{name}: the board is in sight"
        page.fits(name)
    page.view("play")
    pad = page.locator(".pad").bounding_box()
    assert pad["y"] + pad["height"] <= height, "the buttons are in sight"
    tabs = page.evaluate("[...document.querySelectorAll('[role=tab]:not([hidden])')].map((one) => one.offsetTop)")
    assert len(tabs) == 7 and len(set(tabs)) == 1, "the tabs stand in a row, without Training"
    assert page.locator("#new-game").bounding_box()["height"] < 50, "New game has one line"


@sizes((667, 375), (568, 320), (683, 384))
def test_a_low_window_covers_nothing(open_page, width, height):
    """Phones on their side, and a window at 200%: the board covers no control and no number."""
    page = open_page(width, height)
    page.select_option("#judges", "all")
    page.evaluate("scrollTo(0, 0)")
    page.play(*"asdw")
    covered = page.evaluate("""() => {
      const board = document.getElementById("board").getBoundingClientRect();
      const all = document.querySelectorAll("button, select, summary, .switch, .verdict, .note, .table > .scores .box");
      return [...all].filter((one) => one.checkVisibility()).filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < board.right - 1 && box.right > board.left + 1 && box.top < board.bottom - 1
          && box.bottom > board.top + 1;
      }).map((one) => one.id || one.className);
    }""")
    assert covered == []


@sizes((390, 664), (375, 553), (390, 844))
def test_a_phone_shows_the_coach(open_page, width, height):
    """Board, score, verdict, Undo and Hint are on a touch screen without scrolling, and so is the end of a game."""
    page = open_page(width, height, has_touch=True, is_mobile=True)
    page.select_option("#judges", "all")
    page.evaluate("scrollTo(0, 0)")
    page.play(*"asdw")
    page.until("document.getElementById('verdict').textContent.includes(': ')")
    assert not page.is_visible(".pad"), "swipes move"
    for name in ("#score", "#board", "#verdict", "#undo", "#hint"):
        box = page.locator(name).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, f"{name} is in sight"
    assert page.locator("#board").bounding_box()["width"] >= 340, "the board is as wide as the screen"
    page.set_board("1212212112122121")
    page.evaluate("scrollTo(0, 0)")
    page.settle()
    box = page.locator("#notice-first").bounding_box()
    assert box["y"] + box["height"] <= height, "the end of the game has its buttons in sight"


def test_a_phone_has_buttons_for_moves_on_request(open_page):
    """Swipes are a screen reader's own, so a button that only it finds brings the buttons for the moves."""
    page = open_page(**PHONE)
    assert not page.is_visible(".pad")
    page.focus("#show-arrows")
    page.press("Enter")
    page.set_board("0000010000000000")
    page.locator('[data-move="3"]').tap()
    page.settle()
    assert page.moves() == 1
    page.reload()
    page.until_ready()
    assert page.is_visible(".pad"), "the choice survives a reload"


def test_phones_have_room_for_fingers(open_page):
    page = open_page(**PHONE)
    assert not page.is_visible("#panel-play .keys"), "a phone shows no help about keys"
    small = page.evaluate("""[...document.querySelectorAll("button, select, summary, .switch, input[type=range]")]
      .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5).map((one) => one.id)""")
    assert small == [], "all controls are large enough"


@sizes((390, 844), (1280, 900))
def test_large_text_fits(open_page, serve, tmp_path, width, height):
    (tmp_path / "first").mkdir()
    (tmp_path / "first/metrics.jsonl").write_text(
        '{"games":100,"rollout/score_mean":3700,"train/weights_visited":12,"time/moves_per_second":1000000}\n'
    )
    page = open_page(width, height, at=serve("--runs", tmp_path))
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    page.check("#show-hints")
    for name in ("play", "games", "watch", "replay", "training", "set"):
        page.view(name)
        page.settle()
        if name == "training":
            page.wait_for_selector("#charts .chart svg")
            page.settle()
        if name == "set":
            page.wait_for_selector(".set-card")
            page.check("#set-values")
            page.settle()
        assert page.width() <= width, f"{name} fits"
        outside = page.evaluate("""[...document.querySelectorAll(".card :not(.unseen)")].filter(
          (one) => one.offsetParent
            && one.getBoundingClientRect().right > one.closest(".card").getBoundingClientRect().right)
          .map((one) => one.id || one.className)""")
        assert outside == [], f"{name}: everything is inside its card"


@sizes((1366, 768), (1366, 650), (390, 844), (360, 640), (320, 568), (844, 390))
def test_the_board_keeps_its_size(open_page, width, height):
    """The board keeps its place and its size in each view, and beside long numbers."""
    page = open_page(width, height)
    boxes = {}
    for name in ("play", "watch", "replay", "analyze"):
        page.view(name)
        page.evaluate("window.scrollTo(0, 0)")
        page.settle()
        boxes[name] = str(page.locator("#board").bounding_box())
    page.view("play")
    for score, count in (("2,732", "190"), ("34,560", "1,702"), ("402,456", "16,789")):
        page.evaluate(
            """([score, count]) => {
              for (const id of ["score", "best"]) document.getElementById(id).textContent = score;
              document.getElementById("moves").textContent = count;
            }""",
            [score, count],
        )
        boxes[score] = str(page.locator("#board").bounding_box())
    assert len(set(boxes.values())) == 1


@pytest.mark.parametrize(
    ("width", "height", "size"), [(1100, 900, 16), (390, 844, 16), (320, 568, 16), (390, 844, 32)]
)
def test_the_gain_has_a_place_of_its_own(open_page, width, height, size):
    """The gain of a move is in the box of the score and covers no text. `size` is the size of the text in pixels."""
    page = open_page(width, height, reduced_motion="no-preference")
    page.evaluate(f"document.documentElement.style.fontSize = '{size}px'")
    for cells, gain in (("1100", "+4"), ("7700", "+256"), ("aa00", "+2,048"), ("gg00", "+131,072")):
        page.set_board(cells + "000000000000")
        page.focus("#board")
        shown = page.evaluate("""() => {
          const gain = document.getElementById("gain");
          const press = new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
          document.activeElement.dispatchEvent(press);
          // Animations are set to a time soon after the move, however late a busy machine measures.
          for (const one of document.getAnimations()) { one.pause(); one.currentTime = 60; }
          const box = gain.getBoundingClientRect();
          const covered = [...gain.closest(".scores").querySelectorAll("span, output")].filter((one) => {
            const other = one.getBoundingClientRect();
            return getComputedStyle(one).opacity > 0 && other.left < box.right && other.right > box.left
              && other.top < box.bottom && other.bottom > box.top;
          });
          const score = document.getElementById("score").parentElement.getBoundingClientRect();
          const isInside = box.left >= score.left && box.right <= score.right && box.top >= score.top
            && gain.scrollWidth <= gain.clientWidth;
          const shown = [gain.textContent, getComputedStyle(gain).opacity, covered.map((one) => one.id), isInside];
          for (const one of document.getAnimations()) { one.play(); }
          return shown;
        }""")
        assert shown == [gain, "1", [], True]


def test_switches_are_large_enough(open_page):
    """Switches have room for a finger, and answer its touch with the page's own colours."""
    page = open_page(**PHONE)
    page.view("set")
    page.wait_for_selector(".set-card")
    page.view("play")
    small = page.evaluate("""[...document.querySelectorAll("input[role=switch]")].map((one) => {
      const { width, height } = getComputedStyle(one);
      return [one.id, parseFloat(width), parseFloat(height)];
    }).filter(([, width, height]) => width < 24 || height < 24)""")
    assert small == [], "switches have the size of WCAG 2.2, 2.5.8"
    colours = page.evaluate("""[...document.querySelectorAll("button, label, summary, a")].map(
      (one) => getComputedStyle(one).webkitTapHighlightColor)""")
    assert set(colours) == {"rgba(0, 0, 0, 0)"}, "the browser paints nothing over a touch"


def test_forced_colours_show_everything(open_page):
    page = open_page(forced_colors="active")
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()

    def style(selector, name, pseudo=""):
        return page.evaluate(
            "([s, n, p]) => getComputedStyle(document.querySelector(s), p || null)[n]", [selector, name, pseudo]
        )

    assert style(".hint", "backgroundColor", "::before") == "rgba(0, 0, 0, 0)", "a hint covers no tiles"
    assert style("#show-hints", "appearance") != "none", "a switch is the system's"
    chosen, other = (style(tab, "backgroundColor") for tab in ("#tab-play", "#tab-watch"))
    assert chosen != other, "the chosen tab looks different"
    assert style(".cells i", "borderTopStyle") == "solid", "empty cells have an edge"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_edges_are_seen(open_page, scheme):
    """The page's contrast where axe has no rule: the edges of controls (WCAG 2.2, 1.4.11)."""
    page = open_page(color_scheme=scheme)

    def low_contrasts():
        return page.evaluate("""() => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const luminance = (color) => {
            canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
              const share = value / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ratio = (a, b) => {
            const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
            return (high + 0.05) / (low + 0.05);
          };
          const probe = document.body.appendChild(document.createElement("i"));
          const color = (name) => {
            probe.style.color = `var(${name})`;
            return getComputedStyle(probe).color;
          };
          const found = {};
          for (const ground of ["--paper", "--card", "--press"]) {
            for (const name of ["--edge", "--accent"]) {
              found[`${name} on ${ground}`] = ratio(color(name), color(ground));
            }
          }
          for (let run = 0; run < 10; run += 1) {
            found[`run ${run}`] = ratio(color(`--run-${run}`), color("--card"));
          }
          for (const selector of ["#undo", "#odds", "#show-hints", "#record-input"]) {
            const { borderTopColor } = getComputedStyle(document.querySelector(selector));
            found[selector] = ratio(borderTopColor, color("--card"));
          }
          return Object.entries(found).filter(([, value]) => value < 3).map(([name, value]) => `${name} ${value}`);
        }""")

    assert low_contrasts() == [], "edges are seen in the colours of the system"
    # The visitor chooses the other scheme, while the system stays with this one.
    page.choose("#theme", "dark" if scheme == "light" else "light")
    assert low_contrasts() == [], "edges are seen in the chosen colours"


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_colours_can_be_chosen(open_page, scheme, other):
    """The colours are those of the system until the visitor chooses some.

    Then the chosen ones stay, also in other tabs and after a reload.
    """
    grounds = {"light": "rgb(246, 242, 234)", "dark": "rgb(23, 20, 17)"}
    bars = {"light": "#f6f2ea", "dark": "#171411"}

    def ground(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    def bars_of(page):
        return page.evaluate("""[...document.querySelectorAll("meta[name=theme-color]")]
          .filter((bar) => matchMedia(bar.media).matches).map((bar) => bar.content)""")

    page = open_page(color_scheme=scheme)
    tab = page.open_tab()
    assert ground(page) == grounds[scheme], "the colours are the system's"
    page.choose("#theme", other)
    page.settle()
    tab.until(f"document.getElementById('theme').value === '{other}'")
    assert ground(page) == grounds[other], "the colours are the chosen ones"
    assert ground(tab) == grounds[other], "another tab has the chosen colours"
    assert bars_of(page) == [bars[other]], "the bar of the browser has the chosen colour"
    page.reload()
    page.settle()
    assert ground(page) == grounds[other], "the choice survives a reload"
    page.choose("#theme", "")
    page.settle()
    tab.until("document.getElementById('theme').value === ''")
    assert ground(page) == ground(tab) == grounds[scheme], "the colours are the system's again"
    assert len(bars_of(page)) == 1, "the browser has one bar"


def test_screen_readers_get_the_board(page):
    page.set_board("1200000000000003")
    page.settle()
    assert page.get_attribute("#board", "role") == "application", "move keys reach the board"
    cells = page.locator("#board-table td").all_text_contents()
    assert cells == ["2", "4"] + ["empty"] * 13 + ["8"], "the cells can be read"
    for name, title in (("play", "Play"), ("games", "Games"), ("watch", "Watch"), ("replay", "Review"), ("set", "Set")):
        page.view(name)
        assert page.locator("h1").text_content().endswith(f": {title}"), f"{name} has its heading"


def test_phones_get_every_view(open_page):
    page = open_page(**PHONE, color_scheme="dark")
    for name in ("play", "games", "watch", "replay", "set"):
        page.view(name)
        page.settle()
        assert page.width() <= 390, f"{name} fits a phone"
        small = page.evaluate("""[...document.querySelectorAll("button, select, input[type=range], summary")]
          .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 31)
          .map((one) => one.id || one.textContent)""")
        assert small == [], f"{name}: all controls can be touched"
        nameless = page.evaluate("""[...document.querySelectorAll("button, select, input, textarea, svg[role=img]")]
          .filter((one) => one.offsetParent && !one.textContent.trim() && !one.getAttribute("aria-label")
            && !one.getAttribute("aria-labelledby") && !one.labels?.length).map((one) => one.id)""")
        assert nameless == [], f"{name}: all controls have a name"
    page.view("play")
    duration = page.evaluate("getComputedStyle(document.querySelector('.tile')).transitionDuration")
    assert duration in ("0s", "0s, 0s"), "tiles do not move with reduced motion"


def test_keyboards_reach_the_tabs_and_the_board(page):
    page.press("Tab", "Tab")
    assert page.focus_id() == "tab-play", "the tabs come after the name"
    for name in ("games", "replay", "analyze", "watch", "learn", "set", "play"):
        page.press("ArrowRight")
        page.settle()
        assert page.focus_id() == f"tab-{name}" and page.is_visible(f"#panel-{name}"), "arrows change tabs"
    page.press("Tab")
    assert page.focus_id() == "open-settings", "the settings come after the tabs"
    page.press("Tab")
    assert page.focus_id() == "board", "the board comes after the settings"
