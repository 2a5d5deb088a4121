public import Foundation

// For apps: `localizedDescription` of an error is its text.

extension CompactModelError: LocalizedError {
  public var errorDescription: String? { description }
}

extension FoldError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ModelFileError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ModelPathError: LocalizedError {
  public var errorDescription: String? { description }
}

extension NamedLayoutError: LocalizedError {
  public var errorDescription: String? { description }
}

extension NetworkSpecificationError: LocalizedError {
  public var errorDescription: String? { description }
}

extension StagePartitionError: LocalizedError {
  public var errorDescription: String? { description }
}

extension TDLWeightFileError: LocalizedError {
  public var errorDescription: String? { description }
}

extension TuplePatternError: LocalizedError {
  public var errorDescription: String? { description }
}
