internal import CZlib
internal import TupeloBase

/// Compresses and decompresses whole buffers in memory. This is the only file that calls zlib.
///
/// Soundness of the unsafe memory: the stream's pointers are set from buffers that live through the call, with their
/// own lengths. They are not used after it. The stream is ended on every way out.
package enum Zlib {
  /// The patterns that the compressor uses. Noise has no repetitions. For noise, codes by frequency alone are smaller
  /// and ten times as fast.
  enum Strategy {
    case repetitions, frequencies
  }

  /// Compresses to the format of gzip, which clients of a web server unpack.
  ///
  /// - Returns: `nil` when there is no memory left.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    do {
      return try compressed(bytes, .repetitions, windowBits: 15 + 16)
    } catch {
      return nil
    }
  }

  static func compressed(
    _ bytes: [UInt8], _ strategy: Strategy, windowBits: Int32 = 15
  ) throws(ZlibError) -> [UInt8] {
    var stream = unsafe z_stream()
    let kind = strategy == .repetitions ? Z_DEFAULT_STRATEGY : Z_HUFFMAN_ONLY
    let started = unsafe deflateInit2_(
      &stream, 9, Z_DEFLATED, windowBits, 9, kind, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw ZlibError(code: started) }
    defer { unsafe _ = deflateEnd(&stream) }
    let (result, code) = try unsafe run(
      &stream, over: bytes.span.bytes, capacity: bytes.count + bytes.count / 1000 + 128
    ) {
      unsafe deflate(&$0, Z_FINISH)
    }
    guard code == Z_STREAM_END else { throw ZlibError(code: code) }
    return result
  }

  /// Decompresses a stream.
  ///
  /// - Parameter count: the expected number of bytes. No more than that is ever held in memory.
  /// - Throws: `ZlibError` for a stream that is damaged, longer or shorter.
  static func decompressed(_ bytes: RawSpan, count: Int) throws(ZlibError) -> [UInt8] {
    var stream = unsafe z_stream()
    let started = unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw ZlibError(code: started) }
    defer { unsafe _ = inflateEnd(&stream) }
    let (result, code) = try unsafe run(&stream, over: bytes, capacity: count) { unsafe inflate(&$0, Z_FINISH) }
    guard code == Z_STREAM_END, result.count == count, unsafe stream.total_in == UInt(bytes.byteCount) else {
      throw ZlibError(code: code == Z_STREAM_END ? Z_DATA_ERROR : code)
    }
    return result
  }

  /// Runs a stream over all input with room for `capacity` bytes of output.
  @unsafe private static func run(
    _ stream: inout z_stream, over input: RawSpan, capacity: Int, step: (inout z_stream) -> Int32
  ) throws(ZlibError) -> ([UInt8], Int32) {
    // zlib counts in 32 bits. The largest streams here, the map of 2^32 weights, fit.
    guard let available = UInt32(exactly: input.byteCount), let room = UInt32(exactly: capacity) else {
      throw ZlibError(code: Z_BUF_ERROR)
    }
    var code = Z_OK
    let output = unsafe [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { target, initialized in
      unsafe input.withUnsafeBytes { source in
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: Bytef.self))
        unsafe stream.avail_in = available
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = room
        code = unsafe step(&stream)
      }
      initialized = unsafe capacity - Int(stream.avail_out)
    }
    return (output, code)
  }

  /// CRC-32 of several buffers, one after the other.
  static func checksum(_ buffers: [[UInt8]]) -> UInt32 {
    var sum = crc32(0, nil, 0)
    for buffer in buffers {
      unsafe buffer.withUnsafeBufferPointer { bytes in
        sum = unsafe crc32_z(sum, bytes.baseAddress, bytes.count)
      }
    }
    return UInt32(truncatingIfNeeded: sum)
  }
}

/// A zlib return code other than success.
struct ZlibError: Error, Hashable {
  let code: Int32

  var reason: String {
    switch code {
    case Z_MEM_ERROR: "there is no memory left"
    case Z_BUF_ERROR, Z_OK: "it does not end at the right place"
    default: "its compressed bytes are damaged"
    }
  }
}
