internal import Foundation

/// Paths for what tests write, gone afterwards if the test removes them.
public enum TemporaryFile {
  public static func path(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("tupelo-\(UUID().uuidString)-\(name)").path
  }

  public static func remove(_ path: String) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
    } catch {
      print("left behind: \(path): \(error)")
    }
  }
}
