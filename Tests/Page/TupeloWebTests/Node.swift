import Foundation
import TestSupport
import TupeloWeb

/// The sources of the page.
enum PageSources {
  static let folder = URL(fileURLWithPath: Repository.file("Sources/Page/TupeloWeb/Page"))

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}

/// The page's script under node, without a browser: the parts that use nothing of the page.
enum Node {
  static let isMissing = "node is not installed: the engine of the page is not compared with the program's"
  // Asks for node alone: a script of the page that node cannot run is a failure, and no reason to skip.
  static let isHere = (try? start(["--version"])) != nil

  struct Failure: Error {
    let status: Int32
  }

  /// Runs the files of the engine, models, rules, records and games, and then `script`, and returns its output.
  static func run(_ script: String, input: String) async throws -> String {
    try await OwnThread.run { try wait(script, input: input) }
  }

  private static func wait(_ script: String, input: String) throws -> String {
    let core = try [
      "engine.js", "set-engine.js", "model.js", "rules.js", "record.js", "game.js", "verdicts.js", "text.js",
      "input.js", "chart.js",
    ].map(PageSources.text)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("tupelo-\(UUID().uuidString).txt")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let preamble = """
      'use strict';
      const input = require('fs').readFileSync(process.argv[1], 'utf8');
      const ENGINE = require('fs').readFileSync('\(PageSources.folder.path)/engine.wasm').toString('base64');

      """
    return try start(["-e", preamble + core.joined() + script, file.path])
  }

  private static func start(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["node"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return text
  }
}
