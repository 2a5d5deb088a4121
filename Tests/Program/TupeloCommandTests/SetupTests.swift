import Foundation
import TestSupport
import Testing

#if os(Linux)
/// `.ci/setup` on systems that a folder imitates: their headers, and what their commands print.
@Suite struct SetupTests {
  private static let pkgConfig = "echo \"-I$TUPELO_SYSTEM_ROOT/usr/include/openblas \""

  /// Runs the script with no other commands than a few of the system and the given ones.
  private func setUp(
    _ arguments: String = "", headers: [String], commands: [String: String] = [:]
  ) throws -> Program.Result {
    let folder = try TemporaryFolder()
    let bin = folder.file("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    for name in ["env", "id", "sed", "sh", "tr", "uname"] {
      let found = try Program.shell("command -v \(name)").output.trimmingCharacters(in: .newlines)
      try FileManager.default.createSymbolicLink(atPath: bin + "/" + name, withDestinationPath: found)
    }
    for (name, line) in commands {
      try "#!/bin/sh\n\(line)\n".write(toFile: bin + "/" + name, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin + "/" + name)
    }
    for header in headers {
      let path = folder.file("usr/include/" + header)
      let place = (path as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: path))
    }
    return try withExtendedLifetime(folder) {
      try Program.shell(
        "PATH='\(bin)' TUPELO_SYSTEM_ROOT='\(folder.path)' sh '\(Repository.file(".ci/setup"))' \(arguments)")
    }
  }

  @Test func aSystemWithItsHeadersNeedsNothing() throws {
    for processor in ["x86_64", "aarch64"] {
      let debian = try setUp(headers: ["\(processor)-linux-gnu/cblas.h", "zlib.h"])
      #expect(debian.status == 0 && debian.errors.isEmpty, "\(debian)")
    }
    let fedora = try setUp(headers: ["openblas/cblas.h", "zlib.h"], commands: ["pkg-config": Self.pkgConfig])
    #expect(fedora.status == 0 && fedora.errors.isEmpty, "\(fedora)")
  }

  /// A header of another program, in a folder of its own, is not the system's.
  @Test func aForeignHeaderDoesNotCount() throws {
    let result = try setUp(headers: ["openblas/cblas.h", "zlib.h"], commands: ["pkg-config": "exit 1"])
    #expect(result.status == 1 && result.errors.contains("libopenblas-dev zlib1g-dev"), "\(result)")
  }

  @Test func missingPackagesAreNamed() throws {
    let fedora = try setUp(headers: ["zlib.h"], commands: ["dnf": "exit 1"])
    #expect(fedora.status == 1 && fedora.errors.hasSuffix("dnf install openblas-devel zlib-devel\n"), "\(fedora)")
    let wrong = try setUp("--blas", headers: [])
    #expect(wrong.status == 1 && wrong.errors.contains("unknown option --blas"), "\(wrong)")
  }

  /// The fake `apt-get` and `sudo` print what they would do.
  @Test func packagesAreInstalled() throws {
    let commands = ["apt-get": "echo \"apt-get $*\"", "sudo": "exec \"$@\""]
    let plain = try setUp(headers: ["zlib.h"], commands: commands)
    #expect(plain.output == "apt-get update -qq\napt-get install -y -qq libopenblas-dev zlib1g-dev\n", "\(plain)")
    let withMPI = try setUp("--mpi", headers: ["cblas.h", "zlib.h"], commands: commands)
    #expect(withMPI.output.hasSuffix("install -y -qq libopenmpi-dev openmpi-bin pkg-config\n"), "\(withMPI)")
  }
}
#endif
