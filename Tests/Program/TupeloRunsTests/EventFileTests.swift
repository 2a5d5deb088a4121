import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloRuns
import TupeloTraining

@Suite struct EventFileTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  /// The check value of the algorithm, and the examples of RFC 3720, appendix B.4.
  @Test(
    arguments: [
      (Array("123456789".utf8), 0xe306_9283), ([], 0), ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
      ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43), (Array(0..<32), 0x46dd_794e),
      (Array((0..<32).reversed()), 0x113f_db5c),
    ] as [([UInt8], UInt32)]) func checksums(_ bytes: [UInt8], _ expected: UInt32)
  {
    #expect(CRC32C.checksum(of: bytes) == expected)
  }

  @Test func namesSortInTheOrderOfWriting() throws {
    let pid = ProcessInfo.processInfo.processIdentifier
    var written: [String] = []
    // The clock is set back, then far ahead, then back again, and then is NaN.
    for time in [1_732_170_000.9, 1_732_170_000.9, 5, -7, 9e15, 3, .nan] {
      let writer = try EventFileWriter(folder: folder.path, resumingAt: 10, time: time)
      written.append(try #require(writer.path.split(separator: "/").last.map(String.init)))
    }
    #expect(try folder.names == written)
    #expect(written[0].wholeMatch(of: /events\.out\.tfevents\.1732170000\.[A-Za-z0-9._+-]+\.(\d+)\.0/)?.1 == "\(pid)")
    #expect(written[3].hasPrefix("events.out.tfevents.1732170003."))
    #expect(written[4].hasPrefix("events.out.tfevents.9999999999."))
  }

  @Test func otherFilesDoNotMatter() throws {
    for name in [
      "events.out.tfevents.", "events.out.tfevents.99999999999999999999999.x", "checkpoint", "events.out.tfevents.x.y",
    ] {
      try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    let writer = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 7)
    #expect(writer.path.hasPrefix(folder.path + "/events.out.tfevents.9999999999."))
  }

  @Test func aFullDiskTearsNoRecord() throws {
    let disk = LimitedDisk(room: 10_000)
    let writer = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 1, calls: disk.calls)
    try writer.append(metricsRecord(1))
    let before = try Data(contentsOf: URL(fileURLWithPath: writer.path))
    disk.room.withLock { $0 = 100 }
    #expect(throws: SystemError.cannotWrite(path: writer.path, errno: ENOSPC)) { try writer.append(metricsRecord(2)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: writer.path)) == before)
    disk.room.withLock { $0 = 10_000 }
    try writer.append(metricsRecord(2))
    #expect(try Data(contentsOf: URL(fileURLWithPath: writer.path)).count > before.count)
  }

  @Test func whereNothingCanBeWritten() throws {
    let missing = folder.path + "/no"
    #expect {
      try EventFileWriter(folder: missing, resumingAt: 0, time: 1)
    } throws: { "\($0)" == "\(missing): cannot be read: No such file or directory: check its permissions" }
  }

  @Test func histogramsCountEveryValueOnce() throws {
    var histogram = Histogram(limits: [-1, 0, 1])
    for value in [-5, -1, -0.5, 0, 0.5, 1, 7, .nan, .infinity, -.infinity] { histogram.add(value) }
    #expect(histogram.limits == [-1, 0, 1, .greatestFiniteMagnitude])
    #expect(histogram.counts == [1, 2, 2, 2] && histogram.count == 7)
    #expect(histogram.min == -5 && histogram.max == 7 && histogram.sum == 2 && histogram.sumOfSquares == 76.5)
    let limits = Histogram.standardLimits
    #expect(limits.count == 162 && zip(limits, limits.dropFirst()).allSatisfy { $0 < $1 })
    #expect(limits == limits.reversed().map { -$0 } && abs(limits[161] / 1e7 - 1) < 1e-12 && limits[81] == 0.001)
  }
}

#if os(macOS) || os(Linux)
/// The event files as TensorBoard itself reads them.
@Suite(.enabled(if: Python.hasTensorBoard, "\(Python.isMissingTensorBoard)"))
struct TensorBoardTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  /// Prints lines `tag step wall_time value`, and all fields of histograms.
  private static let script = """
    import sys
    from tensorboard.backend.event_processing import event_accumulator
    events = event_accumulator.EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "histograms": 0})
    events.Reload()
    tags = events.Tags()
    assert not tags["images"] and not tags["audio"] and not tags["tensors"], tags
    for tag in sorted(tags["scalars"]):
      for event in events.Scalars(tag):
        print(tag, event.step, event.wall_time, float(event.value).hex())
    for tag in sorted(tags["histograms"]):
      for event in events.Histograms(tag):
        h = event.histogram_value
        print(tag, event.step, event.wall_time, h.min, h.max, h.num, h.sum, h.sum_squares, list(h.bucket_limit), \
        list(h.bucket))
    """

  private func lines() throws -> [String] {
    try Python.run(Self.script, folder.path).split(separator: "\n").map(String.init)
  }

  @Test func readsTagsStepsAndValues() throws {
    let writer = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 1_732_170_000.5)
    var first = MetricsRecord(games: 1000, moves: 1, seconds: 1, time: 1_732_170_001.25)
    first.values = ["rollout/score_mean": 1052.1, "é/ü \"": -1e-20, "gone": .nan, "too/large": 1e300]
    try writer.append(first)
    try writer.append(MetricsRecord(games: 1500, moves: 1, seconds: 1, time: 0, values: ["gone": .infinity]))
    // The step has more than 32 bits; the clock goes back, and then is NaN.
    for (games, time) in [(5_000_000_000, 1_732_170_003), (5_000_000_001, 17.0), (5_000_000_002, .nan)] {
      try writer.append(
        MetricsRecord(games: games, moves: 1, seconds: 1, time: time, values: ["rollout/score_mean": Double(games)]))
    }
    func value(_ value: Double) -> String { Python.hex(Float(value)) }
    #expect(
      try lines() == [
        "rollout/score_mean 1000 1732170001.25 \(value(1052.1))",
        "rollout/score_mean 5000000000 1732170003.0 \(value(5_000_000_000))",
        "rollout/score_mean 5000000001 1732170003.0 \(value(5_000_000_001))",
        "rollout/score_mean 5000000002 1732170003.0 \(value(5_000_000_002))",
        "é/ü \" 1000 1732170001.25 \(value(-1e-20))",
      ])
  }

  @Test func readsHistograms() throws {
    let writer = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 1)
    var histogram = Histogram(limits: [0, 10, 20, 30])
    try writer.append(histogram, tag: "train/weights", games: 1, time: 2)
    for value in [12.0, 12.5, 29] { histogram.add(value) }
    try writer.append(histogram, tag: "train/weights", games: 2, time: 2)
    histogram.add(1000)
    try writer.append(histogram, tag: "train/weights", games: 3, time: 2)
    #expect(
      try lines() == [
        "train/weights 2 2.0 12.0 29.0 3.0 53.5 1141.25 [20.0, 30.0] [2.0, 1.0]",
        "train/weights 3 2.0 12.0 1000.0 4.0 1053.5 1001141.25"
          + " [20.0, 30.0, 1.7976931348623157e+308] [2.0, 1.0, 1.0]",
      ])
  }

  /// A run is killed at game 5000, in the middle of a record, and continues from its checkpoint at game 3000, with the
  /// clock set back.
  @Test(arguments: [0, 3]) func resumedRunsHaveNoDoublePart(tornBytes: Int) throws {
    func record(_ games: Int, _ value: Double) -> MetricsRecord {
      MetricsRecord(games: games, moves: 1, seconds: 1, time: Double(games), values: ["a": value])
    }
    let killed = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 1_732_170_000)
    for games in [1000, 2000, 3000, 4000, 5000] { try killed.append(record(games, 1)) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: killed.path))
    try bytes.dropLast(tornBytes).write(to: URL(fileURLWithPath: killed.path))
    let resumed = try EventFileWriter(folder: folder.path, resumingAt: 3000, time: 5)
    for games in [4500, 6000] { try resumed.append(record(games, 2)) }
    let found = try lines().map { $0.split(separator: " ") }
    #expect(found.map { $0[1] } == ["1000", "2000", "3000", "4500", "6000"])
    let (one, two) = ("0x1.0000000000000p+0", "0x1.0000000000000p+1")
    #expect(found.map { String($0[3]) } == [one, one, one, two, two])
  }

  /// A run that was killed before its first checkpoint starts from the beginning in the same folder.
  @Test func aFreshRunVoidsWhatWasThere() throws {
    let killed = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 10)
    try killed.append(MetricsRecord(games: 1, moves: 1, seconds: 1, time: 1, values: ["a": 1, "old": 1]))
    let fresh = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 10)
    try fresh.append(MetricsRecord(games: 7, moves: 1, seconds: 1, time: 1, values: ["a": 2]))
    #expect(try lines() == ["a 7 10.0 0x1.0000000000000p+1"])
  }

  /// TensorBoard's plug-in finds the settings of a run, as numbers and texts.
  @Test func readsHyperparameters() throws {
    let run = RunFolder()
    var configuration = run.configuration(games: 10)
    (configuration.seed, configuration.name) = (3, "tried")
    try run.train(try run.start(configuration))
    let script = """
      import sys
      from tensorboard.backend.event_processing import event_accumulator
      from tensorboard.plugins.hparams import metadata
      events = event_accumulator.EventAccumulator(sys.argv[1])
      events.Reload()
      content = events.SummaryMetadata(metadata.SESSION_START_INFO_TAG).plugin_data.content
      start = metadata.parse_session_start_info_plugin_data(content)
      for key, value in sorted(start.hparams.items()):
        kind = value.WhichOneof("kind")
        print(key, kind, getattr(value, kind))
      assert start.start_time_secs > 1.7e9
      assert "rollout/score_mean" in events.Tags()["scalars"]
      """
    let lines = try Python.run(script, run.path).split(separator: "\n")
    for line in [
      "seed number_value 3.0", "name string_value tried", "training.games number_value 10.0",
      "learner.alpha number_value 1.0", "network.patterns string_value 0123 4567",
    ] {
      #expect(lines.contains(line[...]), "\(line)\n\(lines)")
    }
    #expect(!lines.contains { $0.hasPrefix("output.directory") })
  }

  /// TensorBoard checks the checksums: after one inverted bit, it stops reading.
  @Test func damageIsNoticed() throws {
    let writer = try EventFileWriter(folder: folder.path, resumingAt: 0, time: 1)
    for games in [1, 2] {
      try writer.append(MetricsRecord(games: games, moves: 1, seconds: 1, time: 1, values: ["a": 1]))
    }
    #expect(try lines().count == 2)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: writer.path))
    bytes[bytes.count - 6] ^= 1
    try bytes.write(to: URL(fileURLWithPath: writer.path))
    #expect(try lines().count == 1)
  }
}
#endif
