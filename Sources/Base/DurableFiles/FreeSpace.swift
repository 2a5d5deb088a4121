#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// The room on a disk, in bytes. Quotas are not looked at.
package struct FreeSpace: Hashable, Sendable {
  /// What every user can still write.
  package let available: Int
  /// What this user can write at most: some room is kept for the superuser.
  package let most: Int

  /// The room on the file system of a path, which is that of the file that a symbolic link leads to.
  ///
  /// - Returns: `nil` where nothing is at the path, or where the file system does not say.
  package init?(at path: String) {
    var status = statvfs()
    guard !path.utf8.contains(0), unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let size = UInt64(status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    func bytes(_ blocks: UInt64) -> Int {
      let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
      return overflow ? Int.max : Int(clamping: bytes)
    }
    available = bytes(UInt64(status.f_bavail))
    most = geteuid() == 0 ? bytes(UInt64(status.f_bfree)) : available
  }
}
