package import TupeloTables

/// Fills the weights of a network with the tables of a model file that the page has read and inflated.
///
/// It is compiled into TupeloNetwork, where it has the place of the readers of files.
package struct ModelLoader {
  package let tables: [NetworkTable]
  private let weights: WeightStorage<PlainCell>
  /// The order of each table in memory.
  private let map: (Int) -> StorageMap
  /// What stages there are to fill; `nil` for a network without stages.
  private let specification: NetworkSpecification?

  /// How messages name the file.
  private static let path = "the model"

  /// Numbers per write to storage.
  private static let chunk = 1 << 16

  /// A loader of an n-tuple network.
  package init(_ network: NTupleNetwork) {
    (tables, weights, specification) = (network.specification.tables, network.weights, network.specification)
    map = { network.indexer.storageMap(table: $0) }
  }

  /// A loader of a network of one table whose order in memory is the order in files.
  package init(_ weights: WeightStorage<PlainCell>, table: NetworkTable) {
    (tables, self.weights, specification) = ([table], weights, nil)
    map = { _ in StorageMap(base: 0) { $0 } }
  }

  /// Checks that a text is the one that a file was written for.
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

  /// Makes the n-tuple network that a text describes, with all weights zero.
  package static func network(_ text: String) throws(ModelLoaderError) -> NTupleNetwork {
    let specification: NetworkSpecification
    do {
      specification = try NetworkSpecification(canonicalText: text)
    } catch {
      throw .model(.badNetwork(path: path, reason: error.description))
    }
    do {
      return try NTupleNetwork(specification)
    } catch {
      throw .storage(error)
    }
  }

  /// A text that names no network.
  package static func unknown(_ text: String) -> ModelLoaderError {
    .model(.badNetwork(path: path, reason: "'\(text)' is unknown here: use a newer tupelo"))
  }

  /// Fills a table from its compact form.
  ///
  /// - Parameters:
  ///   - map: a bit per weight
  ///   - planes: as many bytes each as the map has weights
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
  /// - Parameter start: a multiple of 4096; so is the number of weights, unless it is all of a smaller table
  package func write(_ values: [Float], table number: Int, from start: Int) throws(ModelLoaderError) {
    do {
      try ModelFile.check(weights: values.span, from: start, name: "weights.\(number)", path: Self.path)
    } catch {
      throw .model(error)
    }
    // What is not written takes no memory: it is zero already.
    guard values.contains(where: { $0 != 0 || $0.sign == .minus }) else { return }
    let map = map(number)
    weights.exclusively { weights in
      weights.withMutableWeights { map.scatter(values.span, width: 1, word: 0, from: start, into: &$0) }
    }
  }

  /// Fills a part of a table from numbers in half precision.
  package func write(
    halves: [UInt16], scale: Float, table number: Int, from start: Int
  ) throws(ModelLoaderError) {
    try write(halves.map { Float(halfBits: $0) * scale }, table: number, from: start)
  }

  /// Gives zero weights of later stages the weights of the stage before, where the file says that they play so.
  package func fillStages() {
    guard let specification else { return }
    weights.exclusively { $0.fillStages(of: specification) }
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
