public import Safetensors
public import TupeloTraining

/// The metadata of a model about the run that it comes from.
public enum ModelOrigin {
  /// Metadata keys for the run that a model comes from.
  public enum Key {
    /// The run's configuration, as YAML.
    public static let configuration = "tupelo.configuration"
    /// The number of games it has learned from.
    public static let games = "tupelo.games"
    /// The number of moves it has learned from.
    public static let moves = "tupelo.moves"
    /// The numbers of games at which the run has continued from a portable state, so that its weights were rounded;
    /// missing if it never has.
    public static let rounded = "tupelo.rounded_at_games"
    /// The name of the model file that a model was made from, where that was not a checkpoint.
    public static let source = "tupelo.made_from"
    /// The identity of that model.
    public static let sourceIdentity = "tupelo.made_from_model"
  }

  /// Metadata about a file's run, for models that are made from the file. A checkpoint gives its configuration, games
  /// and moves; a model gives its own metadata.
  ///
  /// The configuration is that of a run that ends at the checkpoint, without folders, time limits and what depends on
  /// the machine. So the same run elsewhere makes the same model, byte for byte.
  ///
  /// - Throws: `CheckpointError` for a damaged checkpoint.
  public static func metadata(
    of file: SafetensorsFile, in catalogue: GameCatalogue
  ) throws -> [String: String] {
    guard file.tensors.contains(where: { $0.name.hasPrefix("training.") }) else {
      return file.metadata.filter { [Key.configuration, Key.games, Key.moves, Key.rounded].contains($0.key) }
    }
    let checkpoint = try Checkpoint(file: file, of: catalogue)
    return metadata(
      checkpoint.configuration, games: checkpoint.games, moves: checkpoint.moves, roundedAt: checkpoint.roundedAt)
  }

  /// Metadata about the model that another one is made from; empty for a checkpoint, which a run makes.
  ///
  /// - Parameters:
  ///   - file: the file of the other model
  ///   - identity: the identity of the model in it, which takes a second for a large one
  ///   - name: its name for people, without its folder, so that it means the same elsewhere
  public static func source(
    of file: SafetensorsFile, identity: @autoclosure () -> String, name: String
  ) -> [String: String] {
    guard !file.tensors.contains(where: { $0.name.hasPrefix("training.") }) else { return [:] }
    return [Key.source: name, Key.sourceIdentity: identity()]
  }

  /// Metadata about a run after a number of games.
  static func metadata(
    _ configuration: RunConfiguration, games: Int, moves: Int, roundedAt: [Int] = []
  ) -> [String: String] {
    var configuration = configuration
    configuration.output.directory = nil
    configuration.output.onCheckpoint = nil
    configuration.training.minutes = 0
    if games > 0 { configuration.training.games = games }
    var metadata = [
      Key.configuration: configuration.yamlOfAnyMachine, Key.games: String(games), Key.moves: String(moves),
    ]
    if !roundedAt.isEmpty { metadata[Key.rounded] = roundedAt.map(String.init).joined(separator: " ") }
    return metadata
  }
}
