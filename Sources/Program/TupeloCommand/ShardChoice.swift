/// A shard of an evaluation on the command line, as `i/n`, or `auto` for what a scheduler says.
struct ShardChoice {
  let number: Int
  let count: Int

  /// - Parameters:
  ///   - text: `i/n`; `auto`, or `auto/n` where the scheduler does not say how many shards there are
  ///   - environment: the environment variables, which the schedulers set
  /// - Throws: `CommandEnd.wrong`.
  init(_ text: String, environment: [String: String] = [:]) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts[0] != "auto" || parts.count > 2 else {
      var count: Int?
      if parts.count == 2 {
        count = Int(parts[1])
        guard let count, count >= 1 else {
          throw CommandEnd.wrong("--shard is \(text): give auto/n with n from 1 on, such as auto/4")
        }
      }
      self = try .scheduled(environment, count: count)
      return
    }
    let numbers = parts.map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], count >= 1, (1...count).contains(number)
    else { throw CommandEnd.wrong("--shard is \(text): give i/n with i from 1 to n, such as 1/4") }
    (self.number, self.count) = (number, count)
  }

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// The shard that a scheduler gave this process: the task of an array job of Slurm, or the index of an indexed job of
  /// Kubernetes.
  private static func scheduled(_ environment: [String: String], count: Int?) throws -> ShardChoice {
    func number(_ name: String) throws -> Int? {
      guard let text = environment[name] else { return nil }
      guard let number = Int(text), number >= 0 else {
        throw CommandEnd.wrong("--shard auto: the environment variable \(name) is '\(text)', not a number")
      }
      return number
    }
    let index: Int
    let counted: (name: String, count: Int?)
    if let task = try number("SLURM_ARRAY_TASK_ID") {
      let (first, step) = (try number("SLURM_ARRAY_TASK_MIN") ?? 0, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
      index = (task - first) / max(step, 1)
      counted = ("SLURM_ARRAY_TASK_COUNT", try number("SLURM_ARRAY_TASK_COUNT"))
    } else if let task = try number("JOB_COMPLETION_INDEX") {
      index = task
      counted = ("JOB_COMPLETIONS", try number("JOB_COMPLETIONS"))
    } else {
      throw CommandEnd.wrong(
        "--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: give i/n, such as 1/4")
    }
    guard let count = count ?? counted.count else {
      throw CommandEnd.wrong("--shard auto: \(counted.name) is not set: give the number of shards, such as auto/4")
    }
    guard (0..<count).contains(index) else {
      throw CommandEnd.wrong(
        "--shard auto: the scheduler gave this task the shard \(index + 1) of \(count): make the job as large as that")
    }
    return ShardChoice(number: index + 1, count: count)
  }
}
