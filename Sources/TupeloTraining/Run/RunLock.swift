internal import Safetensors

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#endif

/// Keeps two trainings from writing into one folder, for as long as this object lives.
///
/// A lock of the kernel's on the file `.lock`: it ends with the process, however that ends, and a file that is left behind means nothing.
final class RunLock {
  private let descriptor: Int32

  /// - Throws: `RunDirectoryError.inUse` while another process, or another object of this one, has it.
  init(folder: String) throws(RunDirectoryError) {
    let path = folder + "/.lock"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .notWritable(path: folder, reason: SystemError.text(errno)) }
    do throws(SystemError) {
      _ = try SystemError.checking { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
    } catch {
      defer { close(descriptor) }
      guard error.code != EWOULDBLOCK else { throw .inUse(path: folder, process: Self.process(descriptor)) }
      // A file system without locks has nothing better to offer.
      guard error.code == ENOTSUP || error.code == ENOLCK else {
        throw .notWritable(path: folder, reason: SystemError.text(error.code))
      }
      self.descriptor = -1
      return
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // For the message alone; a full disk shows where something depends on it.
    if ftruncate(descriptor, 0) == 0 { unsafe _ = write(descriptor, text, text.count) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Which process has written itself into the file.
  private static func process(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes[..<count].prefix { $0 >= UInt8(ascii: "0") }, as: UTF8.self))
  }
}
