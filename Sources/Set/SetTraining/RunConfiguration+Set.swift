public import SetEngine
public import TupeloConfiguration
internal import TupeloModels

extension RunConfiguration {
  /// The rules of Set; in a configuration of another game, the standard rules.
  public var set: SetRules {
    get { gameRules.base as? SetRules ?? .standard }
    set { if game == .set { gameRules = .set(newValue) } }
  }
}
