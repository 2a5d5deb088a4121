internal import ArgumentParser
internal import TupeloBase

/// A whole number as people write it: `1000`, `10k`, `1_000`, `1e4`.
struct WholeNumber<Value: FixedWidthInteger & Sendable>: ExpressibleByArgument, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  init?(argument: String) {
    guard let value = DecimalText(argument)?.whole(as: Value.self) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}

/// A number of games.
typealias Count = WholeNumber<Int>

/// The seed of a command's games.
typealias Seed = WholeNumber<UInt64>
