import Foundation
import TestSupport

/// The small models that come with the repository.
enum SiteModel {
  private static let folder = URL(fileURLWithPath: Repository.file("models"))

  static let path = folder.appendingPathComponent("17x4/model.safetensors").path
  static let setPath = folder.appendingPathComponent("set/model.safetensors").path

  static var bytes: [UInt8] { get throws { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) } }
  static var setBytes: [UInt8] { get throws { try [UInt8](Data(contentsOf: URL(fileURLWithPath: setPath))) } }
}
