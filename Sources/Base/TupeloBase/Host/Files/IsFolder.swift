#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// Whether there is anything at a path, or where a symbolic link at the path leads to. It is true where the system
/// cannot say so: a file that may be there must not be lost, and opening it fails with the reason.
package func isThere(_ path: String) -> Bool {
  var status = stat()
  guard !path.utf8.contains(0) else { return false }
  return unsafe stat(path, &status) == 0 || ![ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno)
}

/// Whether a path itself is a symbolic link, wherever it leads.
package func isLink(_ path: String) -> Bool { linkTarget(path) != nil }

/// Whether there is a folder at a path, or where a symbolic link at the path leads to.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return false }
  return status.st_mode & S_IFMT == S_IFDIR
}

/// The path of a file or folder itself, without symbolic links. A link to a file that does not exist yet is followed,
/// too; any other path at which nothing is comes back unchanged.
package func realPath(of path: String) -> String {
  guard !path.utf8.contains(0) else { return path }
  if let real = unsafe realpath(path, nil) {
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
  // In a circle of links, the error is another one. Standard output may be a link to a pipe, which has no path.
  guard errno == ENOENT, !isThere(path), let target = linkTarget(path) else { return path }
  return realPath(of: target.hasPrefix("/") ? target : path.parentFolder + "/" + target)
}

/// The path that a symbolic link contains; `nil` if there is no link.
private func linkTarget(_ path: String) -> String? {
  guard !path.utf8.contains(0) else { return nil }
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink(path, &bytes, bytes.count)
  guard count >= 0 else { return nil }
  return String(decoding: bytes[..<count].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
}
