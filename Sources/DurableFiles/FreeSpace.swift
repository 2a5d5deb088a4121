#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#endif

/// The room on a disk.
package enum FreeSpace {
  /// The bytes that this user can still write on the file system of a path, which is that of the file that a symbolic
  /// link leads to.
  ///
  /// - Returns: `nil` where nothing is at the path, or where the file system does not say. A quota is not looked at.
  package static func bytes(at path: String) -> Int? {
    var status = statvfs()
    guard !path.utf8.contains(0), unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let size = UInt64(status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    // Some blocks are kept for the superuser.
    let blocks = UInt64(geteuid() == 0 ? status.f_bfree : status.f_bavail)
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
    return overflow ? Int.max : Int(clamping: bytes)
  }
}
