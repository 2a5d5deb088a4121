public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension TrainedModelError: LocalizedError {
  public var errorDescription: String? { description }
}
