internal import Foundation
internal import Safetensors
internal import SetAgents
internal import SetEngine
internal import SetTraining
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining
internal import TupeloWeb

/// The models that the page plays by, for each game.
struct PageOffer {
  var boardModels: [WebModel] = []
  /// The model that the page plays 2048 by itself.
  var page: PageModel?
  /// The model of Set, and its path.
  var setModel: StaticSite.Model?
  var setPath: String?

  /// The model for the page itself: one that is stored to play with and fits a browser. Others stay at the server.
  static func pageModel(in file: SafetensorsFile, if fits: @autoclosure () throws -> Bool) throws -> PageModel? {
    guard file.metadata[ModelFile.Key.encoding] != nil, try fits() else { return nil }
    return PageModel(agent: "network", file: [UInt8](try Data(contentsOf: fileURL(file.path))))
  }

  /// The structure of a model of Set that a page can play by.
  ///
  /// - Parameter option: what names the model on the command line
  static func setSpecification(
    of description: ModelDescription, path: String, option: String = "model"
  ) throws -> SetSpecification {
    guard let network = description.structure as? SetSpecification else {
      throw CommandEnd.failure("\(path): is not a table network of Set, which the page needs: name another \(option)")
    }
    guard network.rules == .standard else {
      throw CommandEnd.failure("\(path): a network for other rules of Set: the page plays 81 cards, 12 on the table")
    }
    return network
  }

  /// The bytes of a model file to play with: the file itself if it is small, or else its compact form.
  ///
  /// - Parameters:
  ///   - trained: the model in the file, if somebody has read it
  ///   - measure: gives the wanted facts about that file
  static func packed<Measure>(
    _ file: SafetensorsFile, trained: TrainedModel? = nil, measure: (SafetensorsFile) throws -> Measure
  ) throws -> (bytes: [UInt8], measure: Measure) {
    if file.metadata[ModelFile.Key.encoding] != nil {
      return ([UInt8](try Data(contentsOf: fileURL(file.path))), try measure(file))
    }
    let trained = try trained ?? TrainedModel(file: file, of: .program)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tupelo-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { removeTemporary(folder) }
    let compact = folder.appendingPathComponent("model.safetensors")
    try trained.save(to: compact.path, format: .compact(), metadata: try ModelOrigin.metadata(of: file, in: .program))
    return ([UInt8](try Data(contentsOf: compact)), try measure(SafetensorsFile(path: compact.path)))
  }

  private static func removeTemporary(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Terminal.note("\(folder.path): cannot be removed: \(FailedCall.reason(error))")
    }
  }
}
