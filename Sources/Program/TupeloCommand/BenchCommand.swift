internal import ArgumentParser
internal import Foundation
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloTraining

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures the speed of training and play.",
    usage: "tupelo bench [<options>]",
    discussion: """
      Speeds are medians over slices that alternate between the rows. The signature of behaviour is printed with them. \
      It is the same on every machine, and it changes only when results change. To compare two builds, save what one \
      build prints with --json, and give this file to the other build with --against.

      Example:
        tupelo bench --layouts 17x4 --only "train TD"
      """)

  @Flag(name: .long, help: "Print the signature of each part only.")
  var signature = false

  @Option(
    name: .long, parsing: .upToNextOption, help: "Networks to measure in training, play and passes.",
    completion: .list(NamedLayout.all.map(\.name)))
  var layouts = Self.usualLayouts

  private static let usualLayouts = ["4x6"]

  @Option(
    name: .long,
    help: ArgumentHelp("Measure only rows whose names contain this text; may be repeated.", valueName: "text"))
  var only: [String] = []

  @Option(name: .long, help: "Games that each network is trained for before it is measured.")
  var warmUp = Count(2000)

  @Option(name: .long, help: "Slices per row.")
  var slices = 7

  @Option(name: .long, help: "Seconds per slice.")
  var seconds = 0.5

  @Option(name: .long, help: "Measure training on 1 to this many threads, and the handover between two threads.")
  var threads = 1

  @Option(
    name: .long, help: ArgumentHelp("Compare with the file that another build printed with --json.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var against: String?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard slices >= 1 else { throw CommandEnd.wrong("--slices is \(slices): give at least 1") }
    guard seconds > 0, seconds < 3600 else { throw CommandEnd.wrong("--seconds is \(seconds): give a number above 0") }
    guard warmUp.value >= 0 else { throw CommandEnd.wrong("--warm-up is \(warmUp.value): give 0 or more games") }
    guard (1...1024).contains(threads) else { throw CommandEnd.wrong("--threads is \(threads): give 1 to 1024") }
    let isAlone =
      only.isEmpty && against == nil && !json && layouts == Self.usualLayouts
      && (warmUp.value, slices, seconds, threads) == (2000, 7, 0.5, 1)
    guard !signature || isAlone else {
      throw CommandEnd.wrong("--signature measures nothing: leave the other options out")
    }
    guard !json || against == nil else {
      throw CommandEnd.wrong("--json prints a report, --against a comparison: give one of them")
    }
  }

  func run() throws {
    try ThreadLimit.check(workers: threads)
    if signature { return Terminal.line(try BenchSignature.text()) }
    let named = try layouts.map { name in
      guard let layout = NamedLayout.named(name) else {
        let known = NamedLayout.all.map(\.name).joined(separator: ", ")
        throw CommandEnd.wrong("--layouts: no network is called '\(name)': there are \(known)")
      }
      return layout
    }
    let rows = try Benchmark.select(Benchmark.standard(layouts: named, threads: threads), only: only)
    let before = try against.map { try BenchReport(path: $0) }
    let isLive = Terminal.outputIsTerminal && !json
    let results = try Benchmark.measure(rows, warmUp: warmUp.value, slices: slices, slice: .seconds(seconds)) {
      if isLive { Terminal.status($0) }
    }
    if isLive { Terminal.clearStatus() }
    let report = BenchReport(signature: try BenchSignature.compute(), results: results)
    if json { return Terminal.line(report.json()) }
    if let before, let against {
      printComparison(BenchComparison(report, against: before), with: against)
    } else {
      printTable(report)
    }
  }

  private func printTable(_ report: BenchReport) {
    let width = report.results.map(\.name.count).max() ?? 0
    for result in report.results {
      Terminal.line(
        "\(Format.padded(result.name, to: width))  \(Format.grouped(result.median)) \(result.unit)/s"
          + "  (\(Format.grouped(result.slowest)) to \(Format.grouped(result.fastest)))")
    }
    Terminal.line("signature \(report.signature)")
  }

  private func printComparison(_ comparison: BenchComparison, with file: String) {
    let width = comparison.rows.map(\.name.count).max() ?? 0
    for row in comparison.rows {
      let ratio = row.ratio.map { String(format: "%.2f", $0) } ?? "-"
      Terminal.line(
        "\(Format.padded(row.name, to: width))  \(Format.grouped(row.before)) -> \(Format.grouped(row.now)) "
          + "\(row.unit)/s  "
          + "x\(ratio)  \(row.overlaps ? "ranges overlap" : "ranges apart")")
    }
    if !comparison.onlyNow.isEmpty { Terminal.line("only here: \(comparison.onlyNow.joined(separator: "; "))") }
    if !comparison.onlyBefore.isEmpty {
      Terminal.line("only in \(file): \(comparison.onlyBefore.joined(separator: "; "))")
    }
    Terminal.line(
      comparison.signaturesAreEqual
        ? "signature \(comparison.signatureNow), equal"
        : "signature \(comparison.signatureNow), before \(comparison.signatureBefore): results have changed, and "
          + "speeds with them"
    )
  }
}
