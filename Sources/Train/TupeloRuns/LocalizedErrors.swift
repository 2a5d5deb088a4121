public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension CheckpointRescue: LocalizedError {
  public var errorDescription: String? { description }
}

extension ExternalRunError: LocalizedError {
  public var errorDescription: String? { description }
}

extension MetricsError: LocalizedError {
  public var errorDescription: String? { description }
}

extension MetricsError.LineProblem: LocalizedError {
  public var errorDescription: String? { description }
}

extension ModelEvaluationError: LocalizedError {
  public var errorDescription: String? { description }
}

extension RunDirectoryError: LocalizedError {
  public var errorDescription: String? { description }
}
