public import SetEngine
public import TupeloConfiguration
internal import TupeloModels

extension RunConfiguration {
  /// The rules of Set: the standard ones in a configuration of another game.
  public var set: SetRules {
    get { gameRules.base as? SetRules ?? .standard }
    set { if game == .set { gameRules = .set(newValue) } }
  }
}
