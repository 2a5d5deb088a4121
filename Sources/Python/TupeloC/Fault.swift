internal import CTupeloAPI
internal import SetEngine
internal import TupeloDense
internal import TupeloEngine
internal import TupeloRuns
internal import TupeloSearch
internal import TupeloTables
internal import TupeloTraining

/// The reason why a function of the C interface refuses: a status, and one line of text.
struct Fault: Error {
  enum Kind {
    case invalid, configuration, file, memory, busy, noObject, cancelled, diverged, tooSmall, illegalMove, gameOver

    var status: Int32 {
      let status =
        switch self {
        case .invalid: TUPELO_INVALID_ARGUMENT
        case .configuration: TUPELO_BAD_CONFIGURATION
        case .file: TUPELO_BAD_FILE
        case .memory: TUPELO_OUT_OF_MEMORY
        case .busy: TUPELO_BUSY
        case .noObject: TUPELO_NO_SUCH_OBJECT
        case .cancelled: TUPELO_CANCELLED
        case .diverged: TUPELO_DIVERGED
        case .tooSmall: TUPELO_TOO_SMALL
        case .illegalMove: TUPELO_ILLEGAL_MOVE
        case .gameOver: TUPELO_GAME_OVER
        }
      return Int32(truncatingIfNeeded: status)
    }
  }

  let kind: Kind
  let text: String

  init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

  static func invalid(_ text: String) -> Fault { Fault(.invalid, text) }

  /// The fault of a call that a control has ended.
  static var cancelled: Fault { Fault(.cancelled, "the call was cancelled by its control") }

  /// Turns an error of the modules below into a fault with a kind. An error of no other kind comes from reading or
  /// writing a file.
  init(_ error: any Error) {
    self =
      switch error {
      case let fault as Fault: fault
      case is CancellationError: .cancelled
      case is ConfigurationError: Fault(.configuration, "\(error)")
      case CheckpointError.changed, CheckpointError.alreadyPlayed: Fault(.configuration, "\(error)")
      case is WeightStorageError, is SearchTableError, is DenseMemoryError, DenseError.outOfMemory, DenseError.refused:
        Fault(.memory, "\(error)")
      case TrainingError.diverged: Fault(.diverged, "\(error)")
      case is RulesError, is SearchLimitsError, is AgentSpecificationError, is SetRulesError, is ExternalRunError:
        .invalid("\(error)")
      default: Fault(.file, "\(error)")
      }
  }
}

/// Runs the body of a function of the C interface: an error becomes a status, and the thread's error text.
@inline(__always)
func status(_ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return 0
  } catch {
    return refuse(error)
  }
}

@inline(never)
private func refuse(_ error: any Error) -> Int32 {
  let fault = Fault(error)
  CText.setLastError(fault.text)
  return fault.kind.status
}
