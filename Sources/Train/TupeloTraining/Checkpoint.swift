public import Safetensors
package import TupeloBase
package import TupeloCluster
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning
public import TupeloModels
internal import TupeloNetwork

/// A training run in one file. It holds the model (see `ModelFile`), the sums of the step-size rule, the random
/// streams, the counters and the resolved configuration.
public struct Checkpoint {
  public let file: SafetensorsFile
  /// The configuration of the run, without `output.onCheckpoint`: see `command`.
  public let configuration: RunConfiguration
  /// The command that the run called after each checkpoint; `nil` for none.
  ///
  /// A resumed run does not use this command, because a checkpoint may come from somebody else, and users do not read
  /// it before they resume.
  public let command: String?
  public let games: Int
  public let moves: Int
  /// The behaviour version of the program that wrote the file; `nil` for files without it. See `behaviourVersion`.
  public let behaviour: Int?
  /// The number of processes that trained together.
  public let ranks: Int
  /// The numbers of games at which the run has continued from a portable state, so that its weights were rounded; see
  /// `savePortable`.
  public let roundedAt: [Int]
  private let streams: [RandomStream]
  private let starts: [[UInt64]]

  enum Key {
    static let configuration = "tupelo.configuration"
    static let streams = "training.random"
    /// The start positions that workers keep: for each worker a count N, and then N words.
    static let starts = "training.starts"
    static let counters = "training.counters"
    /// Bytes of the caller, if there are any; see `Trainer.attachment`.
    static let attachment = "training.attachment"
    /// The number of processes that trained together, if there were several.
    static let ranks = "tupelo.ranks"
    /// The numbers of games at which the run has continued from a portable state, if it has.
    static let rounded = "tupelo.rounded_at_games"
  }

  /// Reads everything except the weights.
  ///
  /// - Parameter catalogue: the games that the run may belong to
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError` or `CheckpointError`; its text is one line that
  ///   names the file.
  public init(path: String, of catalogue: GameCatalogue = .standard) throws {
    try self.init(file: SafetensorsFile(path: path), of: catalogue)
  }

  public init(file: SafetensorsFile, of catalogue: GameCatalogue = .standard) throws {
    let description = try ModelDescription(in: file, of: catalogue)
    try self.init(stateIn: file, of: catalogue)
    do {
      guard ModelDescription(try configuration.structure()) == description else {
        throw CheckpointError.badConfiguration(path: file.path, reason: "it names another network than the weights")
      }
    } catch let error as CheckpointError {
      throw error
    } catch {
      throw CheckpointError.badConfiguration(path: file.path, reason: "\(error)")
    }
  }

  /// Reads the state of a run with any kind of model.
  init(stateIn file: SafetensorsFile, of catalogue: GameCatalogue = .standard) throws {
    self.file = file
    guard let text = file.metadata[Key.configuration], let random = file.tensor(named: Key.streams) else {
      throw CheckpointError.playOnly(path: file.path)
    }
    var configuration: RunConfiguration
    do {
      configuration = try RunConfiguration.parse(yaml: text, sourceName: "\(file.path) (configuration)", of: catalogue)
    } catch {
      throw CheckpointError.badConfiguration(path: file.path, reason: "\(error)")
    }
    command = configuration.output.onCheckpoint
    configuration.output.onCheckpoint = nil
    self.configuration = configuration
    behaviour = file.metadata[ModelFile.Key.behaviour].flatMap { Int($0) }
    (games, moves) = try Self.counters(in: file)
    guard let ranks = Int(file.metadata[Key.ranks] ?? "1"), (1...4096).contains(ranks) else {
      throw CheckpointError.badState(path: file.path, name: Key.ranks)
    }
    self.ranks = ranks
    let rounded = (file.metadata[Key.rounded] ?? "").split(separator: " ").compactMap { Int($0) }
    roundedAt = rounded + (PortableState.isIn(file) ? [games] : [])
    // There is a stream for each worker of each process.
    guard random.type == .u64, random.shape == [configuration.workers * ranks, 4] else {
      throw CheckpointError.badState(path: file.path, name: Key.streams)
    }
    let words = try file.array(of: Key.streams, as: UInt64.self)
    streams = stride(from: 0, to: words.count, by: 4).compactMap { RandomStream(state: Array(words[$0..<$0 + 4])) }
    guard streams.count * 4 == words.count else {
      throw CheckpointError.badState(path: file.path, name: Key.streams)
    }
    starts = try Self.starts(in: file, of: configuration)
  }

  /// The largest counters: far more than any machine plays, and far less than the numbers that overflow during further
  /// training.
  private static let (gamesLimit, movesLimit) = (Int64(1_000_000_000_000), Int64(1) << 53)

  private static func counters(in file: SafetensorsFile) throws -> (games: Int, moves: Int) {
    let isSound = file.tensor(named: Key.counters).map { $0.type == .i64 && $0.shape == [2] } ?? true
    let counters = isSound ? try file.array(of: Key.counters, as: Int64.self) : []
    guard counters.count == 2, (0...gamesLimit).contains(counters[0]), (0...movesLimit).contains(counters[1]) else {
      throw CheckpointError.badState(path: file.path, name: Key.counters)
    }
    return (Int(counters[0]), Int(counters[1]))
  }

  /// Files of versions in which all episodes started with new games have no start positions.
  private static func starts(in file: SafetensorsFile, of configuration: RunConfiguration) throws -> [[UInt64]] {
    guard let tensor = file.tensor(named: Key.starts) else {
      guard configuration.start == .fresh else {
        throw CheckpointError.badState(path: file.path, name: Key.starts)
      }
      return []
    }
    guard tensor.type == .u64, tensor.shape.count == 1 else {
      throw CheckpointError.badState(path: file.path, name: Key.starts)
    }
    var words = try file.array(of: Key.starts, as: UInt64.self)[...]
    var starts: [[UInt64]] = []
    while let count = words.popFirst() {
      guard count <= UInt64(words.count) else { throw CheckpointError.badState(path: file.path, name: Key.starts) }
      starts.append(Array(words.prefix(Int(count))))
      words = words.dropFirst(Int(count))
    }
    return starts
  }

  /// Writes a trainer's state. The file appears whole or not at all. An older file of this name stays until then.
  ///
  /// - Complexity: one pass over the weights, with a buffer of 64 Ki numbers.
  static func write(_ trainer: Trainer, to path: String) throws {
    let streams = trainer.state.pool.streams.flatMap(\.state)
    let counters = [Int64(trainer.games), Int64(trainer.moves)]
    var metadata = trainer.state.metadata
    metadata[Key.configuration] = trainer.configuration.yaml
    if !trainer.roundedAt.isEmpty {
      metadata[Key.rounded] = trainer.roundedAt.map(String.init).joined(separator: " ")
    }
    if trainer.communicator.size > 1 { metadata[Key.ranks] = "\(trainer.communicator.size)" }
    let starts = trainer.state.pool.starts.flatMap { [UInt64($0.count)] + $0 }
    let own = [
      TensorDescription(name: Key.streams, type: .u64, shape: [streams.count / 4, 4]),
      TensorDescription(name: Key.starts, type: .u64, shape: [starts.count]),
      TensorDescription(name: Key.counters, type: .i64, shape: [2]),
    ]
    let attached = trainer.attachment
    let attachment = TensorDescription(name: Key.attachment, type: .u8, shape: [attached.count])
    let all = own + (attached.isEmpty ? [] : [attachment]) + trainer.state.tensors
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: all) { tensor, sink in
      switch tensor.name {
      case Key.streams: try sink.write(streams.span)
      case Key.starts: try sink.write(starts.span)
      case Key.counters: try sink.write(counters.span)
      case Key.attachment: try sink.write(attached.span)
      default: _ = try trainer.state.write(tensor, to: &sink)
      }
    }
  }

  /// Makes a trainer that continues from this checkpoint, in only this process.
  ///
  /// - Parameters:
  ///   - configuration: a changed configuration with the same game, network, step-size rule, zeros and averaging;
  ///     `nil` for the configuration of the checkpoint
  ///   - allowsChanges: whether the rules of the game, the settings of learning, the seed and the threads may change
  /// - Throws: `CheckpointError.changed` with the settings that may not change, or may not change without permission;
  ///   `CheckpointError.alreadyPlayed` if fewer games are requested than have been played;
  ///   `CheckpointError.ownParts` for a run with a rule or learner that its program defines: give `Trainer` the rule
  ///   and the path instead.
  public func resume(with configuration: RunConfiguration? = nil, allowingChanges allowsChanges: Bool = false) throws
    -> Trainer
  {
    try resume(with: configuration, allowingChanges: allowsChanges, communicator: SoloCommunicator())
  }

  /// Makes a trainer that continues from this checkpoint together with trainers of other processes. The numbers of
  /// processes and of replicas may change; see `resume(with:allowingChanges:)`.
  package func resume(
    with configuration: RunConfiguration? = nil, allowingChanges allowsChanges: Bool = false,
    communicator: any Communicator
  ) throws -> Trainer {
    let configuration = configuration ?? self.configuration
    try check(configuration, allowingChanges: allowsChanges)
    let keys = ConfigurationKeys.of([self.configuration, configuration]).all
    let workers = configuration.workers * communicator.size
    let trainer = try Trainer(
      configuration, streams: streams(for: configuration, workers: workers), games: games, moves: moves,
      communicator: communicator)
    try restore(trainer, keys)
    return trainer
  }

  /// Checks that a run may continue with another configuration; see `resume(with:allowingChanges:)`.
  package func check(_ configuration: RunConfiguration, allowingChanges allowsChanges: Bool) throws {
    let own = self.configuration.own
    guard own.isEmpty else { throw CheckpointError.ownParts(path: file.path, own) }
    let keys = ConfigurationKeys.of([self.configuration, configuration]).all
    try check(configuration, keys, allowingChanges: allowsChanges)
  }

  /// Checks that a run may continue with another configuration.
  ///
  /// - Parameter keys: the settings of the run
  func check(_ configuration: RunConfiguration, _ keys: [ConfigurationKey], allowingChanges allowsChanges: Bool) throws
  {
    let own = self.configuration.own
    guard own.hasParts(of: configuration.own) else {
      throw own.hasParts(of: OwnParts())
        ? CheckpointError.withoutParts(path: file.path, configuration.own)
        : CheckpointError.ownParts(path: file.path, own)
    }
    for key in changed(keys, in: configuration) {
      let isFixed = key.atResume == .fixed
      guard isFixed || key.atResume.needsPermission && !allowsChanges else { continue }
      throw CheckpointError.changed(
        path: file.path, key: key.path, before: key.shown(self.configuration),
        now: key.shown(configuration), isFixed: isFixed)
    }
    let target = configuration.training.games
    guard target >= games || target == self.configuration.training.games else {
      throw CheckpointError.alreadyPlayed(path: file.path, games: games, target: target)
    }
  }

  /// The keys whose settings differ between the run and another configuration.
  private func changed(_ keys: [ConfigurationKey], in configuration: RunConfiguration) -> [ConfigurationKey] {
    let (before, now) = (self.configuration.settings.values, configuration.settings.values)
    return keys.filter { before[$0.path] != now[$0.path] }
  }

  /// The most bytes of an attachment.
  package static let largestAttachment = 1 << 30

  /// Gives a new trainer the state of the run.
  func restore(_ trainer: Trainer, _ keys: [ConfigurationKey]) throws {
    let configuration = trainer.configuration
    let workers = configuration.workers * trainer.communicator.size
    (trainer.note, trainer.roundedAt) = (note, roundedAt)
    if let tensor = file.tensor(named: Key.attachment) {
      guard tensor.type == .u8, tensor.byteCount <= Self.largestAttachment else {
        throw CheckpointError.badState(path: file.path, name: Key.attachment)
      }
      trainer.attachment = try file.array(of: Key.attachment, as: UInt8.self)
    }
    try trainer.state.read(from: file)
    let isSameStart =
      configuration.start == self.configuration.start && workers == streams.count
      && !changed(keys, in: configuration).contains { $0.atResume == .workers }
    guard starts.isEmpty || !isSameStart || trainer.state.pool.restore(starts: starts) else {
      throw CheckpointError.badState(path: file.path, name: Key.starts)
    }
    try trainer.state.begin(after: games, since: roundedAt.last ?? 0)
  }

  /// The random streams of a resumed run: the streams of the checkpoint, and new streams for additional threads or
  /// another seed.
  package func streams(for configuration: RunConfiguration, workers: Int) -> [RandomStream] {
    let kept = configuration.seed == self.configuration.seed ? streams : []
    return (0..<workers).map { thread in
      // New streams differ from those of all earlier sessions, because their numbers depend on the number of games at
      // the start of the session.
      thread < kept.count
        ? kept[thread] : RandomStream(seed: configuration.seed, stream: UInt64(games) << 20 | UInt64(thread))
    }
  }
}

extension Checkpoint {
  /// Why training continues differently than it would have without the interruption: the file is a portable state, or
  /// a program of other behaviour wrote it. `nil` if training does not differ.
  public var note: CheckpointError? {
    if isPortable { return .rounded(path: file.path) }
    guard let behaviour, behaviour != behaviourVersion else { return nil }
    return .otherBehaviour(path: file.path, found: behaviour, own: behaviourVersion)
  }
}

extension Checkpoint {
  /// Whether the file is a portable state: see `savePortable`.
  public var isPortable: Bool { PortableState.isIn(file) }

  /// Writes the run in about 1/40 of a checkpoint, to continue it on another machine: `resume` takes the new file, too.
  ///
  /// Weights that were updated often are kept, rounded to about 8 score points, with their sums, rounded to half an
  /// octave. The average of the weights begins again, and until then the present weights play. So training continues,
  /// but not bit for bit; see `note`. The file is also a model to play with.
  ///
  /// - Parameters:
  ///   - file: a checkpoint, of any game with tables of weights
  ///   - path: the new file, which appears whole or not at all
  ///   - bytes: its largest size; by default 1/43 of the checkpoint's, or 1 MB for a small one
  /// - Throws: an error whose text is one line that names the file: for a file that is not a checkpoint of tables, for
  ///   too small a size, and for files that cannot be read or written.
  /// - Complexity: a few passes over the checkpoint.
  public static func savePortable(_ file: SafetensorsFile, to path: String, bytes: Int? = nil) throws {
    guard file.tensor(named: Key.streams) != nil else { throw CheckpointError.playOnly(path: file.path) }
    // The optimizer of a dense network needs all its numbers.
    guard !file.tensors.contains(where: { $0.name.hasPrefix("training.optimizer.") }) else {
      throw PortableStateError.noTables(path: file.path)
    }
    try PortableState.write(file, to: path, bytes: bytes)
  }
}

extension Trainer {
  /// Writes a checkpoint.
  ///
  /// - Precondition: no round is running.
  public func save(to path: String) throws {
    try Checkpoint.write(self, to: path)
  }
}

/// Why a run cannot continue from a file.
public enum CheckpointError: Error, Hashable, Sendable {
  case playOnly(path: String)
  case badConfiguration(path: String, reason: String)
  case badState(path: String, name: String)
  case changed(path: String, key: String, before: String, now: String, isFixed: Bool)
  case alreadyPlayed(path: String, games: Int, target: Int)
  /// The run has parts that only its own program defines.
  case ownParts(path: String, OwnParts)
  /// The run lacks parts that the caller defines.
  case withoutParts(path: String, OwnParts)
  case otherBehaviour(path: String, found: Int, own: Int)
  /// A portable state; see `Checkpoint.savePortable`.
  case rounded(path: String)
}

extension CheckpointError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .playOnly(let path):
      "\(path): a model to play with, without training state: give a run or a checkpoint, or let a new run start from "
        + "these weights by network.initial_model"
    case .badConfiguration(let path, let reason):
      "\(path): the configuration inside cannot be used: \(reason)"
    case .badState(let path, let name):
      "\(path): the tensor \(name) is not what a checkpoint has: the file is damaged"
    case .changed(let path, let key, let before, let now, let isFixed):
      "\(path): \(key) was \(before) and is \(now) now: "
        + (isFixed ? "leave it as it was, or start a new run" : "leave it as it was, or add --allow-changes")
    case .alreadyPlayed(let path, let games, let target):
      "\(path): training.games is \(target), but \(CountText.text(games, "game")) "
        + "\(games == 1 ? "has" : "have") been played: give \(games) or more"
    case .ownParts(let path, let parts):
      "\(path): trained with \(parts.text), which this program does not have: continue it with the program that wrote "
        + "it, or only play with it"
    case .withoutParts(let path, let parts):
      "\(path): trained without \(parts.text): start a new run, or continue it with `tupelo train --resume`"
    case .otherBehaviour(let path, let found, let own):
      "\(path): written by a program of behaviour \(found), this one has \(own): training continues, but not bit for "
        + "bit as it would have"
    case .rounded(let path):
      "\(path): a portable state, whose weights are rounded: training continues from here, but not bit for bit as it "
        + "would have from a checkpoint"
    }
  }
}
