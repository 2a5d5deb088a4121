#if os(macOS) || os(Linux)
  import DurableFiles
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What only a process of its own can show: the kernel refusing to write, and a writer that is killed.
  @Suite struct ProcessTests {
    private static let byteCount = 4 << 20

    /// The system's own refusal, not an imitation: no file of this process may be longer than 64 KiB.
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

    /// A writer killed half-way leaves the old file as it was, and a leftover that says what it is.
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
    }
  }
#endif
