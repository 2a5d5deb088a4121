package import Safetensors
internal import TupeloConfiguration
package import TupeloModels
package import TupeloNetwork
public import TupeloTables

/// The weights of a game or of an encoder that the caller defines: one table in the order of its features.
@usableFromInline
struct OwnTables: Sendable {
  /// The name of the game; `nil` for 2048.
  let game: String?
  /// The name of the encoder of 2048; `nil` for another game.
  let encoder: String?
  let layout: FeatureLayout
  /// The number of weights that features may name, rounded up to whole pieces of files.
  let weightCount: Int

  /// The weights of another game.
  ///
  /// - Throws: `TrainingError.badName`.
  @usableFromInline
  init(game: String, _ layout: FeatureLayout) throws(TrainingError) {
    guard !game.isEmpty, game.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }),
      GameCatalogue.standard.game(named: game) == nil
    else { throw .badName(game: game) }
    (self.game, encoder, self.layout) = (game, nil, layout)
    weightCount = Self.storedCount(layout)
  }

  /// The weights of an encoder of 2048, which has the name of its type in files.
  @usableFromInline
  init(encoder: String, _ layout: FeatureLayout) {
    (game, self.encoder, self.layout) = (nil, encoder, layout)
    weightCount = Self.storedCount(layout)
  }

  /// A multiple of the number of weights that files read and write at a time, unless the table is smaller.
  static func storedCount(_ layout: FeatureLayout) -> Int {
    let piece = 1 << 16
    return layout.weightCount <= piece ? layout.weightCount : (layout.weightCount + piece - 1) / piece * piece
  }

  var map: TableMap { TableMap(plain: NetworkTable(name: "weights", axes: [weightCount]), number: 0) }

  /// The structure in one line.
  private var text: String {
    (game.map { "game \($0)" } ?? "encoder \(encoder ?? "")")
      + ", \(layout.featureCount) features of \(layout.weightCount) weights"
  }

  var metadata: [String: String] {
    var metadata = ModelFile.metadata(for: text)
    metadata[ModelFile.Key.game] = game
    metadata[ModelFile.Key.encoder] = encoder
    return metadata
  }
}

extension ModelFile {
  /// Opens a checkpoint, if its metadata names these tables.
  ///
  /// - Parameter metadata: that of the tables
  /// - Throws: `ModelFileError` for a file of another game, encoder or network; the errors of `SafetensorsFile`.
  static func checkpoint(at path: String, of metadata: [String: String]) throws -> SafetensorsFile {
    let file = try SafetensorsFile(path: ModelPath.file(at: path))
    let found = try text(in: file.header, game: metadata[Key.game], encoder: metadata[Key.encoder])
    let wanted = metadata[Key.network] ?? ""
    guard found == wanted else { throw ModelFileError.otherNetwork(path: file.path, network: found, wanted: wanted) }
    return file
  }
}

/// A game and an encoder in training, of which the caller defines at least one.
@usableFromInline
struct OwnGame<Game: SelfPlayGame, Encoder: FeatureEncoder>: TableKind where Encoder.State == Game.Choices.State {
  @usableFromInline let game: Game
  private let encoder: Encoder
  private let tables: OwnTables
  @usableFromInline let sumLimit: Float

  /// - Parameter sumLimit: see `TableKind.sumLimit`
  @usableFromInline
  init(_ game: Game, _ encoder: Encoder, _ tables: OwnTables, sumLimit: Float = 0x1p24) {
    (self.game, self.encoder, self.tables, self.sumLimit) = (game, encoder, tables, sumLimit)
  }

  @usableFromInline func encoder(isStaged: Bool) -> Encoder { encoder }

  @usableFromInline var metadata: [String: String] { tables.metadata }
  @usableFromInline var map: TableMap { tables.map }
  @usableFromInline var weightCount: Int { tables.weightCount }
  @usableFromInline var featureCount: Int { encoder.layout.featureCount }

  @usableFromInline
  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel { throw noModel }

  @usableFromInline
  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>
  ) throws { throw noModel }

  private var noModel: TrainingError {
    tables.encoder.map(TrainingError.ownEncoder) ?? .ownGame(game.name)
  }
}
