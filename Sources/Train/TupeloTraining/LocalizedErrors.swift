public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension CheckpointError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ReplicaMergeError: LocalizedError {
  public var errorDescription: String? { description }
}

extension TrainingError: LocalizedError {
  public var errorDescription: String? { description }
}
