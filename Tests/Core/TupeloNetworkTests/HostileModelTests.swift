import CAllocationCounter
import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Damaged small models are refused with one line that names them, or are sound after all.
@Suite final class HostileModelTests {
  private let path = TemporaryFile.path("model.safetensors")

  deinit { TemporaryFile.remove(path) }

  private static func network(_ text: String = "4x4 shared 01 5") throws -> NTupleNetwork {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: text))
    for index in stride(from: 0, to: 256, by: 3) {
      network[pattern: 0, standardIndex: index] = Float(index * index) * (index % 2 == 0 ? 1 : -1)
    }
    return network
  }

  private func bytes(_ format: PlayFormat) throws -> [UInt8] {
    try Self.network().save(to: path, format: format)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(.slow) func threeThousandDamagedFiles() throws {
    var random = RandomStream(seed: 7)
    let originals = try [.compact(step: 4, drop: 10), .f16, .compact(step: 0.01, drop: 0)].map { try bytes($0) }
    var outcomes: [String: Int] = [:]
    for round in 0..<3000 {
      let damaged = Self.damaged(originals[round % 3], by: &random)
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      let whole = Result { try NTupleNetwork(path: path).specification }
      let sparse = Result { try SparseNetwork(path: path).specification }
      let fromBytes = Result { try NTupleNetwork(bytes: damaged, name: path).specification }
      switch whole {
      case .success(let specification):
        #expect(try sparse.get() == specification && fromBytes.get() == specification)
        outcomes["sound", default: 0] += specification.weightCount > 0 ? 1 : 0
      case .failure(let error):
        if error is WeightStorageError { continue }
        #expect("\(error)".hasPrefix(path + ": ") && !"\(error)".contains { $0.isNewline })
        #expect("\(sparse)" == "\(Result<NetworkSpecification, any Error>.failure(error))")
        #expect("\(fromBytes)" == "\(sparse)")
        outcomes["\(type(of: error))", default: 0] += 1
      }
    }
    // All of these outcomes must be common: otherwise the test checks little.
    for kind in ["sound", "SafetensorsError", "ModelFileError", "CompactModelError"] {
      #expect(outcomes[kind, default: 0] > 50, "\(outcomes)")
    }
  }

  /// Files with damage everywhere, or in the tensors alone: a damaged header hides what comes after it.
  private static func damaged(_ file: [UInt8], by random: inout RandomStream) -> [UInt8] {
    let header = 8 + Int(file[0]) + Int(file[1]) << 8
    switch random.next(below: 3) {
    case 0: return Damage.damaged(file, by: &random)
    case 1:
      var copy = file
      copy[header + random.next(below: file.count - header)] ^= 1 << UInt8(random.next(below: 8))
      return copy
    default:
      // The damage changes a digit of the metadata, which stays JSON.
      var copy = file
      let digits = (8..<header).filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(file[$0]) }
      copy[digits[random.next(below: digits.count)]] = UInt8(ascii: "0") + UInt8(random.next(below: 10))
      return copy
    }
  }

  /// Writes a compact file of one pattern by hand.
  private func write(
    network: String = "4x4 shared 5", _ changes: [String: String?] = [:], parts: [String: [UInt8]]
  ) throws {
    let specification = try NetworkSpecification(canonicalText: network)
    var metadata = [
      "tupelo.format": "2", "tupelo.network": specification.canonicalText, "tupelo.behaviour": "1",
      "tupelo.fingerprint": specification.fingerprint, "tupelo.encoding": "compact", "tupelo.compact.step": "2",
      "tupelo.compact.drop": "0", "tupelo.compact.kept": "2", "tupelo.compact.crc32": "f2d3f3a5",
    ]
    for (key, value) in changes { metadata[key] = value }
    let tensors = parts.map { TensorDescription(name: "compact.\($0.key).0", type: .u8, shape: [$0.value.count]) }
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
      let part = tensor.name.split(separator: ".")[1]
      let bytes = parts[String(part)] ?? []
      try sink.write(bytes.span)
    }
  }

  /// zlib streams without compression, so that they can be written out: two bytes of header, a stored block, Adler-32.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
    let head: [UInt8] = [0x78, 0x01, 1, low, high, ~low, ~high]
    return head + bytes + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
  }

  @Test func byHand() throws {
    // Weights 1 and 9 are -3 and 2 steps of 2 points. CRC-32 of 02 02 05 04 by another program (Python's zlib.crc32).
    let parts = ["map": Self.stored([2, 2]), "byte0": Self.stored([5, 4])]
    try write(parts: parts)
    let network = try NTupleNetwork(path: path)
    #expect(
      (0..<16).map { network[pattern: 0, standardIndex: $0] } == [0, -6, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0])

    func error(_ changes: [String: String?] = [:], _ change: [String: [UInt8]] = [:]) throws -> (any Error)? {
      try write(changes, parts: parts.merging(change) { $1 })
      return #expect(throws: (any Error).self) { try NTupleNetwork(path: self.path) }
    }
    for key in ["kept", "crc32", "step"] {
      for value in [nil, "", "x", "1 1 1", "-1"] as [String?] where !(key == "crc32" && ["x", "-1"].contains(value)) {
        let found = try error(["tupelo.compact.\(key)": value]) as? CompactModelError
        #expect(found == .badMetadata(path: path, key: "tupelo.compact.\(key)"))
      }
    }
    #expect(
      try error(["tupelo.compact.kept": "17"]) as? CompactModelError
        == .badMetadata(path: path, key: "tupelo.compact.kept"))
    #expect(
      try error(["tupelo.compact.kept": "3"]) as? CompactModelError
        == .wrongCount(path: path, table: 0, found: 2, expected: 3))
    #expect(
      try error(["tupelo.compact.crc32": "00000000"]) as? CompactModelError
        == .badChecksum(path: path, table: 0, found: "f2d3f3a5", expected: "00000000"))
    #expect(try error(["tupelo.encoding": "f8"]) as? ModelFileError == .unknownEncoding(path: path, found: "f8"))
    #expect(
      try error(["tupelo.format": "3"]) as? ModelFileError == .newerFormat(path: path, found: 3, supported: 2))
    for map in [
      [], [0x78], Self.stored([2]), Self.stored([2, 2, 0]), Self.stored([2, 2]) + [0], Self.stored([2, 2]).dropLast(),
    ] as [[UInt8]] {
      guard case .damagedStream(path, "compact.map.0", _) = try error([:], ["map": map]) as? CompactModelError else {
        Issue.record("\(map) is not a map")
        continue
      }
    }
    // With such a large step, a weight is infinite.
    #expect(
      try error(["tupelo.compact.step": "3e38"]) as? ModelFileError
        == .notFinite(path: path, name: "weights.0", index: 1))
  }

  /// A few bytes that claim a network of 16 GB are refused at once: they cannot unpack to that size.
  @Test func bombs() throws {
    let parts = ["map": Self.stored([2, 2]), "byte0": Self.stored([5, 4])]
    try write(network: "4x4 shared 01234567", parts: parts)
    let error = #expect(throws: CompactModelError.self) { try NTupleNetwork(path: self.path) }
    guard case .damagedStream(path, "compact.map.0", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    // A stream that is longer than the network has room for stops there: 2 MB of zeros as the map of 16 weights.
    let large = TemporaryFile.path("large.safetensors")
    defer { TemporaryFile.remove(large) }
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 012345"))
    try network.save(to: large, format: .compact(step: 1, drop: 0))
    let zeros = try SafetensorsFile(path: large).array(of: "compact.map.0", as: UInt8.self)
    #expect(zeros.count < 4000)
    try write(parts: ["map": zeros, "byte0": Self.stored([5, 4])])
    #expect(throws: CompactModelError.self) { try NTupleNetwork(path: self.path) }
  }

  /// A file of 17 MB, whose streams may be as large as it says, is refused before they are unpacked: half a gigabyte of
  /// map, 16 of bytes, 16 of weights.
  @Test(.enabled(if: MemoryLimit.bytes < 32 << 30, "this machine has room for it"))
  func whatDoesNotFitIsNotUnpacked() throws {
    let plane = [UInt8](repeating: 0, count: 1 << 22 + 1 << 14)
    let parts = Dictionary(uniqueKeysWithValues: ["map", "byte0", "byte1", "byte2", "byte3"].map { ($0, plane) })
    let kept = 1 << 32 - 1
    try write(network: "4x4 shared 01234567", ["tupelo.compact.kept": "\(kept)"], parts: parts)
    let error = WeightStorageError.outOfMemory(bytes: 1 << 29 + 8 * kept, available: MemoryLimit.bytes)
    #expect(throws: error) { try SparseNetwork(path: self.path) }
    #expect(throws: error) { try NTupleNetwork(path: self.path) }
  }

  /// Weights that no training finds: sums of them are infinite, or no longer whole numbers.
  @Test func weightsBeyondAllScoresAreRefused() throws {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 01 5"))
    for weight in [2e9, -2e9, 1e19, 3e38] as [Float] {
      try SafetensorsWriter.write(
        to: path, metadata: network.specification.metadata,
        tensors: [
          TensorDescription(name: "weights.0", type: .f32, shape: [16, 16]),
          TensorDescription(name: "weights.1", type: .f32, shape: [16]),
        ]
      ) { tensor, sink in
        var values = [Float](repeating: 0, count: tensor.shape.reduce(1, *))
        if tensor.name == "weights.1" { values[3] = weight }
        try sink.write(values.span)
      }
      let error = #expect(throws: ModelFileError.self) { try NTupleNetwork(path: self.path) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.hasPrefix(path + ": the tensor weights.1 has ") && text.contains("at index 3"), "\(text)")
    }
    network[pattern: 1, standardIndex: 3] = 1e9
    try network.save(to: path)
    #expect(try NTupleNetwork(path: path)[pattern: 1, standardIndex: 3] == 1e9)
  }

  /// Two million words are refused before any of them is stored: the memory of one would be an allocation.
  @Test(.enabled(if: tupelo_counts_allocations() == 1, "allocations are counted with glibc, without a sanitizer"))
  func networksOfMillionsOfPatternsAreRefusedAtOnce() throws {
    let text = "4x4 shared" + String(repeating: " 01", count: 2_000_000)
    let before = tupelo_allocation_count()
    let error = #expect(throws: NetworkSpecificationError.self) { try NetworkSpecification(canonicalText: text) }
    #expect("\(error!)".utf8.count < 200)
    let count = tupelo_allocation_count() - before
    #expect(count < 10_000, "\(count)")
  }

  /// Text from a file must not reach a terminal unchanged, nor fill it.
  @Test func errorsArePrintable() throws {
    let evil = "\u{1b}[2J\u{7}"
    for metadata in [
      ["tupelo.format": "1", "tupelo.network": evil + String(repeating: "x", count: 10_000)],
      ["tupelo.format": "1", "tupelo.network": "4x4 shared 01", "tupelo.fingerprint": evil],
      ["tupelo.format": "1", "tupelo.network": evil, "tupelo.fingerprint": "\(NetworkText.fingerprint(of: evil))"],
    ] {
      try SafetensorsWriter.write(to: path, metadata: metadata, tensors: []) { _, _ in }
      let error = #expect(throws: ModelFileError.self) { try NTupleNetwork(path: self.path) }
      let text = error.map { "\($0)" } ?? ""
      #expect(!text.isEmpty && !text.unicodeScalars.contains { $0.value < 32 }, "\(text.debugDescription)")
      #expect(text.utf8.count < 500)
    }
    let shape = [0] + [Int](repeating: 1, count: 20_000)
    let metadata = try NetworkSpecification(canonicalText: "4x4 shared 01").metadata
    let tensor = TensorDescription(name: "weights.0", type: .f32, shape: shape)
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: [tensor]) { _, _ in }
    let error = #expect(throws: ModelFileError.self) { try NTupleNetwork(path: self.path) }
    #expect(error.map { "\($0)".utf8.count < 500 } == true)
  }

  /// A file of a few kilobytes that stands for a gigabyte of zeros takes only the memory of the weights that are not
  /// zero.
  @Test(.slow, .enabled(if: Self.residentBytes > 0, "the system does not report the memory in use"))
  func zerosTakeNoMemory() throws {
    do {
      let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123456"))
      network[pattern: 0, standardIndex: 1 << 27] = 5
      try network.save(to: path, format: .compact(step: 1, drop: 0))
    }
    let before = Self.residentBytes
    let network = try NTupleNetwork(path: path)
    #expect(network[pattern: 0, standardIndex: 1 << 27] == 5)
    #expect(Self.residentBytes - before < 500_000_000)
  }

  /// The resident memory of the process; 0 where the system does not report it.
  private static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
  }
}

/// FNV-1a (64 bits) as in `ModelFile`, written a second time.
private enum NetworkText {
  static func fingerprint(of text: String) -> String {
    let hash = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension NetworkSpecification {
  fileprivate var metadata: [String: String] {
    ["tupelo.format": "1", "tupelo.network": canonicalText, "tupelo.fingerprint": fingerprint]
  }
}
