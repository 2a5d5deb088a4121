public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension BoardTextError: LocalizedError {
  public var errorDescription: String? { description }
}

extension GameRecordError: LocalizedError {
  public var errorDescription: String? { description }
}

extension RulesError: LocalizedError {
  public var errorDescription: String? { description }
}
