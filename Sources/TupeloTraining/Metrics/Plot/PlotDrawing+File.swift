internal import Safetensors

extension PlotDrawing {
  /// The kinds of file, by their extension.
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
  public func write(to path: String, as format: Format) throws {
    let file = try ReplacementFile(path: path)
    do {
      let bytes = Array(text(as: format).utf8)
      try file.append(unsafe bytes.span.bytes)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }
}
