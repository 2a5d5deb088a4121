/// Describes a tensor in a file: its name, the type of its numbers and its shape, without the numbers.
public struct TensorDescription: Sendable, Hashable {
  /// The name: unique in a file, and not `__metadata__`.
  public let name: String
  public let type: TensorType
  /// The length of each axis, slowest first (C order). Empty for a scalar; an axis of length 0 makes an empty tensor.
  public let shape: [Int]
  /// The product of the shape; 1 for a scalar.
  public let elementCount: Int

  /// Describes a tensor.
  ///
  /// - Precondition: `byteCount(of: shape, type: type)` is not nil. Check it first for shapes that come from outside.
  public init(name: String, type: TensorType, shape: [Int]) {
    guard let bytes = Self.byteCount(of: shape, type: type) else {
      preconditionFailure("the shape \(shape) has a negative axis or is larger than memory can be")
    }
    self.name = name
    self.type = type
    self.shape = shape
    elementCount = bytes / type.byteWidth
  }

  /// The size of all numbers together, in bytes.
  public var byteCount: Int { elementCount * type.byteWidth }

  /// The size in bytes of a tensor of this shape and type. It is nil when an axis is negative, or when the product,
  /// taken from left to right, does not fit an `Int`.
  ///
  /// So `[0, 2^40, 2^40]` is empty and `[2^40, 2^40, 0]` is refused, as by the reference reader.
  public static func byteCount(of shape: [Int], type: TensorType) -> Int? {
    var product = 1
    for length in shape + CollectionOfOne(type.byteWidth) {
      let (next, overflow) = product.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflow else { return nil }
      product = next
    }
    return product
  }
}
