import Foundation
import TestSupport
import Testing
import Tupelo

/// `tupelo bench` as a process: its output, never its speed.
@Suite struct BenchCommandTests {
  private static let quick = ["bench", "--slices", "1", "--seconds", "0.01", "--warm-up", "1"]

  @Test func comparesWithItsOwnReport() throws {
    let path = TemporaryFile.path("bench.json")
    defer { TemporaryFile.remove(path) }
    let report = try Program.run(Self.quick + ["--only", "engine", "--only", "decay", "--layouts", "17x4", "--json"])
    #expect(report.status == 0, "\(report)")
    try Data(report.output.utf8).write(to: URL(fileURLWithPath: path))
    let result = try Program.run(Self.quick + ["--only", "engine", "--against", path])
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 3, "\(result)")
    #expect(lines[0].hasPrefix("engine random games  ") && lines[0].contains(" -> ") && lines[0].contains("  ranges "))
    let rows = ["BLAS", "BLAS x2", "loop", "loop x2"].map { "decay table 17x4, \($0)" }
    #expect(lines[1] == "only in \(path): \(rows.joined(separator: "; "))")
    #expect(lines[2].hasPrefix("signature ") && lines[2].hasSuffix(", equal"))
  }

  @Test func refusesBeforeMeasuring() throws {
    let path = TemporaryFile.path("foreign.json")
    defer { TemporaryFile.remove(path) }
    try Data("{\"signature\": 1}".utf8).write(to: URL(fileURLWithPath: path))
    let cases = [
      (["--against", path], "\(path): not a report of a benchmark: "),
      (["--against", "missing.json"], "missing.json: cannot be read: No such file or directory"),
      (["--only", "nonsense"], "there are engine random games; play 1-ply 4x6; "),
      (["--json", "--against", path], "give one of them"),
      (["--signature", "--json"], "leave the other options out"),
      (["--signature", "--seconds", "1"], "leave the other options out"),
    ]
    for (arguments, fact) in cases {
      let result = try Program.run(["bench"] + arguments)
      #expect(result.status != 0 && result.output.isEmpty && result.errors.contains(fact), "\(result)")
    }
  }
}
