import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloConfiguration
import TupeloEngine
import TupeloEvaluation
import TupeloModels
import TupeloNetwork
import TupeloRuns
import TupeloSearch
import TupeloTables
import TupeloTraining

/// An app shows `localizedDescription`, which for other errors is "The operation could not be completed".
@Suite struct LocalizedErrorTests {
  private static let errors: [any Error] = [
    AgentSpecificationError.badParentheses, BoardTextError.badDigit("x", position: 3),
    CheckpointError.playOnly(path: "a"), CheckpointRescue(reason: "a", copy: "b/c"),
    CompactModelError.badMetadata(path: "a", key: "b"),
    EvaluationShardError.notAShard(file: "a", reason: "b"), ExternalRunError.missing(key: "a"),
    FoldError.nothingToFold(network: "a"),
    GameRecordError.badHeader("a"), MetricsError.LineProblem.notJSON, MetricsError.missing(path: "a"),
    ModelEvaluationError(path: "a", reason: "b"), ModelFileError.notAModel(path: "a"),
    ModelPathError.noModel(folder: "a"),
    NamedLayoutError.unknown("a"), NetworkSpecificationError.noPatterns, ProbeBoardsError.badHeader("a"),
    ReplicaMergeError.nothingToMerge, RulesError.shapeOutOfRange(rows: 9, columns: 9),
    RunDirectoryError.noLocks(path: "a"),
    SafetensorsError.text(path: "a"), SearchLimitsError.plies(99), SearchTableError(byteCount: 1),
    StagePartitionError.notAscending(2, 1),
    SystemError.cannotOpen(path: "a", errno: 2), TDLWeightFileError.notAWeightFile(path: "a"),
    TrainedModelError.dense(path: "a"), TrainingError.diverged(games: 1), TuplePatternError.badLength("a", 1),
    ValueRefusal.noValue, WeightStorageError.refused(bytes: 1),
  ]

  private static let configuration: ConfigurationError? = {
    do throws(ConfigurationError) {
      _ = try RunConfiguration.load(yaml: "x: 1", sourceName: "x.yaml", environment: [:], overrides: [], of: testGames)
      return nil
    } catch {
      return error
    }
  }()

  @Test func appsShowTheText() throws {
    let configuration = try #require(Self.configuration)
    for error in Self.errors + [configuration, configuration.problems[0]] {
      #expect(error.localizedDescription == "\(error)", "\(type(of: error))")
    }
  }

  /// The errors above are all public ones of the products.
  @Test func noErrorIsMissing() throws {
    var declared: Set<String> = ["ConfigurationError", "Problem"]
    for room in ["Base", "Core", "Train"] {
      let folder = "Sources/\(room)"
      let files = try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder))
      for file in files where file.hasSuffix(".swift") && !file.contains("+Embedded") {
        let text = try Repository.text(of: "\(folder)/\(file)")
        declared.formUnion(text.matches(of: /public (?:enum|struct) (\w+):[^{\n]*\bError\b/).map { String($0.1) })
      }
    }
    #expect(declared == Set(Self.errors.map { "\(type(of: $0))" } + ["ConfigurationError", "Problem"]))
  }
}
