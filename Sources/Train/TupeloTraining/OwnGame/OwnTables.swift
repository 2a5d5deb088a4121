internal import Safetensors
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// The weights of a game that the caller defines: one table in the order of its features.
struct OwnTables {
  private let name: String
  private let layout: FeatureLayout
  /// The number of weights that features may name, rounded up to whole pieces of files.
  let weightCount: Int

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

  func kind<Rule: StepSizeRule>(
    gamesAtOnce: Int, _ makeWorkers: @escaping (WorkerPlan<Rule>) -> Workers
  ) -> TableKind<Rule> {
    var metadata = ModelFile.metadata(for: text)
    metadata[ModelFile.Key.game] = name
    var kind = TableKind<Rule>(
      Self.map(layout), metadata: metadata, weightCount: weightCount, featureCount: layout.featureCount,
      makeWorkers: { plan, _ in makeWorkers(plan) }, makeModel: nil,
      readInitial: { [name] _, _, _ in throw TrainingError.ownGame(name) })
    kind.gamesAtOnce = gamesAtOnce
    return kind
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
