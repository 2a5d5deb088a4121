import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Networks in small files, compared with the weights that the files were made from.
@Suite final class PlayFormatTests {
  private let path = TemporaryFile.path("model.safetensors")

  deinit { TemporaryFile.remove(path) }

  /// Weights as training leaves them: most never visited, many small, few large.
  private static func network(_ text: String = "4x4 shared 012 0145 5", largest: Float = 30_000) throws -> NTupleNetwork
  {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: text))
    var random = RandomPositions(seed: 11)
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize where random.number(below: 3) == 0 {
        let size = Float(random.number(in: 0...1))
        network[pattern: number, standardIndex: index] = (size * 2 - 1) * size * size * size * largest
      }
    }
    return network
  }

  private static func weights(_ network: NTupleNetwork) -> [Float] {
    network.specification.patterns.enumerated().flatMap { number, pattern in
      (0..<pattern.tableSize).map { network[pattern: number, standardIndex: $0] }
    }
  }

  @Test(arguments: [(16, 0), (16, 50), (1, 0), (0.25, 3), (100, 1000), (30_000, 0)] as [(Float, Float)])
  func compactKeepsItsPromise(_ step: Float, _ drop: Float) throws {
    let network = try Self.network()
    try network.save(to: path, format: .compact(step: step, drop: drop))
    let loaded = Self.weights(try NTupleNetwork(path: path))
    var kept = 0
    for (before, after) in zip(Self.weights(network), loaded) {
      if after == 0 {
        #expect(before == 0 || abs(before) < max(drop, step / 2) * 1.000_001)
      } else {
        kept += 1
        #expect(abs(before) >= drop && abs(after - before) <= step / 2 * 1.000_001)
        #expect((after / step).rounded() * step == after)
      }
    }
    #expect(step > 1000 || kept > 1000)
    let file = try SafetensorsFile(path: path)
    let stated = (file.metadata["tupelo.compact.kept"] ?? "").split(separator: " ").compactMap { Int($0) }
    #expect(stated.count == 3 && stated.reduce(0, +) == kept)
    #expect(file.metadata["tupelo.format"] == "2" && file.metadata["tupelo.encoding"] == "compact")
  }

  /// Without a step, small weights keep three digits, and large ones get the step of 16 points.
  @Test(arguments: [2.8, 0.000_3, 700, 16_000, 20_000, 1e6] as [Float])
  func theStepFollowsFromTheWeights(_ largest: Float) throws {
    let network = try Self.network(largest: largest)
    network[pattern: 0, standardIndex: 5] = -largest
    try network.save(to: path, format: .compact())
    let loaded = Self.weights(try NTupleNetwork(path: path))
    let error = zip(Self.weights(network), loaded).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(error > 0 && error <= min(8, largest / 2000))
    #expect(largest < 16_384 || loaded.allSatisfy { $0.truncatingRemainder(dividingBy: 16) == 0 })
  }

  /// A network with weights never becomes a file without any, and nothing is written.
  @Test func aFileWithoutWeightsIsRefused() throws {
    let network = try Self.network(largest: 2.8)
    let largest = try #require(Self.weights(network).map(abs).max())
    for (step, drop, below) in [(16, 0, 8), (0.1, 3, 3)] as [(Float, Float, Float)] {
      #expect(throws: CompactModelError.nothingLeft(path: path, largest: largest, below: below)) {
        try network.save(to: self.path, format: .compact(step: step, drop: drop))
      }
    }
    let tiny = try Self.network(largest: 1e-8)
    #expect(throws: CompactModelError.self) { try tiny.save(to: self.path, format: .f16) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A second export changes nothing.
  @Test func compactIsStable() throws {
    try Self.network().save(to: path, format: .compact(step: 16, drop: 16))
    let first = try Data(contentsOf: URL(fileURLWithPath: path))
    try NTupleNetwork(path: path).save(to: path, format: .compact(step: 16, drop: 16))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
  }

  @Test func emptyAndHugeNetworks() throws {
    let empty = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123 5"))
    for format in [.f32, .f16, .compact(step: 16, drop: 0)] as [PlayFormat] {
      try empty.save(to: path, format: format)
      #expect(Self.weights(try NTupleNetwork(path: path)).allSatisfy { $0 == 0 })
    }
    // Four planes of bytes, and numbers beyond half precision.
    empty[pattern: 1, standardIndex: 3] = -1e9
    empty[pattern: 1, standardIndex: 4] = 1.5
    try empty.save(to: path, format: .compact(step: 1, drop: 0))
    #expect(try NTupleNetwork(path: path)[pattern: 1, standardIndex: 3] == -1e9)
    #expect(try NTupleNetwork(path: path)[pattern: 1, standardIndex: 4] == 2)
    try empty.save(to: path, format: .f16)
    let half = try NTupleNetwork(path: path)
    #expect(abs(half[pattern: 1, standardIndex: 3] / -1e9 - 1) < 0x1p-11)
    #expect(try SafetensorsFile(path: path).metadata["tupelo.f16.scale"] == "16384")
    #expect(throws: CompactModelError.stepTooFine(path: path, step: 0.5, weight: -1e9)) {
      try empty.save(to: self.path, format: .compact(step: 0.5, drop: 0))
    }
    for (step, drop) in [(0, 0), (-1, 0), (.nan, 0), (.infinity, 0), (1, -1), (1, .nan)] as [(Float, Float)] {
      #expect(throws: CompactModelError.self) {
        try empty.save(to: self.path, format: .compact(step: step, drop: drop))
      }
    }
  }

  /// A model that could not be loaded again is not saved, and a file that is there stays.
  @Test func whatIsSavedCanBeLoaded() throws {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123 5"))
    try network.save(to: path)
    let formats = [.f32, .f16, .compact(step: 1, drop: 0), .compact(step: 6.5e8, drop: 0)] as [PlayFormat]
    for weight in [.nan, .infinity, 2e9, -1.000_001e9] as [Float] {
      network[pattern: 0, standardIndex: 7] = weight
      let expected: ModelFileError =
        weight.isFinite
        ? .tooLarge(path: path, name: "weights.0", index: 7, weight: weight)
        : .notFinite(path: path, name: "weights.0", index: 7)
      for format in formats { #expect(throws: expected) { try network.save(to: self.path, format: format) } }
      #expect(throws: TDLWeightFileError.notFinite(path: path, name: "0123", index: 7)) {
        try network.saveTDLWeightFile(to: self.path)
      }
      #expect(try Self.weights(NTupleNetwork(path: path)).allSatisfy { $0 == 0 })
    }
    for weight in [1e9, -1e9, 0x1.dcd64ep29] as [Float] {
      network[pattern: 0, standardIndex: 7] = weight
      for format in formats + [.compact(step: 3, drop: 0), .compact(step: 7e8, drop: 0)] {
        try network.save(to: path, format: format)
        let loaded = try NTupleNetwork(path: path)[pattern: 0, standardIndex: 7]
        #expect(abs(loaded - weight) < 5.5e8)
      }
    }
  }

  @Test func indicesAreChecked() async {
    await #expect(processExitsWith: .trap) {
      let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123"))
      network[pattern: 0, standardIndex: 1 << 16] = 1
    }
    await #expect(processExitsWith: .trap) {
      let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123 5"))
      network[pattern: 1, standardIndex: -1] = 1
    }
    await #expect(processExitsWith: .trap) {
      let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123"))
      _ = network[pattern: 0, standardIndex: 0, stage: 1]
    }
  }

  /// Every bit pattern of half precision survives, through a file and back.
  @Test func allHalves() throws {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0123"))
    for index in 0..<65536 {
      let exponent = index >> 10 & 31
      let mantissa = Double(index & 1023)
      let size =
        exponent == 0
        ? mantissa * 0x1p-24 : (1024 + mantissa) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
      network[pattern: 0, standardIndex: index] = exponent == 31 ? 0 : Float(index >> 15 == 0 ? size : -size)
    }
    try network.save(to: path, format: .f16)
    #expect(try Self.weights(NTupleNetwork(path: path)) == Self.weights(network))
    let bits = try SafetensorsFile(path: path).array(of: "weights.0", as: UInt16.self)
    for index in 0..<65536 where index >> 10 & 31 < 31 { #expect(bits[index] == UInt16(index)) }
  }

  #if os(macOS) || os(Linux)
  /// Python unpacks the compact form by the description in `CompactTable` alone, and rounds to half precision itself.
  @Test(.enabled(if: Python.hasSafetensors, "\(Python.isMissing)")) func readByPython() throws {
    let single = TemporaryFile.path("single.safetensors")
    defer { TemporaryFile.remove(single) }
    let network = try Self.network(largest: 60_000)
    try network.save(to: single)
    try network.save(to: path, format: .f16)
    let halves = """
      import sys, numpy as np, safetensors.numpy
      single, half = (safetensors.numpy.load_file(path) for path in sys.argv[1:])
      assert single.keys() == half.keys() and len(half) == 3
      for name, value in single.items():
        assert half[name].dtype == np.float16 and half[name].shape == value.shape, name
        assert np.array_equal(value.astype(np.float16), half[name]), name
      print("same")
      """
    #expect(try Python.run(halves, single, path) == "same\n")
    try network.save(to: path, format: .compact(step: 12.5, drop: 40))
    let compact = """
      import sys, zlib, numpy as np, safetensors, safetensors.numpy
      single = safetensors.numpy.load_file(sys.argv[1])
      with safetensors.safe_open(sys.argv[2], "np") as file:
        facts, parts = file.metadata(), {key: file.get_tensor(key) for key in file.keys()}
      step, drop = float(facts["tupelo.compact.step"]), float(facts["tupelo.compact.drop"])
      for number in range(3):
        load = lambda part: zlib.decompress(parts.pop(f"compact.{part}.{number}").tobytes())
        raw = [load("map")]
        code = 0
        while f"compact.byte{len(raw) - 1}.{number}" in parts:
          raw.append(load(f"byte{len(raw) - 1}"))
          code = code + (np.frombuffer(raw[-1], np.uint8).astype(np.int64) << 8 * (len(raw) - 2))
        bits = np.unpackbits(np.frombuffer(raw[0], np.uint8), bitorder="little").astype(bool)
        values = np.zeros(bits.size)
        values[bits] = np.where(code % 2, -(code + 1) // 2, code // 2) * step
        expected = single[f"weights.{number}"].ravel()
        quotient = (expected / np.float32(step)).astype(np.float64)
        steps = np.trunc(quotient + np.copysign(0.5, quotient))
        expected = np.where(np.abs(expected) < drop, 0, steps * step)
        assert np.abs(values - expected).max() == 0, number
        assert int(facts["tupelo.compact.kept"].split()[number]) == bits.sum()
        assert int(facts["tupelo.compact.crc32"].split()[number], 16) == zlib.crc32(b"".join(raw))
      assert not parts
      print("same")
      """
    #expect(try Python.run(compact, single, path) == "same\n")
  }
  #endif
}
