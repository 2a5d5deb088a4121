internal import TupeloTraining

extension GroupComparison {
  /// The comparison as JSON: one object with sorted keys. Values of a setting, and scores, are in the order of the
  /// groups and of their runs.
  public var json: String { JSONText.pretty(Document(self)) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct Document: Encodable {
  let bootstrap: Resampling
  /// The fewest runs of a group for a verdict.
  let fewest_seeds: Int
  let groups: [Group]
  let settings: [Setting]
  let measures: [Measure]
  let waiting: [String]

  init(_ comparison: GroupComparison) {
    bootstrap = Resampling(resamples: Bootstrap.standard.resamples, seed: Bootstrap.standard.seed)
    fewest_seeds = RunSample.fewestForVerdict
    groups = comparison.groups.map(Group.init)
    settings = comparison.settings.map { Setting(key: $0.key, values: $0.values) }
    measures = comparison.measures.map { Measure($0, comparison.groups.map(\.name)) }
    waiting = comparison.waiting
  }

  struct Resampling: Encodable {
    let resamples: Int
    let seed: UInt64
  }

  struct Group: Encodable {
    let name: String
    let runs: [Run]

    init(_ group: RunGroup) {
      name = group.name
      runs = group.runs.map { run in
        Run(path: run.path, seed: run.configuration.seed, games: run.games, seconds: run.seconds.values.max())
      }
    }
  }

  struct Run: Encodable {
    let path: String
    let seed: UInt64
    let games: Int
    let seconds: Double?
  }

  struct Setting: Encodable {
    let key: String
    let values: [String?]
  }

  struct Measure: Encodable {
    let kind: String
    let source: String?
    let at_games: Int?
    let at_seconds: Double?
    let games_low: Int?
    let games_high: Int?
    let groups: [Sample]
    let differences: [Difference]

    init(_ measure: GroupMeasure, _ names: [String]) {
      let facts = measure.facts
      (kind, source, at_games, at_seconds) = (facts.kind, facts.source, facts.games, facts.seconds)
      (games_low, games_high) = (facts.bounds?.lowerBound, facts.bounds?.upperBound)
      groups = zip(names, zip(measure.scores, measure.samples)).map { Sample(name: $0, scores: $1.0, sample: $1.1) }
      differences = zip(names, measure.differences).compactMap { name, difference in
        difference.map { Difference(name: name, baseline: names[0], difference: $0) }
      }
    }
  }

  struct Sample: Encodable {
    let name: String
    let scores: [(seed: UInt64, score: Double)]
    let sample: RunSample?

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: FieldName.self)
      try fields.encode(name, forKey: "name")
      try fields.encode(scores.map(\.seed), forKey: "seeds")
      try fields.encode(scores.map(\.score), forKey: "scores")
      for fact in sample?.facts ?? [] { try fields.encodeIfPresent(fact.value, forKey: FieldName(fact.name)) }
    }
  }

  struct Difference: Encodable {
    let name: String
    let baseline: String
    let difference: RunSampleDifference

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: FieldName.self)
      try fields.encode(name, forKey: "name")
      try fields.encode(baseline, forKey: "baseline")
      try fields.encode(difference.verdict.rawValue, forKey: "verdict")
      for fact in difference.facts { try fields.encodeIfPresent(fact.value, forKey: FieldName(fact.name)) }
    }
  }

  /// A key of an object whose keys are facts.
  struct FieldName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension GroupMeasure {
  /// What the scores are, for JSON and CSV.
  var facts: (kind: String, source: String?, games: Int?, seconds: Double?, bounds: ClosedRange<Int>?) {
    switch kind {
    case .evaluation(let bounds):
      (
        "evaluation", nil, bounds.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil }, nil, bounds
      )
    case .games(let games, let source): ("games", source.rawValue, games, nil, nil)
    case .seconds(let seconds, let source): ("seconds", source.rawValue, nil, seconds, nil)
    }
  }
}

extension Double {
  /// The number; `nil` if it is not finite.
  var ifFinite: Double? { isFinite ? self : nil }
}
