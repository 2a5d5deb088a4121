// swift-tools-version: 6.3

import PackageDescription

/// Examples of packages that other people would write: they depend on Tupelo by its products and see nothing else of
/// it. `.ci/clients` builds and runs them. They are one package, so that Tupelo is built only once for all of them.
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
      // `.ci/clients` copies the model.
      resources: [.copy("17x4")],
      // A sample sees only the names from its own imports, not the names from the imports of another sample.
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .executableTarget(
      name: "Learners", dependencies: [.product(name: "TupeloTraining", package: "Tupelo")], path: "Learners"),
    .executableTarget(
      name: "Threes", dependencies: [.product(name: "TupeloTraining", package: "Tupelo")], path: "Threes"),
  ]
)
