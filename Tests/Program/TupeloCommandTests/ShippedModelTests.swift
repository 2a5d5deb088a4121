import Foundation
import TestSupport
import Testing

/// The models of the repository equal the output of their documented commands.
@Suite struct ShippedModelTests {
  /// The hash of the weights of a model, as `inspect` prints it.
  private static func hash(of model: String) throws -> String {
    let result = try Program.run(["inspect", model, "--json"])
    let values = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return try #require(values?["model"] as? String, "\(result)")
  }

  /// The line of models/README.md that makes `tiny` from `17x4` gives the weights of models/tiny.
  @Test(.slow) func tinyIsWhatItsCommandMakes() throws {
    let readme = try Repository.text(of: "models/README.md")
    let line = try #require(readme.split(separator: "\n").first { $0.hasPrefix("    tupelo export models/17x4 ") })
    let made = TemporaryFile.path("tiny.safetensors")
    defer { TemporaryFile.remove(made) }
    let words = line.dropFirst("    tupelo ".count).replacing("tiny.safetensors", with: Program.quoted(made))
    let command = "cd \(Program.quoted(Repository.path)) && \(Program.quoted(Program.path)) \(words)"
    let result = try Program.shell(command)
    #expect(result.status == 0, "\(result)")
    #expect(try Self.hash(of: made) == Self.hash(of: Repository.file("models/tiny/model.safetensors")))
  }
}
