internal import Safetensors
internal import TupeloNetwork

/// Reads a model file that the page hands over a piece at a time: the length of the header, the header, the weights.
final class ModelReader {
  /// The piece that is wanted next; `nil` when the network is complete.
  private(set) var next: WeightPieces.Piece?
  /// The network, once it is complete.
  private(set) var network: LoadedNetwork?
  private let byteCount: Int
  private var header: SafetensorsHeader?
  private var weights: (network: LoadingNetwork, pieces: WeightPieces)?

  /// The name of the file in messages.
  private static let path = "the model"

  /// - Parameter byteCount: the length of the file
  init(byteCount: Int) throws(ModelReadingError) {
    self.byteCount = byteCount
    guard byteCount >= SafetensorsHeader.prefix else {
      throw .header(.truncatedHeader(path: Self.path, length: byteCount, expected: SafetensorsHeader.prefix))
    }
    next = WeightPieces.Piece(0..<SafetensorsHeader.prefix)
  }

  /// Reads the piece that was wanted.
  func take(_ bytes: RawSpan) throws(ModelReadingError) {
    guard let piece = next else { return }
    if weights != nil {
      try takeWeights(bytes)
    } else if piece.range.lowerBound == 0 {
      let length = unsafe bytes.unsafeLoadUnaligned(as: UInt64.self)
      do {
        let count = try SafetensorsHeader.length(length, fileLength: byteCount, path: Self.path)
        next = WeightPieces.Piece(SafetensorsHeader.prefix..<SafetensorsHeader.prefix + count)
      } catch {
        throw .header(error)
      }
    } else {
      try takeHeader(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }, end: piece.range.upperBound)
    }
  }

  private func takeHeader(_ bytes: [UInt8], end: Int) throws(ModelReadingError) {
    let (header, text): (SafetensorsHeader, String)
    do {
      header = try SafetensorsHeader(bytes, bufferLength: byteCount - end, path: Self.path)
    } catch {
      throw .header(error)
    }
    do {
      text = try ModelFile.text(in: header)
    } catch {
      throw .model(error)
    }
    let network = try LoadingNetwork(text, path: Self.path)
    let pieces = try WeightPieces(header, tables: network.tables)
    (self.header, weights, next) = (header, (network, pieces), pieces.next)
  }

  private func takeWeights(_ bytes: RawSpan) throws(ModelReadingError) {
    guard let (loading, pieces) = weights else { return }
    try pieces.take(bytes) { (values, table, start) throws(ModelReadingError) in
      try loading.put(values, table: table, from: start)
    }
    next = pieces.next
    guard next == nil else { return }
    network = try loading.finished(fillsStages: header?.metadata[ModelFile.Key.filledStages] != nil)
  }
}
