public import Safetensors
public import TupeloNetwork

/// A model to play with, of any game that can be trained. Only this type knows the games.
public enum TrainedModel: StoredModel, Sendable {
  case board(BoardModel)
  case set(SetModel)

  /// Loads an open model file, or a checkpoint's weights to play with.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, whose text is one line that names the file;
  ///   `WeightStorageError` or `DenseError` when it does not fit into memory.
  public init(file: SafetensorsFile) throws {
    self =
      try ModelDescription(in: file).game == .set ? .set(SetModel(file: file)) : .board(BoardModel(file: file))
  }

  public var description: ModelDescription {
    switch self {
    case .board(let model): model.description
    case .set(let model): model.description
    }
  }

  /// The identity of the model: 16 hex digits, a hash of its structure and of every weight that plays. Two files with
  /// equal identities play alike, in whatever form they are stored.
  ///
  /// - Complexity: O(weights), half a second for 134 million.
  public var identity: String {
    switch self {
    case .board(let model): model.identity
    case .set(let model): model.identity
    }
  }

  /// Writes a model file to play with; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    switch self {
    case .board(let model): try model.save(to: path, format: format, metadata: metadata)
    case .set(let model): try model.save(to: path, format: format, metadata: metadata)
    }
  }

  /// The step between the weights of a compact file that costs no strength: in score points or Sets, and for a dense
  /// network in its units.
  public var compactStep: Float {
    switch description {
    case .network: 16
    case .set: 0.0005
    case .dense: 0.001
    }
  }

  /// Writes a TDL2048+ weight file.
  ///
  /// - Throws: `TrainedModelError` for anything but an n-tuple network; the errors of
  ///   `NTupleNetwork.saveTDLWeightFile`.
  public func saveTDLWeightFile(to path: String) throws {
    guard case .board(let model) = self else {
      throw TrainedModelError.otherGame(path: path, .set, wanted: .twentyFortyEight)
    }
    try model.saveTDLWeightFile(to: path)
  }

  /// The model as one of 2048.
  ///
  /// - Parameter path: where it came from
  /// - Throws: `TrainedModelError.otherGame`.
  public func board(path: String) throws -> BoardModel {
    guard case .board(let model) = self else {
      throw TrainedModelError.otherGame(path: path, .set, wanted: .twentyFortyEight)
    }
    return model
  }

  /// The model as one of Set.
  ///
  /// - Parameter path: where it came from
  /// - Throws: `TrainedModelError.otherGame`.
  public func set(path: String) throws -> SetModel {
    guard case .set(let model) = self else {
      throw TrainedModelError.otherGame(path: path, .twentyFortyEight, wanted: .set)
    }
    return model
  }
}

/// Why a model cannot be used for something.
public enum TrainedModelError: Error, Hashable, Sendable {
  /// A dense network, where n-tuples are wanted.
  case dense(path: String)
  /// A model of another game than wanted.
  case otherGame(path: String, GameKind, wanted: GameKind)
}

extension TrainedModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dense(let path): "\(path): a dense network, and this is for n-tuple networks: name one of these"
    case .otherGame(let path, let game, let wanted):
      "\(path): a model of \(game.title), and this is about \(wanted.title): name a model of \(wanted.title)"
    }
  }
}
