internal import Foundation

/// Paths for files that tests write, and should remove at their end.
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
