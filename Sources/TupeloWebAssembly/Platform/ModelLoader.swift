package import TupeloTables

/// Fills a network with the tables of a model file that the page has read and inflated.
///
/// It is compiled into TupeloNetwork, where it has the place of the readers of files.
package struct ModelLoader {
  package let network: NTupleNetwork
  package let tables: [NetworkTable]

  /// How messages name the file.
  private static let path = "the model"

  /// Numbers per write to storage.
  private static let chunk = 1 << 16

  /// - Parameters:
  ///   - text: the network in one line
  ///   - fingerprint: the fingerprint in the file
  /// - Throws: `ModelLoaderError` for a text that does not describe a network, and for one that does not fit.
  package init(text: String, fingerprint: String) throws(ModelLoaderError) {
    let expected = ModelFile.fingerprint(of: text)
    guard fingerprint == expected else {
      throw .model(.wrongFingerprint(path: Self.path, found: fingerprint, expected: expected))
    }
    let specification: NetworkSpecification
    do {
      specification = try NetworkSpecification(canonicalText: text)
    } catch {
      throw .model(.badNetwork(path: Self.path, reason: error.description))
    }
    do {
      network = try NTupleNetwork(specification)
    } catch {
      throw .storage(error)
    }
    tables = specification.tables
  }

  /// The bytes of memory that the weights take.
  package var byteCount: Int { network.weights.byteCount }

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
    let map = network.indexer.storageMap(table: number)
    network.weights.exclusively { weights in
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
  package func fillStages() { network.weights.exclusively { $0.fillStages(of: network.specification) } }
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
