#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Safetensors

/// A model that can be loaded from a file, from a folder with such a file, or from bytes in memory.
///
/// All ways read the same format with the same checks. The bytes may come from anywhere: for any bytes, loading gives a
/// sound model or an error of one line.
public protocol StoredModel {
  /// Loads the model from a file that is open already.
  ///
  /// - Throws: the errors of the model; see the type.
  init(file: SafetensorsFile) throws
}

extension StoredModel {
  /// Loads the model from a model file, a checkpoint, or a folder.
  ///
  /// - Parameter path: the path of the file, of a run folder, or of a folder with `model.safetensors`; see `ModelPath`
  /// - Throws: `SystemError` for a file that cannot be read; `ModelPathError` for a folder without a model;
  ///   `SafetensorsError` for a file that is not in the format; the errors of `init(file:)`.
  public init(path: String) throws {
    try self.init(file: SafetensorsFile(path: ModelPath.file(at: path)))
  }

  /// Loads the model from a model file, a checkpoint, or a folder, such as a resource of an app.
  ///
  /// - Parameter url: the file URL of a file or folder that `init(path:)` takes
  /// - Throws: `ModelPathError.notAFile` if the URL is not a file URL; the errors of `init(path:)`.
  public init(contentsOf url: URL) throws {
    guard url.isFileURL else { throw ModelPathError.notAFile(url: url.absoluteString) }
    try self.init(path: url.path)
  }

  /// Loads the model from the bytes of a model file or a checkpoint, such as an array or Foundation's `Data`.
  ///
  /// The bytes stay in memory while the model is loaded, not longer.
  ///
  /// - Parameters:
  ///   - bytes: the whole file
  ///   - name: the name of the bytes in errors
  /// - Throws: `SafetensorsError` for bytes that are not in the format; the errors of `init(file:)`.
  public init(bytes: some Sequence<UInt8>, name: String = "the model") throws {
    try self.init(file: SafetensorsFile(bytes: bytes, name: name))
  }
}
