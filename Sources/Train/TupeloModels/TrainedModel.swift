public import Safetensors
public import TupeloNetwork

/// A model for play, of one kind and game.
public protocol GameModel: Sendable {
  var structure: any ModelStructure { get }
  /// The identity of the model: 16 hex digits, a hash of its structure and of every weight that plays. Two files with
  /// equal identities play the same moves, in any storage format.
  ///
  /// - Complexity: O(weights), half a second for 134 million.
  var identity: String { get }

  /// Writes a model file for play; see `NTupleNetwork.save`.
  func save(to path: String, format: PlayFormat, metadata: [String: String]) throws

  /// The bytes of the file that `save` would write, in memory; see `NTupleNetwork.bytes`.
  func bytes(format: PlayFormat, metadata: [String: String]) throws -> [UInt8]

  /// The player that measures the model.
  ///
  /// - Parameters:
  ///   - rules: rules of the model's game
  ///   - plies: the depth of the search, in games with a search
  /// - Precondition: `rules.game == structure.game`.
  func contender(rules: GameRules, plies: Int) -> Contender
}

/// An agent that is measured, such as the agent of a trained model. It makes one player for each thread.
public struct Contender: Sendable {
  /// The agent's specification.
  public let name: String
  /// Makes a player; each thread has its own. It throws when there is no memory for the player.
  public let makePlayer: @Sendable () throws -> any GamePlayer

  public init(name: String, makePlayer: @escaping @Sendable () throws -> any GamePlayer) {
    (self.name, self.makePlayer) = (name, makePlayer)
  }
}

/// A model for play, of any kind and game.
public struct TrainedModel: Sendable {
  /// The model, in the type of its kind.
  public let base: any GameModel

  public init(_ base: some GameModel) { self.base = base }

  /// Loads an open model file, or the weights of a checkpoint for play.
  ///
  /// - Parameter catalogue: the games that it may be of
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, whose text is one line that names the file;
  ///   `WeightStorageError` or `DenseError` when it does not fit into memory.
  public init(file: SafetensorsFile, of catalogue: GameCatalogue = .standard) throws {
    base = try catalogue.structure(in: file).model(in: file)
  }

  /// Loads a model file, a checkpoint, or a folder with such a file; see `ModelPath`.
  ///
  /// - Parameter catalogue: the games that it may be of
  /// - Throws: the errors of `StoredModel.init(path:)`.
  public init(path: String, of catalogue: GameCatalogue = .standard) throws {
    try self.init(file: SafetensorsFile(path: ModelPath.file(at: path)), of: catalogue)
  }

  public var description: ModelDescription { ModelDescription(base.structure) }

  /// The identity of the model; see `GameModel.identity`.
  public var identity: String { base.identity }

  /// Writes a model file for play; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    try base.save(to: path, format: format, metadata: metadata)
  }

  /// The bytes of the file that `save` would write, in memory; see `NTupleNetwork.bytes`.
  public func bytes(format: PlayFormat = .f32, metadata: [String: String] = [:]) throws -> [UInt8] {
    try base.bytes(format: format, metadata: metadata)
  }

  /// Writes a TDL2048+ weight file.
  ///
  /// - Throws: `TrainedModelError` for anything but an n-tuple network; the errors of
  ///   `NTupleNetwork.saveTDLWeightFile`.
  public func saveTDLWeightFile(to path: String) throws {
    try board(path: path).patterns(path: path).saveTDLWeightFile(to: path)
  }

  /// The model as a model of 2048.
  ///
  /// - Parameter path: the path of the model, for errors
  /// - Throws: `TrainedModelError.otherGame`.
  public func board(path: String) throws -> any BoardModel {
    guard let model = base as? any BoardModel else {
      throw TrainedModelError.otherGame(path: path, base.structure.game, wanted: .twentyFortyEight)
    }
    return model
  }
}

/// Why a model cannot be used for something.
public enum TrainedModelError: Error, Hashable, Sendable {
  /// A dense network is given, and an n-tuple network is required.
  case dense(path: String)
  /// The model belongs to a different game.
  case otherGame(path: String, GameKind, wanted: GameKind)
}

extension TrainedModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .dense(let path): "\(path): is a dense network: name an n-tuple network"
    case .otherGame(let path, let game, let wanted):
      "\(path): a model of \(game.title), and this is about \(wanted.title): name a model of \(wanted.title)"
    }
  }
}
