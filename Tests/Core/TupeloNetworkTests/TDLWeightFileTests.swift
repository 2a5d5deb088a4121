import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork

/// TDL2048+ weight files, compared with files and values that the program itself made.
@Suite final class TDLWeightFileTests {
  private let path = TemporaryFile.path("network.w")

  deinit { TemporaryFile.remove(path) }

  private static func fixture(_ name: String) -> String { Repository.file("Tests/Fixtures/tdl/" + name) }

  private func open(_ bytes: [UInt8]) throws -> NTupleNetwork {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try NTupleNetwork(tdlWeightFile: path)
  }

  private static func bytes(ofFile path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [
    ("plain", "4x4 shared 012 145 94a 05a"), ("coherence", "4x4 shared 015 26"),
    ("separate", "4x4 separate 012 89a 05a"),
  ])
  func valuesAreTheProgramsOwn(_ name: String, _ text: String) throws {
    let network = try NTupleNetwork(
      tdlWeightFile: Self.fixture(name + ".w"), sharesSymmetries: text.contains("shared"))
    #expect(network.specification.canonicalText == text)
    let lines = try String(contentsOfFile: Self.fixture(name + ".txt"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 200)
    for line in lines {
      let words = line.split(separator: " ")
      let board = try Board(hex: String(words[0]))
      // The program looks up boards with 32768 as they are.
      guard board.largestTile < 32_768 else { continue }
      let value = network.value(of: Afterstate(bits: board.bits, overflow: board.overflow))
      let expected = try #require(Float(words[1]))
      // The program adds the weights in another order.
      #expect(abs(value - expected) < 0.01, "\(line): \(value)")
    }
  }

  /// Import, our own file, and export give the program's file back.
  @Test(arguments: ["plain", "separate"]) func roundTrip(_ name: String) throws {
    let model = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(model) }
    try NTupleNetwork(tdlWeightFile: Self.fixture(name + ".w"), sharesSymmetries: name == "plain").save(to: model)
    try NTupleNetwork(path: model).saveTDLWeightFile(to: path)
    #expect(try Self.bytes(ofFile: path) == Self.bytes(ofFile: Self.fixture(name + ".w")))
  }

  /// A file with coherence sums is written without them, and is otherwise equal.
  @Test func coherenceIsLeftOut() throws {
    let whole: [UInt8] = try Self.bytes(ofFile: Self.fixture("coherence.w"))
    try NTupleNetwork(tdlWeightFile: Self.fixture("coherence.w")).saveTDLWeightFile(to: path)
    let (first, second) = (4096 * 4, 256 * 4)
    let head: Int = 5 + 9 + 10
    let sums: Int = 10 + 2 * first
    var expected = Array(whole[..<(head + first)])
    let rest: Int = 2 + 9 + 10 + second
    expected += whole[(head + first + sums)...].prefix(rest)
    expected += [0, 0]
    #expect(try Self.bytes(ofFile: path) == expected)
  }

  /// A file written out by hand from the format's description, with numbers of all widths.
  private static func file(_ tables: [(name: [UInt8], width: Int, count: Int)], more: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = [0, UInt8(tables.count), 0, 0, 0]
    for (name, width, count) in tables {
      bytes += [4] + name + [UInt8(width), 0]
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
      for index in 0..<count { bytes += number(Double(index) - 2.5, width: width) }
      bytes += more + [0, 0]
    }
    return bytes
  }

  /// The bytes of a number such as 0 - 2.5, which all three precisions represent exactly. Half precision follows its
  /// definition.
  private static func number(_ value: Double, width: Int) -> [UInt8] {
    switch width {
    case 4: return (0..<4).map { UInt8(truncatingIfNeeded: Float(value).bitPattern >> ($0 * 8)) }
    case 8: return (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    default:
      let mantissa = UInt16(value.magnitude.significand * 1024) - 1024
      let sign: UInt16 = value < 0 ? 0x8000 : 0
      let bits = sign | UInt16(value.exponent + 15) << 10 | mantissa
      return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
    }
  }

  private static let corner: [UInt8] = [0, 0, 0, 0, 1, 0, 0, 0]

  @Test(arguments: [2, 4, 8]) func widths(_ width: Int) throws {
    let network = try open(
      Self.file([([5, 0, 0, 0, 1, 0, 0, 0], width, 16), ([0x10, 0, 0, 0, 2, 0, 0, 0], width, 256)]))
    #expect(network.specification.canonicalText == "4x4 shared 5 10")
    for index in 0..<16 {
      // A single cell is on a diagonal.
      #expect(network[pattern: 0, standardIndex: index] == (Float(index) - 2.5) / 2)
    }
    for index in 0..<256 { #expect(network[pattern: 1, standardIndex: index] == Float(index) - 2.5) }
  }

  @Test(
    arguments: [
      (Array("01      ".utf8), "01"), ([0x10, 0, 0, 0, 0, 0, 0, 0], "10"), ([1, 0, 0, 0, 0, 0, 0, 0], "01"),
      (Array("fE\0\0\0   ".utf8), nil), (Array("m@0123  ".utf8), nil), (Array("        ".utf8), nil),
      ([0x21, 0x43, 0x65, 0x07, 2, 0, 0, 0], nil), ([0x11, 0, 0, 0, 2, 0, 0, 0], nil),
      ([1, 0, 0, 0, 0xff, 0xff, 0, 0], nil), (Array("\n\u{1b}[31m\n".utf8) + [0x80], nil),
    ] as [([UInt8], String?)]) func names(_ name: [UInt8], _ pattern: String?) throws
  {
    let file = Self.file([(Array(name.prefix(8)), 4, 256)])
    guard let pattern else {
      let error = #expect(throws: TDLWeightFileError.self) { try self.open(file) }
      #expect(error?.description.hasPrefix(path + ": ") == true && error?.description.contains("\n") == false)
      return
    }
    #expect(try open(file).specification.canonicalText == "4x4 shared \(pattern)")
  }

  /// Fields with unknown numbers are skipped, and the first letter says what kind of file it is.
  @Test func unknownFields() throws {
    let file = Self.file([(Self.corner, 4, 16)], more: [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7])
    for bytes in [file, [UInt8(ascii: "w")] + file] {
      #expect(try open(bytes)[pattern: 0, standardIndex: 15] == 6.25)
      let table = try #require(try TDLWeightFile(bytes.span.bytes, path: path).tables.first)
      #expect(table.hasMore && table.width == 4 && table.pattern.text == "0")
    }
  }

  @Test func refusals() throws {
    let good = Self.file([(Self.corner, 4, 16)])
    func error(_ bytes: [UInt8]) throws -> TDLWeightFileError? {
      #expect(throws: TDLWeightFileError.self) { try self.open(bytes) }
    }
    func changed(_ offset: Int, _ value: UInt8) -> [UInt8] {
      var bytes = good
      bytes[offset] = value
      return bytes
    }
    #expect(try error([]) == .truncated(path: path, offset: 0, needed: 1, left: 0))
    #expect(try error(changed(0, 1)) == .notAWeightFile(path: path))
    #expect(try error(changed(1, 0)) == .badTableCount(path: path, found: 0))
    #expect(try error(changed(4, 0xff)) == .badTableCount(path: path, found: 0xff00_0001))
    #expect(try error(changed(5, 3)) == .unknownVersion(path: path, table: 1, found: 3))
    #expect(try error(changed(14, 3)) == .badWidth(path: path, name: "0", found: 3))
    #expect(try error(changed(17, 1)) == .wrongLength(path: path, name: "0", found: 272, expected: 16))
    #expect(try error(changed(14, 8)) == .truncated(path: path, offset: 24, needed: 128, left: 66))
    #expect(try error(good + [0]) == .trailingBytes(path: path, offset: 90, length: 91))
    var infinite = good
    infinite.replaceSubrange(24..<28, with: [0, 0, 0x80, 0x7f])
    #expect(try error(infinite) == .notFinite(path: path, name: "0", index: 0))
    let twice = Self.file([(Self.corner, 4, 16), (Self.corner, 4, 16)])
    #expect(try error(twice) == .repeatedTable(path: path, name: "0"))
    // A field whose length overflows when multiplied.
    let vast = Self.file([(Self.corner, 4, 16)], more: [8, 0] + Array(repeating: 0xff, count: 8))
    #expect(try error(vast) == .truncated(path: path, offset: 98, needed: .max, left: 2))
    #expect(throws: SystemError.self) { try NTupleNetwork(tdlWeightFile: "missing.w") }
    let small = try NTupleNetwork(NetworkSpecification(canonicalText: "3x3 shared 01"))
    #expect(throws: TDLWeightFileError.otherShape(path: path, shape: small.specification.shape)) {
      try small.saveTDLWeightFile(to: self.path)
    }
    let double = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 01 01"))
    #expect(throws: TDLWeightFileError.repeatedTable(path: path, name: "01")) {
      try double.saveTDLWeightFile(to: self.path)
    }
  }

  /// Damaged files are refused with one line that names them, or are sound after all; nothing crashes.
  @Test func threeThousandDamagedFiles() throws {
    var random = RandomStream(seed: 2048)
    let originals = [
      Self.file([(Self.corner, 4, 16), ([0x10, 0, 0, 0, 2, 0, 0, 0], 2, 256)]),
      Self.file([(Self.corner, 8, 16)], more: [4, 0, 32, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 1, count: 128)),
    ]
    var sound = 0
    for round in 0..<3000 {
      let damaged = Damage.damaged(originals[round % 2], by: &random)
      do {
        let file = try TDLWeightFile(damaged.span.bytes, path: path)
        sound += file.tables.isEmpty ? 0 : 1
        if sound % 10 == 0 { _ = try open(damaged) }
      } catch let error as TDLWeightFileError {
        #expect(error.description.hasPrefix(path + ": ") && !error.description.contains { $0.isNewline })
      }
    }
    #expect((200...2000).contains(sound), "\(sound) are sound")
  }
}
