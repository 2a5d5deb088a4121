internal import SetAgents
internal import TupeloDense
public import TupeloModels

extension RunConfiguration {
  /// The structure of the model that the configuration trains.
  ///
  /// - Precondition: the configuration is valid; see `validate`.
  public var model: ModelDescription {
    switch game {
    case _ where dense.isDense:
      do throws(DenseError) {
        return .dense(try denseModel())
      } catch {
        preconditionFailure("no valid configuration: \(error)")
      }
    case .set: return .set(SetSpecification(set))
    default: return .network(network)
    }
  }

  /// The dense network that the configuration trains, if it has hidden layers.
  ///
  /// - Throws: `DenseError` for widths that are out of range.
  func denseModel() throws(DenseError) -> DenseModelSpecification {
    try DenseModelSpecification(game == .set ? .set(set) : .tuples(network), dense)
  }

  /// The game and its rules.
  public var gameRules: GameRules { game == .set ? .set(set) : .board(rules) }
}
