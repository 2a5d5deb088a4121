internal import Foundation
package import TupeloBase

extension ReplacementFile {
  /// Removes temporary files that killed processes left behind while they wrote a file. They lie beside the file, or
  /// beside the file that a link leads to. Files that are still being written stay.
  ///
  /// - Returns: the paths of the files that were removed
  package static func removeRemains(of path: String) throws -> [String] {
    let file = realPath(of: path)
    let (folder, name) = (file.parentFolder, (file as NSString).lastPathComponent)
    guard isFolder(folder), FileManager.default.isReadableFile(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { isRemains(name: $0, of: name) }
      .map { (folder as NSString).appendingPathComponent($0) }.filter(removeIfAbandoned)
  }
}
