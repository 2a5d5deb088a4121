/// Spans of arrays on every system that Tupelo supports.
///
/// `Array.span` and `Array.mutableSpan` of the standard library need macOS 26 and iOS 26, because an array of objects
/// may be an `NSArray` there. `Span` itself works from macOS 10.14.4 and iOS 12.2 on, and an array of plain values is
/// never an `NSArray`. The compiler prefers these two properties to the general ones, because they have a stronger
/// condition. They compile to the same instructions, and can be removed when the minimum is macOS 26.
///
/// Soundness of the unsafe memory: the elements stay where they are while the array is borrowed, and the lifetime of
/// the span is bound to that borrow. For a mutable span, `withUnsafeMutableBufferPointer` has made the elements the
/// array's own.
extension Array where Element: BitwiseCopyable {
  /// The elements, for reading.
  @inlinable @inline(__always)
  public var span: Span<Element> {
    @_lifetime(borrow self) get {
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }

  /// The elements, for changing them in place.
  ///
  /// - Complexity: O(1) if the array has the only reference to its elements, else O(n), which copies them
  @inlinable @inline(__always)
  public var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self) mutating get {
      let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(MutableSpan(_unsafeElements: elements), mutating: &self)
    }
  }
}
