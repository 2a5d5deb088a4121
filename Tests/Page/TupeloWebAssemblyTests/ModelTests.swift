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

  /// Whether the module begins to load the network of a text.
  private static func opens(_ text: String, fingerprint: String? = nil) -> Bool {
    let (text, fingerprint) = (Array(text.utf8), Array((fingerprint ?? ModelFile.fingerprint(of: text)).utf8))
    Page.put(text, fingerprint)
    return begin(Int32(text.count), Int32(fingerprint.count)) == 0
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

  /// Fills a table in the compact form, with steps of a half.
  private static func fillCompact(_ number: Int, _ weights: [Float]) -> Int32 {
    var map = [UInt8](repeating: 0, count: weights.count / 8)
    var planes: [[UInt8]] = [[], []]
    for (index, weight) in weights.enumerated() where weight != 0 {
      map[index / 8] |= 1 << UInt8(index % 8)
      let steps = Int(weight * 2)
      let code = steps < 0 ? -2 * steps - 1 : 2 * steps
      planes[0].append(UInt8(code % 256))
      planes[1].append(UInt8(code / 256))
    }
    Page.put(map, planes[0], planes[1], Array(checksum(map + planes[0] + planes[1]).utf8))
    return TupeloWebAssembly.fillCompact(Int32(number), Int32(planes[0].count), 2, 0.5)
  }

  /// Loads a network in a format of model files.
  static func load(_ network: NTupleNetwork, as format: String) throws {
    try #require(opens(network.specification.canonicalText))
    #expect(tables() == 2 && TupeloWebAssembly.tableSize(2) == 0)
    for pattern in 0..<2 {
      #expect(TupeloWebAssembly.tableSize(Int32(pattern)) == Int32(tableSize))
      let weights = (0..<tableSize).map { network[pattern: pattern, standardIndex: $0] }
      guard format != "compact" else {
        #expect(fillCompact(pattern, weights) == 0)
        continue
      }
      for start in stride(from: 0, to: tableSize, by: tableSize / 4) {
        let part = weights[start..<start + tableSize / 4]
        Page.put(format == "f32" ? part.flatMap { bytes($0.bitPattern) } : part.flatMap { bytes(half($0 / 2)) })
        let (width, scale): (Int32, Float) = format == "f32" ? (4, 1) : (2, 2)
        #expect(fill(Int32(pattern), Int32(start), Int32(part.count), width, scale) == 0)
      }
    }
    #expect(finish(0) == 0)
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

  /// A model that is refused leaves one line that says why, and no network.
  @Test func refusalsHaveAReason() throws {
    let text = "4x4 shared 0123"
    let fingerprint = ModelFile.fingerprint(of: text)
    #expect(!Self.opens(text, fingerprint: "0123456789abcdef"))
    #expect(
      Page.text == "the model: the fingerprint is 0123456789abcdef, but the network it names has \(fingerprint): "
        + "the file is damaged")
    #expect(!Self.opens("4x4 shared \u{1b}"))
    #expect(Page.text.hasPrefix("the model: its metadata names no network: '4x4 shared \\u{1b}'"))

    try #require(Self.opens(text))
    for (table, start, count) in [(0, 4096, 65536), (0, 1, 4096), (0, 0, 1), (1, 0, 4096), (-1, 0, 4096)] {
      #expect(fill(Int32(table), Int32(start), Int32(count), 4, 1) == 1)
      #expect(Page.text == "the model has no such weights")
    }
    Page.put((0..<4096).flatMap { Self.bytes(($0 == 7 ? Float.nan : 1).bitPattern) })
    #expect(fill(0, 0, 4096, 4, 1) == 1)
    #expect(Page.text.hasPrefix("the model: ") && Page.text.contains("weights.0") && Page.text.contains("7"))
    Page.put(Array(repeating: 0, count: 8192), Array("00000000".utf8))
    #expect(TupeloWebAssembly.fillCompact(0, 0, 1, 0.5) == 1)
    #expect(Page.text.hasPrefix("the model: ") && Page.text.contains("00000000"))
    #expect(TupeloWebAssembly.fillCompact(3, 0, 1, 0.5) == 1)
    #expect(Page.text == "the model has no such table")

    #expect(value().isNaN && analyze(1, 0, 0.1) == -1)
  }
}
