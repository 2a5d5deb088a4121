import Foundation
import TestSupport
import Testing
import TupeloWeb

extension BrowserTests {
  /// Names, scales, repetitions, files and settings of training runs.
  @Suite struct Curves {
    @Test func repetitionsAreOneCurve() async throws {
      let folder = try TemporaryFolder()
      for (run, seed, alpha) in [("one", 1, 0.5), ("two", 2, 0.5), ("six", 3, 0.25)] {
        let rows = (1...20).map {
          "{\"games\":\($0 * 10),\"rollout/score_mean\":\($0 * 100 * seed),\"train/step_size\":\(alpha / Double($0)),"
            + "\"train/new_thing\":\($0)}\n"
        }
        try FileManager.default.createDirectory(atPath: folder.file(run), withIntermediateDirectories: true)
        try write(Array(rows.joined().utf8), toFile: folder.file("\(run)/metrics.jsonl"))
        let settings = "name: \"\(run)\"\nseed: \(seed)\nlearner:\n  alpha: \(alpha)\n  lambda: 0.5\n"
        try write(Array(settings.utf8), toFile: folder.file("\(run)/config.yaml"))
      }
      try await BrowserTests.run(
        #"""
        view("training"); page.wait_for_selector(".chart path")
        def only(*names):
            for name in ("one", "two", "six"):
                page.locator("#runs li", has_text=name).locator("input").set_checked(name in names)
            until(page, f"document.querySelector('.chart').querySelectorAll('.legend li').length === {len(names)}")
        only("one", "six")
        titles = page.locator(".chart h2").all_inner_texts()
        check(titles == [f"{one} over games" for one in ("Average score", "New thing", "Mean step size")], f"{titles}")
        until(page, "!document.getElementById('run-settings').hidden")
        rows = page.locator("#run-differences tr").all_inner_texts()
        differ = {row.split("\t")[0]: set(row.split("\t")[1:]) for row in rows}
        check(differ == {"": {"one", "six"}, "name": {"one", "six"}, "seed": {"1", "3"},
                         "learner.alpha": {"0.5", "0.25"}}, f"{rows}")
        only("one", "two", "six"); check(not page.is_visible("#run-settings"), "differences are those of two")
        page.select_option("#seeds", "band")
        legend = page.locator(".chart .legend").first
        check(legend.locator("li").count() == 2 and "and 1 more seed" in legend.inner_text(), legend.inner_text())
        chart = page.locator(".chart").first; chart.locator("summary").click()
        check("rollout/score_mean" in chart.locator("details").inner_text(), "the tag on demand")
        with page.expect_download() as saved: chart.locator("button", has_text="CSV").click()
        lines = open(saved.value.path()).read().split("\n")
        check(lines[0] == '"curve","games","Average score","low","high"', lines[0])
        band = [line.split(",")[1:] for line in lines[1:] if "more seed" in line]
        check(band == [[str(10 * k), str(150 * k), str(100 * k), str(200 * k)] for k in range(1, 21)], f"{band[:3]}")
        with page.expect_download() as picture: chart.locator("button", has_text="PNG").click()
        check(open(picture.value.path(), "rb").read(8) == b"\x89PNG\r\n\x1a\n", "a picture")
        height = """() => {
          const path = document.querySelectorAll(".chart")[2].querySelector(".line").getAttribute("d");
          return path.match(/[\\d.]+/g).filter((_, index) => index % 2 === 1).map(Number);
        }"""
        page.select_option("#seeds", ""); page.select_option("#scale", "log"); settle(); log = page.evaluate(height)
        # On a logarithmic axis equal ratios have equal distances: values 1/1, 1/2, 1/4, 1/8, 1/16.
        steps = [log[2 * k - 1] - log[k - 1] for k in (1, 2, 4, 8)]
        check(max(steps) - min(steps) < 0.3 and steps[0] > 5, f"{steps}")
        page.reload(); page.wait_for_selector(".chart path")
        check(page.input_value("#scale") == "log", "the choice survives a reload")
        """#, service: .stub(runs: try RunShelf(path: folder.path)))
    }
  }
}
