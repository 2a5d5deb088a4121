// swift-tools-version: 6.3

import PackageDescription

/// Settings of every target of this package: data races, unsafe memory and warnings are errors.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The folders of Sources and of Tests. Base imports no other room, and Core imports only Base.
enum Room: String {
  case base = "Base"
  case core = "Core"
  case train = "Train"
  case program = "Program"
  case set = "Set"
  case research = "Research"
  case page = "Page"
  case python = "Python"

  func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

/// A module of this package. Each module has a README in its folder.
func module(
  _ name: String, in room: Room, _ dependencies: [Target.Dependency] = [], excluding: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: room.path(name), exclude: ["README.md"] + excluding,
    swiftSettings: house, plugins: plugins)
}

/// The settings of tests and of their support.
let testing: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The tests of a module: they import the modules that they name, and the reference implementations.
func tests(of name: String, in room: Room, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(room.rawValue)/\(name)Tests",
    swiftSettings: testing)
}

let package = Package(
  name: "Tupelo",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .library(name: "Tupelo", targets: ["Tupelo"]),
    .library(name: "TupeloTraining", targets: ["TupeloTraining"]),
    .executable(name: "tupelo", targets: ["TupeloCommand"]),
    .library(name: "tupelo_c", type: .dynamic, targets: ["TupeloC"]),
  ],
  traits: [
    .trait(name: "MPI", description: "Trains and evaluates over the ranks of mpirun, by Open MPI (.ci/setup --mpi)."),
    .trait(
      name: "PlainBLAS", description: "Computes by loops in place of OpenBLAS: for a library that needs no other."),
    .trait(
      name: "WithoutLocales",
      description: "Leaves out 34 MB of ICU's languages and calendars, which tupelo_c does not use."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // Base: without games and learning.
    .target(name: "CTupeloShims", path: Room.base.path("CTupeloShims")),
    .systemLibrary(
      name: "COpenBLAS", path: Room.base.path("COpenBLAS"), pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(
      name: "CZlib", path: Room.base.path("CZlib"), pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    module("Randomness", in: .base),
    module("PlainText", in: .base),
    module("Threads", in: .base, ["CTupeloShims"]),
    module("DurableFiles", in: .base, ["PlainText"]),
    module("Safetensors", in: .base, ["DurableFiles", "PlainText"]),
    module(
      "TupeloBLAS", in: .base, ["Threads", .target(name: "COpenBLAS", condition: .when(platforms: [.linux]))]),

    // Core: rules, network, learners and search of 2048.
    module("TupeloEngine", in: .core, ["Randomness"]),
    module("TupeloTables", in: .core, ["CTupeloShims"]),
    module(
      "TupeloNetwork", in: .core,
      ["TupeloTables", "TupeloEngine", "Safetensors", "DurableFiles", "PlainText", "CZlib"]),
    module("TupeloLearning", in: .core, ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloBLAS"]),
    module("TupeloSearch", in: .core, ["TupeloEngine", "Threads", "PlainText", "CTupeloShims"]),
    module(
      "Tupelo", in: .core,
      [
        "Randomness", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloSearch", "Safetensors", "DurableFiles",
      ]),

    // Set: the second game.
    module("SetEngine", in: .set),
    module(
      "SetAgents", in: .set,
      ["SetEngine", "TupeloTables", "TupeloNetwork", "Safetensors", "Randomness", "Threads", "PlainText"]),

    // Set among the games that are trained, evaluated and played.
    module(
      "SetModels", in: .set,
      [
        "SetEngine", "SetAgents", "TupeloModels", "TupeloConfiguration", "TupeloDenseModels", "TupeloNetwork",
        "TupeloTables", "TupeloSearch", "TupeloEngine", "Safetensors",
      ]),

    module(
      "SetTraining", in: .set,
      [
        "SetEngine", "SetAgents", "SetModels", "TupeloTraining", "TupeloDenseTraining", "TupeloDenseModels",
        "TupeloConfiguration", "TupeloModels", "TupeloLearning", "TupeloNetwork", "TupeloTables", "TupeloEngine",
        "Safetensors",
      ]),

    // Research: dense networks, replicas over threads and machines, exact values of small boards.
    module(
      "TupeloDense", in: .research, ["TupeloTables", "TupeloLearning", "TupeloBLAS", "Randomness"]),
    module(
      "TupeloDenseModels", in: .research,
      [
        "TupeloDense", "TupeloModels", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloSearch", "Threads",
        "Safetensors",
      ]),
    module(
      "TupeloDenseTraining", in: .research,
      [
        "TupeloDense", "TupeloDenseModels", "TupeloTraining", "TupeloConfiguration", "TupeloModels", "TupeloLearning",
        "TupeloNetwork", "TupeloTables", "TupeloEngine", "TupeloBLAS", "Threads", "Safetensors", "PlainText",
      ]),
    // Open MPI, only with the package trait MPI.
    .systemLibrary(
      name: "COpenMPI", path: Room.research.path("COpenMPI"), pkgConfig: "ompi-c", providers: [.apt(["libopenmpi-dev"])]
    ),
    .target(
      name: "CTupeloMPI", dependencies: [.target(name: "COpenMPI", condition: .when(traits: ["MPI"]))],
      path: Room.research.path("CTupeloMPI"), cSettings: [.define("TUPELO_MPI", .when(traits: ["MPI"]))]),
    module("TupeloCluster", in: .research, ["TupeloTables", "TupeloBLAS", "Threads"]),
    module(
      "TupeloMPI", in: .research,
      ["TupeloCluster", "Threads", .target(name: "CTupeloMPI", condition: .when(traits: ["MPI"]))]),
    module("TupeloSolver", in: .research, ["TupeloEngine", "Threads"]),

    // Train: configuration, self-play, checkpoints, evaluation.
    module(
      "TupeloModels", in: .train,
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloSearch", "Threads", "Safetensors", "DurableFiles",
        "PlainText",
      ]),
    module(
      "TupeloConfiguration", in: .train,
      [
        "TupeloModels", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "Threads",
        "DurableFiles", "PlainText", .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "TupeloEvaluation", in: .train,
      [
        "TupeloModels", "TupeloConfiguration", "TupeloEngine", "TupeloSearch", "Threads", "PlainText",
      ]),
    module(
      "TupeloTraining", in: .train,
      [
        "TupeloModels", "TupeloConfiguration", "TupeloEvaluation", "TupeloEngine", "TupeloTables", "TupeloNetwork",
        "TupeloLearning", "TupeloSearch", "TupeloBLAS", "TupeloCluster", "Safetensors", "DurableFiles", "PlainText",
        "Threads",
      ]),

    // Program: run folders and the commands.
    module(
      "TupeloRuns", in: .program,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloTraining", "TupeloDenseModels", "TupeloDenseTraining",
        "SetModels", "SetTraining",
        "Safetensors", "DurableFiles", "PlainText",
      ],
      plugins: ["BuildCommit"]),
    .plugin(
      name: "BuildCommit", capability: .buildTool(), path: Room.program.path("BuildCommit"), exclude: ["README.md"]),
    // The name is not "tupelo", because on a file system that ignores case this is the library's name.
    .executableTarget(
      name: "TupeloCommand",
      dependencies: [
        "TupeloEngine", "TupeloBLAS", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloSolver",
        "TupeloCluster", "TupeloMPI", "TupeloDense", "TupeloTraining", "TupeloRuns", "TupeloWeb", "SetEngine",
        "SetAgents", "SetModels", "TupeloDenseModels",
        "Safetensors", "DurableFiles", "PlainText", "Threads", "CTupeloShims",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: Room.program.path("TupeloCommand"), exclude: ["README.md"], swiftSettings: house),

    // Page: the page, its server, and the engine in it. The program carries the page's files.
    .target(name: "CPageFiles", path: Room.page.path("CPageFiles")),
    module(
      "TupeloWeb", in: .page,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetAgents", "TupeloRuns", "Safetensors",
        "Threads", "CPageFiles", .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      excluding: ["Page", "App"]),
    // Built for this machine to notice changes that break it; .ci/site builds it for the page.
    module(
      "TupeloWebAssembly", in: .page, ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetAgents"],
      excluding: ["runtime.c"]),

    // Python: the C interface, for programs in other languages. The package for Python beside it is not a target.
    .target(
      name: "CTupeloAPI", path: Room.python.path("CTupeloAPI"),
      cSettings: [.define("TUPELO_WITHOUT_LOCALES", .when(traits: ["WithoutLocales"]))]),
    module(
      "TupeloC", in: .python,
      [
        "CTupeloAPI", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloSearch", "TupeloDense",
        "TupeloDenseModels", "TupeloDenseTraining", "SetEngine", "SetModels", "SetTraining", "TupeloModels",
        "TupeloTraining", "Threads",
      ]),

    .target(
      name: "TestSupport", dependencies: ["TupeloEngine", "SetEngine"], path: "Tests/TestSupport",
      swiftSettings: testing),
    .target(
      name: "TrainingSupport", dependencies: ["TestSupport", "TupeloTraining"], path: "Tests/TrainingSupport",
      swiftSettings: testing),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),

    tests(of: "Randomness", in: .base, ["Randomness"]),
    tests(of: "PlainText", in: .base, ["PlainText"]),
    tests(of: "Threads", in: .base, ["Threads"]),
    tests(of: "DurableFiles", in: .base, ["DurableFiles"]),
    tests(of: "Safetensors", in: .base, ["Safetensors", "DurableFiles"]),
    tests(of: "TupeloBLAS", in: .base, ["TupeloBLAS"]),

    tests(of: "TupeloEngine", in: .core, ["TupeloEngine", "CAllocationCounter"]),
    tests(of: "TupeloTables", in: .core, ["TupeloTables"]),
    tests(
      of: "TupeloNetwork", in: .core,
      ["TupeloEngine", "TupeloTables", "TupeloNetwork", "Safetensors", "DurableFiles", "CAllocationCounter"]),
    tests(of: "TupeloLearning", in: .core, ["TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning"]),
    tests(of: "TupeloSearch", in: .core, ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "CAllocationCounter"]),
    // These tests use the package as an app does: one dependency, one import.
    .testTarget(
      name: "TupeloTests", dependencies: ["Tupelo"], path: "Tests/Core/TupeloTests", swiftSettings: testing),

    tests(of: "SetEngine", in: .set, ["SetEngine", "TupeloEngine", "CAllocationCounter"]),
    tests(
      of: "SetAgents", in: .set,
      ["SetAgents", "SetEngine", "TupeloEngine", "TupeloTables", "TupeloNetwork", "Safetensors", "CAllocationCounter"]),

    tests(
      of: "SetTraining", in: .set,
      ["SetTraining", "SetModels", "SetAgents", "SetEngine", "TupeloTraining", "TupeloEngine", "Safetensors"]),

    tests(
      of: "TupeloDense", in: .research,
      ["TupeloDense", "TupeloTables", "TupeloLearning", "TupeloBLAS", "CAllocationCounter"]),
    tests(
      of: "TupeloDenseModels", in: .research,
      [
        "TupeloDenseModels", "TupeloDense", "TupeloModels", "TupeloEngine", "TupeloNetwork", "TupeloTables",
        "SetEngine",
        "SetAgents", "SetModels", "Safetensors",
      ]),
    tests(
      of: "TupeloDenseTraining", in: .research,
      [
        "TupeloDenseTraining", "TupeloDenseModels", "TupeloDense", "TupeloTraining", "TupeloModels", "TupeloEngine",
        "TupeloNetwork", "TupeloSearch", "TupeloSolver", "SetAgents", "SetEngine", "SetModels", "SetTraining",
        "Safetensors", "TrainingSupport",
      ]),
    tests(of: "TupeloCluster", in: .research, ["TupeloCluster", "TupeloTables", "Threads"]),
    tests(of: "TupeloSolver", in: .research, ["TupeloEngine", "TupeloSolver", "TupeloSearch"]),

    tests(
      of: "TupeloModels", in: .train,
      ["TupeloModels", "TupeloConfiguration", "TupeloEvaluation", "TupeloEngine", "TupeloNetwork", "Safetensors"]),
    tests(
      of: "TupeloTraining", in: .train,
      [
        "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloSolver",
        "TupeloCluster", "TupeloTraining", "SetEngine", "SetAgents", "SetModels", "SetTraining", "TupeloDenseModels",
        "TupeloDenseTraining", "TupeloModels", "Safetensors", "DurableFiles", "TrainingSupport", "CAllocationCounter",
      ]),

    tests(
      of: "TupeloRuns", in: .program,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloTraining", "TupeloRuns",
        "Safetensors",
        "DurableFiles",
      ]),
    tests(
      of: "TupeloCommand", in: .program,
      [
        "Tupelo", "TupeloCommand", "TupeloEngine", "TupeloNetwork", "TupeloTraining", "TupeloRuns", "SetEngine",
        "Safetensors",
      ]),

    tests(
      of: "TupeloC", in: .python,
      [
        "TupeloC", "CTupeloAPI", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloTraining", "TupeloDenseModels",
        "TupeloDenseTraining", "SetModels", "SetTraining", "Threads",
      ]),

    tests(
      of: "TupeloWeb", in: .page,
      [
        "Threads", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetAgents", "Safetensors",
        "TupeloWeb",
      ]),
    tests(
      of: "TupeloWebAssembly", in: .page,
      ["TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloWebAssembly"]),
  ],
  // `#embed` needs this standard of C.
  cLanguageStandard: .gnu2x
)

// .ci/sanitize names the test targets that it runs, so that the program and the other test targets are not built for
// it.
if let names = Context.environment["TUPELO_TEST_TARGETS"] {
  let wanted = Set(names.split(separator: " ").map(String.init))
  let unknown = wanted.subtracting(package.targets.map(\.name))
  precondition(unknown.isEmpty, "TUPELO_TEST_TARGETS names no targets of the package: \(unknown)")
  package.targets.removeAll { $0.type == .executable || $0.type == .test && !wanted.contains($0.name) }
  package.products.removeAll { $0.name == "tupelo" }
}
