internal import Foundation

/// The body of a program that trains with parts of its own.
///
/// ```swift
/// Experiment.run {
///   let trainer = try Trainer(configuration, rule: rule)
///   try trainer.train()
/// }
/// ```
public enum Experiment {
  /// Runs the body. An error ends the program with one line on standard error and exit code 1, as in `tupelo`; an error
  /// that leaves `main.swift` would end it with a trap and a dump of registers.
  ///
  /// A debug build says first that it is slow.
  public static func run(_ body: () throws -> Void) {
    #if DEBUG
    say("note: a debug build trains a hundred times slower: use swift run -c release")
    #endif
    do {
      try body()
    } catch {
      say("Error: \(error)")
      exit(1)
    }
  }

  /// A line that cannot be written is lost: there is no other place for it.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
