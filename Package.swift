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

/// How tests are compiled: without optimisation and debug information, and by one process for each target. They gain
/// nothing from more, and most of the time of a build would go into it. A package that depends on this one never builds
/// tests, so these flags do not bar it.
let quickly = [
  "-Onone", "-gnone", "-no-whole-module-optimization", "-enable-batch-mode", "-driver-batch-count", "1",
  "-no-emit-module-separately",
]

/// The tests of a room, in one target. Code that must be fast in a test stands in TestSupport or TrainingSupport.
func tests(of room: Room, in folder: String? = nil, excluding: [String] = [], _ dependencies: [Target.Dependency])
  -> Target
{
  .testTarget(
    name: room.rawValue + "Tests", dependencies: dependencies + ["TestSupport"],
    path: "Tests/\(room.rawValue)" + (folder.map { "/\($0)" } ?? ""), exclude: excluding,
    swiftSettings: testing + [.unsafeFlags(quickly)])
}

let package = Package(
  name: "Tupelo",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .library(name: "Tupelo", targets: ["Tupelo"]),
    .library(name: "TupeloTraining", targets: ["TupeloTraining"]),
    .executable(name: "tupelo", targets: ["TupeloMain"]),
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

    // Program: run folders, the benchmark and the commands.
    module(
      "TupeloRuns", in: .program,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloEvaluation", "TupeloTraining", "TupeloDenseModels",
        "TupeloDenseTraining", "SetModels", "SetTraining", "Safetensors", "DurableFiles", "PlainText",
      ]),
    module(
      "TupeloBench", in: .program,
      [
        "TupeloEngine", "TupeloBLAS", "TupeloTables", "TupeloNetwork", "TupeloLearning", "TupeloSearch", "TupeloDense",
        "TupeloTraining", "DurableFiles", "Threads", "CTupeloShims",
      ]),
    module(
      "TupeloCommand", in: .program,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "TupeloSolver", "TupeloCluster", "TupeloMPI", "TupeloTraining",
        "TupeloRuns", "TupeloBench", "TupeloWeb", "SetEngine", "SetAgents", "SetModels", "Safetensors", "DurableFiles",
        "PlainText", "Threads", "CTupeloShims", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .plugin(
      name: "BuildCommit", capability: .buildTool(), path: Room.program.path("BuildCommit"), exclude: ["README.md"]),
    // The name is not "tupelo", because on a file system that ignores case this is the library's name.
    .executableTarget(
      name: "TupeloMain", dependencies: ["TupeloCommand"], path: Room.program.path("TupeloMain"),
      exclude: ["README.md"], swiftSettings: house, plugins: ["BuildCommit"]),

    // Page: the page, its server, and the engine in it. The program carries the page's files.
    .target(name: "CPageFiles", path: Room.page.path("CPageFiles")),
    module(
      "TupeloWeb", in: .page,
      [
        "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetAgents", "TupeloModels", "TupeloEvaluation",
        "Safetensors", "Threads", "CPageFiles", .product(name: "FlyingSocks", package: "FlyingFox"),
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

    tests(
      of: .base,
      [
        "Randomness", "PlainText", "Threads", "DurableFiles", "Safetensors", "TupeloBLAS",
      ]),
    tests(
      of: .core,
      [
        "Tupelo", "DurableFiles", "Safetensors", "TupeloEngine", "TupeloTables", "TupeloNetwork", "TupeloLearning",
        "TupeloSearch", "CAllocationCounter",
      ]),
    tests(
      of: .train,
      [
        "TupeloTraining", "DurableFiles", "Safetensors", "TupeloEngine", "TupeloTables", "TupeloNetwork",
        "TupeloLearning", "TupeloSearch", "SetEngine", "SetAgents", "SetModels", "SetTraining", "TupeloDenseModels",
        "TupeloDenseTraining", "TupeloCluster", "TupeloSolver", "TupeloModels", "TupeloConfiguration",
        "TupeloEvaluation", "TrainingSupport", "CAllocationCounter",
      ]),
    tests(
      of: .research,
      [
        "TupeloTraining", "Threads", "Safetensors", "TupeloBLAS", "TupeloEngine", "TupeloTables", "TupeloNetwork",
        "TupeloLearning", "TupeloSearch", "SetEngine", "SetAgents", "SetModels", "SetTraining", "TupeloDense",
        "TupeloDenseModels", "TupeloDenseTraining", "TupeloCluster", "TupeloSolver", "TupeloModels",
        "TrainingSupport", "CAllocationCounter",
      ]),
    tests(
      of: .set,
      [
        "TupeloTraining", "Safetensors", "TupeloEngine", "TupeloTables", "TupeloNetwork", "SetEngine", "SetAgents",
        "SetModels", "SetTraining", "CAllocationCounter",
      ]),
    tests(
      of: .page, excluding: ["Browser"],
      [
        "Threads", "Safetensors", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetEngine", "SetAgents",
        "TupeloWeb", "TupeloWebAssembly",
      ]),
    tests(
      of: .program,
      [
        "Tupelo", "TupeloTraining", "DurableFiles", "Safetensors", "TupeloEngine", "TupeloNetwork", "TupeloLearning",
        "TupeloSearch", "SetEngine", "TupeloRuns", "TupeloBench",
      ]),
    tests(
      of: .python, in: "TupeloCTests",
      [
        "TupeloTraining", "Threads", "TupeloEngine", "TupeloNetwork", "TupeloSearch", "SetModels", "SetTraining",
        "TupeloDenseModels", "TupeloDenseTraining", "CTupeloAPI", "TupeloC",
      ]),
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
