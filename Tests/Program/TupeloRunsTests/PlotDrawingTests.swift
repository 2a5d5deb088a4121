import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloTraining

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The picture, read by an XML parser written for these tests.
@Suite struct PlotDrawingTests {
  private typealias Point = LearningCurve.Point

  private func curve(_ name: String, count: Int = 50, top: Double = 1e5, isBanded: Bool = false) -> LearningCurve {
    let points = (1...count).map { index in
      let y = top * (1 - exp(-Double(index) / 20))
      return Point(x: Double(index) * 1000, y: y, band: isBanded ? y * 0.9...y * 1.1 : nil)
    }
    return LearningCurve(name: name, points: points)
  }

  private func drawing(_ curves: [LearningCurve], title: String? = nil, notes: [String] = []) -> PlotDrawing {
    PlotDrawing(curves, metric: "rollout/score_mean", axis: .games, title: title, notes: notes)
  }

  @Test func showsTitleAxesAndLegend() throws {
    let picture = try Picture(drawing([curve("first"), curve("second", top: 5e4)], title: "Two runs").svg)
    for text in ["Two runs", "games", "0", "20k", "80k", "first", "second", "91.79k", "45.90k"] {
      #expect(picture.texts.map(\.content).contains(text), "\(text) is not among \(picture.texts.map(\.content))")
    }
    #expect(picture.lines.count == 2)
    #expect(picture.root["viewBox"]?.hasPrefix("0 0 880 ") == true && picture.root["width"] == "880")
    #expect(picture.elements.contains { $0.name == "rect" && $0.attributes["fill"] == "#ffffff" })
  }

  /// The picture has no scripts, no fonts or pictures from elsewhere, and no references at all.
  @Test func needsNothingFromOutside() throws {
    for text in [drawing([curve("a")]).svg, drawing([curve("a")]).html] {
      let rest = text.replacing("http://www.w3.org/2000/svg", with: "")
      for word in ["http", "href", "src=", "url(", "<script", "@import", "<image", "<link"] {
        #expect(!rest.contains(word), "\(word)")
      }
    }
    let page = drawing([curve("a")], title: "T").html
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<title>T</title>") && page.contains("<svg "))
  }

  @Test(
    arguments: [
      "<script>alert('x')</script>", "a & b \"c\" &amp; ]]> <!-- ", "\u{0}\u{1}\u{1b}[31m\u{202e}\u{ffff}\u{85}", "",
      " ",
      "\u{1f408}\u{301}é猫", String(repeating: "very long ", count: 100), String(repeating: "w", count: 5000),
    ] as [String]) func anyTextIsEscapedAndFits(text: String) throws
  {
    let curves = [curve(text), curve("b"), curve(text + "2")]
    let picture = try Picture(drawing(curves, title: text, notes: [text]).svg)
    #expect(!picture.elements.contains { $0.name == "script" })
    try Self.check(picture)
  }

  @Test func longNamesAreCutInTheMiddle() throws {
    let name = "begin-" + String(repeating: "0123456789-", count: 30) + "end"
    let picture = try Picture(drawing([curve(name)]).svg)
    #expect(
      picture.texts.contains {
        $0.content.hasPrefix("begin-") && $0.content.hasSuffix("end") && $0.content.contains("…")
      })
    // The whole name is still there as a title, for pointers to find.
    #expect(picture.elements.contains { $0.name == "title" && $0.text == name })
  }

  /// The legend of forty curves is still below the plot, and the curves still differ.
  @Test func manyCurves() throws {
    let picture = try Picture(drawing((0..<40).map { curve("run \($0)", top: 1e5 + Double($0) * 1e3) }).svg)
    try Self.check(picture)
    #expect(picture.lines.count == 40)
    let styles = picture.lines.prefix(35).map { "\($0["stroke"] ?? "") \($0["stroke-dasharray"] ?? "")" }
    #expect(Set(styles).count == 35)
    // Neighbours in the legend differ by their dashes alone.
    let dashes = picture.lines.map { $0["stroke-dasharray"] ?? "" }
    #expect(zip(dashes, dashes.dropFirst()).allSatisfy { $0 != $1 } && Set(dashes).count == 5)
  }

  @Test func bandsPointsAndSmoothing() throws {
    let picture = try Picture(drawing([curve("a", isBanded: true).smoothed(over: 5), curve("b", count: 5)]).svg)
    try Self.check(picture)
    #expect(picture.elements.count { $0.attributes["fill-opacity"] != nil } == 1)
    #expect(picture.elements.count { $0.attributes["stroke-opacity"] != nil } == 1)
    // One circle is at the end of the long curve, and five are on the short one.
    #expect(picture.elements.count { $0.name == "circle" } == 6)
    #expect(picture.texts.contains { $0.content.contains(" ± ") })
  }

  @Test(
    arguments: [
      [Point(x: 5, y: 7)], [Point(x: 0, y: 0)], [Point(x: 0, y: 1e308), Point(x: 1, y: -1e308)],
      [Point(x: 1, y: 3), Point(x: 2, y: 3)], [Point(x: 1e15, y: 1e-300), Point(x: 2e15, y: 2e-300)],
      [Point(x: 1, y: 1, band: -1e308...1e308), Point(x: 2, y: 1, band: 0...2)], [Point(x: 3, y: -4)],
    ] as [[LearningCurve.Point]]) func oddValues(_ points: [LearningCurve.Point]) throws
  {
    for axis in LearningCurve.Axis.allCases {
      for metric in ["rollout/score_mean", "rollout/rate_2048", "own"] {
        let drawing = PlotDrawing([LearningCurve(name: "a", points: points)], metric: metric, axis: axis)
        try Self.check(try Picture(drawing.svg))
      }
    }
  }

  /// The picture of a hundred thousand points keeps only those that can be seen.
  @Test func longRunsMakeSmallPictures() throws {
    var random = TestRandom(state: 8)
    var points = (0..<100_000).map { Point(x: Double($0), y: Double.random(in: 400...600, using: &random)) }
    // There is one spike each way, in the middle of the points of one pixel.
    points[20_030].y = 0
    points[70_030].y = 1000
    let svg = drawing([LearningCurve(name: "a", points: points)]).svg
    #expect(svg.utf8.count < 120_000)
    try Self.check(try Picture(svg))
    // The extremes are still there.
    let path = try #require(try Picture(svg).lines.first?["d"])
    let heights = path.split { "ML".contains($0) }.compactMap { Double($0.split(separator: " ")[1]) }
    let scale = PlotScale(fitting: 0, 1000, padding: 0.04)
    let expected = 360 * (scale.position(of: 1000) - scale.position(of: 0))
    #expect(abs((heights.max() ?? 0) - (heights.min() ?? 0) - expected) < 0.3)
  }

  @Test(
    arguments: [
      (143_000, 7733, "143.0k ± 7.7k"), (68_460, nil, "68.46k"), (999_960, 10, "1.000M ± 0.000M"),
      (999.96, nil, "1.000k"),
      (1e6, nil, "1.000M"), (0, nil, "0"), (0.00012, 0.1, "0.0001200 ± 0.1000000"), (-5432, 1, "−5.432k ± 0.001k"),
      (5e-9, nil, "5.000e−9"), (4e20, nil, "4.000e20"), (12, nil, "12"), (12.5, nil, "12.50"),
    ] as [(Double, Double?, String)]) func lastValues(_ value: Double, _ margin: Double?, _ text: String) throws
  {
    let band = margin.map { value - $0...value + $0 }
    let curve = LearningCurve(name: "a", points: [Point(x: 1, y: value, band: band)])
    let picture = try Picture(drawing([curve]).svg)
    #expect(picture.texts.last?.content == text)
  }

  @Test func timeIsInTheUnitThatFits() throws {
    func unit(_ seconds: Double) throws -> [String] {
      let points = [Point(x: seconds / 2, y: 1), Point(x: seconds, y: 2)]
      let curve = LearningCurve(name: "a", points: points)
      return try Picture(PlotDrawing([curve], metric: "own", axis: .seconds).svg).texts.map(\.content)
    }
    #expect(try unit(100).contains("training time in seconds") && unit(3600).contains("training time in minutes"))
    #expect(try unit(36_000).contains("training time in hours") && unit(36_000).contains("10"))
    #expect(try unit(864_000).contains("training time in days"))
  }

  @Test func writesWholeFiles() throws {
    let folder = try MetricsFolder()
    let picture = drawing([curve("a")])
    for (name, format) in [("a.svg", PlotDrawing.Format.svg), ("b.HTML", .html)] {
      #expect(PlotDrawing.Format(path: name) == format)
      try picture.write(to: folder.path + "/" + name, as: format)
      #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == picture.text(as: format))
    }
    #expect(PlotDrawing.Format(path: "metrics.jsonl") == nil && PlotDrawing.Format(path: "svg") == nil)
    #expect(throws: (any Error).self) { try picture.write(to: folder.path + "/no/a.svg", as: .svg) }
    #expect(try folder.names == ["a.svg", "b.HTML"])
  }

  /// Checks that everything is within the picture, the curves within their area, and the legend below them.
  private static func check(_ picture: Picture) throws {
    let size = try #require(picture.root["viewBox"]).split(separator: " ").compactMap { Double($0) }
    let bottom = try #require(
      picture.texts.filter { $0.content.wholeMatch(of: /games|moves|training time in \w+/) != nil }.map(\.y).max())
    for element in picture.elements where element.name == "path" {
      let numbers = (element.attributes["d"] ?? "").split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
      let pairs = stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
      #expect(pairs.allSatisfy { (0...size[2]).contains($0.0) && (0...size[3]).contains($0.1) })
      if element.attributes["stroke-linejoin"] != nil { #expect(pairs.allSatisfy { $0.1 < bottom - 30 }) }
    }
    for text in picture.texts { #expect((0...size[2]).contains(text.x) && (0...size[3]).contains(text.y), "\(text)") }
    let swatches = picture.elements.filter { $0.attributes["stroke-width"] == "3" }
    #expect(!swatches.isEmpty)
    for swatch in swatches {
      let y = Double((swatch.attributes["d"] ?? "").split { " h".contains($0) }[1]) ?? 0
      #expect(y > bottom)
    }
    #expect(!picture.source.contains("nan") && !picture.source.contains("inf"))
  }
}

/// The elements of an SVG file.
private final class Picture: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  struct Text {
    let content: String
    let x: Double
    let y: Double
  }

  let source: String
  private(set) var elements: [Element] = []
  private var open: [Int] = []

  var root: [String: String] { elements.first?.attributes ?? [:] }
  /// The attributes of each curve.
  var lines: [[String: String]] {
    elements.filter { $0.attributes["stroke-linejoin"] != nil }.map(\.attributes)
  }
  var texts: [Text] {
    elements.filter { $0.name == "text" }.map {
      Text(content: $0.text, x: Double($0.attributes["x"] ?? "") ?? -1, y: Double($0.attributes["y"] ?? "") ?? -1)
    }
  }

  init(_ source: String) throws {
    self.source = source
    super.init()
    let parser = XMLParser(data: Data(source.utf8))
    parser.delegate = self
    try #require(parser.parse(), "not well-formed: \(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }
}
