internal import TupeloBase

extension AgentSpecification: CustomStringConvertible {
  /// The canonical text: keys in a fixed order, only those that are set.
  public var description: String { AgentText<AgentSpecificationError>.written(name, value) }

  var name: AgentName {
    switch player {
    case .random: .random
    case .greedy: .greedy
    case .expectimax: .expectimax
    case .minimax: .minimax
    case .monteCarlo: .montecarlo
    }
  }

  /// The text of a setting; `nil` if the setting has its default.
  private func value(of key: AgentKey) -> String? {
    switch (key, player) {
    case (.evaluator, _): evaluator == .automatic || !usesEvaluator ? nil : evaluator.rawValue
    case (.cutoff, .expectimax(let settings)): settings.used.cutoff.map { "\($0)" }
    case (_, .expectimax(let settings)):
      ExpectimaxSettings.numbers[key].flatMap { settings.used[keyPath: $0] }.map(String.init)
    case (.plies, .minimax(let plies)): "\(plies)"
    case (.rollouts, .monteCarlo(let rollouts, _)): "\(rollouts)"
    case (.policy, .monteCarlo(_, let policy)): policy == .random ? nil : policy.rawValue
    default: nil
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
    case .expectimax: player = .expectimax(try ExpectimaxSettings(values))
    case .minimax:
      guard let plies = try values.integer(.plies) else { throw .missing(name, [.plies], example: name.row.example) }
      player = .minimax(plies: plies)
    case .montecarlo:
      guard let rollouts = try values.integer(.rollouts) else {
        throw .missing(name, [.rollouts], example: name.row.example)
      }
      player = .monteCarlo(rollouts: rollouts, policy: try values.word(.policy, default: .random))
    }
    evaluator = try values.word(.evaluator, default: .automatic)
    if evaluator != .automatic, !usesEvaluator {
      throw .noUse(.evaluator, of: name, unless: "policy: greedy")
    }
  }
}

extension AgentSpecification.ExpectimaxSettings {
  fileprivate typealias Number = any WritableKeyPath<Self, Int?> & Sendable

  /// The keys with whole numbers.
  fileprivate static let numbers: [AgentKey: Number] = [
    .plies: \.plies, .milliseconds: \.milliseconds, .nodes: \.nodes, .extend: \.extend, .table: \.table,
    .threads: \.threads,
  ]

  /// The settings that an agent uses: each number is the nearest that its key allows, and without any limit the depth
  /// is the largest.
  var used: Self {
    var used = self
    for (key, number) in Self.numbers { used[keyPath: number] = self[keyPath: number].map(key.row.nearest) }
    if plies == nil, milliseconds == nil, nodes == nil { used.plies = AgentSpecification.pliesRange.upperBound }
    if used.plies == nil { used.extend = nil }
    for (key, _) in used.idle where key != .cutoff { if let number = Self.numbers[key] { used[keyPath: number] = nil } }
    if used.idle.contains(where: { $0.key == .cutoff }) { used.cutoff = nil }
    if used.nodes != nil, used.threads ?? 1 > 1 { used.threads = nil }
    // A comparison with NaN is false.
    used.cutoff = used.cutoff.flatMap { $0 > 0 ? min($0, 1 - .ulpOfOne) : nil }
    return used
  }

  fileprivate init(_ values: AgentText<AgentSpecificationError>) throws(AgentSpecificationError) {
    self.init()
    plies = try values.integer(.plies)
    milliseconds = try values.integer(.milliseconds)
    nodes = try values.integer(.nodes)
    guard plies != nil || milliseconds != nil || nodes != nil else {
      throw .missing(.expectimax, [.plies, .milliseconds, .nodes], example: AgentName.expectimax.row.example)
    }
    extend = try values.integer(.extend)
    if extend != nil, plies == nil { throw .noUse(.extend, of: .expectimax, unless: "plies: 3") }
    cutoff = try values.probability(.cutoff)
    table = try values.integer(.table)
    threads = try values.integer(.threads)
    try refuseIdleSettings()
  }

  /// The settings that change no move and save no time at this depth, with the depth that they need.
  private var idle: [(key: AgentKey, plies: Int)] {
    // Boards with few empty cells may be searched one ply deeper.
    let deepest = (plies ?? SearchLimits.maximumPlies) + (extend == nil ? 0 : 1)
    let needs: [(key: AgentKey, isSet: Bool, plies: Int)] = [
      (.milliseconds, milliseconds != nil, 2), (.nodes, nodes != nil, 2), (.cutoff, cutoff != nil, 3),
      (.table, table ?? 0 > 0, 2), (.threads, threads ?? 1 > 1, 2),
    ]
    return needs.filter { $0.isSet && deepest < $0.plies }.map { ($0.key, $0.plies) }
  }

  private func refuseIdleSettings() throws(AgentSpecificationError) {
    if let (key, plies) = idle.first { throw .noUse(key, of: .expectimax, unless: "plies: \(plies)") }
    if threads ?? 1 > 1, nodes != nil { throw .idle(.threads, of: .expectimax, with: .nodes) }
  }
}
