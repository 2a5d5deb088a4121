import Foundation
import TestSupport
import Testing
import TupeloNetwork
import TupeloReports
import TupeloTraining

@Suite struct BenchTests {
  /// The signatures of the last change of behaviour, in Fixtures/signature.txt. This test is where `.ci/run` looks at
  /// them.
  @Test func signaturesAreTheGoldenOnes() throws {
    let golden = try Repository.text(of: "Tests/Fixtures/signature.txt").split(separator: "\n").map(String.init)
    let found = try BenchSignature.text().split(separator: "\n").map(String.init)
    #expect(found.count == 9 && Set(found.map { $0.split(separator: " ").last }).count == 9)
    for line in found where !golden.contains(line) {
      let told =
        "results have changed, if this is on purpose: raise behaviourVersion, say so in CHANGELOG.md, and write "
      Issue.record("\(line): \(told)tupelo bench --signature > Tests/Fixtures/signature.txt")
    }
  }

  /// Every row runs without a trap or an error, and measures some work. A row gets a longer slice if a busy machine has
  /// begun no game in its slice.
  @Test(.slow) func everyRowRuns() throws {
    let layout = try #require(NamedLayout.named("17x4"))
    let rows = Benchmark.standard(layouts: [layout], threads: 2)
    var steps = 0
    let results = try Benchmark.measure(rows, warmUp: 5, slices: 1, slice: .milliseconds(100)) { _ in steps += 1 }
    #expect(results.map(\.name) == rows.map(\.name) && steps == 2 * rows.count)
    var idle = results.filter { $0.median == 0 }.map(\.name)
    for seconds in [2, 20] where !idle.isEmpty {
      let rest = rows.filter { idle.contains($0.name) }
      let longer = try Benchmark.measure(rest, warmUp: 5, slices: 1, slice: .seconds(seconds))
      idle = longer.filter { $0.median == 0 }.map(\.name)
    }
    #expect(idle == [])
  }

  /// Each row has a name of its own, after what it measures: reports of two builds are compared by these names.
  @Test func rowsKeepTheirNames() throws {
    let layout = try #require(NamedLayout.named("17x4"))
    let rows = Benchmark.standard(layouts: [layout], threads: 2)
    #expect(Set(rows.map(\.name)).count == rows.count)
    let names = [
      "engine random games", "play 1-ply 17x4", "play 3-ply 17x4", "train TD 17x4", "train TC 17x4 x2",
      "average table 17x4, BLAS x2", "decay table 17x4, loop", "copy table 17x4, loop x2",
    ]
    for name in names { #expect(rows.contains { $0.name == name }, "\(name)") }
    let hasTwoCores = Program.processors > 1
    #expect(rows.contains { $0.name == "cache line, thread to thread" } == hasTwoCores)
  }

  @Test func rowsAreSelectedByTheirNames() throws {
    let layout = try #require(NamedLayout.named("4x6"))
    let rows = Benchmark.standard(layouts: [layout], threads: 1)
    #expect(try Benchmark.select(rows, only: []).count == rows.count)
    #expect(
      try Benchmark.select(rows, only: ["train T", "1-ply"]).map(\.name)
        == ["play 1-ply 4x6", "train TD 4x6", "train TC 4x6", "train TD 4x6 batch 64", "train TC 4x6 batch 64"])
    let error = #expect(throws: BenchSelectionError.self) { try Benchmark.select(rows, only: ["train", "trane"]) }
    #expect(error?.text == "trane" && error?.names == rows.map(\.name))
    #expect(
      "\(error!)".hasPrefix("no row of the benchmark has 'trane' in its name: there are engine random games; play"))
  }

  private static func row(
    _ name: String, _ slowest: Double, _ median: Double, _ fastest: Double, unit: String = "moves"
  ) -> Benchmark.Result {
    .init(name: name, unit: unit, median: median, slowest: slowest, fastest: fastest, slices: 3)
  }

  @Test func reportsReadBackEqual() throws {
    let report = BenchReport(
      signature: "0123456789abcdef", results: [Self.row("a", 1, 2.5, 3e9), Self.row("b, c x2", 0, 0, 0, unit: "games")])
    let path = TemporaryFile.path("report.json")
    defer { TemporaryFile.remove(path) }
    try Data(report.json().utf8).write(to: URL(fileURLWithPath: path))
    #expect(try BenchReport(path: path) == report)
  }

  /// A report written by hand, in the format of earlier builds.
  private static let old = """
    {"results": [
      {"fastest": 130, "median": 100, "name": "train TD 4x6", "slices": 7, "slowest": 90, "unit": "moves"},
      {"fastest": 12, "median": 10, "name": "gone", "slices": 7, "slowest": 9, "unit": "moves"},
      {"fastest": 60, "median": 50, "name": "train TC 4x6", "slices": 7, "slowest": 40, "unit": "moves"},
      {"fastest": 8, "median": 8, "name": "other", "slices": 7, "slowest": 8, "unit": "games"},
      {"fastest": 0, "median": 0, "name": "still", "slices": 7, "slowest": 0, "unit": "moves"}
    ], "signature": "00000000000000ff"}
    """

  @Test func comparesWithAnotherBuild() throws {
    let before = try BenchReport(json: Data(Self.old.utf8), path: "old.json")
    let now = BenchReport(
      signature: "00000000000000ff",
      results: [
        Self.row("train TC 4x6", 61, 75, 80), Self.row("new", 1, 1, 1), Self.row("train TD 4x6", 70, 80, 90),
        Self.row("other", 8, 8, 8), Self.row("still", 1, 1, 1),
      ])
    let comparison = BenchComparison(now, against: before)
    #expect(comparison.rows.map(\.name) == ["train TC 4x6", "train TD 4x6", "still"])
    #expect(comparison.rows.map(\.ratio) == [1.5, 0.8, nil])
    #expect(comparison.rows.map(\.overlaps) == [false, true, false])
    #expect(comparison.onlyNow == ["new", "other"] && comparison.onlyBefore == ["gone", "other"])
    #expect(comparison.signaturesAreEqual)
    let changed = BenchComparison(BenchReport(signature: "1", results: []), against: before)
    #expect(!changed.signaturesAreEqual && changed.rows.isEmpty && changed.onlyBefore.count == 5)
  }

  @Test(
    arguments: [
      ("", "it is not JSON"), ("{", "it is not JSON"), ("[]", "wrong kind"), ("{}", "is missing"),
      (old.replacingOccurrences(of: "\"slowest\": 90", with: "\"slowest\": 101"), "'train TD 4x6' are not valid"),
      (old.replacingOccurrences(of: "\"slowest\": 90", with: "\"slowest\": -1"), "'train TD 4x6' are not valid"),
      (old.replacingOccurrences(of: "\"median\": 100", with: "\"median\": \"100\""), "median is of the wrong kind"),
      (old.replacingOccurrences(of: "\"median\": 100, ", with: ""), "median is missing"),
      (old.replacingOccurrences(of: "\"fastest\": 130", with: "\"fastest\": 1e999"), "not a report"),
      (old.replacingOccurrences(of: "gone", with: "other"), "two rows are called 'other'"),
      (old.replacingOccurrences(of: "gone", with: "\\u001b[2J"), "not printable"),
      (old.replacingOccurrences(of: "gone", with: ""), "not printable"),
      (old.replacingOccurrences(of: "00000000000000ff", with: ""), "its signature is not valid"),
      (old.replacingOccurrences(of: "\"slices\": 7", with: "\"slices\": 0"), "are not valid"),
    ] as [(String, String)]) func refusesForeignFiles(_ text: String, _ fact: String) throws
  {
    let error = #expect(throws: BenchReportError.self) { try BenchReport(json: Data(text.utf8), path: "old.json") }
    let line = "\(error!)"
    #expect(line.contains(fact), "\(line)")
    #expect(line.hasPrefix("old.json: ") && line.hasSuffix("tupelo bench --json > FILE") && !line.contains("\n"))
  }

  /// A report that is cut or has a flipped bit never causes a crash; every accepted one is a report.
  @Test func survivesDamage() throws {
    let bytes = Data(Self.old.utf8)
    for length in 0..<bytes.count {
      #expect(throws: BenchReportError.self) { try BenchReport(json: bytes.prefix(length), path: "cut") }
    }
    var refused = 0
    for position in 0..<bytes.count {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        do throws(BenchReportError) {
          let report = try BenchReport(json: damaged, path: "flip")
          #expect(report.results.allSatisfy { $0.slowest <= $0.fastest })
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > bytes.count)
  }

  @Test func namesFilesThatCannotBeRead() throws {
    let missing = #expect(throws: BenchReportError.self) { try BenchReport(path: "missing.json") }
    #expect("\(missing!)".hasPrefix("missing.json: cannot be read: No such file or directory: make it"))
    let path = TemporaryFile.path("large.json")
    defer { TemporaryFile.remove(path) }
    try Data(count: (4 << 20) + 1).write(to: URL(fileURLWithPath: path))
    #expect(throws: BenchReportError.tooLarge(path: path, limit: 4 << 20)) { try BenchReport(path: path) }
  }
}
