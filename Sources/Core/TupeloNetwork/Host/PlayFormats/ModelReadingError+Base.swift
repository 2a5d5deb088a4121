extension ModelReadingError {
  /// The error itself, as callers of the program know it.
  var base: any Error {
    switch self {
    case .header(let error): error
    case .model(let error): error
    case .compact(let error): error
    case .storage(let error): error
    }
  }
}

/// Runs code that the page shares, and throws the errors of the program.
func reading<Result>(_ body: () throws(ModelReadingError) -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw error.base
  }
}
