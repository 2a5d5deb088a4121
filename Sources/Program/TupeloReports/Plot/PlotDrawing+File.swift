internal import TupeloBase
internal import TupeloTraining

extension PlotDrawing {
  /// The file formats, by file extension.
  public enum Format: String, CaseIterable, Sendable {
    case svg
    case html

    public init?(path: String) {
      let name = path.lowercased()
      guard let format = Self.allCases.first(where: { name.hasSuffix("." + $0.rawValue) }) else { return nil }
      self = format
    }
  }

  public func text(as format: Format) -> String {
    switch format {
    case .svg: svg
    case .html: html
    }
  }

  /// Writes the picture. The file appears whole or not at all.
  ///
  /// - Throws: `SystemError` that names the file.
  public func write(to path: String, as format: Format) throws {
    try TextFile.write(text(as: format), to: path)
  }
}
