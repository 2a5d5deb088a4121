#if _endian(big)
#error("Safetensors files are little-endian and this module copies their bytes as they are")
#endif

/// The type of a tensor's numbers: the `dtype` of the format. All numbers are little-endian.
///
/// The format has a few more types (signed small integers, booleans, 8-bit and complex floats). A file that uses such a
/// type is refused.
public enum TensorType: String, Sendable, CaseIterable {
  /// IEEE 754 single precision.
  case f32 = "F32"
  /// IEEE 754 half precision.
  case f16 = "F16"
  /// The upper half of a single precision number.
  case bf16 = "BF16"
  case u8 = "U8"
  case u32 = "U32"
  case i64 = "I64"
  case u64 = "U64"
  /// IEEE 754 double precision.
  case f64 = "F64"

  /// Bytes per number: 1, 2, 4 or 8.
  public var byteWidth: Int {
    switch self {
    case .u8: 1
    case .f16, .bf16: 2
    case .f32, .u32: 4
    case .f64, .i64, .u64: 8
    }
  }
}

/// A Swift type whose memory can be filled from a tensor and written to one.
///
/// Conforming is a promise: every bit pattern is a valid value, and there is no padding (`size == stride`). `Bool`,
/// enumerations and pointers must not conform. A tensor may be read as any element of its `byteWidth`: F32 as `Float`,
/// or as `UInt32` to see the bits; BF16, which Swift lacks, as `UInt16`.
public protocol TensorElement: BitwiseCopyable, Sendable {}

extension Int8: TensorElement {}
extension Int16: TensorElement {}
extension Int32: TensorElement {}
extension Int64: TensorElement {}
extension Int: TensorElement {}
extension UInt8: TensorElement {}
extension UInt16: TensorElement {}
extension UInt32: TensorElement {}
extension UInt64: TensorElement {}
extension UInt: TensorElement {}
extension Float: TensorElement {}
extension Double: TensorElement {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: TensorElement {}
#endif
