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
    module(
      "DenseModels",
      [
        "TupeloEngine", "SetEngine", "TupeloTables", "TupeloNetwork", "SetNetwork", "TupeloDense", "Threads",
        "Safetensors",
      ]),
    // Level 2
    module(
      "TupeloCluster",
      ["TupeloTables", "TupeloBLAS", "Threads", .target(name: "CTupeloMPI", condition: .when(traits: ["MPI"]))]),
    module("TupeloLearning", ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloDense", "TupeloBLAS"]),
    module("TupeloSearch", ["TupeloEngine", "Threads", "PlainText", "CTupeloShims"]),
    module("SetPlayers", ["SetEngine", "TupeloEngine", "Threads", "PlainText"]),
    module("SetSolver", ["SetEngine"]),
    module("TupeloSolver", ["TupeloEngine", "Threads", "Safetensors"]),
    module("Tupelo", ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "Safetensors", "DurableFiles"]),
    module(
      "TupeloStates",
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "Safetensors", "DurableFiles",
        "CTupeloShims",
      ]),
    // Level 3
    module(
      "TupeloTraining",
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloStates", "TupeloSearch", "TupeloBLAS",
        "TupeloCluster", "SetEngine", "SetNetwork", "SetPlayers", "TupeloDense", "DenseModels", "Safetensors",
        "DurableFiles",
        "PlainText", "Threads",
        .product(name: "Yams", package: "Yams"),
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
        "TupeloCluster", "TupeloDense", "TupeloStates", "TupeloTraining", "TupeloRuns", "TupeloWeb", "SetEngine",
        "SetNetwork",
        "SetPlayers", "SetSolver", "Safetensors", "DurableFiles", "PlainText", "Threads", "CTupeloShims",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["README.md"], swiftSettings: house),

    .target(
      name: "TestSupport", dependencies: ["TupeloEngine"], path: "Tests/TestSupport", swiftSettings: testing),
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
      of: "DenseModels",
      [
        "DenseModels", "TupeloEngine", "SetEngine", "TupeloNetwork", "SetNetwork", "TupeloDense", "TupeloTables",
        "Safetensors",
      ]),
    tests(of: "TupeloLearning", ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloDense", "TupeloLearning"]),
    tests(
      of: "TupeloStates",
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloStates", "Safetensors",
        "DurableFiles",
      ]),
    tests(of: "TupeloSearch", ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "CAllocationCounter"]),
    tests(of: "SetPlayers", ["SetPlayers", "SetEngine", "TupeloEngine", "CAllocationCounter"]),
    tests(of: "SetSolver", ["SetSolver", "SetEngine", "SetPlayers", "TupeloEngine"]),
    tests(of: "TupeloSolver", ["TupeloEngine", "TupeloSolver", "TupeloSearch", "Safetensors", "DurableFiles"]),
    tests(
      of: "TupeloTraining",
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloStates", "TupeloSearch",
        "TupeloSolver",
        "TupeloCluster", "TupeloTraining", "SetEngine", "SetNetwork", "SetPlayers", "TupeloDense", "DenseModels",
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
