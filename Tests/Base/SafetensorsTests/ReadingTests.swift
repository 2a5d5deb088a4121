import Safetensors
import TestSupport
import Testing
import TupeloBase

/// Headers as other programs may write them, and requests that a file answers with an error.
@Suite struct ReadingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(header: String, bufferLength: Int = 0) throws -> SafetensorsFile {
    try write(fileBytes(header: header, bufferLength: bufferLength), toFile: path)
    return try SafetensorsFile(path: path)
  }

  private let four = #"{"a":{"dtype":"U32","shape":[4],"data_offsets":[0,16]}}"#

  /// Headers whose length has every remainder modulo 8, so that the data has every misalignment.
  @Test(arguments: 0..<8) func misaligned(padding: Int) throws {
    let file = try open(header: four + String(repeating: " ", count: padding), bufferLength: 16)
    let expected: [UInt32] = [0x0302_0100, 0x0706_0504, 0x0b0a_0908, 0x0f0e_0d0c]
    #expect(try file.array(of: "a") == expected)
    var middle: [UInt32] = [0, 0]
    var span = middle.mutableSpan
    try file.copy("a", range: 1..<3, into: &span)
    #expect(middle == Array(expected[1..<3]))
    let last = try file.withBytes(of: "a") { bytes in bytes.byteCount == 16 ? bytes.byte(at: 15) : 0 }
    #expect(last == 15)
  }

  @Test func spaceAndOrderAreFree() throws {
    let header = """
      {\t"b" :\r{ "data_offsets" : [ 4 , 8 ] , "shape": [ ], "dtype":"F32"},
       "a":{"shape":[2,2],"dtype":"U8","data_offsets":[0,4]} , "__metadata__" : { } }
       \t
      """
    let file = try open(header: header, bufferLength: 8)
    #expect(file.tensors.map(\.name) == ["a", "b"])
    #expect(file.tensors.map(\.shape) == [[2, 2], []])
    #expect(file.metadata.isEmpty)
  }

  @Test func escapes() throws {
    let header = #"""
      {"__metadata__":{"\"\\\/\b\f\n\r\t":"\u0041\u00e9\u20AC\uD83C\udfb2\u0000","é\u0301":"€🎲"}}
      """#
    let file = try open(header: header)
    #expect(file.metadata == ["\"\\/\u{8}\u{c}\n\r\t": "Aé€🎲\u{0}", "é\u{301}": "€🎲"])
  }

  /// Tensors of the largest rank and tensors without elements are read like all others.
  @Test func unusualShapes() throws {
    let ones = Array(repeating: "1", count: 1000).joined(separator: ",")
    let header =
      #"{"a":{"dtype":"U8","shape":[\#(ones)],"data_offsets":[0,1]},"#
      + #""b":{"dtype":"F64","shape":[0,9223372036854775807],"data_offsets":[1,1]},"#
      + #""c":{"dtype":"F64","shape":[0],"data_offsets":[0,0]}}"#
    let file = try open(header: header, bufferLength: 1)
    #expect(file.tensors.map(\.name) == ["c", "a", "b"])
    #expect(file.tensors.map(\.elementCount) == [0, 1, 0])
  }

  @Test func manyTensors() throws {
    let entries = (0..<20_000).map { #""t\#($0)":{"dtype":"U8","shape":[1],"data_offsets":[\#($0),\#($0 + 1)]}"# }
    let file = try open(header: "{" + entries.reversed().joined(separator: ",") + "}", bufferLength: 20_000)
    #expect(file.tensors.count == 20_000)
    #expect(try file.array(of: "t12345", as: UInt8.self) == [UInt8(truncatingIfNeeded: 12345)])
  }

  @Test func questionsWithoutAnswer() throws {
    let file = try open(header: four, bufferLength: 16)
    #expect(throws: SafetensorsError.noSuchTensor(path: path, name: "b")) { try file.withBytes(of: "b") { _ in } }
    #expect(throws: SafetensorsError.noSuchTensor(path: path, name: "b")) { try file.array(of: "b", as: Float.self) }
    #expect(throws: SafetensorsError.wrongElementWidth(path: path, name: "a", type: .u32, width: 8)) {
      try file.array(of: "a", as: Double.self)
    }
    var two: [UInt32] = [1, 2]
    let ranges: [(Range<Int>, SafetensorsError)] = [
      (3..<5, .rangeOutOfBounds(path: path, name: "a", range: 3..<5, count: 4)),
      (-1..<1, .rangeOutOfBounds(path: path, name: "a", range: -1..<1, count: 4)),
      (Int.max - 2..<Int.max, .rangeOutOfBounds(path: path, name: "a", range: Int.max - 2..<Int.max, count: 4)),
      (0..<1, .wrongDestinationCount(path: path, name: "a", expected: 1, found: 2)),
      (0..<4, .wrongDestinationCount(path: path, name: "a", expected: 4, found: 2)),
    ]
    for (range, error) in ranges {
      var span = two.mutableSpan
      do {
        try file.copy("a", range: range, into: &span)
        Issue.record("\(range) was copied")
      } catch let found {
        #expect(found == error)
      }
    }
    #expect(two == [1, 2])
  }

  @Test func whatTheClosureThrowsComesThrough() throws {
    struct Mine: Error {}
    let file = try open(header: four, bufferLength: 16)
    #expect(throws: Mine.self) { try file.withBytes(of: "a") { _ in throw Mine() } }
  }
}

extension RawSpan {
  /// Reads one byte, with a check of its offset.
  func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
