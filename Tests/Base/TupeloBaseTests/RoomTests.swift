import Foundation
import TestSupport
import Testing

/// The rooms of Sources in the order of imports: a room imports only rooms before it, and itself.
@Suite struct RoomTests {
  private static let order = ["Base", "Core", "Train", "Research", "Set", "Page", "Program", "Python"]

  @Test func roomsImportOnlyRoomsAboveThem() throws {
    let sources = URL(filePath: Repository.path + "/Sources")
    var rooms: [String: Int] = [:]
    for (number, room) in Self.order.enumerated() {
      for module in try FileManager.default.contentsOfDirectory(atPath: sources.path + "/" + room) {
        rooms[module] = number
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() == Self.order.sorted())
    let imports = try Regex(#"^\s*(?:@\w+ )*(?:(?:public|package|internal) )?import (?:[a-z]+ )?(\w+)"#)
      .anchorsMatchLineEndings()
    var count = 0
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let path = file.path.dropFirst(sources.path.count + 1)
      let own = try #require(Self.order.firstIndex { path.hasPrefix($0 + "/") })
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: imports) {
        guard let name = match.output[1].substring, let room = rooms[String(name)] else { continue }
        count += 1
        #expect(room <= own, "\(path) imports \(name)")
      }
    }
    #expect(count > 1000)
  }
}
