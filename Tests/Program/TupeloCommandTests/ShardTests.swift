import Foundation
import TestSupport
import Testing

/// Shards whose number comes from a scheduler.
@Suite struct ShardTests {
  private static func evaluate(_ shard: String, _ environment: [String: String]) throws -> Program.Result {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    return try Program.shell(
      "\(variables) \(Program.quoted(Program.path)) evaluate --agent random --games 24 --threads 1 --shard \(shard)")
  }

  /// The results of a shard without the time that it took.
  private static func results(_ result: Program.Result) -> String? {
    guard let start = result.output.range(of: "\"results\":[["),
      let end = result.output.range(of: "]]", range: start.upperBound..<result.output.endIndex)
    else { return nil }
    return String(result.output[start.lowerBound..<end.upperBound])
  }

  @Test(
    .slow,
    arguments: [
      ("auto", ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "4"], "3/4"),
      ("auto", ["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "4"], "1/4"),
      (
        "auto",
        [
          "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "4",
          "SLURM_ARRAY_TASK_COUNT": "4",
        ], "3/4"
      ),
      ("auto/4", ["JOB_COMPLETION_INDEX": "3"], "4/4"),
      ("auto", ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "6"], "1/6"),
    ] as [(String, [String: String], String)]) func theSchedulerSays(
      _ shard: String, _ environment: [String: String], _ explicit: String
    ) throws
  {
    let (scheduled, named) = try (Self.evaluate(shard, environment), Self.evaluate(explicit, [:]))
    #expect(scheduled.status == 0 && named.status == 0, "\(scheduled) \(named)")
    let results = try #require(Self.results(named))
    #expect(Self.results(scheduled) == results && results.contains("[["))
    let parts = explicit.split(separator: "/")
    #expect(scheduled.output.contains("\"shard\":\(parts[0]),\"shards\":\(parts[1])"), "\(scheduled)")
  }

  @Test(
    arguments: [
      ("auto", [:], "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: give i/n, such as 1/4"),
      ("auto", ["JOB_COMPLETION_INDEX": "2"], "JOB_COMPLETIONS is not set: give the number of shards, such as auto/4"),
      ("auto/4", ["JOB_COMPLETION_INDEX": "4"], "the scheduler gave this task the shard 5 of 4"),
      ("auto", ["SLURM_ARRAY_TASK_ID": "x"], "SLURM_ARRAY_TASK_ID is 'x', not a number"),
      ("auto/0", ["JOB_COMPLETION_INDEX": "0"], "give auto/n with n from 1 on"),
      ("auto/2/3", [:], "give i/n with i from 1 to n, such as 1/4"),
    ] as [(String, [String: String], String)])
  func refusesWhatDoesNotFit(_ shard: String, _ environment: [String: String], _ text: String) throws {
    let result = try Self.evaluate(shard, environment)
    #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(text), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
  }

  /// A program that cannot reach the other processes is refused, because each would play the same games.
  @Test(arguments: ["train", "evaluate"]) func anotherLauncherIsRefused(_ command: String) throws {
    let line = "OMPI_COMM_WORLD_SIZE=3 \(Program.quoted(Program.path)) \(command)"
    let result = try Program.shell(line + (command == "train" ? " --games 5" : " --games 5 --agent random"))
    #if MPI
    let text = "mpirun started 3 processes that cannot find each other"
    #else
    let text = "mpirun started 3 processes, and this program was built without MPI"
    #endif
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("Error: \(text)"), "\(result)")
  }
}
