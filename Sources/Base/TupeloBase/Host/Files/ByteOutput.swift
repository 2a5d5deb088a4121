/// A place for the bytes of a file: the disk, or memory.
package protocol ByteOutput: AnyObject {
  /// The name of the place in errors.
  var path: String { get }

  /// Adds bytes at the end.
  func append(_ bytes: RawSpan) throws(SystemError)
}

extension ReplacementFile: ByteOutput {}

/// Bytes in memory that would otherwise be a file.
package final class MemoryOutput: ByteOutput {
  package let path: String
  package private(set) var bytes: [UInt8] = []

  /// - Parameter byteCount: the number of bytes that will come
  package init(name: String, byteCount: Int) {
    path = name
    bytes.reserveCapacity(byteCount)
  }

  package func append(_ bytes: RawSpan) throws(SystemError) {
    unsafe bytes.withUnsafeBytes { unsafe self.bytes.append(contentsOf: $0) }
  }
}
