internal import Foundation
internal import TupeloBase

/// Small files that a command reads whole.
enum InputFile {
  /// - Parameters:
  ///   - limit: the most bytes that such a file can have
  ///   - kind: the kind that the file should be, to follow "this is not a": `game record`
  /// - Throws: `SystemError` when the file cannot be read, `CommandEnd` when it is too large.
  static func read(_ path: String, limit: Int, as kind: String) throws -> Data {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError.cannotOpen(path: path, errno: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError.cannotOpen(path: path, errno: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError.notARegularFile(path: path) }
    let data: Data
    do {
      data = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw CommandEnd.failure("\(path): cannot be read: copy it to a local disk")
    }
    guard data.count <= limit else {
      throw CommandEnd.failure("\(path): larger than \(limit >> 20) MiB: this is not a \(kind)")
    }
    return data
  }
}
