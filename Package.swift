// swift-tools-version: 6.3
import PackageDescription

/// The settings of tests and of their support.
let testing: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The settings of modules: data races, unsafe memory and warnings are errors.
let house = testing + [.strictMemorySafety(), .treatAllWarnings(as: .error)]

/// The folders of Sources and of Tests. A room imports only rooms above it: RoomTests compares every import.
enum Room: String {
  case base = "Base", core = "Core", train = "Train", research = "Research", set = "Set", page = "Page"
  case program = "Program", python = "Python"

  func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

/// Modules of this package by their names, with a space between two.
func modules(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map { .byName(name: String($0)) }
}

/// A module of this package, and the modules that it imports. Each module has a README in its folder.
func module(
  _ name: String, in room: Room, _ imports: String = "", _ others: [Target.Dependency] = [], excluding: [String] = [],
  settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: modules(imports) + others, path: room.path(name), exclude: ["README.md"] + excluding,
    swiftSettings: house + settings)
}

/// How release builds compile tests: without optimisation and debug information, by one process for each target. Tests
/// gain nothing from more, and most of the time of a build would go into it. A package that depends on this one
/// never builds tests, so these flags do not bar it.
let quickly = [
  "-Onone", "-gnone", "-no-whole-module-optimization", "-enable-batch-mode", "-driver-batch-count", "1",
  "-no-emit-module-separately",
]

/// The tests of a room, in one target. They also import what these modules import. Code that must be fast in a test
/// stands in TestSupport or TrainingSupport.
func tests(of room: Room, in folder: String? = nil, excluding: [String] = [], _ imports: String) -> Target {
  .testTarget(
    name: room.rawValue + "Tests", dependencies: modules(imports + " TestSupport"),
    path: "Tests/\(room.rawValue)" + (folder.map { "/\($0)" } ?? ""), exclude: excluding,
    swiftSettings: testing + [.unsafeFlags(quickly, .when(configuration: .release))])
}

/// The traits with which the packages for the program are fetched. A trait enables no other trait: SwiftPM passes two
/// traits to the compiler in a random order, and then a second build compiles everything again.
let program: Set<String> = ["Program", "MPI", "PlainBLAS", "WithoutLocales"]

/// Whether the Package Index builds. On Linux it has no OpenBLAS.
let isPackageIndex = Context.environment["SPI_BUILD"] != nil

let package = Package(
  name: "Tupelo",
  // Platforms.md says what was tried. Not higher than macOS 13.2 and iOS 16.3: later the functions of Accelerate that
  // TupeloBLAS calls are deprecated, and warnings are errors.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "Tupelo", targets: ["Tupelo"]),
    .library(name: "TupeloTraining", targets: ["TupeloTraining", "TupeloRuns"]),
    .library(name: "TupeloCommand", targets: ["TupeloCommand"]),
    .executable(name: "tupelo", targets: ["TupeloMain"]),
    .library(name: "tupelo_c", type: .dynamic, targets: ["TupeloC"]),
  ],
  traits: [
    .default(enabledTraits: isPackageIndex ? ["Program", "PlainBLAS"] : ["Program"]),
    .trait(name: "Program", description: "The whole package."),
    .trait(name: "Training", description: "Products Tupelo and TupeloTraining: no package but Yams is fetched."),
    .trait(name: "MPI", description: "Trains and evaluates over the ranks of mpirun, by Open MPI (.ci/setup --mpi)."),
    .trait(name: "PlainBLAS", description: "Computes by loops in place of OpenBLAS."),
    .trait(name: "WithoutLocales", description: "Leaves out ICU's 34 MB of languages, which tupelo_c does not use."),
  ],
  // Exact, so that a build in a year fetches what one of today does; Yams is also for clients of TupeloTraining.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    // Base: without games and learning.
    .target(name: "CTupeloShims", path: Room.base.path("CTupeloShims")),
    .systemLibrary(
      name: "COpenBLAS", path: Room.base.path("COpenBLAS"), pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(name: "CZlib", path: Room.base.path("CZlib"), pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Array+Span.swift says how long a span lives.
    module("TupeloBase", in: .base, "CTupeloShims", settings: [.enableExperimentalFeature("Lifetimes")]),
    module("Safetensors", in: .base, "TupeloBase"),
    module(
      "TupeloBLAS", in: .base, "TupeloBase",
      isPackageIndex ? [] : [.target(name: "COpenBLAS", condition: .when(platforms: [.linux]))]),

    // Core: rules, network, learners and search of 2048.
    module("TupeloEngine", in: .core, "TupeloBase"),
    module("TupeloTables", in: .core, "CTupeloShims"),
    module("TupeloNetwork", in: .core, "CZlib Safetensors TupeloBase TupeloEngine TupeloTables"),
    module("TupeloLearning", in: .core, "TupeloBase TupeloTables"),
    module("TupeloSearch", in: .core, "CTupeloShims TupeloBase TupeloEngine TupeloTables"),
    module("Tupelo", in: .core, "Safetensors TupeloBase TupeloEngine TupeloNetwork TupeloSearch TupeloTables"),

    // Train: models, configuration, replicas, evaluation, self-play, run folders.
    module("TupeloSelfPlay", in: .train, "TupeloBase TupeloEngine TupeloLearning TupeloNetwork TupeloTables"),
    module("TupeloModels", in: .train, "Safetensors TupeloBase TupeloEngine TupeloNetwork TupeloSearch TupeloTables"),
    module(
      "TupeloConfiguration", in: .train,
      "TupeloBase TupeloEngine TupeloLearning TupeloModels TupeloNetwork TupeloSearch TupeloSelfPlay TupeloTables",
      [.product(name: "Yams", package: "Yams", condition: .when(traits: program.union(["Training"])))]),
    module("TupeloEvaluation", in: .train, "TupeloBase TupeloConfiguration TupeloEngine TupeloModels TupeloSearch"),
    module("TupeloCluster", in: .train, "TupeloBLAS TupeloBase TupeloTables"),
    module(
      "TupeloTraining", in: .train,
      """
      Safetensors TupeloBLAS TupeloBase TupeloCluster TupeloConfiguration TupeloEngine TupeloEvaluation TupeloLearning \
      TupeloModels TupeloNetwork TupeloSearch TupeloSelfPlay TupeloTables
      """),
    module(
      "TupeloRuns", in: .train,
      "CTupeloShims Safetensors TupeloBase TupeloEvaluation TupeloNetwork TupeloSearch TupeloTraining"),

    // Research: dense networks, exact values of small boards.
    module(
      "TupeloDense", in: .research,
      """
      Safetensors TupeloBLAS TupeloBase TupeloConfiguration TupeloEngine TupeloLearning TupeloModels TupeloNetwork \
      TupeloSearch TupeloSelfPlay TupeloTables TupeloTraining
      """),
    module("TupeloSolver", in: .research, "TupeloBase TupeloEngine"),

    // Set: the second game.
    module("SetEngine", in: .set, "Safetensors"),
    module("SetAgents", in: .set, "Safetensors SetEngine TupeloBase TupeloNetwork TupeloTables"),
    module(
      "SetTraining", in: .set,
      """
      Safetensors SetAgents SetEngine TupeloBase TupeloConfiguration TupeloDense TupeloLearning TupeloModels \
      TupeloNetwork TupeloSearch TupeloSelfPlay TupeloTables TupeloTraining
      """),

    // Page: the page, its server, and the engine in it. The program carries the page's files.
    .target(name: "CPageFiles", path: Room.page.path("CPageFiles")),
    module(
      "TupeloWeb", in: .page,
      "CPageFiles Safetensors TupeloBase TupeloEngine TupeloEvaluation TupeloModels TupeloNetwork TupeloSearch",
      [.product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: program))],
      excluding: ["Page", "App"]),
    // Built for this machine to notice changes that break it; .ci/site builds it for the page.
    module(
      "TupeloWebAssembly", in: .page,
      "Safetensors SetAgents SetEngine TupeloEngine TupeloNetwork TupeloSearch TupeloTables",
      excluding: ["runtime.c"]),
    module(
      "TupeloWebLearning", in: .page,
      "TupeloBase TupeloEngine TupeloLearning TupeloNetwork TupeloSelfPlay TupeloTables"),

    // Program: plots, comparisons, sweeps, model cards, the benchmark and the commands. Open MPI is there only with the
    // package trait MPI.
    .systemLibrary(
      name: "COpenMPI", path: Room.program.path("COpenMPI"), pkgConfig: "ompi-c", providers: [.apt(["libopenmpi-dev"])]
    ),
    .target(
      name: "CTupeloMPI", dependencies: [.target(name: "COpenMPI", condition: .when(traits: ["MPI"]))],
      path: Room.program.path("CTupeloMPI"), cSettings: [.define("TUPELO_MPI", .when(traits: ["MPI"]))]),
    .target(name: "CTupeloStart", path: Room.program.path("CTupeloStart")),
    module(
      "TupeloReports", in: .program,
      """
      Safetensors SetTraining TupeloBLAS TupeloBase TupeloDense TupeloEngine TupeloEvaluation TupeloLearning \
      TupeloNetwork TupeloRuns TupeloSearch TupeloTables TupeloTraining
      """),
    module(
      "TupeloCommand", in: .program,
      """
      CTupeloShims CTupeloStart Safetensors SetAgents SetEngine SetTraining TupeloBase TupeloCluster TupeloEngine \
      TupeloNetwork TupeloReports TupeloRuns TupeloSearch TupeloSolver TupeloTraining TupeloWeb
      """,
      [
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: program)),
        .target(name: "CTupeloMPI", condition: .when(traits: ["MPI"])),
      ]),
    .plugin(
      name: "BuildCommit", capability: .buildTool(), path: Room.program.path("BuildCommit"), exclude: ["README.md"]),
    // The name is not "tupelo", because on a file system that ignores case this is the library's name.
    .executableTarget(
      name: "TupeloMain", dependencies: ["TupeloCommand"], path: Room.program.path("TupeloMain"),
      exclude: ["README.md"], swiftSettings: house, plugins: ["BuildCommit"]),

    // Python: the C interface, for programs in other languages. The package for Python beside it is not a target.
    .target(
      name: "CTupeloAPI", path: Room.python.path("CTupeloAPI"),
      cSettings: [.define("TUPELO_WITHOUT_LOCALES", .when(traits: ["WithoutLocales"]))]),
    module(
      "TupeloC", in: .python,
      """
      CTupeloAPI Safetensors SetEngine SetTraining TupeloBase TupeloDense TupeloEngine TupeloModels TupeloNetwork \
      TupeloRuns TupeloSearch TupeloTables TupeloTraining
      """),

    .target(
      name: "TestSupport", dependencies: ["TupeloEngine", "SetEngine"], path: "Tests/TestSupport",
      swiftSettings: testing),
    .target(
      name: "TrainingSupport",
      dependencies: modules("Safetensors TestSupport TupeloCluster TupeloLearning TupeloTraining"),
      path: "Tests/TrainingSupport", swiftSettings: testing),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .executableTarget(
      name: "OwnProgram", dependencies: ["TupeloCommand", "TupeloTraining"], path: "Tests/OwnProgram",
      swiftSettings: testing),

    tests(of: .base, "TupeloBLAS Safetensors"),
    tests(of: .core, "Tupelo TupeloLearning CAllocationCounter"),
    tests(of: .train, "SetTraining TupeloRuns TupeloSolver TrainingSupport CAllocationCounter"),
    tests(of: .research, "SetTraining TupeloSolver TrainingSupport CAllocationCounter"),
    tests(of: .set, "SetTraining TrainingSupport CAllocationCounter"),
    tests(of: .page, excluding: ["Browser"], "TupeloTraining TupeloWeb TupeloWebAssembly TupeloWebLearning"),
    tests(of: .program, "TupeloReports Tupelo TrainingSupport"),
    tests(of: .python, in: "TupeloCTests", "TupeloC"),
  ],
  // `#embed` needs this standard of C.
  cLanguageStandard: .gnu2x
)

// .ci/sanitize and .ci/ranks name the test targets that they run, so that no others are built. The program is built
// only if it is named, too.
if let names = Context.environment["TUPELO_TEST_TARGETS"] {
  let wanted = Set(names.split(separator: " ").map(String.init))
  let unknown = wanted.subtracting(package.targets.map(\.name))
  precondition(unknown.isEmpty, "TUPELO_TEST_TARGETS names no targets of the package: \(unknown)")
  package.targets.removeAll { [.executable, .test].contains($0.type) && !wanted.contains($0.name) }
  if !wanted.contains("TupeloMain") { package.products.removeAll { $0.name == "tupelo" } }
}
