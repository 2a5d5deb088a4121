#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// Whether there is anything at a path, or where a symbolic link at the path leads to.
package func isThere(_ path: String) -> Bool {
  var status = stat()
  return unsafe !path.utf8.contains(0) && stat(path, &status) == 0
}

/// Whether a path itself is a symbolic link, wherever it leads.
package func isLink(_ path: String) -> Bool { linkTarget(path) != nil }

/// Whether there is a folder at a path, or where a symbolic link at the path leads to.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return false }
  return status.st_mode & S_IFMT == S_IFDIR
}

/// The path of a file or folder itself, without symbolic links; the given path if there is nothing.
package func realPath(of path: String) -> String {
  guard !path.utf8.contains(0), let real = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}

/// The path that a symbolic link contains; `nil` if there is no link.
private func linkTarget(_ path: String) -> String? {
  guard !path.utf8.contains(0) else { return nil }
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink(path, &bytes, bytes.count)
  guard count >= 0 else { return nil }
  return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
