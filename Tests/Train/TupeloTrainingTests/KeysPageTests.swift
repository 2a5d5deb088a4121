import Foundation
import TestSupport
import Testing
import TupeloTraining

/// configs/KEYS.md has a table for each section of keys, made from the rows that `--help-config` prints.
@Suite struct KeysPageTests {
  private static var page: String {
    var page = """
      # Configuration keys

      `tupelo train` has these keys, and `tupelo train --help-config` prints them. A key with an empty last column
      always applies. A test compares this page with the keys of the program.

      Intervals in games are kept at any speed of the machine: a merge, a decay, an evaluation or a checkpoint comes at
      its number of games, or at the end of the group of interleaved games or the round of replicas that contains it.

      """
    var section: String?
    for key in testKeys.all {
      let own = ConfigurationKey.section(of: key.path) ?? "The run"
      if own != section { page += "\n## \(own)\n\n|key|meaning|values|default|applies|\n|---|---|---|---|---|\n" }
      section = own
      let values = key.expected.replacing("a whole number from", with: "integer").replacing("a number from ", with: "")
      let cells = ["`\(key.path)`", key.summary, values, key.standard, key.need ?? ""]
      page += "|\(cells.map(cell).joined(separator: "|"))|\n"
    }
    return page
  }

  /// A text in one line, in which Markdown finds no tags, no bold letters and no end of the cell.
  private static func cell(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("<", with: "\\<").replacing("__", with: "\\_\\_")
      .replacing("|", with: "\\|")
  }

  @Test func keysStandInTables() throws {
    guard try Repository.text(of: "configs/KEYS.md") != Self.page else { return }
    let made = TemporaryFile.path("KEYS.md")
    try Data(Self.page.utf8).write(to: URL(fileURLWithPath: made))
    Issue.record("configs/KEYS.md differs from the keys: copy \(made) to it")
  }
}
