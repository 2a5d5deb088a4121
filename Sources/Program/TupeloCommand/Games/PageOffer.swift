internal import Foundation
internal import Safetensors
internal import SetAgents
internal import TupeloNetwork
internal import TupeloTraining
internal import TupeloWeb

/// The models that the page plays by, for each game.
struct PageOffer {
  var boardModels: [WebModel] = []
  /// The model that the page plays 2048 by itself.
  var page: PageModel?
  /// The paths of models of Set; the page has one.
  var setModels: [String] = []
  var setAgents = SetWebAgent.offered
  /// The model that the page plays Set by itself.
  var setPage: PageModel?

  /// The model for the page itself: one that is stored to play with and fits a browser. Others stay at the server.
  static func pageModel(
    in file: SafetensorsFile, if fits: @autoclosure () throws -> Bool = true
  ) throws -> PageModel? {
    guard file.metadata[ModelFile.Key.encoding] != nil, try fits() else { return nil }
    return PageModel(agent: "network", file: [UInt8](try Data(contentsOf: fileURL(file.path))))
  }
}
