internal import ArgumentParser
internal import Foundation
internal import TupeloNetwork
internal import TupeloTraining

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures speeds, and prints a signature of behaviour.",
    discussion: """
      The signature is the same on every machine and changes only when results change. Speeds are medians over slices that \
      alternate between the benchmarks.
      """)

  @Flag(name: .long, help: "Print the signature only.")
  var signature = false

  @Option(name: .long, parsing: .upToNextOption, help: "Networks to train and play.")
  var layouts = ["4x6"]

  @Option(name: .long, help: "Games that each network is trained for before it is measured.")
  var warmUp = 2000

  @Option(name: .long, help: "Slices per benchmark.")
  var slices = 7

  @Option(name: .long, help: "Seconds per slice.")
  var seconds = 0.5

  @Option(name: .long, help: "Also measure training on this many threads.")
  var threads = 1

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard slices >= 1 else { throw ValidationError("--slices is \(slices): give at least 1") }
    guard seconds > 0, seconds < 3600 else { throw ValidationError("--seconds is \(seconds): give a number above 0") }
    guard warmUp >= 0 else { throw ValidationError("--warm-up is \(warmUp): give 0 or more games") }
    guard (1...1024).contains(threads) else { throw ValidationError("--threads is \(threads): give 1 to 1024") }
  }

  func run() throws {
    if signature { return Terminal.line(try BenchSignature.compute()) }
    let named = try layouts.map { name in
      guard let layout = NamedLayout.named(name) else {
        let known = NamedLayout.all.map(\.name).joined(separator: ", ")
        throw ValidationError("--layouts: no network is called '\(name)': there are \(known)")
      }
      return layout
    }
    let signature = try BenchSignature.compute()
    var benchmarks = [Benchmark.engine]
    for layout in named {
      benchmarks.append(try .play(layout, plies: 1, warmUp: warmUp))
      benchmarks.append(try .play(layout, plies: 2, warmUp: warmUp))
      for coherent in [false, true] {
        benchmarks.append(try .train(layout, coherent: coherent, threads: 1, warmUp: warmUp))
        if threads > 1 {
          benchmarks.append(try .train(layout, coherent: coherent, threads: threads, warmUp: warmUp))
        }
      }
    }
    for coherent in [false, true] { benchmarks += try Benchmark.averaging(coherent: coherent) }
    let isLive = Terminal.outputIsTerminal && !json
    let results = Benchmark.measure(benchmarks, slices: slices, slice: .seconds(seconds)) { done, all in
      if isLive { Terminal.status("measuring: \(done)/\(all) slices") }
    }
    if isLive { Terminal.clearStatus() }
    json ? try printJSON(results, signature: signature) : printTable(results, signature: signature)
  }

  private func printTable(_ results: [Benchmark.Result], signature: String) {
    let width = results.map(\.name.count).max() ?? 0
    for result in results {
      let name = result.name.padding(toLength: width, withPad: " ", startingAt: 0)
      Terminal.line(
        "\(name)  \(Format.grouped(result.median)) \(result.unit)/s"
          + "  (\(Format.grouped(result.slowest)) to \(Format.grouped(result.fastest)))")
    }
    Terminal.line("signature \(signature)")
  }

  private func printJSON(_ results: [Benchmark.Result], signature: String) throws {
    struct Report: Encodable {
      let signature: String
      let results: [Benchmark.Result]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    Terminal.line(String(decoding: try encoder.encode(Report(signature: signature, results: results)), as: UTF8.self))
  }
}
