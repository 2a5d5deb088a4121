package import Safetensors
package import TupeloModels
package import TupeloNetwork
public import TupeloTables

/// The weights of a game that the caller defines: one table in the order of its features.
@usableFromInline
struct OwnTables: Sendable {
  let name: String
  let layout: FeatureLayout
  /// The number of weights that features may name, rounded up to whole pieces of files.
  let weightCount: Int

  /// - Throws: `TrainingError.badName`.
  @usableFromInline
  init(_ name: String, _ layout: FeatureLayout) throws(TrainingError) {
    guard !name.isEmpty, name.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }),
      GameCatalogue.standard.game(named: name) == nil
    else { throw .badName(game: name) }
    (self.name, self.layout) = (name, layout)
    weightCount = Self.storedCount(layout)
  }

  /// A multiple of the number of weights that files read and write at a time, unless the table is smaller.
  static func storedCount(_ layout: FeatureLayout) -> Int {
    let piece = 1 << 16
    return layout.weightCount <= piece ? layout.weightCount : (layout.weightCount + piece - 1) / piece * piece
  }

  static func map(_ layout: FeatureLayout) -> TableMap {
    TableMap(plain: NetworkTable(name: "weights", axes: [storedCount(layout)]), number: 0)
  }

  /// The structure in one line.
  var text: String {
    "game \(name), \(layout.featureCount) features of \(layout.weightCount) weights"
  }

  /// Opens a file of the game.
  ///
  /// - Throws: `ModelFileError` for a file of another game or other features; the errors of `SafetensorsFile`.
  func file(at path: String) throws -> SafetensorsFile {
    let file = try SafetensorsFile(path: ModelPath.file(at: path))
    let found = try ModelFile.text(in: file.header, game: name)
    guard found == text else { throw ModelFileError.otherNetwork(path: file.path, network: found, wanted: text) }
    return file
  }
}

/// A game that the caller defines, and the caller's encoder, in training.
@usableFromInline
struct OwnGame<Game: SelfPlayGame, Encoder: FeatureEncoder>: TableKind where Encoder.State == Game.Choices.State {
  @usableFromInline let game: Game
  private let encoder: Encoder
  @usableFromInline let tables: OwnTables

  /// - Throws: `TrainingError.badName`.
  @usableFromInline
  init(_ game: Game, _ encoder: Encoder) throws(TrainingError) {
    (self.game, self.encoder) = (game, encoder)
    tables = try OwnTables(game.name, encoder.layout)
  }

  @usableFromInline func encoder(isStaged: Bool) -> Encoder { encoder }

  @usableFromInline var metadata: [String: String] {
    ModelFile.metadata(for: tables.text).merging([ModelFile.Key.game: game.name]) { $1 }
  }
  @usableFromInline var map: TableMap { OwnTables.map(encoder.layout) }
  @usableFromInline var weightCount: Int { tables.weightCount }
  @usableFromInline var featureCount: Int { encoder.layout.featureCount }

  @usableFromInline
  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel {
    throw TrainingError.ownGame(game.name)
  }

  @usableFromInline
  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>
  ) throws {
    throw TrainingError.ownGame(game.name)
  }
}
