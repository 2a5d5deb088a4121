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

  /// The line of models/README.md that makes `small` from `4x6` gives the weights of models/small.
  @Test(.slow) func smallIsWhatItsCommandMakes() throws {
    let readme = try Repository.text(of: "models/README.md")
    let line = try #require(readme.split(separator: "\n").first { $0.hasPrefix("    tupelo export models/4x6 ") })
    let made = TemporaryFile.path("small.safetensors")
    defer { TemporaryFile.remove(made) }
    let words = line.dropFirst("    tupelo ".count).replacing("small.safetensors", with: Program.quoted(made))
    let command = "cd \(Program.quoted(Repository.path)) && \(Program.quoted(Program.path)) \(words)"
    let result = try Program.shell(command)
    #expect(result.status == 0, "\(result)")
    #expect(try Self.hash(of: made) == Self.hash(of: Repository.file("models/small/model.safetensors")))
  }
}
