// swift-tools-version: 6.3

import PackageDescription

/// Packages of other people as they would be: they depend on Tupelo by its products and see nothing else of it.
/// `.ci/clients` builds and runs them. They are one package, so that Tupelo is built for them once.
let package = Package(
  name: "Clients",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Tupelo", path: "../..")],
  targets: [
    .executableTarget(name: "App", dependencies: [.product(name: "Tupelo", package: "Tupelo")], path: "App"),
    .executableTarget(
      name: "Documents",
      dependencies: [
        .product(name: "Tupelo", package: "Tupelo"), .product(name: "TupeloTraining", package: "Tupelo"),
      ],
      path: "Documents",
      // A sample has what its own imports give, and not what the imports of another sample give.
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .executableTarget(
      name: "Threes", dependencies: [.product(name: "TupeloTraining", package: "Tupelo")], path: "Threes"),
  ]
)
