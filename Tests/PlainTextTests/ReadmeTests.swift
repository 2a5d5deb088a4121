import Foundation
import PlainText
import Testing

/// The example in the module's README.md, between the two marks, and a check that it is the same there.
@Suite struct ReadmeTests {
  @Test func example() {
    // Example
    let keys = ["alpha", "lambda", "games"]
    let typed = "lamda\n"
    let nearest = Spelling.nearest(to: "lamda", among: keys) ?? Spelling.list(keys)
    print("\(typed.quoted) is no key, did you mean \(nearest)?")
    let number = DecimalText("1.5M")
    print(number?.whole(as: Int.self) ?? 0)
    print(number?.isWhole ?? false)
    print(Spelling.list(keys))
    print(ShellText.command(["tupelo", "train", "--name", "it's"]))
    print(Spelling.printable("a\u{1b}[31mb"))
    // End
    // What the README says is printed.
    #expect("\(typed.quoted) \(nearest)" == "\"lamda\\u{a}\" lambda")
    #expect(number?.whole(as: Int.self) == 1_500_000 && number?.isWhole == true)
    #expect(Spelling.list(keys) == "alpha, lambda or games")
    #expect(ShellText.command(["tupelo", "train", "--name", "it's"]) == #"tupelo train --name 'it'\''s'"#)
    #expect(Spelling.printable("a\u{1b}[31mb") == #"a\u{1b}[31mb"#)
  }

  @Test func sameLines() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let test = try lines(of: here, from: "// Example", to: "// End")
    let readMe = try lines(
      of: root.appendingPathComponent("Sources/PlainText/README.md"), from: "```swift", to: "```")
    #expect(test == readMe && test.count == 10)
  }

  /// The lines between the first two marks, without indentation.
  private func lines(of file: URL, from start: String, to end: String) throws -> [String] {
    let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return Array(all.drop { $0 != start }.dropFirst().prefix { $0 != end })
  }
}
