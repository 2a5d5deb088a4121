import Foundation

/// The small model that comes with the repository.
enum SiteModel {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("models/17x4/model.safetensors").path

  static var bytes: [UInt8] { get throws { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) } }
}
