internal import ArgumentParser
internal import Foundation
internal import TupeloReports
internal import TupeloTraining

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the shards of an evaluation into one result.",
    usage: "tupelo merge <files> ... [<options>]",
    discussion: """
      An evaluation can be divided among any number of machines: tupelo evaluate --shard plays one part and prints one \
      file. The merged result is the result of the undivided evaluation. The speed that it names is the speed of all \
      shards played one after the other.

      Example:
        tupelo evaluate models/small --games 100 --shard 1/2 > 1.json
        tupelo evaluate models/small --games 100 --shard 2/2 > 2.json
        tupelo merge 1.json 2.json
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
