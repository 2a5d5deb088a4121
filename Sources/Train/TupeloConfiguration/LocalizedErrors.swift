public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension ConfigurationError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ConfigurationError.Problem: LocalizedError {
  public var errorDescription: String? { description }
}

extension ValueRefusal: LocalizedError {
  public var errorDescription: String? { description }
}
