#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Failures that need a process of their own: the kernel refuses to write, and a writer is killed.
@Suite struct ProcessTests {
  private static let byteCount = 4 << 20

  /// The refusal comes from the system and is not simulated: no file of this process may be longer than 64 KiB.
  @Test func fileSizeLimit() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try write([1, 2, 3], toFile: folder.file())
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
      #if canImport(Glibc)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #else
      try #require(unsafe setrlimit(RLIMIT_FSIZE, &limit) == 0)
      #endif
      #expect(throws: SystemError.cannotWrite(path: folder.file(), errno: EFBIG)) {
        try replace(folder.file(), with: [[UInt8](repeating: 0, count: ProcessTests.byteCount)])
      }
      #expect(try bytes(ofFile: folder.file()) == [1, 2, 3])
      #expect(try folder.names == ["test.bin"])
    }
  }

  /// A writer that is killed half-way leaves the old file as it was, and a temporary file whose name says what it is.
  @Test func killedWriter() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    try write([1, 2, 3], toFile: path)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let file = try ReplacementFile(path: path)
      let half = [UInt8](repeating: 0, count: ProcessTests.byteCount / 2)
      try file.append(half.span.bytes)
      kill(getpid(), SIGKILL)
    }
    #expect(try bytes(ofFile: path) == [1, 2, 3])
    let names = try folder.names
    #expect(names.count == 2 && names.last?.hasSuffix(".partial") == true)
    let remains = try #require(names.last)
    #expect(ReplacementFile.isRemains(name: remains, of: "test.bin"))
    #expect(ReplacementFile.removeIfAbandoned(folder.file(remains)))
    #expect(try folder.names == ["test.bin"])
    #expect(!ReplacementFile.removeIfAbandoned(folder.file(remains)))
  }

  /// Three kinds of files stay: the file of a living process, a file that a process of another machine has locked, and
  /// a file of another name.
  @Test func writersAtWorkKeepTheirFiles() async throws {
    let folder = try TemporaryFolder()
    let file = try ReplacementFile(path: folder.file())
    let own = try #require(try folder.names.first)
    #expect(!ReplacementFile.removeIfAbandoned(folder.file(own)))
    file.discard()
    // In a container, an earlier process often had the number of this one.
    try write([1], toFile: folder.file(own))
    #expect(ReplacementFile.removeIfAbandoned(folder.file(own)))
    // The number of a process that has ended.
    let ended = try await Self.endedProcess()
    let name = "test.bin.\(ended).5eed.partial"
    for other in ["test.bin", "test.bin.\(ended).partial", "test.bin.\(ended).5eed.part"] {
      try write([1], toFile: folder.file(other))
      #expect(!ReplacementFile.removeIfAbandoned(folder.file(other)))
    }
    try write([1], toFile: folder.file(name))
    let descriptor = unsafe open(folder.file(name), O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(!ReplacementFile.removeIfAbandoned(folder.file(name)))
    close(descriptor)
    #expect(ReplacementFile.removeIfAbandoned(folder.file(name)))
    #expect(try folder.names.count == 3)
  }

  private static func endedProcess() async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }
}
#endif
