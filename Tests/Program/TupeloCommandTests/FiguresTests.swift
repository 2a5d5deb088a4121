import TestSupport
import Testing

/// configs/RESULTS.md is the only source of figures: every figure of strength in another document is on that page, too.
@Suite struct FiguresTests {
  @Test func documentsQuoteThePageOfResults() throws {
    let page = try Repository.text(of: "configs/RESULTS.md")
    let measured = Set(Figures.means(in: page) + Figures.shares(in: page) + Figures.scores(in: page))
    var count = 0
    for name in try Figures.documents() where name != "configs/RESULTS.md" {
      let figures = try Figures.ofStrength(in: name)
      count += figures.count
      let missing = figures.filter { !measured.contains($0) }
      #expect(missing.isEmpty, "\(name): not in configs/RESULTS.md: \(missing.joined(separator: ", "))")
    }
    #expect(count > 100)
  }

  @Test func figuresAreFound() {
    let text = "measured 77,575 +- 666 at 1-ply, and 25.646 ± 0.014\nSets; 32768 in 41.4% of 10,000 games"
    #expect(Figures.means(in: text) == ["77,575 ± 666", "25.646 ± 0.014"])
    #expect(Figures.shares(in: text) == ["41.4%"])
    let counts = "; after 716,755 games 160,098, 175,640 and 67,108,864 weights"
    #expect(Figures.scores(in: text + counts) == ["77,575", "160,098", "175,640"])
    #expect(Figures.means(in: Figures.prose(of: "1.0 ± 0.5\n```text\n9,151 ± 394\n```\n")) == ["1.0 ± 0.5"])
    #expect(Figures.comments(of: "# 1.2\n#   a\nkey: 3.4") == "1.2\na")
  }
}
