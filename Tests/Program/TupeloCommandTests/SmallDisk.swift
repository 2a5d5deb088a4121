import Foundation
import TestSupport
import Testing

/// A small file system in memory that tests fill up. It is unmounted with this object.
final class SmallDisk {
  let path: String

  /// - Parameter path: the folder to mount it on, which is made
  init(_ path: String, megabytes: Int) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let result = try Program.shell("mount -t tmpfs -o size=\(megabytes)m none \(Program.quoted(path))")
    try #require(result.status == 0, "\(result)")
  }

  deinit {
    do { _ = try Program.shell("umount \(Program.quoted(path))") } catch { print("left behind: \(path)") }
  }

  /// Fills the disk by a number of bytes, or as far as there is room.
  func fill(bytes: Int) throws {
    _ = try Program.shell("head -c \(bytes) /dev/zero > \(Program.quoted(path + "/filler"))")
  }

  /// Frees the room that `fill` has taken.
  func free() throws { try FileManager.default.removeItem(atPath: path + "/filler") }

  /// Whether this process may mount disks, which outside of containers few processes may.
  static let canMount: Bool = {
    let place = TemporaryFile.path("mount")
    defer { TemporaryFile.remove(place) }
    do {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let line = "mount -t tmpfs -o size=1m none \(Program.quoted(place)) && umount \(Program.quoted(place))"
      return try Program.shell(line).status == 0
    } catch {
      return false
    }
  }()
}
