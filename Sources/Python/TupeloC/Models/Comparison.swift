// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloModels
internal import TupeloTraining

@c @implementation
public func tupelo_compare(
  _ groups: Int64, _ sizes: UnsafePointer<Int64>?, _ scores: UnsafePointer<Double>?,
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let groups = try Memory.number(groups, in: 1...10_000, "groups")
    let sizes = try unsafe Memory.array(sizes, groups, "sizes")
    let length = try unsafe Memory.array(length, 1, "length")
    var counts: [Int] = []
    for group in 0..<groups {
      counts.append(try Memory.number(unsafe sizes[group], in: 1...10_000, "sizes[\(group)]"))
    }
    let all = try unsafe Memory.array(scores, counts.reduce(0, +), "scores")
    var samples: [RunSample] = []
    var place = 0
    for count in counts {
      var values: [Double] = []
      for index in place..<(place + count) {
        let score = unsafe all[index]
        guard abs(score) <= 1e15 else { throw Fault.invalid("scores[\(index)] is \(score): give a finite score") }
        values.append(score)
      }
      place += count
      guard let sample = RunSample(values) else { throw Fault.invalid("sizes has a group without runs") }
      samples.append(sample)
    }
    let differences = samples.dropFirst().map { RunSampleDifference(from: samples[0], to: $0) }
    let bootstrap = Bootstrap.standard
    let report: [String: Any] = [
      "bootstrap": ["resamples": bootstrap.resamples, "seed": Int(bootstrap.seed)],
      "samples": samples.map { fields(of: $0.facts) },
      "differences": differences.map { difference -> [String: Any] in
        fields(of: difference.facts).merging(["verdict": difference.verdict.rawValue]) { $1 }
      },
    ]
    try unsafe CText.write(try JSONText.pretty(report), text, capacity, length)
  }
}

private func fields(of facts: [Fact]) -> [String: Any] {
  Dictionary(uniqueKeysWithValues: facts.compactMap { fact in fact.value.map { (fact.name, $0 as Any) } })
}
