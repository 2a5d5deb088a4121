internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// Backward TD(lambda) of weights for whole states, on top of patterns that stay as they are:
/// V(s) = max(patterns(s), 0) + w(s), and w(s) learns as in `BackwardLearner`, with m = 1.
///
/// The patterns are asked about a state when it is first met. A state without room for a weight keeps their value.
struct StateLearner<Rule: StepSizeRule>: ~Copyable, Learner {
  var encoder: StateEncoder
  private var table: TemporalDifferenceLearner<Rule>
  private let indexer: TupleIndexer
  private let states: StateMemory
  private let returns: LambdaReturn
  /// What the value of a state that has learned nothing yet is multiplied by: above 1, it looks better than it is and
  /// gets its chance. Networks do not play that way.
  private let optimism: Float
  /// Room for the features of one state, for the patterns.
  private var features: FeatureBuffer

  struct Episode: Sendable {
    fileprivate var trajectory: [Step] = []
  }

  fileprivate struct Step: Sendable {
    /// The state's slot in the table of states; -1 for none.
    var place: Int
    /// What the patterns say of the state, which its weight is added to.
    var base: Float
    var reward: Float
    var foregone: Float?
  }

  /// - Parameters:
  ///   - table: the weights, those of states among them
  ///   - indexer: turns a state into the features of the patterns
  init(
    _ table: TemporalDifferenceLearner<Rule>, indexer: TupleIndexer, states: StateMemory, returns: LambdaReturn,
    optimism: Float
  ) {
    (self.table, self.indexer, self.states) = (table, indexer, states)
    (self.returns, self.optimism) = (returns, optimism)
    encoder = StateEncoder(hash: states.hash)
    features = indexer.makeBuffer(slots: 1)
  }

  var window: Int { 1 }
  var scratchSlots: Int { 0 }

  func makeEpisode() -> Episode { Episode() }
  mutating func begin(_ episode: inout Episode) { episode.trajectory.removeAll(keepingCapacity: true) }

  @inline(__always)
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {
    states.prefetch(encoder.hash(features, slot: slot))
  }

  @inline(__always)
  mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {}

  /// Finds the state's place, which stays in the slot.
  @inline(__always)
  mutating func value(_ features: inout FeatureBuffer, slot: Int) -> Float {
    let hash = encoder.hash(features, slot: slot)
    let place = states.slot(of: hash) ?? meet(encoder.position(features, slot: slot), hash)
    encoder.set(place: place, &features, slot: slot)
    return place >= 0 ? states.value(at: place) : base(encoder.position(features, slot: slot))
  }

  @inline(__always)
  mutating func append(
    _ step: LearningStep<Afterstate>, to episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double
  ) {
    let place = StateEncoder.place(features, slot: step.slot)
    let base = place >= 0 ? states.patterns(at: place) : base(step.state)
    episode.trajectory.append(Step(place: place, base: base, reward: step.reward, foregone: step.foregone))
  }

  /// The place of a state that has no entry yet; -1 when there is no room for it.
  @inline(never)
  private mutating func meet(_ state: Afterstate, _ hash: UInt64) -> Int {
    let (first, base) = (states.index.first, base(state))
    return states.add(hash, patterns: base) { base + own(table.weights.weight(at: first &+ $0), base: base) } ?? -1
  }

  /// What a state's own weight is added to.
  @inline(never)
  private mutating func base(_ state: Afterstate) -> Float {
    indexer.write(state, into: &features, slot: 0)
    return StateIndex.base(patterns: table.value(features, slot: 0))
  }

  /// What a state's own weight counts for.
  @inline(__always)
  private func own(_ weight: Float, base: Float) -> Float { weight == 0 ? base * (optimism - 1) : weight }

  @inline(__always)
  mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    let (ahead, first, trajectory) = (6, states.index.first, episode.trajectory)
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in trajectory.indices.reversed() {
      if index >= ahead, trajectory[index - ahead].place >= 0 {
        table.weights.prefetchCell(first &+ trajectory[index - ahead].place)
      }
      let step = trajectory[index]
      target = foregone ?? returns.value(reward: reward, value: value, next: target)
      value = step.base
      if step.place >= 0 {
        let before = own(table.weights.weight(at: first &+ step.place), base: step.base)
        let error = target - (step.base + before)
        let after = table.weights.update(at: first &+ step.place) { cell in
          cell.weight = before
          table.rule.update(&cell, error: error, share: 1)
        }
        value = step.base + after
        states.set(value: value, at: step.place)
        absoluteErrors += Double(abs(error))
      }
      (reward, foregone) = (step.reward, step.foregone)
    }
    errors += absoluteErrors
  }

  mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) { table.rule = Rule(alpha: alpha, isWarmUp: isWarmUp) }
}
