import Foundation
import TestSupport
import Testing

#if os(Linux)
/// What the program says about huge pages where its parent process has turned them off.
@Suite struct HugePagesCommandTests {
  private static let hasPython: Bool = {
    do { return try Program.shell("python3 -c 'import ctypes'").status == 0 } catch { return false }
  }()

  @Test(.enabled(if: hasPython, "no python3")) func aProcessWithoutThemIsTold() throws {
    let folder = TemporaryFile.path("huge")
    defer { TemporaryFile.remove(folder) }
    // PR_SET_THP_DISABLE is 41, and holds for the program that takes the place of the script.
    let script = """
      import ctypes, os, sys
      assert ctypes.CDLL(None).prctl(41, 1, 0, 0, 0) == 0
      os.execv(sys.argv[1], sys.argv[1:])
      """
    let words = [
      "python3", "-c", script, Program.path, "train", "--games", "1", "--set", "network.patterns=01234", "--set",
      "evaluation.games=0", "--output", folder,
    ]
    let result = try Program.shell(words.map(Program.quoted).joined(separator: " "))
    #expect(result.status == 0 && result.output.contains("the kernel grants no huge pages"), "\(result)")
  }
}
#endif
