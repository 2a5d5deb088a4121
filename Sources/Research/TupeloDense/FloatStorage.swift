internal import TupeloTables

/// One contiguous array of floats with one owner: parameters, moments of an optimizer, gradients.
///
/// Unlike an `Array` it is never copied by accident, is on huge pages if the kernel grants them, and throws an error if
/// it does not fit into memory.
///
/// Soundness of the unsafe memory: `memory` holds `count` floats from `base` on, all zero at first, and lives as long
/// as this value. The value cannot be copied. So reading borrows it and writing holds it exclusively, and the compiler
/// checks both. Spans do not leave the closures that get them.
@safe
public struct FloatStorage: ~Copyable, @unchecked Sendable {
  public let count: Int
  @usableFromInline let base: UnsafeMutablePointer<Float>
  private let memory: LargeMemory

  /// Makes `count` zeros.
  ///
  /// - Throws: `DenseError.outOfMemory` when they cannot fit, before anything is allocated; `refused` if the system
  ///   refuses nevertheless.
  public init(count: Int) throws(DenseError) {
    precondition(count >= 0)
    let (bytes, overflow) = max(count, 1).multipliedReportingOverflow(by: 4)
    do {
      memory = try LargeMemory(byteCount: overflow ? .max : bytes)
    } catch {
      switch error {
      case .outOfMemory(let bytes, let available): throw .outOfMemory(bytes: bytes, available: available)
      case .refused(let bytes): throw .refused(bytes: bytes)
      }
    }
    self.count = count
    unsafe base = memory.base.bindMemory(to: Float.self, capacity: max(count, 1))
  }

  public var byteCount: Int { count * 4 }

  /// The number at an index in `0..<count`.
  public subscript(index: Int) -> Float {
    @inlinable get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    @inlinable set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// Calls `body` with all numbers.
  @inlinable @inline(__always)
  public func withSpan<R, E>(_ body: (Span<Float>) throws(E) -> R) throws(E) -> R {
    let words = unsafe UnsafeBufferPointer(start: base, count: count)
    return unsafe try body(words.span)
  }

  /// Calls `body` with mutable access to all numbers.
  @inlinable @inline(__always)
  public mutating func withMutableSpan<R, E>(_ body: (inout MutableSpan<Float>) throws(E) -> R) throws(E) -> R {
    try withMutableSpan(of: 0..<count, body)
  }

  /// Calls `body` with mutable access to a range of numbers, such as a tensor.
  @inlinable @inline(__always)
  public mutating func withMutableSpan<R, E>(
    of range: Range<Int>, _ body: (inout MutableSpan<Float>) throws(E) -> R
  ) throws(E) -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let words = unsafe UnsafeMutableBufferPointer(start: base + range.lowerBound, count: range.count)
    var span = unsafe words.mutableSpan
    return try body(&span)
  }

  /// Prefetches `length` numbers from an index on, which must be below `count`. This is a hint.
  @inline(__always)
  func prefetch(_ index: Int, length: Int) {
    precondition(index >= 0 && index < count)
    var offset = 0
    while offset < length {
      unsafe prefetchLine(base + (index &+ offset))
      offset &+= 16
    }
  }

  /// Whether all numbers are finite.
  ///
  /// - Complexity: O(count), bound by memory.
  public var isFinite: Bool { withSpan { areFinite($0) } }

  /// A copy, for averages, snapshots and target networks.
  ///
  /// - Throws: `DenseError.outOfMemory` or `refused`.
  public func copy() throws(DenseError) -> FloatStorage {
    let copy = try FloatStorage(count: count)
    unsafe copy.base.update(from: base, count: count)
    return copy
  }
}
