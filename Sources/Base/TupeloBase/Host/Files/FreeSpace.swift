#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// The free space on a disk, in bytes. Quotas are ignored.
package struct FreeSpace: Hashable, Sendable {
  /// The bytes that every user can still write.
  package let available: Int
  /// The bytes that this user can write at most. Some space is reserved for the superuser.
  package let most: Int

  /// The free space on the file system of a path. For a symbolic link, it is the file system of the link's target.
  ///
  /// - Returns: `nil` if nothing is at the path, or if the file system does not report its free space.
  package init?(at path: String) {
    #if canImport(Darwin)
    // The numbers of blocks in statvfs have 32 bits there, so for large disks they are wrong.
    var status = statfs()
    guard !path.utf8.contains(0), unsafe statfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let size = UInt64(status.f_bsize)
    #else
    var status = statvfs()
    guard !path.utf8.contains(0), unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
    let size = UInt64(status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    #endif
    func bytes(_ blocks: UInt64) -> Int {
      let (bytes, overflow) = blocks.multipliedReportingOverflow(by: size)
      return overflow ? Int.max : Int(clamping: bytes)
    }
    available = bytes(UInt64(status.f_bavail))
    most = geteuid() == 0 ? bytes(UInt64(status.f_bfree)) : available
  }
}
