import Safetensors
import TestSupport
import Testing

/// The text of an error is one line with the file, the fact and the remedy.
@Suite struct ErrorTextTests {
  private static let texts: [(SafetensorsError, String)] = [
    (.truncatedHeader(path: "m.st", length: 5, expected: 8), "m.st: has 5 bytes, the header alone needs 8: it is"),
    (.headerTooLarge(path: "m.st", length: 1 << 40, limit: 100_000_000), "m.st: has a header of 1099511627776 bytes,"),
    (.malformedHeader(path: "m.st", offset: 9, expected: "a string", found: "a number"), "m.st: expected a string at"),
    (.notUTF8(path: "m.st", offset: 9), "m.st: the string at byte 9 is not UTF-8: it is damaged or not a safetensors"),
    (.duplicateKey(path: "m.st", offset: 9, key: "a"), "m.st: the key \"a\" at byte 9 occurs a second time: write it"),
    (.missingField(path: "m.st", name: "a", field: "shape"), "m.st: the tensor \"a\" has no shape: the file is"),
    (.unexpectedField(path: "m.st", name: "a", field: "stride"), "m.st: the tensor \"a\" has the field \"stride\":"),
    (.unknownType(path: "m.st", name: "a", found: "I8"), "m.st: the tensor \"a\" is of type \"I8\": convert it to"),
    (.shapeOverflow(path: "m.st", name: "a", shape: Array(repeating: 16, count: 20)), "m.st: the tensor \"a\" of"),
    (.badOffsets(path: "m.st", name: "a", found: [4, 0]), "m.st: the tensor \"a\" has data_offsets [4, 0], not a"),
    (.wrongByteCount(path: "m.st", name: "a", expected: 4, found: 5), "m.st: the tensor \"a\" needs 4 bytes and has"),
    (.misplacedTensor(path: "m.st", name: "a", expected: 4, found: 5), "m.st: the tensor \"a\" leaves a hole before"),
    (.misplacedTensor(path: "m.st", name: "a", expected: 5, found: 4), "m.st: the tensor \"a\" overlaps the one"),
    (.wrongBufferLength(path: "m.st", expected: 5, found: 4), "m.st: the tensors need 5 bytes and have 4: the file"),
    (.wrongBufferLength(path: "m.st", expected: 4, found: 5), "m.st: the tensors need 4 bytes and have 5: something"),
    (.noSuchTensor(path: "m.st", name: "a"), "m.st: has no tensor \"a\": use another file or name"),
    (.wrongElementWidth(path: "m.st", name: "a", type: .f32, width: 8), "m.st: the tensor \"a\" is F32, 4 bytes"),
    (.rangeOutOfBounds(path: "m.st", name: "a", range: 3..<5, count: 4), "m.st: the tensor \"a\" has 4 elements, not"),
    (.wrongDestinationCount(path: "m.st", name: "a", expected: 4, found: 2), "m.st: 4 elements of the tensor \"a\""),
    (.duplicateTensor(path: "m.st", name: "a"), "m.st: two tensors are to be named \"a\": give each a name of its own"),
    (.reservedName(path: "m.st"), "m.st: a tensor is to be named \"__metadata__\": choose another name"),
    (.contentsTooLarge(path: "m.st"), "m.st: the tensors are larger than any file: write fewer or smaller ones"),
    (.tooFewBytes(path: "m.st", name: "a", expected: 4, found: 2), "m.st: the tensor \"a\" needs 4 bytes and got 2:"),
    (.tooManyBytes(path: "m.st", name: "a", expected: 4, found: 8), "m.st: the tensor \"a\" needs 4 bytes and got 8:"),
  ]

  @Test func everyText() {
    for (error, text) in Self.texts { #expect(matches("\(error)", text)) }
  }

  /// Names come from files, and files are hostile: they must not clear a terminal, fake a second line or flood the
  /// first.
  @Test func hostileNames() {
    let name = "a\n\u{1b}[2J\u{202e}\u{2028}" + String(repeating: "x", count: 1_000_000)
    let shown = "a\\u{a}\\u{1b}[2J\\u{202e}\\u{2028}" + String(repeating: "x", count: 52) + "..."
    #expect(
      "\(SafetensorsError.noSuchTensor(path: "m\n.st", name: name))"
        == "m\\u{a}.st: has no tensor \"\(shown)\": use another file or name")
  }
}
