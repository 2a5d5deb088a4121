import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch
import TupeloWebAssembly

/// Models of 2048 in the engine of the page, which runs here as an ordinary module. It has one state and one thread, so
/// the tests run one after the other.
@Suite(.serialized) struct ModelTests {
  private static let tableSize = 1 << 16

  static func network() throws -> NTupleNetwork {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123 0145"))
    var random = RandomPositions(seed: 8)
    for pattern in 0..<2 {
      for index in 0..<Self.tableSize where random.number(below: 3) > 0 {
        network[pattern: pattern, standardIndex: index] = Float(random.number(below: 1001) - 500)
      }
    }
    return network
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The bits of a number in half precision, which has it exactly.
  private static func half(_ number: Float) -> UInt16 {
    guard number != 0 else { return 0 }
    let digits = UInt16(number.exponent + 15) << 10 | UInt16(number.significandBitPattern >> 13)
    return digits | (number < 0 ? 0x8000 : 0)
  }

  /// CRC-32 in eight hex digits, a bit at a time (RFC 1952).
  private static func checksum(_ bytes: [UInt8]) -> String {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    let digits = String(~sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// A model file, whose header is written here.
  private struct File {
    var metadata: [String: String]
    var tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])] = []
    /// Bytes of zlib streams, by the names of their tensors.
    var unpacked: [String: [UInt8]] = [:]

    init(_ text: String) {
      metadata = [
        "tupelo.format": "1", "tupelo.network": text, "tupelo.fingerprint": ModelFile.fingerprint(of: text),
      ]
    }

    /// Adds a stream. The module checks only that it can hold its bytes.
    mutating func addStream(_ name: String, _ bytes: [UInt8]) {
      let packed = [UInt8](repeating: 7, count: bytes.count / 1000 + 1)
      tensors.append((name, "U8", [packed.count], packed))
      unpacked[name] = bytes
    }

    /// The bytes of the file, and those of its streams by their places.
    func bytes(editing edit: (String) -> String = { $0 }) -> (file: [UInt8], unpacked: [Int: [UInt8]]) {
      let pairs = metadata.sorted { $0.key < $1.key }.map { key, value in
        "\"\(key)\":\"\(value.replacingOccurrences(of: "\u{1b}", with: "\\u001b"))\""
      }
      var (entries, data): ([String], [UInt8]) = (["\"__metadata__\":{\(pairs.joined(separator: ","))}"], [])
      var places: [(String, Int)] = []
      for (name, type, shape, bytes) in tensors {
        places.append((name, data.count))
        let offsets = [data.count, data.count + bytes.count]
        entries.append("\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":\(shape),\"data_offsets\":\(offsets)}")
        data += bytes
      }
      let header = Array(edit("{\(entries.joined(separator: ","))}").utf8)
      let start = 8 + header.count
      let unpacked = places.compactMap { name, place in self.unpacked[name].map { (start + place, $0) } }
      return (ModelTests.bytes(UInt64(header.count)) + header + data, Dictionary(uniqueKeysWithValues: unpacked))
    }

    /// Hands the file to the module.
    func load(editing edit: (String) -> String = { $0 }) -> Int32 {
      let (file, unpacked) = bytes(editing: edit)
      return Page.load(file, unpacked: unpacked)
    }
  }

  /// Adds a table in the compact form, with steps of a half.
  private static func addCompact(_ number: Int, _ weights: [Float], to file: inout File) {
    var map = [UInt8](repeating: 0, count: weights.count / 8)
    var planes: [[UInt8]] = [[], []]
    for (index, weight) in weights.enumerated() where weight != 0 {
      map[index / 8] |= 1 << UInt8(index % 8)
      let steps = Int(weight * 2)
      let code = steps < 0 ? -2 * steps - 1 : 2 * steps
      planes[0].append(UInt8(code % 256))
      planes[1].append(UInt8(code / 256))
    }
    file.addStream("compact.map.\(number)", map)
    for plane in 0..<2 { file.addStream("compact.byte\(plane).\(number)", planes[plane]) }
    for (key, value) in [("kept", "\(planes[0].count)"), ("crc32", checksum(map + planes[0] + planes[1]))] {
      let words = [file.metadata["tupelo.compact." + key], value].compactMap { $0 }
      file.metadata["tupelo.compact." + key] = words.joined(separator: " ")
    }
  }

  private static func file(_ network: NTupleNetwork, as format: String) -> File {
    var file = File(network.specification.canonicalText)
    if format != "f32" { file.metadata["tupelo.encoding"] = format }
    file.metadata["tupelo.f16.scale"] = "2"
    file.metadata["tupelo.compact.step"] = "0.5"
    for pattern in 0..<2 {
      let weights = (0..<tableSize).map { network[pattern: pattern, standardIndex: $0] }
      let shape = Array(repeating: 16, count: 4)
      switch format {
      case "f32": file.tensors.append(("weights.\(pattern)", "F32", shape, weights.flatMap { bytes($0.bitPattern) }))
      case "f16": file.tensors.append(("weights.\(pattern)", "F16", shape, weights.flatMap { bytes(half($0 / 2)) }))
      default: addCompact(pattern, weights, to: &file)
      }
    }
    return file
  }

  /// Loads a network in a format of model files.
  static func load(_ network: NTupleNetwork, as format: String) throws {
    #expect(file(network, as: format).load() == 0, "\(Page.text)")
  }

  /// A network that was loaded in any format values positions and moves as the program does, to the bit.
  @Test(arguments: ["f32", "f16", "compact"])
  func valuesAreThePrograms(format: String) throws {
    let network = try Self.network()
    try Self.load(network, as: format)
    var positions = RandomPositions(seed: 21)
    for number in 0..<60 {
      let exponents = positions.matrix(largest: 11).flatMap { $0 }
      let board = try Board(exponents: exponents)
      Page.setBoard(exponents)
      let afterstate = Afterstate(bits: board.bits, overflow: board.overflow)
      #expect(value().bitPattern == network.value(of: afterstate).bitPattern)
      let plies = number % 2 + 1
      var search = Expectimax(network, plies: plies)
      let expected = search.analyze(board)
      let mask = analyze(Int32(plies), 0, 0.1)
      #expect(mask == expected.candidates.reduce(0) { $0 | 1 << Int32($1.move.rawValue) })
      #expect(mask == 0 || Page.plies == plies)
      for one in expected.candidates {
        let said = Page.candidate(one.move.rawValue)
        #expect(said.reward == one.reward && said.value == one.value && said.difference == one.difference)
      }
    }
  }

  private static func isGone() -> Bool { value().isNaN && analyze(1, 0, 0.1) == -1 }

  /// A model that is refused leaves one line that says why, and no network.
  @Test func refusalsHaveAReason() throws {
    func refusal(_ file: File) -> String {
      #expect(file.load() == 1 && Self.isGone())
      return Page.text
    }
    let text = "4x4 shared 0123"
    var file = File(text)
    file.tensors = [("weights.0", "F32", [16, 16, 16, 16], Array(repeating: 0, count: 4 * Self.tableSize))]
    try #require(file.load() == 0)
    #expect(value() == 0)

    var other = file
    other.metadata["tupelo.fingerprint"] = "0123456789abcdef"
    #expect(
      refusal(other) == "the model: the fingerprint is 0123456789abcdef, but the network it names has "
        + "\(ModelFile.fingerprint(of: text)): the file is damaged")
    #expect(
      refusal(File("4x4 shared \u{1b}")).hasPrefix("the model: its metadata names no network: '4x4 shared \\u{1b}'"))
    #expect(refusal(File(text)).hasPrefix("the model: the tensor weights.0 is missing"))
    other = file
    other.tensors[0].shape = [65536]
    #expect(refusal(other).hasPrefix("the model: the tensor weights.0 has shape [65536]"))
    other = file
    other.metadata["tupelo.encoding"] = "f8"
    #expect(refusal(other).hasPrefix("the model: its weights are stored as 'f8'"))
    other = file
    other.tensors[0].bytes.replaceSubrange(28..<32, with: Self.bytes(Float.nan.bitPattern))
    #expect(refusal(other).hasPrefix("the model: the tensor weights.0 has a number at index 7 that is not finite"))

    var compact = Self.file(try Self.network(), as: "compact")
    compact.metadata["tupelo.compact.crc32"] = "00000000 00000000"
    #expect(refusal(compact).hasPrefix("the model: table 0 has the checksum"))
    compact.unpacked["compact.map.0"]?[9] ^= 1
    #expect(refusal(compact).hasPrefix("the model: table 0 has"))
    compact.metadata["tupelo.compact.kept"] = "1 -1"
    #expect(refusal(compact).hasPrefix("the model: its metadata has no usable tupelo.compact.kept"))
  }

  /// A header that is not sound is refused by one sentence.
  @Test func headersAreChecked() throws {
    var file = File("4x4 shared 01")
    file.tensors = [("weights.0", "F32", [16, 16], Array(repeating: 0, count: 1024))]
    try #require(file.load() == 0)
    let edits: [(String, String)] = [
      ("[0, 1024]", "[0, 1023]"), ("[0, 1024]", "[4, 1028]"), ("[0, 1024]", "[1024, 0]"), ("[0, 1024]", "[0]"),
      ("[0, 1024]", "[0, 99999999999999999999]"), ("[0, 1024]", "[0, -1]"), ("[16, 16]", "[4294967296, 4294967296]"),
      ("\"F32\"", "\"F31\""), ("\"shape\"", "\"size\""), ("}}", "}"), ("}}", "}},"), ("{\"__", "[\"__"),
    ]
    for (old, new) in edits {
      let failure = file.load { header in
        #expect(header.contains(old))
        return header.replacingOccurrences(of: old, with: new)
      }
      #expect(failure == 1 && Self.isGone() && Page.text == "Its file is damaged: load the page again.", "\(new)")
    }
    let (whole, _) = file.bytes()
    for count in [0, 7, 8, 9, 100, whole.count - 1] {
      #expect(Page.load(Array(whole.prefix(count))) == 1 && Page.text.contains("damaged"), "\(count)")
    }
    for length in [0, 1, UInt64(whole.count - 7), 1 << 31, 1 << 32, 1 << 63, .max] {
      #expect(Page.load(Self.bytes(length) + whole.dropFirst(8)) == 1 && Page.text.contains("damaged"), "\(length)")
    }
  }

  /// Whatever the bytes are, the module loads a model or says why not in one line.
  @Test(arguments: ["f32", "f16", "compact"])
  func damagedFilesAreRefused(format: String) throws {
    let (whole, unpacked) = Self.file(try Self.network(), as: format).bytes()
    let end = try #require(whole[8...].firstIndex(of: UInt8(ascii: "}"))) + 150
    var random = RandomPositions(seed: 77)
    var refused = 0
    for _ in 0..<400 {
      var file = whole
      for _ in 0...random.number(below: 3) { file[random.number(below: end)] = UInt8(random.number(below: 256)) }
      // A browser refuses streams of another length, so only streams of these lengths come.
      let failure = Page.load(file, unpacked: unpacked)
      if failure > 0 { refused += 1 }
      guard failure == 1 else { continue }
      #expect(!Page.text.isEmpty && !Page.text.contains("\n") && Self.isGone())
    }
    #expect(refused > 200)
  }
}
