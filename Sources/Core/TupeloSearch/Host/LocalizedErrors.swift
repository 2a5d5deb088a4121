public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension AgentSpecificationError: LocalizedError {
  public var errorDescription: String? { description }
}

extension SearchLimitsError: LocalizedError {
  public var errorDescription: String? { description }
}

extension SearchTableError: LocalizedError {
  public var errorDescription: String? { description }
}
