public import TupeloEngine

/// Why a board cannot be solved.
public enum SolverError: Error, Hashable, Sendable {
  /// The board has too many positions. `positions` and `bytes` are estimates; for 4x4 they are upper bounds.
  case tooLarge(BoardShape, positions: Double, bytes: Double)
}

extension SolverError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let shape, let positions, let bytes):
      "a \(shape) board has about \(Self.rounded(positions)) positions, which need \(Self.size(bytes)) of memory: "
        + "solve 3x3, 2x4, 4x2 or a smaller board"
    }
  }

  /// A number with two digits and a power of ten: `1.2e12`.
  private static func rounded(_ number: Double) -> String {
    var (digits, exponent) = (number, 0)
    while digits >= 9.95 { (digits, exponent) = (digits / 10, exponent + 1) }
    return "\((digits * 10).rounded() / 10)e\(exponent)"
  }

  private static func size(_ bytes: Double) -> String {
    let terabytes = (bytes / 1e12).rounded(.up)
    return terabytes < 1e4 ? "\(Int(terabytes)) TB" : "\(rounded(terabytes)) TB"
  }
}
