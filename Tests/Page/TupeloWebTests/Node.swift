import Foundation
import TestSupport
import TupeloWeb

/// The sources of the page.
enum PageSources {
  static let folder = URL(fileURLWithPath: Repository.file("Sources/Page/TupeloWeb/Page"))

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The paths of all files in the folder of the page.
  static func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }.sorted()
  }
}

/// Modules of the page under node, without a browser.
enum Node {
  static let isMissing = "node is not installed: the engine of the page is not compared with the program's"
  // Asks for node alone: a script of the page that node cannot run is a failure, and no reason to skip.
  static let isHere = (try? start(["--version"])) != nil

  struct Failure: Error {
    let status: Int32
  }

  /// Imports the modules that use nothing of a browser, runs `script`, and returns its output.
  static func run(_ script: String, input: String) async throws -> String {
    try await OwnThread.run { try wait(script, input: input) }
  }

  private static func wait(_ script: String, input: String) throws -> String {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("tupelo-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    // Node takes a script for a module where a package says so.
    let preamble = """
      import { createRequire } from "module";
      const require = createRequire(import.meta.url);
      const { readFileSync } = require("fs");
      const input = readFileSync("\(folder.path)/input", "utf8");
      // Tiles and moves are the same at every run.
      let luck = 9;
      Math.random = () => (luck = (luck * 48271) % 2147483647) / 2147483647;
      const getRandomValues = (array) => array.map((_, index) => (array[index] = Math.random() * 2 ** 32));
      Object.defineProperty(globalThis, "crypto", { value: { getRandomValues } });
      globalThis.ENGINE = readFileSync("\(folder.path)/page/engine.wasm").toString("base64");
      for (const name of ["engine/engine", "core/game", "core/text", "core/input", "core/chart"]) {
        Object.assign(globalThis, await import(`./page/${name}.js`));
      }

      """
    let texts = [("package.json", "{ \"type\": \"module\" }"), ("input", input), ("run.js", preamble + script)]
    for (name, text) in texts {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try files.createSymbolicLink(
      at: folder.appendingPathComponent("page"), withDestinationURL: PageSources.folder)
    return try start([
      "--preserve-symlinks", "--preserve-symlinks-main", folder.appendingPathComponent("run.js").path,
    ])
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
