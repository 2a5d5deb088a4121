"""Training: charts of runs, their choice, scales, repetitions, files and settings."""

import csv
import os
import time

import pytest


@pytest.fixture
def runs(tmp_path):
    """A folder of training runs."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


def write_run(folder, lines=()):
    folder.mkdir()
    (folder / "metrics.jsonl").write_text("".join(line + "\n" for line in lines))


def curves(rows=50):
    """Rows with the clock, an average score, and an evaluation with its band."""
    for row in range(rows):
        yield (
            f'{{"games":{row * 100},"moves":{row * 9000},"seconds":{row},"time":{1_800_000_000 + row},'
            f'"rollout/score_mean":{row * 37},"eval/score_mean":{row * 40},"eval/score_low":{row * 36},'
            f'"eval/score_high":{row * 44}}}'
        )


def change(folder):
    """Makes a run the one that was changed last."""
    os.utime(folder / "metrics.jsonl", (time.time(), time.time() + 5))


def box_of(page, run):
    return page.locator("#runs li", has_text=run).locator("input")


def until_read(page):
    """Waits until the page has asked for the runs and their numbers twice."""
    for _ in range(2):
        with page.expect_request(lambda request: "/api/runs" in request.url) as look:
            pass
        look.value.response()
        page.settle()


@pytest.mark.visit
def test_training_is_followed(open_page, serve, runs):
    for name in ("first", "second"):
        rows = (
            f'{{"games":{row * 100},"moves":{row * 9000},"seconds":{row},"rollout/score_mean":{row * 37},'
            f'"rollout/rate_2048":{row / 60},"time/moves_per_second":1000000}}'
            for row in range(1, 51)
        )
        write_run(runs / name, rows)
    page = open_page(at=serve("--runs", runs))
    page.view("training")
    page.wait_for_selector("#charts .chart path")
    assert page.locator("#runs input").count() == 2, "both runs are listed"
    for box in page.locator("#runs input").all():
        box.check()
    page.until("document.querySelector('#charts .chart').querySelectorAll('path').length === 2")
    titles = page.locator("#charts .chart h2").all_inner_texts()
    assert titles == [f"{name} over games" for name in ("Average score", "Games that reach", "Moves per second")]
    assert "1.85k" in page.locator("#charts .chart").first.inner_text(), "the chart names the last value"
    with open(runs / "first/metrics.jsonl", "a") as file:
        file.write('{"games": 5100, "rollout/score_mean": 4321}\n{"ga')
    page.until_text("#charts .chart", "4.32k")
    page.select_option("#axis", "seconds")
    assert "over time" in page.get_attribute("#charts .chart svg", "aria-label"), "another axis can be chosen"


def test_charts_are_honest_and_steady(open_page, serve, runs):
    names = ("first", "second", "third")
    for name in names:
        write_run(runs / name, curves())
    page = open_page(at=serve("--runs", runs))

    def listed():
        return page.locator("#runs li span:not(.swatch)").all_inner_texts()

    def colour(name):
        return page.locator("#runs li", has_text=name).locator(".swatch").get_attribute("style")

    # The page reads the runs ten times as often, so that the test waits less.
    page.context.add_init_script(
        "{ const real = setInterval; window.setInterval = (work, time) => real(work, time / 10); }"
    )
    page.reload()
    page.until_ready()
    page.view("training")
    page.wait_for_selector("#charts .chart path")
    titles = page.locator("#charts .chart h2").all_inner_texts()
    assert titles == ["Average score over games"], "neither the clock nor the edges of the band have a chart"
    assert page.locator("#charts .chart .band").count() == 1, "the evaluation has its band"
    for name in names:
        box_of(page, name).check()
    page.settle()
    order = listed()
    colours = {name: colour(name) for name in names}
    assert len(set(colours.values())) == 3, "each run has a colour"
    for name in names:
        change(runs / name)
        until_read(page)
        assert listed() == order, "the list keeps its order"

    box = page.locator("#charts .chart svg").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 80)
    page.until("document.querySelector('#charts .chart .cross').getAttribute('visibility') === 'visible'")
    legend = page.locator("#charts .chart .legend").first.inner_text()
    with open(runs / "first/metrics.jsonl", "a") as file:
        file.write('{"games": 4900, "rollout/score_mean": 9}\n')
    until_read(page)
    assert page.locator("#charts .chart .legend").first.inner_text() == legend, "the values under the pointer stay"
    assert page.get_attribute("#charts .chart .cross", "visibility") == "visible", "the line under the pointer stays"

    page.select_option("#axis", "seconds")
    page.select_option("#smoothing", "5")
    box_of(page, "second").uncheck()
    page.settle()
    page.reload()
    page.wait_for_selector("#charts .chart path")
    chosen = [box_of(page, name).is_checked() for name in names]
    assert chosen == [True, False, True], "the choice of runs survives a reload"
    axis, smoothing = page.input_value("#axis"), page.input_value("#smoothing")
    assert axis == "seconds" and smoothing == "5", "axis and smoothing survive a reload"
    assert colour("first") == colours["first"], "a run keeps its colour"
    for name in ("first", "third"):
        box_of(page, name).uncheck()
    page.settle()
    assert "Choose a run" in page.text("#runs-note"), "a note says that no run is chosen"


def test_empty_and_long_runs_are_shown(open_page, serve, runs):
    long = "a-" + "very-" * 30 + "long-name"
    write_run(runs / "empty")
    write_run(runs / long, curves())
    change(runs / "empty")
    yesterday = time.time() - 30 * 3600
    os.utime(runs / long / "metrics.jsonl", (yesterday, yesterday))
    page = open_page(390, 844, at=serve("--runs", runs))
    page.view("training")
    page.wait_for_selector("#charts .chart path")
    assert page.locator("#runs small").last.inner_text() == "1 day ago"
    assert page.is_checked("#runs li:last-child input"), "a run with numbers is chosen first"
    page.check("#runs li:first-child input")
    page.settle()
    assert "No numbers yet of empty" in page.text("#runs-note")
    assert page.width() <= 390, "long names fit a phone"
    assert page.locator("#runs .swatch").last.bounding_box()["width"] >= 12, "the swatch keeps its width"
    assert page.locator("#runs small").last.bounding_box()["height"] < 30, "the age has one line"
    with open(runs / long / "metrics.jsonl", "a") as file:
        for index in range(150_000):
            file.write(f'{{"games":{5000 + index},"x":{index % 7}}}\n')
    page.until("[...document.querySelectorAll('.chart h2')].some((one) => one.textContent.startsWith('X'))")
    page.until_text("#charts", "100k")
    numbers = page.evaluate("import('/core/text.js').then(({ compact }) => [999_499, 999_999, 1e6].map(compact))")
    assert numbers == ["999k", "1M", "1M"]


def test_repetitions_are_one_curve(open_page, serve, runs):
    for name, seed, alpha in (("one", 1, 0.5), ("two", 2, 0.5), ("six", 3, 0.25)):
        rows = (
            f'{{"games":{row * 10},"rollout/score_mean":{row * 100 * seed},"train/step_size":{alpha / row},'
            f'"train/new_thing":{row}}}'
            for row in range(1, 21)
        )
        write_run(runs / name, rows)
        settings = f'name: "{name}"\nseed: {seed}\nlearner:\n  alpha: {alpha}\n  lambda: 0.5\n'
        (runs / name / "config.yaml").write_text(settings)
    page = open_page(at=serve("--runs", runs))
    page.view("training")
    page.wait_for_selector("#charts .chart path")

    def choose_only(*names):
        for name in ("one", "two", "six"):
            box_of(page, name).set_checked(name in names)
        page.until(f"document.querySelector('#charts .chart').querySelectorAll('.legend li').length === {len(names)}")

    choose_only("one", "six")
    titles = page.locator("#charts .chart h2").all_inner_texts()
    assert titles == [f"{name} over games" for name in ("Average score", "New thing", "Mean step size")]
    page.until("!document.getElementById('run-settings').hidden")
    rows = [row.split("\t") for row in page.locator("#run-differences tr").all_inner_texts()]
    assert {row[0]: set(row[1:]) for row in rows} == {
        "": {"one", "six"},
        "name": {"one", "six"},
        "seed": {"1", "3"},
        "learner.alpha": {"0.5", "0.25"},
    }
    choose_only("one", "two", "six")
    assert not page.is_visible("#run-settings"), "differences are those of two runs"
    page.select_option("#seeds", "band")
    legend = page.locator("#charts .chart .legend").first
    assert legend.locator("li").count() == 2 and "and 1 more seed" in legend.inner_text()
    chart = page.locator("#charts .chart").first
    chart.locator("summary").click()
    assert "rollout/score_mean" in chart.locator("details").inner_text(), "the tag is shown on demand"
    with page.expect_download() as table:
        chart.locator("button", has_text="CSV").click()
    header, *lines = table.value.path().read_text().split("\n")
    assert header == '"curve","games","Average score","low","high"'
    band = [line.split(",")[1:] for line in lines if "more seed" in line]
    assert band == [[str(10 * k), str(150 * k), str(100 * k), str(200 * k)] for k in range(1, 21)]
    with page.expect_download() as picture:
        chart.locator("button", has_text="PNG").click()
    assert picture.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "the picture is a PNG file"
    page.select_option("#seeds", "single")
    page.select_option("#scale", "log")
    page.settle()
    heights = page.evaluate(r"""() => {
      const path = document.querySelectorAll("#charts .chart")[2].querySelector(".line").getAttribute("d");
      return path.match(/[\d.]+/g).filter((_, index) => index % 2 === 1).map(Number);
    }""")
    # On a logarithmic axis equal ratios have equal distances: the values are 1/1, 1/2, 1/4, 1/8, 1/16.
    steps = [heights[2 * k - 1] - heights[k - 1] for k in (1, 2, 4, 8)]
    assert max(steps) - min(steps) < 0.3 and steps[0] > 5
    page.reload()
    page.wait_for_selector("#charts .chart path")
    assert page.input_value("#scale") == "log", "the scale survives a reload"


def test_a_run_in_place_of_another_is_read_from_its_start(open_page, serve, runs):
    """A longer run of the same name takes the place of a run that is shown."""
    folder = runs / "one"
    write_run(folder, (f'{{"games":{row},"rollout/score_mean":{row},"train/old_thing":1}}' for row in range(1, 50)))
    (folder / "config.yaml").write_text("seed: 1\n")
    write_run(runs / "two", ['{"games":1,"rollout/score_mean":1}'])
    (runs / "two" / "config.yaml").write_text("seed: 2\n")
    page = open_page(at=serve("--runs", runs))
    page.view("training")
    for name in ("one", "two"):
        box_of(page, name).check()
    page.until_text("#charts", "Old thing")
    (folder / "metrics.jsonl").unlink()
    (folder / "config.yaml").write_text("seed: 3\n")
    rows = (f'{{"games":{row},"rollout/score_mean":{row * 1000},"train/new_thing":1}}' for row in range(1, 200))
    (folder / "metrics.jsonl").write_text("".join(row + "\n" for row in rows))
    page.until_text("#charts", "New thing")
    assert "Old thing" not in page.text("#charts"), "nothing of the old run is left"
    chart = page.locator("#charts .chart").first
    chart.locator("summary").click()
    with page.expect_download() as table:
        chart.locator("button", has_text="CSV").click()
    lines = [line.split(",") for line in table.value.path().read_text().split("\n") if line.startswith('"one"')]
    assert [line[1:3] for line in lines] == [[str(row), str(row * 1000)] for row in range(1, 200)]
    page.until_text("#run-differences", "3")


def test_long_runs_have_curves_of_bounded_size(open_page, serve, runs):
    """Curves of long runs are means over many lines, with the first line and the last. Repetitions share a curve."""
    count = 60_000
    for name, factor in (("one", 1), ("two", 3)):
        line = '{{"games":{0},"seconds":{1},"rollout/score_mean":{1}}}'
        write_run(runs / name, (line.format(row, row * factor) for row in range(count)))
        with open(runs / name / "metrics.jsonl", "a") as file:
            file.write(f'{{"games":{count},"eval/score_mean":5,"eval/score_low":4,"eval/score_high":6}}\n')
        (runs / name / "config.yaml").write_text(f"seed: {factor}\nlearner:\n  alpha: 0.5\n")
    page = open_page(at=serve("--runs", runs))
    page.view("training")
    for name in ("one", "two"):
        box_of(page, name).check()
    for name in ("one", "two"):
        page.until_text("#charts", f"{name}, evaluation")
    chart = page.locator("#charts .chart").first

    def table():
        with page.expect_download() as file:
            chart.locator("button", has_text="CSV").click()
        rows = list(csv.reader(file.value.path().read_text().splitlines()))[1:]
        return [(name, *(float(cell) for cell in cells if cell)) for name, *cells in rows]

    chart.locator("summary").click()
    rows = table()
    for name, factor in (("one", 1), ("two", 3)):
        points = [(x, y) for curve, x, y in (row[:3] for row in rows) if curve == name]
        assert 500 < len(points) <= 2048
        assert points[0][0] < 100 and points[-1][0] > count - 200, "the curve has both ends"
        assert max(after[0] - before[0] for before, after in zip(points, points[1:])) < 200, "its points are even"
        assert all(abs(y - x * factor) < 1e-6 * count for x, y in points), "each point is a mean"
        assert (f"{name}, evaluation", count, 5, 4, 6) in rows, "a rare evaluation stays exact, with its band"
    page.select_option("#seeds", "band")
    page.until_text("#charts", "and 1 more seed")
    points = [row[1:] for row in table() if "evaluation" not in row[0]]
    assert len(points) > 500
    assert all(abs(y - 2 * x) + abs(low - x) + abs(high - 3 * x) < 1e-5 * count for x, y, low, high in points)
