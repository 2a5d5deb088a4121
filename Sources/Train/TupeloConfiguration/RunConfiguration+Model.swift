public import TupeloModels

extension RunConfiguration {
  /// The structure of the model that the configuration trains.
  ///
  /// - Precondition: the configuration is valid; see `validate`.
  public var model: ModelDescription {
    do {
      return ModelDescription(try structure())
    } catch {
      preconditionFailure("not a valid configuration: \(error)")
    }
  }

  /// The structure of the model: a dense network if there are hidden layers, otherwise tables.
  ///
  /// - Throws: an error whose text says what is impossible, such as widths that are out of range.
  package func structure() throws -> any ModelStructure {
    guard let kind = dense.isDense ? game.dense : game.tables else { throw UnknownKind(game: game) }
    return try kind.structure(gameRules, network, dense)
  }

  private struct UnknownKind: Error, CustomStringConvertible {
    let game: GameKind
    var description: String { "this program has no such network for \(game.title): leave it out" }
  }
}
