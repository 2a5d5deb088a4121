// swift-tools-version: 6.3

import PackageDescription

/// Somebody else's game: Threes!, trained by what the product TupeloTraining offers to all. It prints a learning curve
/// and its speed, and fails where it does not get what is promised.
let package = Package(
  name: "Threes",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Tupelo", path: "../../..")],
  targets: [
    .executableTarget(name: "Threes", dependencies: [.product(name: "TupeloTraining", package: "Tupelo")])
  ]
)
