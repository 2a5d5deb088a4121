package import Safetensors
internal import TupeloBase

/// Reads the weights of a model file whose bytes somebody else has and hands over a piece at a time: the page, whose
/// browser unpacks streams.
package final class WeightPieces {
  /// Bytes that are wanted next.
  package struct Piece {
    /// The bytes in the file.
    package let range: Range<Int>
    /// The number of bytes when a zlib stream is unpacked; `nil` for bytes that are not packed.
    package let unpackedCount: Int?

    package init(_ range: Range<Int>, unpackedCount: Int? = nil) {
      (self.range, self.unpackedCount) = (range, unpackedCount)
    }
  }

  /// The next piece; `nil` when all weights are there.
  package private(set) var next: Piece?
  private let header: SafetensorsHeader
  private let tables: [NetworkTable]
  private let encoding: WeightEncoding
  /// The table of the next piece, and the piece's first weight in it.
  private var (number, start) = (0, 0)
  /// The streams of a compact table, and those of them that are there.
  private var streams: [PackedStream] = []
  private var parts: CompactParts?

  /// The most weights of a piece or of a stretch.
  private static var chunk: Int { 1 << 16 }

  /// - Throws: `ModelReadingError` for tensors that are missing or have another size than the tables.
  package init(_ header: SafetensorsHeader, tables: [NetworkTable]) throws(ModelReadingError) {
    (self.header, self.tables) = (header, tables)
    encoding = try WeightEncoding(header, tables: tables)
    try advance()
  }

  /// Finds the next piece.
  private func advance() throws(ModelReadingError) {
    next = nil
    guard number < tables.count else { return }
    let table = tables[number]
    guard case .compact(_, let kept, let checksums) = encoding else {
      let entry = try encoding.plainTensor(of: number, table, in: header)
      let width = entry.tensor.type.byteWidth
      let first = entry.range.lowerBound + start * width
      next = Piece(first..<first + min(Self.chunk, table.size - start) * width)
      return
    }
    if parts == nil {
      streams = try CompactTable.streams(of: number, weightCount: table.size, kept: kept[number], in: header)
      parts = CompactParts(
        number: number, weightCount: table.size, kept: kept[number], checksum: checksums[number])
    }
    let stream = streams[parts?.count ?? 0]
    next = Piece(stream.range, unpackedCount: stream.count)
  }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of `next`, unpacked
  ///   - body: gets weights that are finite, with the number of their table and the place of the first one in it.
  ///     Weights that are not given are zero.
  /// - Precondition: there are as many bytes as `next` says.
  package func take(
    _ bytes: RawSpan, _ body: (_ values: Span<Float>, _ table: Int, _ start: Int) throws(ModelReadingError) -> Void
  ) throws(ModelReadingError) {
    let size = tables[number].size
    let count = min(Self.chunk, size - start)
    switch encoding {
    case .single:
      try give((0..<count).map { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }, body)
    case .half(let scale):
      let halves = (0..<count).map { unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
      try give(halves.map { Float(halfBits: $0) * scale }, body)
    case .compact(let step, _, _):
      let table: CompactTable
      do {
        try parts?.append(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }, path: header.path)
        guard let parts, parts.count == streams.count else { break }
        table = try parts.table(path: header.path)
      } catch {
        throw .compact(error)
      }
      parts = nil
      var rank = 0
      var values = [Float](repeating: 0, count: count)
      while start < size {
        var span = values.mutableSpan
        table.copy(from: start, rank: &rank, step: step, into: &span)
        try give(values, body)
      }
    }
    if start == size { (number, start) = (number + 1, 0) }
    try advance()
  }

  /// Passes weights on that begin at `start`.
  private func give(
    _ values: [Float], _ body: (Span<Float>, Int, Int) throws(ModelReadingError) -> Void
  ) throws(ModelReadingError) {
    do {
      try ModelFile.check(weights: values.span, from: start, name: "weights.\(number)", path: header.path)
    } catch {
      throw .model(error)
    }
    defer { start += values.count }
    // Zeros need not be stored: they are zero already and take no memory.
    guard values.contains(where: { $0.bitPattern != 0 }) else { return }
    try body(values.span, number, start)
  }
}
