import Foundation
import TestSupport
import Testing

/// Keys that arrive in pieces, and sequences that are not keys of the game.
@Suite struct KeyTests {
  /// What `play` prints when these bytes arrive after its first board, with a pause between the pieces.
  ///
  /// - Parameter pause: seconds
  private static func play(_ pieces: [[UInt8]], pause: Double = 0.02) throws -> String {
    let keys = Pipe()
    let program = try RunningProgram(["play", "--seed", "5", "--plies", "1"], input: keys)
    _ = try program.value(after: "q quit", upTo: "\n")
    for (number, piece) in pieces.enumerated() {
      if number > 0 { Thread.sleep(forTimeInterval: pause) }
      try keys.fileHandleForWriting.write(contentsOf: Data(piece))
    }
    try keys.fileHandleForWriting.close()
    return try program.value(after: "q quit", upTo: "largest tile")
  }

  /// A key that arrives in two reads is the key that it is in one read, wherever it is cut.
  @Test(
    .slow,
    arguments: [
      "\u{1b}[B", "\u{1b}OB", "\u{1b}[1;5B", "é", "語", "🎲", "\u{1b}[<0;10;20M", "\u{1b}]11;rgb:ff/a/a\u{7}",
    ]
  ) func aKeyMayArriveInTwoReads(_ key: String) throws {
    let bytes = [UInt8](key.utf8)
    let whole = try Self.play([bytes + [UInt8(ascii: "a")]])
    for cut in 1..<bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...]) + [UInt8(ascii: "a")]]
      #expect(try Self.play(pieces, pause: 0.1) == whole, "cut after \(cut)")
    }
    // Arrows and characters have an effect.
    if bytes.count < 5 { #expect(try Self.play([[UInt8(ascii: "a")]]) != whole) }
  }

  /// Function keys, reports of the mouse and replies of the terminal have no effect, and no letter of them is a key.
  @Test(
    arguments: [
      "\u{1b}[[A", "\u{1b}[[E", "\u{1b}OP", "\u{1b}[15~", "\u{1b}[3~", "\u{1b}[1;2A", "\u{1b}[M !!", "\u{1b}[Mads",
      "\u{1b}[<35;40;12m", "\u{1b}[?1;2c", "\u{1b}[24;80R", "\u{1b}[I", "\u{1b}[97;5u",
      "\u{1b}]10;rgb:dddd/dddd/dddd\u{1b}\\", "\u{1b}]11;rgb:aaaa/ssss/dddd\u{7}", "\u{1b}P1$r0m\u{1b}\\",
      "\u{1b}_Gi=31;OK\u{1b}\\", "\u{1b}\u{1b}[15~", "\u{1b}",
    ])
  func otherSequencesAreSkippedWhole(_ sequence: String) throws {
    let plain = try Self.play([[UInt8]("aw".utf8)])
    #expect(try Self.play([[UInt8]("a\(sequence)w".utf8)]) == plain)
  }

  /// The key Esc alone, and a sequence whose rest does not come, take no later key.
  @Test(.slow, arguments: ["\u{1b}", "\u{1b}[", "\u{1b}[M", "\u{1b}]11;", "\u{1b}[1;"])
  func anUnfinishedSequenceIsGivenUp(_ beginning: String) throws {
    let plain = try Self.play([[UInt8]("aw".utf8)])
    #expect(try Self.play([[UInt8](beginning.utf8), [UInt8]("aw".utf8)], pause: 1) == plain)
  }

  /// Bytes that are not UTF-8 take no key behind them.
  @Test func brokenBytesTakeNoKeys() throws {
    let plain = try Self.play([[UInt8]("a".utf8)])
    #expect(plain.contains("moves 1\n"))
    for broken in [[0xc3], [0xe8, 0xaa], [0xf0, 0x9f, 0x8e], [0xff], [0x80]] as [[UInt8]] {
      #expect(try Self.play([broken + [UInt8]("a".utf8)]).contains("moves 1\n"), "\(broken)")
    }
  }
}
