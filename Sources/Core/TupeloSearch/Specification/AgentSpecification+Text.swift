#if !hasFeature(Embedded)
internal import PlainText

extension AgentSpecification: CustomStringConvertible {
  /// The canonical text: keys in a fixed order, only those that are set.
  public var description: String {
    var pairs: [(key: AgentKey, value: String)] = []
    func add(_ key: AgentKey, _ value: some CustomStringConvertible) { pairs.append((key, "\(value)")) }
    switch player {
    case .random, .greedy: break
    case .expectimax(let settings):
      if let plies = settings.plies { add(.plies, plies) }
      if let milliseconds = settings.milliseconds { add(.milliseconds, milliseconds) }
      if let nodes = settings.nodes { add(.nodes, nodes) }
      if let extend = settings.extend { add(.extend, extend) }
      if let cutoff = settings.cutoff { add(.cutoff, cutoff) }
      if let downgrade = settings.downgrade { add(.downgrade, downgrade) }
      if let table = settings.table { add(.table, table) }
      if let threads = settings.threads { add(.threads, threads) }
    case .minimax(let plies): add(.plies, plies)
    case .monteCarlo(let rollouts, let policy):
      add(.rollouts, rollouts)
      if policy != .random { add(.policy, policy.rawValue) }
    }
    if evaluator != .automatic { add(.evaluator, evaluator.rawValue) }
    return AgentText<AgentSpecificationError>.written(name, pairs)
  }

  var name: AgentName {
    switch player {
    case .random: .random
    case .greedy: .greedy
    case .expectimax: .expectimax
    case .minimax: .minimax
    case .monteCarlo: .montecarlo
    }
  }

  /// Reads a specification: a name, and in parentheses keys with their values. Spaces are ignored.
  ///
  /// - Throws: `AgentSpecificationError` for an unknown name or key, a value out of range, or a text that is not a
  ///   specification.
  public init(text: String) throws(AgentSpecificationError) {
    let values = try AgentText<AgentSpecificationError>(text)
    let name = values.name
    switch name {
    case .random: player = .random
    case .greedy: player = .greedy
    case .expectimax: player = .expectimax(try Self.settings(values))
    case .minimax:
      guard let plies = try values.integer(.plies) else { throw .missing(name, [.plies], example: name.example) }
      player = .minimax(plies: plies)
    case .montecarlo:
      guard let rollouts = try values.integer(.rollouts) else {
        throw .missing(name, [.rollouts], example: name.example)
      }
      player = .monteCarlo(rollouts: rollouts, policy: try values.word(.policy, default: .random))
    }
    evaluator = try values.word(.evaluator, default: .automatic)
    if evaluator != .automatic, !usesEvaluator {
      throw .noUse(.evaluator, of: name, unless: "policy: greedy")
    }
  }

  private static func settings(_ values: AgentText<AgentSpecificationError>) throws(AgentSpecificationError)
    -> ExpectimaxSettings
  {
    var settings = ExpectimaxSettings(
      plies: try values.integer(.plies), milliseconds: try values.integer(.milliseconds),
      nodes: try values.integer(.nodes))
    guard settings.plies != nil || settings.milliseconds != nil || settings.nodes != nil else {
      throw .missing(.expectimax, [.plies, .milliseconds, .nodes], example: AgentName.expectimax.example)
    }
    settings.extend = try values.integer(.extend)
    if settings.extend != nil, settings.plies == nil { throw .noUse(.extend, of: .expectimax, unless: "plies: 3") }
    settings.cutoff = try values.probability(.cutoff)
    settings.downgrade = try values.integer(.downgrade)
    settings.table = try values.integer(.table)
    settings.threads = try values.integer(.threads)
    return settings
  }
}

/// The names of agents.
public enum AgentName: String, CaseIterable, Hashable, Sendable {
  case random
  case greedy
  case expectimax
  case minimax
  case montecarlo

  /// The keys that an agent takes, in the order in which they are written.
  package var keys: [AgentKey] {
    switch self {
    case .random: []
    case .greedy: [.evaluator]
    case .expectimax:
      [.plies, .milliseconds, .nodes, .extend, .cutoff, .downgrade, .table, .threads, .evaluator]
    case .minimax: [.plies, .evaluator]
    case .montecarlo: [.rollouts, .policy, .evaluator]
    }
  }
}

extension AgentName: AgentTextName {}

extension AgentText<AgentSpecificationError> {
  /// A whole number in the key's range, a power of two where it is a tile; `nil` when the key is not there.
  fileprivate func integer(_ key: AgentKey) throws(AgentSpecificationError) -> Int? {
    guard key == .downgrade else { return try integer(key, in: key.range) }
    return try integer(key, in: key.range, kind: "a tile, a power of two") { $0.nonzeroBitCount == 1 }
  }
}

/// The keys of all agents.
public enum AgentKey: String, CaseIterable, Hashable, Sendable {
  case plies
  case milliseconds
  case nodes
  case extend
  case cutoff
  case downgrade
  case table
  case threads
  case rollouts
  case policy
  case evaluator

  /// The allowed whole numbers of a key.
  var range: ClosedRange<Int> {
    switch self {
    case .plies: AgentSpecification.pliesRange
    case .milliseconds: 1...3_600_000
    case .nodes: 1...1_000_000_000_000
    case .extend: 0...15
    case .downgrade: TileDowngrading.thresholds
    case .table: 0...65_536
    case .threads: 1...4
    case .rollouts: 1...1_000_000
    case .cutoff, .policy, .evaluator: 0...0
    }
  }
}
#endif
