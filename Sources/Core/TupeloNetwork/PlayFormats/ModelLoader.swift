internal import TupeloBase
package import TupeloTables

/// Fills the weights of a network with the tables of a model file that a page has read and decompressed.
///
/// A page has no files, so this class replaces `NTupleNetwork+File` and `StoredWeights` there.
package class ModelLoader {
  package let tables: [NetworkTable]

  init(_ tables: [NetworkTable]) { self.tables = tables }

  /// Stores checked weights at their places.
  func place(_ values: Span<Float>, table number: Int, from start: Int) throws(WeightStorageError) {
    preconditionFailure("subclasses must override this")
  }

  /// The name of the file in messages.
  fileprivate static let path = "the model"

  /// Numbers per write to storage.
  private static let chunk = 1 << 16

  /// Checks that a file was written for the network of a text.
  ///
  /// - Parameters:
  ///   - fingerprint: the fingerprint in the file
  ///   - text: the network in one line
  package static func check(_ fingerprint: String, of text: String) throws(ModelLoaderError) {
    let expected = ModelFile.fingerprint(of: text)
    guard fingerprint == expected else {
      throw .model(.wrongFingerprint(path: path, found: fingerprint, expected: expected))
    }
  }

  /// The error for a text that does not name a network.
  package static func unknown(_ text: String) -> ModelLoaderError {
    .model(.badNetwork(path: path, reason: "'\(text)' is unknown here: use a newer tupelo"))
  }

  /// Fills a table from its compact form.
  ///
  /// - Parameters:
  ///   - map: a bit per weight
  ///   - planes: each has one byte for each weight in the map
  ///   - checksum: CRC-32 of map and planes, eight hex digits
  package func fill(
    table number: Int, map: [UInt8], planes: [[UInt8]], step: Float, checksum: String
  ) throws(ModelLoaderError) {
    let table: CompactTable
    do {
      try CompactTable.check(map: map, kept: planes.first?.count ?? 0, number: number, path: Self.path)
      table = try CompactTable(
        weightCount: tables[number].size, map: map, planes: planes, checksum: checksum, number: number, path: Self.path)
    } catch {
      throw .compact(error)
    }
    var rank = 0
    var values = [Float](repeating: 0, count: min(Self.chunk, table.weightCount))
    for start in stride(from: 0, to: table.weightCount, by: values.count) {
      var span = values.mutableSpan
      table.copy(from: start, rank: &rank, step: step, into: &span)
      try write(values, table: number, from: start)
    }
  }

  /// Fills a part of a table.
  ///
  /// - Parameter start: a multiple of 4096. The number of weights is also a multiple of 4096, unless the table is
  ///   smaller
  package func write(_ values: [Float], table number: Int, from start: Int) throws(ModelLoaderError) {
    do {
      try ModelFile.check(weights: values.span, from: start, name: "weights.\(number)", path: Self.path)
    } catch {
      throw .model(error)
    }
    // Zeros need not be stored: they are zero already and take no memory.
    guard values.contains(where: { $0 != 0 || $0.sign == .minus }) else { return }
    do {
      try place(values.span, table: number, from: start)
    } catch {
      throw .storage(error)
    }
  }

  /// Fills a part of a table from numbers in half precision.
  package func write(
    halves: [UInt16], scale: Float, table number: Int, from start: Int
  ) throws(ModelLoaderError) {
    try write(halves.map { Float(halfBits: $0) * scale }, table: number, from: start)
  }
}

/// Loads an n-tuple network.
package final class TupleLoader: ModelLoader {
  private let indexer: TupleIndexer
  private var weights: SparseWeights.Builder?
  /// The order of the table that was filled last.
  private var current: (number: Int, map: StorageMap)?

  /// - Parameter text: the network in one line
  package init(_ text: String) throws(ModelLoaderError) {
    let specification: NetworkSpecification
    do {
      specification = try NetworkSpecification(canonicalText: text)
    } catch {
      throw .model(.badNetwork(path: Self.path, reason: error.description))
    }
    do {
      weights = try SparseWeights.Builder(count: specification.weightCount)
    } catch {
      throw .storage(error)
    }
    indexer = TupleIndexer(specification)
    super.init(specification.tables)
  }

  override func place(_ values: Span<Float>, table number: Int, from start: Int) throws(WeightStorageError) {
    if current?.number != number { current = (number, indexer.storageMap(table: number)) }
    guard let (_, map) = current else { return }
    try weights?.set(values, from: start, by: map)
  }

  /// The network, once; `nil` after that.
  ///
  /// - Parameter fillsStages: whether zero weights of later stages play as the weights of the previous stage
  package func finished(fillsStages: Bool) throws(ModelLoaderError) -> SparseNetwork? {
    guard let weights = weights.take() else { return nil }
    guard fillsStages else { return SparseNetwork(indexer: indexer, weights: weights.finished()) }
    do {
      return SparseNetwork(
        indexer: indexer, weights: try weights.filled(fromBefore: indexer.specification.stageWeightCount))
    } catch {
      throw .storage(error)
    }
  }
}

/// Loads a network of one table whose order in memory is the order in files.
package final class TableLoader: ModelLoader {
  private let weights: WeightStorage<PlainCell>

  package init(_ weights: WeightStorage<PlainCell>, table: NetworkTable) {
    self.weights = weights
    super.init([table])
  }

  // It throws like the method of the superclass, because Embedded Swift calls both methods by that signature.
  override func place(_ values: Span<Float>, table number: Int, from start: Int) throws(WeightStorageError) {
    weights.exclusively { weights in
      weights.withMutableWeights(of: start..<start + values.count) { own in
        for index in values.indices { own[index] = values[index] }
      }
    }
  }
}

/// Why a model cannot be loaded.
package enum ModelLoaderError: Error {
  case model(ModelFileError)
  case compact(CompactModelError)
  case storage(WeightStorageError)

  package var description: String {
    switch self {
    case .model(let error): error.description
    case .compact(let error): error.description
    case .storage(let error): error.description
    }
  }
}
