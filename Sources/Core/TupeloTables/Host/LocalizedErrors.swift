public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension WeightStorageError: LocalizedError {
  public var errorDescription: String? { description }
}
