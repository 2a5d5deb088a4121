internal import ArgumentParser
internal import Foundation
internal import TupeloRuns
internal import TupeloTraining

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Puts the shards of an evaluation together.",
    discussion: """
      Shards are made on as many machines as there are, one file each, and together give the unsharded result:
        tupelo evaluate MODEL --games 1000 --shard 1/2 > 1.json
        tupelo evaluate MODEL --games 1000 --shard 2/2 > 2.json
        tupelo merge 1.json 2.json
      The speed is that of all shards one after the other.
      """)

  @Argument(help: "Files that evaluate --shard has written.", completion: .file(extensions: ["json"]))
  var files: [String]

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  /// The largest size of a shard file, in bytes; one result takes some twenty bytes.
  private static let largestBytes = 1 << 30

  func run() throws {
    let shards = try files.map { file in
      let data = try InputFile.read(file, limit: Self.largestBytes, as: "shard of an evaluation")
      return (file: file, shard: try EvaluationShard(json: Array(data), file: file, of: .program))
    }
    let report = try EvaluationShard.merge(shards)
    let subject = shards.first.map { _, shard in
      EvaluationSubject(
        agent: shard.header.agent, rules: shard.header.rules, fingerprint: shard.header.fingerprint,
        model: shard.header.model, checksum: shard.header.checksum)
    }
    Terminal.line(json ? report.json(of: subject) : "\(report)")
  }
}
