package import Foundation

/// The URL of the file at a path, byte for byte.
///
/// `URL(fileURLWithPath:)` takes `~` at the beginning of a path for a home folder. No other function for files does so,
/// and a folder may have this name. A shell has already replaced a `~` that means the home folder.
package func fileURL(_ path: String) -> URL {
  URL(fileURLWithPath: path.utf8.first == UInt8(ascii: "~") ? "./" + path : path)
}
