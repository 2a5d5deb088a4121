import Foundation
import TestSupport
import Testing
import TupeloBase

@Suite struct IsFolderTests {
  @Test func foldersAndLinksToThem() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file("file")))
    let links = [("toFolder", folder.path), ("toFile", folder.file("file")), ("toNothing", folder.file("missing"))]
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
    #expect(isFolder(folder.path) && isFolder(folder.path + "/") && isFolder(folder.file("toFolder")))
    for name in ["file", "toFile", "toNothing", "missing", "file/", "a\u{0}b"] { #expect(!isFolder(folder.file(name))) }
    #expect(isFolder(".") && isFolder("/") && !isFolder("") && !isFolder(folder.path + "\u{0}"))
  }
}
