import Foundation
import Safetensors
import TestSupport
import Testing
import Tupelo
import TupeloBase
import TupeloNetwork

/// Names and texts that come from elsewhere: bytes that are not UTF-8, and characters that a terminal obeys.
@Suite(.serialized) final class ForeignTextTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("foreign")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder) }
  }

  private func shell(_ line: String) throws -> Program.Result {
    try Program.shell("cd \(Program.quoted(folder)); T=\(Program.quoted(Program.path)); \(line)")
  }

  #if os(Linux)
  /// Two such names would become equal, and the second file would replace the first.
  @Test(
    arguments: [
      ("\"$T\" export x -o $(printf 'm\\351.safetensors')", "this argument is"),
      ("\"$T\" train --games 1 --output $(printf 'caf\\351')", "this argument is"),
      ("\"$T\" autoplay --record $(printf '\\377')", "this argument is"),
      ("\"$T\" $(printf 'tr\\303ain')", "this argument is"),
      ("TUPELO_MODEL=$(printf 'm\\351') \"$T\" evaluate", "the environment variable TUPELO_MODEL is"),
      ("TUPELO_NAME=$(printf 'm\\351') \"$T\" train", "the environment variable TUPELO_NAME is"),
    ] as [(String, String)]) func bytesThatAreNotUTF8AreRefused(_ line: String, _ fact: String) throws
  {
    let result = try shell(line)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains("\(fact) not UTF-8 text"), "\(result)")
    #expect(try files.isEmpty)
  }

  @Test func otherLettersAreKept() throws {
    let result = try shell("LC_ALL=C \"$T\" autoplay --agent random --record 'caf\u{e9} \u{1f409}.txt'")
    #expect(try result.status == 0 && files == ["caf\u{e9} \u{1f409}.txt"], "\(result)")
  }

  @Test func aWorkingFolderThatIsNotUTF8IsRefused() throws {
    let line = "mkdir $(printf 'caf\\351') && cd caf*"
    for words in ["train --games 1 --output r", "sweep --set seed=1 --output r", "evaluate --games 1"] {
      let result = try shell("\(line) && \"$T\" \(words); S=$?; ls; cd .. && rm -r caf*; exit $S")
      #expect(result.status == 1 && result.output.isEmpty, "\(result)")
      #expect(result.errors.contains("the path of this working folder is not UTF-8 text"), "\(result)")
      #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    }
    let help = try shell("\(line) && \"$T\" train --help; S=$?; cd .. && rm -r caf*; exit $S")
    #expect(help.status == 0 && help.output.contains("USAGE: tupelo train"), "\(help)")
  }
  #endif

  /// Escape, carriage return, a control of eight bits, and the characters that turn the direction of writing.
  private static let obeyed = "\u{1b}[31m\r\u{9b}\u{202e}\u{2066}\u{200f}\u{61c}"

  private static func isHarmless(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.isBidiControl || ["\u{1b}", "\r", "\u{9b}"].contains($0) }
  }

  /// A model whose metadata and names a terminal would obey, where the program repeats them.
  @Test func filesDoNotSteerTheTerminal() throws {
    let (model, plain) = (folder + "/m.safetensors", folder + "/plain.safetensors")
    let network = try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")]))
    try network.save(to: plain)
    let file = try SafetensorsFile(path: plain)
    let weights = try file.array(of: "weights.0", as: Float.self)
    for key in ["tupelo.network", "tupelo.fingerprint", "tupelo.encoding", "tupelo.behaviour", "tupelo.configuration"] {
      let metadata = file.metadata.merging([key: "x" + Self.obeyed, "tupelo.note": Self.obeyed]) { $1 }
      try SafetensorsWriter.write(
        to: model, metadata: metadata, tensors: [TensorDescription(name: "weights.0", type: .f32, shape: [16, 16])]
      ) { _, sink in try sink.write(weights.span) }
      for words in [["inspect"], ["inspect", "--json"], ["evaluate", "--games", "1"], ["models", "card"]] {
        let result = try Program.run(words + [model])
        #expect(Self.isHarmless(result.output) && Self.isHarmless(result.errors), "\(key) \(words) \(result)")
        if words.last == "--json", result.status == 0 {
          #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
        }
      }
    }
  }

  @Test func argumentsDoNotSteerTheTerminal() throws {
    for words in [
      ["evaluate", Self.obeyed], ["train", "--config", Self.obeyed], ["train", "--set", Self.obeyed + "=1"],
      [Self.obeyed], ["evaluate", "--agent", Self.obeyed], ["analyze", Self.obeyed], ["compare", Self.obeyed, "x"],
    ] {
      let result = try Program.run(words)
      #expect(result.status != 0 && Self.isHarmless(result.output + result.errors), "\(words) \(result)")
    }
  }
}
