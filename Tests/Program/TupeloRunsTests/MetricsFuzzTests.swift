import Foundation
import TestSupport
import Testing
import TupeloRuns
import TupeloTraining

/// Damaged files give a clear error, or a record that Foundation reads in the same way.
@Suite struct MetricsFuzzTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  private static let facts = #""games":7,"moves":8,"seconds":9.5,"time":10"#

  @Test(
    arguments: [
      ("{\(facts)", "not a JSON object"),
      ("{\(facts)}}", "not a JSON object"),
      ("{\(facts),,}", "not a JSON object"),
      ("[]", "not a JSON object"),
      ("7", "not a JSON object"),
      ("{\(facts),\"a\":\"1\"}", "a is not a number"),
      ("{\(facts),\"a\":[1]}", "a is not a number"),
      ("{\(facts),\"a\":true}", "a is not a number"),
      ("{\(facts),\"a\":NaN}", "not a JSON object"),
      ("{\(facts),\"a\":-Infinity}", "not a JSON object"),
      ("{\(facts),\"a\":01}", "a is not a number"),
      ("{\(facts),\"a\":.5}", "not a JSON object"),
      ("{\(facts),\"a\":0x10}", "not a JSON object"),
      ("{\(facts),\"a\":1e999}", "a is not a number"),
      ("{\(facts),\"a\n\":1}", "not a JSON object"),
      ("{\(facts),\"\\x\":1}", "not a JSON object"),
      ("{\(facts),\"\\ud800\":1}", "not a JSON object"),
      (#"{"moves":8,"seconds":9,"time":1}"#, "games is missing"),
      (#"{"games":1,"moves":8,"seconds":null,"time":1}"#, "seconds is missing"),
      (#"{"games":1.5,"moves":8,"seconds":9,"time":1}"#, "games is not a whole number from 0 to 2^53"),
      (#"{"games":1,"moves":-8,"seconds":9,"time":1}"#, "moves is not a whole number from 0 to 2^53"),
      (#"{"games":1,"moves":1e300,"seconds":9,"time":1}"#, "moves is not a whole number from 0 to 2^53"),
      ("{\(facts),\"\\u001b[31m\\u202e\":\"\"}", "\\u{1b}[31m\\u{202e} is not a number"),
      ("{\(facts)}\n" + #"{"games":6,"moves":8,"seconds":9,"time":1}"#, "6 games after a record of 7"),
    ] as [(String, String)]) func namesTheLine(_ text: String, _ fact: String) throws
  {
    let path = try folder.write("{\(Self.facts)}\n\(text)\n{\(Self.facts)}\n")
    #expect {
      try MetricsFile(path: path).records
    } throws: { error in
      let text = "\(error)"
      let line = text.hasPrefix("\(path):2: ") || text.hasPrefix("\(path):3: ")
      return line && text.contains(fact) && !text.contains("\u{1b}")
    }
  }

  @Test func refusesWhatIsTooLong() throws {
    let long = "{\(Self.facts),\"\(String(repeating: "a", count: 1 << 16))\":1}\n"
    let error = MetricsError.malformed(path: folder.metrics, line: 1, .tooLong(limit: 1 << 16))
    #expect(throws: error) { try MetricsFile(path: folder.write(long)).records }
    #expect("\(error)".contains("longer than 64 KiB"))
    // The reader does not recurse.
    let deep = "{\"a\":" + String(repeating: "[", count: 60_000)
    #expect(throws: MetricsError.self) { try MetricsFile(path: folder.write(deep + "\n")).records }
  }

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\u00e9", "0", "1", "-", "+", ".", "e", "e5", "1e999",
    "null", "true", "NaN", " ", "\n", "\r\n", "\u{0}", "é", "\"games\"", "\"games\":3,", "\"time\":null,",
    "9007199254740993",
  ]

  @Test(.slow) func mutationsEndInAnErrorOrInWhatFoundationReads() throws {
    var random = TestRandom(state: 2048)
    let original = Array((1...3).map { metricsRecord($0 * 1000).json + "\n" }.joined().utf8)
    var (accepted, torn, refused) = (0, 0, 0)
    for _ in 0..<20_000 {
      let bytes = mutated(original, pieces: Self.pieces, using: &random)
      do throws(MetricsError) {
        let records = try MetricsFile.records(path: "x", bytes: bytes)
        var lines = bytes.split(separator: UInt8(ascii: "\n")).filter {
          !$0.allSatisfy { $0 == 32 || $0 == 13 || $0 == 9 }
        }
        if records.count == lines.count - 1, bytes.last != UInt8(ascii: "\n") {
          lines.removeLast()
          torn += 1
        }
        accepted += 1
        #expect(records.count == lines.count)
        for (record, line) in zip(records, lines) {
          let object = try Self.foundation(Data(line))
          // Readers disagree about a key that is given twice: one takes the first value and another the last.
          let colons = line.count { $0 == UInt8(ascii: ":") }
          guard colons == object?.count else { continue }
          let expected = record.values.merging(Self.facts(of: record)) { $1 }
          #expect(agree(object, expected), "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(zip(records, records.dropFirst()).allSatisfy { $0.games <= $1.games })
      } catch {
        refused += 1
        let text = "\(error)"
        #expect(text.hasPrefix("x:") && text.count < 500)
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
    // All outcomes are frequent.
    #expect(accepted > 1000 && torn > 20 && refused > 5000, "\(accepted) \(torn) \(refused)")
  }

  private static func facts(of record: MetricsRecord) -> [String: Double] {
    [
      "games": Double(record.games), "moves": Double(record.moves), "seconds": record.seconds, "time": record.time,
    ]
  }

  /// The numbers of a JSON object; `nil` when the data is not an object.
  private static func foundation(_ data: Data) throws(MetricsError) -> [String: Double]? {
    do {
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      return object?.compactMapValues { ($0 as? NSNumber)?.doubleValue }
    } catch {
      return nil
    }
  }
}
