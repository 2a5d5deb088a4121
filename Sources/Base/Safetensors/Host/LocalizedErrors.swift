public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension SafetensorsError: LocalizedError {
  public var errorDescription: String? { description }
}
