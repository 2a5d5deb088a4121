internal import Safetensors
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// The weights of a game that the caller defines: one table in the order of its features.
struct OwnTables {
  private let name: String
  private let layout: FeatureLayout
  /// The number of weights that features may name, rounded up to whole pieces of files.
  let weightCount: Int
  var gamesAtOnce = 1

  /// - Throws: `TrainingError.badName`.
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
  private var text: String {
    "game \(name), \(layout.featureCount) features of \(layout.weightCount) weights"
  }

  /// Opens a file of the game.
  ///
  /// - Throws: `ModelFileError` for a file of another game or other features; the errors of `SafetensorsFile`.
  func file(at path: String) throws -> SafetensorsFile {
    let file = try SafetensorsFile(path: ModelPath.file(at: path))
    let found = try ModelFile.text(in: file, game: name)
    guard found == text else { throw ModelFileError.otherNetwork(path: file.path, network: found, wanted: text) }
    return file
  }
}

extension OwnTables: TableKind {
  var metadata: [String: String] {
    ModelFile.metadata(for: text).merging([ModelFile.Key.game: name]) { $1 }
  }

  var map: TableMap { Self.map(layout) }
  var featureCount: Int { layout.featureCount }

  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel {
    throw TrainingError.ownGame(name)
  }

  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>
  ) throws {
    throw TrainingError.ownGame(name)
  }
}
