import Foundation
import TestSupport
import Testing
import TupeloWeb

/// What the server compresses. The system's gzip unpacks it.
@Suite struct CompressionTests {
  private static let gzip = ["accept-encoding": "gzip, deflate, br"]

  private static func unpacked(_ bytes: [UInt8]) async throws -> [UInt8] {
    let path = TemporaryFile.path("page.gz")
    defer { TemporaryFile.remove(path) }
    try write(bytes, toFile: path)
    return try await OwnThread.run {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["gzip", "-dc", path]
      process.standardOutput = output
      try process.run()
      let found = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return found
    }
  }

  @Test(arguments: ["/", "/index.html", "/page.css", "/engine.wasm", "/page.js", "/core/game.js"])
  func clientsGetEqualBytes(_ path: String) async throws {
    let service = WebService.stub()
    let plain = try await service.get(path), packed = try await service.get(path, headers: Self.gzip)
    #expect(plain.headers["Content-Encoding"] == nil && packed.headers["Content-Encoding"] == "gzip")
    #expect(plain.headers["Vary"] == "Accept-Encoding" && packed.headers["Vary"] == "Accept-Encoding")
    #expect(packed.body.count < plain.body.count / 2)
    #expect(try await Self.unpacked(packed.body) == plain.body)
    let tags = try [plain, packed].map { try #require($0.headers["ETag"]) }
    #expect(tags[0] != tags[1] && tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    for (index, tag) in tags.enumerated() {
      let again = try await service.get(path, headers: Self.gzip.merging(["if-none-match": tag]) { old, _ in old })
      #expect(again.status == (index == 1 ? 304 : 200) && again.headers["ETag"] == tags[1])
      #expect(index == 0 || again.body.isEmpty && again.headers["Content-Encoding"] == nil)
    }
  }

  @Test(
    arguments: [
      ("gzip", true), ("br, GZip ;q=0.5", true), ("x-gzip", true), ("*", true), ("br;q=1, *;q=0.1", true),
      ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=x", false), ("gzip;q=0, *", false), ("*;q=0", false),
      ("identity", false), ("deflate, br", false), ("gzipped", false), ("", false), (";, ,;q=1", false),
    ] as [(String, Bool)])
  func clientsSayWhatTheyAccept(_ header: String, _ isPacked: Bool) async throws {
    let response = try await WebService.stub().get("/page.css", headers: ["accept-encoding": header])
    #expect((response.headers["Content-Encoding"] == "gzip") == isPacked)
  }

  /// The answers as bytes of a connection: the length is the length of what is sent, also for HEAD.
  @Test func lengthsAreThoseOfTheBody() async throws {
    func answer(_ method: String, _ more: String = "Accept-Encoding: gzip\r\n") async throws -> (String, [UInt8]) {
      let request = "\(method) /engine.wasm HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(more)\r\n"
      let stream = MemoryStream([Array(request.utf8)])
      await WebConnection(stream: stream, service: .stub()).run()
      let sent = await stream.sent
      let end = try #require(sent.indices.first { sent[$0...].starts(with: Array("\r\n\r\n".utf8)) }) + 4
      return (String(decoding: sent[..<end], as: UTF8.self), Array(sent[end...]))
    }
    let engine = try Data(contentsOf: PageSources.folder.appendingPathComponent("engine.wasm"))
    let (head, body) = try await answer("GET")
    #expect(head.contains("Content-Length: \(body.count)\r\n") && head.contains("Content-Type: application/wasm\r\n"))
    #expect(try await Self.unpacked(body) == [UInt8](engine))
    #expect(try await answer("HEAD") == (head, []))
    let plain = try await answer("GET", "")
    #expect(plain.0.contains("Content-Length: \(engine.count)\r\n") && plain.1 == [UInt8](engine))
  }

  @Test func largeAnswersAreCompressedAndModelsAreNot() async throws {
    let titles = (1...9).map { String(repeating: "agent \($0) ", count: 30) }
    let service = WebService(
      agents: titles.map { .searching(StubEvaluator(), name: "a", title: $0) },
      pageModel: PageModel(agent: "a", file: [UInt8](repeating: 7, count: 5000)))
    let (plain, packed) = (try await service.get("/api/state"), try await service.get("/api/state", headers: Self.gzip))
    #expect(packed.headers["Content-Encoding"] == "gzip" && packed.headers["ETag"] == nil)
    #expect(try await Self.unpacked(packed.body) == plain.body)
    for path in ["/model.safetensors", "/move?board=1200000000000000", "/nothing"] {
      let answer = try await service.get(path, headers: Self.gzip)
      #expect(answer.headers["Content-Encoding"] == nil && answer.headers["Vary"] == nil, "\(path)")
    }
  }
}
