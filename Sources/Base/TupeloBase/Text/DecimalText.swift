/// Reads a number as people write it, without rounding: `100k`, `2M`, `1_000`, `10,000`, `1.5e6`, `-0.25`, `1.`.
///
/// Single underscores may group digits, and commas may separate groups of three digits. `k`, `M` and `G` are thousands,
/// millions and billions. Leading zeros are refused, because YAML 1.1 reads them as octal. `.nan`, `.inf`, hexadecimal
/// and sexagesimal numbers are refused too.
package struct DecimalText {
  package let isNegative: Bool
  /// The digits as values 0...9, the most significant first.
  private let digits: [UInt8]
  /// The power of ten of the last digit.
  private let exponent: Int

  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
    guard Self.removeCommas(from: &rest), let whole = Self.takeDigits(from: &rest, grouped: true) else { return nil }
    guard whole.count <= 1 || whole[0] != 0 else { return nil }
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let taken = Self.takeDigits(from: &rest, grouped: false) else { return nil }
      fraction = taken
    }
    guard !whole.isEmpty || !fraction.isEmpty, let scale = Self.takeScale(from: &rest), rest.isEmpty else { return nil }
    digits = whole + fraction
    exponent = (scale ?? 0) - fraction.count
  }

  /// Removes the commas of `10,000`.
  ///
  /// - Returns: false when a comma does not stand between groups of three digits
  private static func removeCommas(from rest: inout ArraySlice<UInt8>) -> Bool {
    let groups = rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard groups.count > 1 else { return true }
    for (index, group) in groups.enumerated() {
      let digits = group.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      let isWhole = digits == group.count || index == groups.count - 1
      guard isWhole, index == 0 ? (1...3).contains(digits) : digits == 3 else { return false }
    }
    rest = ArraySlice(groups.joined())
    return true
  }

  /// Takes digits up to the first other character; `nil` when an underscore is not between two digits.
  private static func takeDigits(from rest: inout ArraySlice<UInt8>, grouped: Bool) -> [UInt8]? {
    var digits: [UInt8] = []
    var afterUnderscore = false
    while let byte = rest.first {
      if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        digits.append(byte - UInt8(ascii: "0"))
        afterUnderscore = false
      } else if byte == UInt8(ascii: "_"), grouped, !digits.isEmpty, !afterUnderscore {
        afterUnderscore = true
      } else {
        break
      }
      rest.removeFirst()
    }
    return afterUnderscore ? nil : digits
  }

  /// Takes the power of ten after the digits: `.some(nil)` when there is none, `nil` when it is malformed.
  private static func takeScale(from rest: inout ArraySlice<UInt8>) -> Int?? {
    guard let letter = rest.popFirst() else { return .some(nil) }
    switch letter {
    case UInt8(ascii: "k"), UInt8(ascii: "K"): return 3
    case UInt8(ascii: "M"): return 6
    case UInt8(ascii: "G"): return 9
    case UInt8(ascii: "e"), UInt8(ascii: "E"):
      let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
      if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
      guard let taken = takeDigits(from: &rest, grouped: false), (1...4).contains(taken.count) else { return nil }
      return sign * taken.reduce(0) { $0 * 10 + Int($1) }
    default: return nil
    }
  }

  /// Whether the number has no fraction; `1.5` has one, `1.5M` has none.
  package var isWhole: Bool {
    let zeros = digits.reversed().prefix { $0 == 0 }.count
    return zeros == digits.count || exponent + zeros >= 0
  }

  /// The exact value; `nil` when it has a fraction or does not fit.
  package func whole<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
    guard isWhole else { return nil }
    let significant = digits.drop { $0 == 0 }
    guard !significant.isEmpty else { return 0 }
    let written = exponent >= 0 ? significant : significant.dropLast(-exponent)
    guard written.count + max(exponent, 0) <= 40 else { return nil }
    var value: Value = 0
    for digit in Array(written) + Array(repeating: 0, count: max(exponent, 0)) {
      let (shifted, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, stillTooLarge) =
        isNegative ? shifted.subtractingReportingOverflow(Value(digit)) : shifted.addingReportingOverflow(Value(digit))
      guard !tooLarge, !stillTooLarge else { return nil }
      value = sum
    }
    return value
  }

  /// The nearest floating-point number, rounded once; infinite when it is too large.
  package func rounded<Value: BinaryFloatingPoint & LosslessStringConvertible>(to type: Value.Type) -> Value? {
    Value((isNegative ? "-" : "") + digits.map(String.init).joined() + "e\(exponent)")
  }
}
