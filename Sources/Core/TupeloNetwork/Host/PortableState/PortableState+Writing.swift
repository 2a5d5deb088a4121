package import Safetensors
internal import TupeloBase

extension PortableState {
  /// Writes the state of a checkpoint.
  ///
  /// - Parameters:
  ///   - checkpoint: a checkpoint of tables, of any game
  ///   - path: the path of the new file, which appears whole or not at all
  ///   - bytes: the largest size of the file; by default 1/43 of the checkpoint's
  /// - Throws: `PortableStateError`, `CompactModelError`; the errors of reading and writing files.
  /// - Complexity: two passes over the checkpoint, and one for each attempt to meet the size, seldom more than three.
  package static func write(
    _ checkpoint: SafetensorsFile, to path: String, bytes: Int? = nil
  ) throws {
    let survey = try StateSurvey(checkpoint)
    // 100 MB for the 4.3 GB of 8x6 with two stages. Small files have a header and random streams, too, so that a share
    // of nearly nothing is too little.
    let limit = bytes ?? max(survey.byteCount / 43, 1_000_000)
    let contents = try survey.contents(ofAtMost: limit)
    try SafetensorsWriter.write(
      to: path, metadata: contents.metadata, tensors: contents.descriptions
    ) { tensor, sink in
      if let stream = contents.streams[tensor] {
        try sink.write(unsafe stream.span.bytes)
      } else {
        try checkpoint.withBytes(of: tensor.name) { try sink.write($0) }
      }
    }
  }
}

/// The tensors of a portable state, in memory.
private struct StateContents {
  var metadata: [String: String]
  /// Tensors that the checkpoint has, too.
  var copied: [TensorDescription]
  var streams: [TensorDescription: [UInt8]] = [:]

  var descriptions: [TensorDescription] { copied + Array(streams.keys) }

  func byteCount(path: String) throws -> Int {
    try SafetensorsWriter.byteCount(metadata: metadata, tensors: descriptions, path: path)
  }
}

/// How much each weight of a checkpoint matters to learning.
private struct StateSurvey {
  private let file: SafetensorsFile
  private let tables: [Table]
  private let hasSums: Bool
  private let largestWeight: Float
  /// The number of weights by how much they matter; see `rank`.
  private var counts = [Int](repeating: 0, count: StateSurvey.ranks)

  fileprivate struct Table {
    let number: Int
    let size: Int
    /// The weight of most weights that were never updated.
    var unused: Float = 0
    /// Whether zeros stay zero: their A is infinite.
    var isPruned = false
  }

  private static let ranks = 2048

  /// Bytes of a kept weight with its sums, before the first attempt.
  private static let usualBytes = 2.4

  init(_ file: SafetensorsFile) throws {
    self.file = file
    var tables: [Table] = []
    while let tensor = file.tensor(named: "weights.\(tables.count)"), tensor.type == .f32 {
      tables.append(Table(number: tables.count, size: tensor.elementCount))
    }
    guard !tables.isEmpty else { throw PortableStateError.noTables(path: file.path) }
    hasSums = file.tensor(named: Plane.absolute.rawValue + ".0") != nil
    var largest: Float = 0
    for index in tables.indices {
      var vote = (weight: Float(0), count: 0)
      try Self.forEachPiece(of: tables[index], in: file, hasSums: hasSums) { piece in
        for place in piece.weights.indices {
          let weight = piece.weights[place]
          largest = max(largest, abs(weight))
          tables[index].isPruned = tables[index].isPruned || piece.isFixed(place)
          guard !piece.isUpdated(place) else { continue }
          // The majority vote of Boyer and Moore: the weight that most unused ones have wins.
          if vote.count == 0 { vote.weight = weight }
          vote.count += weight == vote.weight ? 1 : -1
        }
      }
      tables[index].unused = tables[index].isPruned ? 0 : vote.weight
    }
    (self.tables, largestWeight) = (tables, largest)
    for table in tables {
      try Self.forEachPiece(of: table, in: file, hasSums: hasSums) { piece in
        for place in piece.weights.indices { counts[Self.rank(piece, place, table)] += 1 }
      }
    }
  }

  var byteCount: Int { file.tensors.reduce(0) { $0 + $1.byteCount } }

  /// How much a weight matters, from 0 for a weight that nothing has changed or may change: by how often it was updated
  /// (A), and without sums by how far it has moved. A weight that has moved though it was never updated comes from
  /// another model, and matters most.
  ///
  /// The upper bits of a positive number grow with it: eight ranks in each octave.
  private static func rank(_ piece: borrowing Piece, _ place: Int, _ table: Table) -> Int {
    let moved = abs(piece.weights[place] - table.unused)
    guard let absolute = piece.absolute else { return Int(moved.bitPattern >> 20) }
    if piece.isFixed(place) { return 0 }
    if absolute[place] > 0 { return max(Int(absolute[place].bitPattern >> 20), 1) }
    return moved > 0 ? ranks - 1 : 0
  }

  /// The contents of a file of at most this size.
  func contents(ofAtMost bytes: Int) throws -> StateContents {
    var perWeight = Self.usualBytes
    var lowest = 1
    while true {
      lowest = max(lowest, firstRank(keeping: Int(Double(bytes) / perWeight)))
      let contents = try contents(from: lowest)
      let size = try contents.byteCount(path: file.path)
      if size <= bytes { return contents }
      let kept = counts[lowest...].reduce(0, +)
      guard lowest < Self.ranks - 1, kept > 0 else {
        throw PortableStateError.tooSmall(path: file.path, bytes: bytes, needed: size)
      }
      perWeight = max(Double(size) / Double(kept), perWeight) * 1.02
      lowest += 1
    }
  }

  /// The lowest rank from which on at most so many weights matter.
  private func firstRank(keeping most: Int) -> Int {
    var (rank, kept) = (Self.ranks, 0)
    while rank > 1, kept + counts[rank - 1] <= most {
      rank -= 1
      kept += counts[rank]
    }
    return min(rank, Self.ranks - 1)
  }

  private func contents(from lowest: Int) throws -> StateContents {
    let step = self.step
    var (kept, checksums, rest): ([String], [String], [Float]) = ([], [], [])
    var contents = StateContents(
      metadata: file.metadata,
      copied: file.tensors.filter { !Plane.isOfTables($0.name) })
    for table in tables {
      let packed = try pack(table, from: lowest, step: step)
      kept.append("\(packed.weights.keptCount)")
      checksums.append(packed.weights.checksum)
      rest += [packed.rest.weight, packed.rest.error, packed.rest.absolute]
      let sums = hasSums ? try packed.compressedSums(path: file.path) : []
      for (part, bytes) in try packed.weights.compressed(path: file.path) + sums {
        contents.streams[CompactTable.tensor(part, number: table.number, byteCount: bytes.count)] = bytes
      }
    }
    let description = TensorDescription(name: PortableState.restName, type: .f32, shape: [tables.count, 3])
    contents.streams[description] = rest.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    }
    contents.metadata.merge([
      PortableState.key: PortableState.version, ModelFile.Key.format: "\(ModelFile.formatVersion)",
      ModelFile.Key.encoding: "compact", ModelFile.Key.step: "\(step)", ModelFile.Key.drop: "0.0",
      ModelFile.Key.kept: kept.joined(separator: " "), ModelFile.Key.checksums: checksums.joined(separator: " "),
    ]) { $1 }
    return contents
  }

  /// Half of the step of a compact model: 8 points for a trained network of 2048, and less where weights are small.
  private var step: Float {
    let most = largestWeight / 2048
    guard most > .leastNormalMagnitude, most < 8 else { return 8 }
    return Float(sign: .plus, exponent: most.exponent, significand: 1)
  }

  /// A table with the codes of its sums.
  private struct PackedTable {
    var weights: CompactTable
    var absolute: [UInt8] = []
    var error: [UInt8] = []
    var rest = PortableState.Rest()

    /// The streams of the sums; those of a table without kept weights are empty.
    func compressedSums(path: String) throws(CompactModelError) -> [(part: String, bytes: [UInt8])] {
      do {
        return [
          (PortableState.absoluteName, try Zlib.compressed(absolute, .repetitions)),
          (PortableState.errorName, try Zlib.compressed(error, .frequencies)),
        ]
      } catch {
        throw .cannotCompress(path: path, reason: error.reason)
      }
    }
  }

  private func pack(_ table: Table, from lowest: Int, step: Float) throws -> PackedTable {
    var packed = PackedTable(weights: CompactTable(weightCount: table.size))
    var sums = (absolute: 0.0, error: 0.0, count: 0)
    try Self.forEachPiece(of: table, in: file, hasSums: hasSums) { piece in
      let keeps = piece.weights.indices.map { Self.rank(piece, $0, table) >= lowest }
      try packed.weights.append(piece.weights, step: step, path: file.path) { offset, _ in keeps[offset] }
      guard let absolute = piece.absolute, let error = piece.error else { return }
      for place in keeps.indices {
        if keeps[place] {
          packed.absolute.append(SumCodes.code(absolute: absolute[place]))
          packed.error.append(SumCodes.code(error: error[place], of: absolute[place]))
        } else if absolute[place] > 0 {
          sums.absolute += Double(absolute[place])
          sums.error += Double(abs(error[place]))
          sums.count += 1
        }
      }
    }
    packed.rest.weight = table.unused
    if table.isPruned {
      packed.rest.absolute = .infinity
    } else if sums.count > 0 {
      packed.rest.absolute = Float(sums.absolute / Double(sums.count))
      packed.rest.error = Float(sums.error / Double(sums.count))
    }
    return packed
  }
}

// MARK: Pieces of a checkpoint

extension StateSurvey {
  /// The numbers of a cell, by their names in files.
  fileprivate enum Plane: String {
    case weights
    case error = "coherence.error"
    case absolute = "coherence.absolute_error"

    /// Whether a tensor holds numbers of cells, or their average.
    static func isOfTables(_ name: String) -> Bool {
      ["weights.", error.rawValue + ".", absolute.rawValue + ".", ModelFile.averagePrefix].contains(
        where: name.hasPrefix)
    }
  }

  /// A part of a table, in the order of files.
  fileprivate struct Piece {
    var weights: [Float]
    var error: [Float]?
    var absolute: [Float]?

    /// Whether a weight has been updated, as far as the checkpoint tells.
    func isUpdated(_ place: Int) -> Bool { absolute.map { $0[place] > 0 } ?? false }

    /// Whether a weight is a zero that stays zero.
    func isFixed(_ place: Int) -> Bool { absolute.map { $0[place] == .infinity } ?? false }
  }

  fileprivate static func forEachPiece(
    of table: Table, in file: SafetensorsFile, hasSums: Bool, _ body: (Piece) throws -> Void
  ) throws {
    func numbers(_ plane: Plane, _ range: Range<Int>) throws -> [Float] {
      var values = [Float](repeating: 0, count: range.count)
      var span = values.mutableSpan
      try file.copy("\(plane.rawValue).\(table.number)", range: range, into: &span)
      return values
    }
    func sums(_ plane: Plane, _ range: Range<Int>, beside weights: [Float]) throws -> [Float]? {
      guard hasSums else { return nil }
      let values = try numbers(plane, range)
      for place in values.indices where !values[place].isFinite {
        // Only the A of a zero that stays is infinite.
        guard plane == .absolute, values[place] == .infinity, weights[place] == 0 else {
          throw ModelFileError.notFinite(
            path: file.path, name: "\(plane.rawValue).\(table.number)", index: range.lowerBound + place)
        }
      }
      return values
    }
    for start in stride(from: 0, to: table.size, by: 1 << 16) {
      try Interruption.check()
      let range = start..<min(start + 1 << 16, table.size)
      let weights = try numbers(.weights, range)
      try ModelFile.check(weights: weights.span, from: start, name: "weights.\(table.number)", path: file.path)
      try body(
        Piece(
          weights: weights, error: sums(.error, range, beside: weights),
          absolute: sums(.absolute, range, beside: weights)))
    }
  }
}
