internal import Safetensors

/// The layout of a storage's weights in files: a tensor per table, and the storage index of each of its weights.
@usableFromInline
package struct TableMap: Sendable {
  package let tables: [NetworkTable]
  /// The number of the first table in files.
  package let firstNumber: Int
  private let map: @Sendable (Int) -> StorageMap

  init(_ tables: [NetworkTable], firstNumber: Int = 0, map: @escaping @Sendable (Int) -> StorageMap) {
    (self.tables, self.firstNumber, self.map) = (tables, firstNumber, map)
  }

  /// A map of one table whose order in storage is the order in files.
  ///
  /// - Parameter number: the table's number in files
  package init(plain table: NetworkTable, number: Int) {
    self.init([table], firstNumber: number) { _ in StorageMap(base: 0) { $0 } }
  }

  /// The map of one table's weights.
  ///
  /// - Parameter index: the table's place in `tables`, from 0
  func storageMap(_ index: Int) -> StorageMap { map(index) }

  /// The tensor of a table, for one plane of its cells.
  func tensor(_ plane: String, _ index: Int) -> TensorDescription {
    TensorDescription(name: "\(plane).\(firstNumber + index)", type: .f32, shape: tables[index].axes)
  }

  /// The place in `tables` of the table that a tensor of a plane belongs to; `nil` for another tensor.
  ///
  /// The number in the name gives the place, so that a file of many tables is written in linear time.
  func table(of tensor: TensorDescription, plane: String) -> Int? {
    guard let number = tensor.name.split(separator: ".").last.flatMap({ Int($0) }) else { return nil }
    let index = number - firstNumber
    return tables.indices.contains(index) && tensor == self.tensor(plane, index) ? index : nil
  }
}

extension TupleIndexer {
  /// The layout of the network's weights in files.
  package var tableMap: TableMap { TableMap(specification.tables) { [self] in storageMap(table: $0) } }
}
