import Testing
import TupeloBase

/// Text helpers at work: an error line, a number, a list and a shell command.
@Suite struct TextExampleTests {
  @Test func example() {
    let keys = ["alpha", "lambda", "games"]
    let typed = "lamda\n"
    let nearest = Spelling.nearest(to: "lamda", among: keys) ?? Spelling.list(keys)
    print("\(typed.quoted) is not a key; did you mean \(nearest)?")
    let number = DecimalText("1.5M")
    print(number?.whole(as: Int.self) ?? 0)
    print(number?.isWhole ?? false)
    print(Spelling.list(keys))
    print(ShellText.command(["tupelo", "train", "--name", "it's"]))
    print(Spelling.printable("a\u{1b}[31mb"))
    // The exact texts.
    #expect("\(typed.quoted) \(nearest)" == "\"lamda\\u{a}\" lambda")
    #expect(number?.whole(as: Int.self) == 1_500_000 && number?.isWhole == true)
    #expect(Spelling.list(keys) == "alpha, lambda or games")
    #expect(ShellText.command(["tupelo", "train", "--name", "it's"]) == #"tupelo train --name 'it'\''s'"#)
    #expect(Spelling.printable("a\u{1b}[31mb") == #"a\u{1b}[31mb"#)
  }
}
