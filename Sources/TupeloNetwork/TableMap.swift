internal import Safetensors

/// How the weights of a storage stand in files: a tensor per table, and where each of its weights lies in storage.
package struct TableMap: Sendable {
  package let tables: [NetworkTable]
  /// The number that files give to the first of the tables.
  package let firstNumber: Int
  private let map: @Sendable (Int) -> StorageMap

  init(_ tables: [NetworkTable], firstNumber: Int = 0, map: @escaping @Sendable (Int) -> StorageMap) {
    (self.tables, self.firstNumber, self.map) = (tables, firstNumber, map)
  }

  /// One table, whose weights lie in storage as they stand in files.
  ///
  /// - Parameter number: what files call the table by
  package init(plain table: NetworkTable, number: Int) {
    self.init([table], firstNumber: number) { _ in StorageMap(base: 0) { $0 } }
  }

  /// - Parameter index: of a table here, from 0
  func storageMap(_ index: Int) -> StorageMap { map(index) }

  /// The tensor of a table.
  func tensor(_ plane: String, _ index: Int) -> TensorDescription {
    TensorDescription(name: "\(plane).\(firstNumber + index)", type: .f32, shape: tables[index].axes)
  }
}

extension TupleIndexer {
  /// How the network's weights stand in files.
  package var tableMap: TableMap { TableMap(specification.tables) { [self] in storageMap(table: $0) } }
}
