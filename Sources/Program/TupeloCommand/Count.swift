internal import ArgumentParser
internal import PlainText

/// A number of games as people write it: `1000`, `10k`, `1_000`, `1e4`.
struct Count: ExpressibleByArgument {
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = DecimalText(argument)?.whole(as: Int.self) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}
