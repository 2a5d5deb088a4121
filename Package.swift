// swift-tools-version: 6.3

import PackageDescription

/// Every target of ours: data races, unsafe memory and sloppy imports are errors, not advice.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A library or command target of ours; each has a README beside its sources.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: house, plugins: plugins)
}

/// What tests and their support are held to.
let testing: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The tests of a module: they import what they name, and the reference implementations.
func tests(of name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)Tests",
    swiftSettings: testing)
}

let package = Package(
  name: "Tupelo",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .library(name: "Tupelo", targets: ["Tupelo"]),
    .library(name: "TupeloTraining", targets: ["TupeloTraining"]),
    .executable(name: "tupelo", targets: ["TupeloCommand"]),
  ],
  traits: [
    .trait(name: "MPI", description: "Trains and evaluates over the ranks of mpirun, by Open MPI (.ci/setup --mpi).")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // Level 0; Safetensors stands on DurableFiles, and both on PlainText.
    .target(name: "CTupeloShims"),
    .systemLibrary(name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Open MPI, for those who ask for it by the trait.
    .systemLibrary(name: "COpenMPI", pkgConfig: "ompi-c", providers: [.apt(["libopenmpi-dev"])]),
    .target(
      name: "CTupeloMPI", dependencies: [.target(name: "COpenMPI", condition: .when(traits: ["MPI"]))],
      cSettings: [.define("TUPELO_MPI", .when(traits: ["MPI"]))]),
    module("TupeloEngine"),
    module("SetEngine"),
    module("Threads", ["CTupeloShims"]),
    module("PlainText"),
    module("DurableFiles", ["PlainText"]),
    module("Safetensors", ["DurableFiles", "PlainText"]),
    module("TupeloBLAS", ["Threads", .target(name: "COpenBLAS", condition: .when(platforms: [.linux]))]),
    // Level 1
    module("TupeloTables", ["CTupeloShims"]),
    module(
      "TupeloNetwork", ["TupeloTables", "TupeloEngine", "Safetensors", "DurableFiles", "PlainText", "CZlib"]),
    module("SetNetwork", ["SetEngine", "TupeloTables", "TupeloNetwork", "Safetensors"]),
    module("TupeloDense", ["TupeloTables", "TupeloBLAS"]),
    // Level 2
    module(
      "TupeloCluster",
      ["TupeloTables", "TupeloBLAS", "Threads", .target(name: "CTupeloMPI", condition: .when(traits: ["MPI"]))]),
    module("TupeloLearning", ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloDense", "TupeloBLAS"]),
    module("TupeloSearch", ["TupeloEngine", "Threads", "PlainText", "CTupeloShims"]),
    module("SetPlayers", ["SetEngine", "TupeloEngine", "Threads", "PlainText"]),
    module("TupeloSolver", ["TupeloEngine", "Threads"]),
    module("Tupelo", ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "Safetensors", "DurableFiles"]),
    // Level 3
    module(
      "TupeloModels",
      [
        "TupeloEngine", "SetEngine", "TupeloTables", "TupeloNetwork", "SetNetwork", "SetPlayers", "TupeloSearch",
        "TupeloDense", "Threads", "Safetensors", "DurableFiles", "PlainText",
      ]),
    module(
      "TupeloConfiguration",
      [
        "TupeloModels", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloDense",
        "TupeloCluster", "SetEngine", "SetNetwork", "Threads", "DurableFiles", "PlainText",
        .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "TupeloEvaluation",
      [
        "TupeloModels", "TupeloConfiguration", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine",
        "SetNetwork", "SetPlayers", "Threads", "DurableFiles", "PlainText",
      ]),
    module(
      "TupeloTraining",
      [
        "TupeloModels", "TupeloConfiguration", "TupeloEvaluation", "TupeloEngine", "TupeloTables", "TupeloNetwork",
        "TupeloLearning", "TupeloSearch", "TupeloBLAS", "TupeloCluster", "SetEngine", "SetNetwork", "SetPlayers",
        "TupeloDense", "Safetensors", "DurableFiles", "PlainText", "Threads",
      ]),
    module(
      "TupeloRuns",
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloTraining", "Safetensors", "DurableFiles", "PlainText",
      ],
      plugins: ["BuildCommit"]),
    .plugin(name: "BuildCommit", capability: .buildTool(), path: "Sources/BuildCommit", exclude: ["README.md"]),
    // The files of the page inside the program, so that it serves them wherever it is put.
    .target(name: "CPageFiles"),
    .target(
      name: "TupeloWeb",
      dependencies: [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetPlayers", "TupeloRuns", "Threads",
        "CPageFiles", .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      exclude: ["README.md", "Page"], swiftSettings: house),
    // The engine of the page, here as an ordinary module; `.ci/site` compiles it for browsers.
    .target(
      name: "TupeloWebAssembly",
      dependencies: ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetPlayers", "SetNetwork"],
      exclude: ["README.md", "runtime.c"], swiftSettings: house),
    // Level 4. Not called "tupelo": on a file system that ignores case that is the library's name.
    .executableTarget(
      name: "TupeloCommand",
      dependencies: [
        "TupeloEngine", "TupeloBLAS", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloSolver",
        "TupeloCluster", "TupeloDense", "TupeloTraining", "TupeloRuns", "TupeloWeb", "SetEngine",
        "SetNetwork",
        "SetPlayers", "Safetensors", "DurableFiles", "PlainText", "Threads", "CTupeloShims",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["README.md"], swiftSettings: house),

    .target(
      name: "TestSupport", dependencies: ["TupeloEngine", "SetEngine"], path: "Tests/TestSupport",
      swiftSettings: testing),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    tests(of: "TupeloEngine", ["TupeloEngine", "CAllocationCounter"]),
    tests(of: "SetEngine", ["SetEngine", "TupeloEngine", "CAllocationCounter"]),
    // As an app does it: one dependency, one import.
    .testTarget(name: "TupeloTests", dependencies: ["Tupelo"], swiftSettings: testing),
    tests(of: "Threads", ["Threads"]),
    tests(of: "PlainText", ["PlainText"]),
    tests(of: "DurableFiles", ["DurableFiles"]),
    tests(of: "Safetensors", ["Safetensors", "DurableFiles"]),
    tests(of: "TupeloBLAS", ["TupeloBLAS"]),
    tests(of: "TupeloTables", ["TupeloTables"]),
    tests(of: "TupeloCluster", ["TupeloCluster", "TupeloTables", "Threads"]),
    tests(of: "TupeloDense", ["TupeloDense", "TupeloTables", "TupeloBLAS", "CAllocationCounter"]),
    tests(
      of: "TupeloNetwork",
      ["TupeloEngine", "TupeloTables", "TupeloNetwork", "Safetensors", "DurableFiles", "CAllocationCounter"]),
    tests(
      of: "SetNetwork", ["SetEngine", "TupeloEngine", "TupeloTables", "TupeloNetwork", "SetNetwork", "Safetensors"]),
    tests(
      of: "TupeloModels",
      [
        "TupeloModels", "TupeloEngine", "SetEngine", "TupeloNetwork", "SetNetwork", "TupeloDense", "TupeloTables",
        "Safetensors",
      ]),
    tests(of: "TupeloLearning", ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloDense", "TupeloLearning"]),
    tests(of: "TupeloSearch", ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "CAllocationCounter"]),
    tests(of: "SetPlayers", ["SetPlayers", "SetEngine", "TupeloEngine", "CAllocationCounter"]),
    tests(of: "TupeloSolver", ["TupeloEngine", "TupeloSolver", "TupeloSearch"]),
    tests(
      of: "TupeloTraining",
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloSolver",
        "TupeloCluster", "TupeloTraining", "SetEngine", "SetNetwork", "SetPlayers", "TupeloDense", "TupeloModels",
        "Safetensors",
        "DurableFiles", "CAllocationCounter",
      ]),
    tests(
      of: "TupeloRuns",
      ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloTraining", "TupeloRuns", "Safetensors", "DurableFiles"]),
    tests(
      of: "TupeloWeb",
      [
        "Threads", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetPlayers", "SetNetwork",
        "Safetensors", "TupeloWeb",
      ]),
    tests(
      of: "TupeloWebAssembly", ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloWebAssembly"]),
    tests(
      of: "TupeloCommand",
      [
        "Tupelo", "TupeloCommand", "TupeloEngine", "TupeloNetwork", "TupeloTraining", "TupeloRuns", "SetEngine",
        "Safetensors",
      ]),
  ],
  // For `#embed`.
  cLanguageStandard: .gnu2x
)

// Documentation by `swift package generate-documentation`, for those who ask: apps do not inherit the plugin.
if Context.environment["TUPELO_DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}

// .ci/sanitize names the test targets that it runs, so that neither the others nor the program are built for it.
if let names = Context.environment["TUPELO_TEST_TARGETS"] {
  let wanted = Set(names.split(separator: " ").map(String.init))
  let unknown = wanted.subtracting(package.targets.map(\.name))
  precondition(unknown.isEmpty, "TUPELO_TEST_TARGETS names no targets of the package: \(unknown)")
  package.targets.removeAll { $0.type == .executable || $0.type == .test && !wanted.contains($0.name) }
  package.products.removeAll { $0.name == "tupelo" }
}
