public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension SystemError: LocalizedError {
  public var errorDescription: String? { description }
}
