public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension EvaluationShardError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ProbeBoardsError: LocalizedError {
  public var errorDescription: String? { description }
}
