public import TupeloEngine
public import TupeloLearning
public import TupeloNetwork
public import TupeloTables

/// Learns weights for whole states by backward TD(lambda), on top of patterns whose weights do not change.
///
/// V(s) = max(patterns(s), 0) + w(s), and w(s) learns as in `BackwardLearner`, with m = 1. The patterns are asked about
/// a state when it is first met. A state without room for a weight keeps the patterns' value.
public struct StateLearner<Rule: StepSizeRule>: ~Copyable, Learner {
  public var encoder: StateEncoder
  /// The learner of the patterns; it gives their value of a state.
  @usableFromInline let table: TemporalDifferenceLearner<Rule>
  /// The states' own weights, by slot of `states`.
  @usableFromInline let weights: WeightStorage<Rule.Cell>
  @usableFromInline var rule: Rule
  @usableFromInline let indexer: TupleIndexer
  @usableFromInline let states: StateMemory
  @usableFromInline let returns: LambdaReturn
  /// Factor on the value of a state that has learned nothing yet. Above 1, such a state looks better than the patterns
  /// say and gets tried. Only training uses it: networks play without it.
  @usableFromInline let optimism: Float
  /// Room for the pattern features of one state.
  @usableFromInline var features: FeatureBuffer

  public struct Episode: Sendable {
    @usableFromInline var trajectory: [Step] = []

    @usableFromInline init() {}
  }

  @usableFromInline
  struct Step: Sendable {
    /// The state's slot in the table of states; -1 for none.
    @usableFromInline var place: Int
    /// The patterns' value of the state, at least 0, which the state's own weight is added to.
    @usableFromInline var base: Float
    @usableFromInline var reward: Float
    @usableFromInline var foregone: Float?

    @inlinable @inline(__always)
    init(place: Int, base: Float, reward: Float, foregone: Float?) {
      (self.place, self.base, self.reward, self.foregone) = (place, base, reward, foregone)
    }
  }

  /// - Parameters:
  ///   - table: the weights of the patterns, which do not change
  ///   - indexer: turns a state into the features of the patterns
  ///   - weights: the states' own weights, by slot
  ///   - states: the memory of the states, with as many slots as `weights`
  ///   - returns: gives lambda; its number of steps is not used
  ///   - optimism: the factor on the value of a state that has learned nothing yet; 1 for no optimism
  public init(
    _ table: TemporalDifferenceLearner<Rule>, indexer: TupleIndexer, weights: WeightStorage<Rule.Cell>,
    states: StateMemory, returns: LambdaReturn, optimism: Float
  ) {
    precondition(weights.count == states.count)
    (self.table, self.indexer, self.weights, self.states) = (table, indexer, weights, states)
    (self.returns, self.optimism, rule) = (returns, optimism, table.rule)
    encoder = StateEncoder(hash: states.hash)
    features = indexer.makeBuffer(slots: 1)
  }

  public var window: Int { 1 }
  public var scratchSlots: Int { 0 }

  public func makeEpisode() -> Episode { Episode() }
  public mutating func begin(_ episode: inout Episode) { episode.trajectory.removeAll(keepingCapacity: true) }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {
    states.prefetch(encoder.hash(features, slot: slot))
  }

  @inlinable @inline(__always)
  public mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {}

  /// The value of the state in a slot, in score points. It also finds the state's place and stores it in the slot.
  @inlinable @inline(__always)
  public mutating func value(_ features: inout FeatureBuffer, slot: Int) -> Float {
    let hash = encoder.hash(features, slot: slot)
    let place = states.slot(of: hash) ?? meet(encoder.position(features, slot: slot), hash)
    encoder.set(place: place, &features, slot: slot)
    return place >= 0 ? states.value(at: place) : base(encoder.position(features, slot: slot))
  }

  @inlinable @inline(__always)
  public mutating func append(
    _ step: LearningStep<Afterstate>, to episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double
  ) {
    let place = StateEncoder.place(features, slot: step.slot)
    let base = place >= 0 ? states.patterns(at: place) : base(step.state)
    episode.trajectory.append(Step(place: place, base: base, reward: step.reward, foregone: step.foregone))
  }

  /// Gives a state that has no entry yet a place; -1 when there is no room for it.
  @inlinable @inline(never)
  mutating func meet(_ state: Afterstate, _ hash: UInt64) -> Int {
    let base = base(state)
    return states.add(hash, patterns: base) { base + own(weights.weight(at: $0), base: base) } ?? -1
  }

  /// What a state's own weight is added to: what the patterns say of the least of the symmetric boards. Boards that
  /// are one state have one base, in whatever orientation and order they are met; of another orientation the patterns'
  /// sum rounds differently.
  @inlinable @inline(never)
  mutating func base(_ state: Afterstate) -> Float {
    indexer.write(encoder.representative(of: state), into: &features, slot: 0)
    return StateIndex.base(patterns: table.value(features, slot: 0))
  }

  /// The effective weight of a state: its weight, or the optimistic bonus while the weight is 0.
  @inlinable @inline(__always)
  func own(_ weight: Float, base: Float) -> Float { weight == 0 ? base * (optimism - 1) : weight }

  @inlinable @inline(__always)
  public mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    let (ahead, trajectory) = (6, episode.trajectory)
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    var foregone: Float?
    for index in trajectory.indices.reversed() {
      if index >= ahead, trajectory[index - ahead].place >= 0 {
        weights.prefetchCell(trajectory[index - ahead].place)
      }
      let step = trajectory[index]
      target = foregone ?? returns.value(reward: reward, value: value, next: target)
      value = step.base
      if step.place >= 0 {
        let before = own(weights.weight(at: step.place), base: step.base)
        let error = target - (step.base + before)
        let after = weights.update(at: step.place) { cell in
          cell.weight = before
          rule.update(&cell, error: error, share: 1)
        }
        value = step.base + after
        states.set(value: step.base + own(after, base: step.base), at: step.place)
        absoluteErrors += Double(abs(error))
      }
      (reward, foregone) = (step.reward, step.foregone)
    }
    errors += absoluteErrors
  }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) { rule = Rule(alpha: alpha, isWarmUp: isWarmUp) }
}
