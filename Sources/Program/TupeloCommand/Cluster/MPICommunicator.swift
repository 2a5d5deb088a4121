#if MPI
internal import CTupeloMPI
internal import TupeloBase
internal import TupeloCluster

/// The communicator over the ranks that `mpirun` has started, by Open MPI. It exists with the package trait `MPI`.
///
/// Collectives do not block: this process polls them and sleeps in between, so a waiting rank does not use its core. If
/// a rank dies, the whole job ends, because the Open MPI of Debian 12 supports no other behaviour.
///
/// Soundness of the unsafe calls: buffers hold the bytes given by counts and places, and live until the call returns.
/// MPI does not use them after that.
package struct MPICommunicator: Communicator {
  package let rank: Int
  package let size: Int
  package let localSize: Int

  /// The communicator of this process. The first call starts MPI.
  ///
  /// - Throws: `MPIError`.
  package static func start() throws(MPIError) -> MPICommunicator {
    let failure = begun.withLock { begun -> Int32 in
      guard !begun else { return 0 }
      begun = true
      return tupelo_mpi_begin()
    }
    guard failure == 0 else { throw .notStarted(code: Int(failure)) }
    let (rank, size) = (Int(tupelo_mpi_rank()), Int(tupelo_mpi_size()))
    guard rank >= 0, size > rank else { throw .notStarted(code: -1) }
    return MPICommunicator(rank: rank, size: size, localSize: max(Int(tupelo_mpi_local_size()), 1))
  }

  private static let begun = Locked(false)

  /// Ends MPI, after the last call of any rank.
  package static func end() { _ = tupelo_mpi_end() }

  /// Ends the processes of all ranks.
  package static func abort(code: Int32) { tupelo_mpi_abort(code) }

  /// The largest number of bytes that a rank gets in one call. MPI counts bytes in 32 bits, so more come in pieces.
  package var callLimit = 1 << 30

  package func gather<T: BitwiseCopyable & Sendable>(_ numbers: [T]) -> [[T]] {
    let counts = counts(of: numbers.count)
    return inPieces(largest: counts.max() ?? 0, of: T.self) { range in
      let own = numbers[numbers.indices.clamped(to: range)]
      let counts = counts.map { (0..<$0).clamped(to: range).count }
      let bytes = counts.map { Self.byteCount($0, of: T.self) }
      let places = Self.places(bytes)
      return unsafe Self.receive(counts, T.self) { all in
        unsafe own.withUnsafeBytes { part in
          unsafe tupelo_mpi_gather(part.baseAddress, Int32(part.count), all, bytes, places)
        }
      }
    }
  }

  package func exchange<T: BitwiseCopyable & Sendable>(_ parts: [[T]]) -> [[T]] {
    precondition(parts.count == size)
    // Row r of the table has the counts that rank r sends to each rank.
    let table = gatherRows(parts.map(\.count))
    return inPieces(largest: table.joined().max() ?? 0, of: T.self) { range in
      let own = parts.map { $0[$0.indices.clamped(to: range)] }
      let counts = table.map { (0..<$0[rank]).clamped(to: range).count }
      let sent = own.map { Self.byteCount($0.count, of: T.self) }
      let received = counts.map { Self.byteCount($0, of: T.self) }
      let (places, receivedPlaces) = (Self.places(sent), Self.places(received))
      let all = own.flatMap(\.self)
      return unsafe Self.receive(counts, T.self) { buffer in
        unsafe all.withUnsafeBytes { bytes in
          unsafe tupelo_mpi_exchange(bytes.baseAddress, sent, places, buffer, received, receivedPlaces)
        }
      }
    }
  }

  /// Joins what calls bring for one range of places after the other. All ranks make equally many calls.
  private func inPieces<T>(largest: Int, of: T.Type, _ call: (Range<Int>) -> [[T]]) -> [[T]] {
    let length = max(1, callLimit / (size * MemoryLayout<T>.stride))
    guard largest > length else { return call(0..<largest) }
    var parts = [[T]](repeating: [], count: size)
    for start in stride(from: 0, to: largest, by: length) {
      for (rank, piece) in call(start..<min(start + length, largest)).enumerated() { parts[rank] += piece }
    }
    return parts
  }

  /// The amount of numbers from each rank.
  private func counts(of own: Int) -> [Int] { gatherRows([own]).map { $0[0] } }

  /// Gathers rows of equal length from all ranks, which need no counts first.
  private func gatherRows(_ row: [Int]) -> [[Int]] {
    let bytes = [Int32](repeating: Self.byteCount(row.count, of: Int.self), count: size)
    let places = Self.places(bytes)
    return unsafe Self.receive([Int](repeating: row.count, count: size), Int.self) { all in
      unsafe row.withUnsafeBytes { part in
        unsafe tupelo_mpi_gather(part.baseAddress, Int32(part.count), all, bytes, places)
      }
    }
  }

  /// Runs a call that fills a buffer, and splits the buffer by rank.
  private static func receive<T: BitwiseCopyable>(
    _ counts: [Int], _: T.Type, _ call: (UnsafeMutableRawPointer?) -> Int32
  ) -> [[T]] {
    let total = counts.reduce(0, +)
    let all = unsafe [T](unsafeUninitializedCapacity: total) { buffer, count in
      let failure = unsafe call(UnsafeMutableRawBufferPointer(buffer).baseAddress)
      // By default MPI ends the job itself before it returns an error.
      precondition(failure == 0, "MPI failed with error \(failure)")
      count = total
    }
    var (rest, parts) = (all[...], [[T]]())
    for count in counts {
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  private static func byteCount<T>(_ count: Int, of: T.Type) -> Int32 {
    guard let bytes = Int32(exactly: count * MemoryLayout<T>.stride) else {
      preconditionFailure("\(count) numbers are too many for one call of MPI")
    }
    return bytes
  }

  private static func places(_ counts: [Int32]) -> [Int32] {
    var sum = 0
    return counts.map { count in
      defer { sum += Int(count) }
      return byteCount(sum, of: UInt8.self)
    }
  }
}

/// Why ranks cannot communicate.
package enum MPIError: Error, Hashable, Sendable, CustomStringConvertible {
  case notStarted(code: Int)

  package var description: String {
    switch self {
    case .notStarted(let code): "MPI did not start (error \(code)): start the program with mpirun"
    }
  }
}
#endif
