internal import TupeloLearning
internal import TupeloNetwork

/// How episodes are played, and what of them is learned.
struct SelfPlayOptions: Sendable {
  var returns = LambdaReturn.oneStep
  /// The chance that a move is drawn from the legal ones instead of chosen, in 0...1.
  var exploration = 0.0
  /// Where visits are counted, if exploration goes by them; it goes with learning backward over the episode alone.
  var visits: VisitCounts?
  /// Where whole states learn, of a network with weights for them; it goes with learning backward, too.
  var states: StateMemory?
  /// What the value of a state that has learned nothing yet is multiplied by.
  var optimism: Float = 1
  /// Visits of the move most visited, where moves to such states are tried whatever they look like.
  var trialVisits = Float.infinity
  var start = EpisodeStart.fresh
  /// Whether a weight of a later stage begins as that of the stage before.
  var promotes = false
  /// Stages whose weights stay as they are.
  var frozenStages: Set<Int> = []
  /// States that are learned from at once; 1 for learning after every move. More go with TD(0) from fresh boards alone.
  var batch = 1
  /// Games that each thread plays in turn.
  var gamesAtOnce = 1
}

extension SelfPlayOptions {
  /// Those of a configuration that leaves all to its defaults, but for network, step size and batch.
  static func usual(for specification: NetworkSpecification, isCoherent: Bool, batch: Int = 1) -> Self {
    Self(
      batch: batch,
      gamesAtOnce: RunConfiguration.Training.suitableGamesAtOnce(for: specification, asksForSums: isCoherent))
  }
}
