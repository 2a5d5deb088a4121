internal import ArgumentParser
internal import PlainText

/// The seed of a command's games as people write it: `7`, `1_000_003`, `1e3`.
struct Seed: ExpressibleByArgument {
  let value: UInt64

  init(_ value: UInt64) { self.value = value }

  init?(argument: String) {
    guard let value = DecimalText(argument)?.whole(as: UInt64.self) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}
