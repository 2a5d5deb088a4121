import Foundation
import Synchronization
import TestSupport
import Testing
import TupeloRuns

/// Folders that the program names itself.
@Suite final class FolderClaimTests {
  private let folder = TemporaryFile.path("claim")

  deinit { TemporaryFile.remove(folder) }

  /// Sixteen at the same moment, all for one name: each gets a folder, and none a folder that is there.
  @Test func eachClaimGetsAFolderOfItsOwn() throws {
    let wanted = folder + "/runs/sweep"
    try FileManager.default.createDirectory(atPath: wanted, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: wanted + "/old"))
    let claimed = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      do {
        let path = try RunDirectory.claim(wanted)
        claimed.withLock { $0.append(path) }
      } catch {
        Issue.record(error)
      }
    }
    let paths = claimed.withLock { $0 }
    #expect(Set(paths) == Set((2...17).map { "\(wanted)-\($0)" }) && paths.count == 16)
    for path in paths { #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty) }
  }

  @Test func aClaimThatCannotBeMadeNamesThePath() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    let error = #expect(throws: RunDirectoryError.self) { try RunDirectory.claim(self.folder + "/file/run") }
    #expect(error.map { "\($0)".hasPrefix(folder + "/file") } == true)
  }
}
