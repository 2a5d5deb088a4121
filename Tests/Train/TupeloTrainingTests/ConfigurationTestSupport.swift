internal import Foundation
import Testing
internal import TupeloTraining

/// The lines of the error that loading gives; none when it succeeds. They are equal if the lines of the text end as on
/// Windows.
func configurationProblems(
  yaml: String = "", environment: [String: String] = [:], overrides: [String] = []
) -> [String] {
  func problems(_ yaml: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try RunConfiguration.load(
        yaml: yaml, sourceName: "x.yaml", environment: environment, overrides: overrides, of: testGames)
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }
  let found = problems(yaml)
  if !yaml.contains("\r\n") { #expect(problems(yaml.replacing("\n", with: "\r\n")) == found) }
  return found
}

/// The warnings that loading a text gives.
func configurationWarnings(
  yaml: String = "", environment: [String: String] = [:], overrides: [String] = []
) throws -> [String] {
  var warnings: [String] = []
  _ = try RunConfiguration.load(
    yaml: yaml, sourceName: "x.yaml", environment: environment, overrides: overrides, of: testGames
  ) { warnings.append($0.description) }
  return warnings
}

/// The lines of the error that loading a file gives; none when it succeeds.
func configurationProblems(file: String) -> [String] {
  do throws(ConfigurationError) {
    _ = try RunConfiguration.load(file: file, environment: [:], overrides: [], of: testGames)
    return []
  } catch {
    return error.description.split(separator: "\n").map(String.init)
  }
}

/// Makes a folder that exists for one test.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tupelo-configuration-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer {
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
  }
  return try body(folder)
}
