public import Safetensors
internal import TupeloEngine

/// The format of a solution in a safetensors file. It has three tensors:
///
/// - `codes`, U32: the positions layer by layer, sorted within each layer
/// - `values`, F64: the expected score still to come from each position, in score points
/// - `layers`, U64: the start of each layer, and the end of the last one
///
/// Layer i has the boards whose tiles add up to 2i. A code is a number in base cells + 2. Its digits are the exponents
/// in reading order, the first one lowest. Of symmetric boards only the one with the least code is there. The metadata
/// names the rules, and E[score] as a check.
public enum SolutionFile {
  /// The newest format this code writes and reads.
  public static let formatVersion = 1

  public enum Key {
    /// The version of the format; its presence marks a file as a solution.
    public static let format = "tupelo.solution"
    public static let board = "tupelo.board"
    public static let fourProbability = "tupelo.four_probability"
    public static let startTiles = "tupelo.start_tiles"
    public static let startValue = "tupelo.start_value"
    public static let behaviour = "tupelo.behaviour"
    /// The checksum of all numbers; missing in older files. See `SolutionChecksum`.
    public static let checksum = "tupelo.checksum"
  }

  enum Tensor {
    static let codes = "codes"
    static let values = "values"
    static let layers = "layers"
  }

  /// Whether a file is a solution, of any version.
  public static func isSolution(_ file: SafetensorsFile) -> Bool { file.metadata[Key.format] != nil }

  static func metadata(of solution: ExactSolution) -> [String: String] {
    [
      Key.format: "\(formatVersion)", Key.board: "\(solution.rules.shape)",
      Key.fourProbability: "\(solution.rules.fourProbability)", Key.startTiles: "\(solution.rules.startTiles)",
      Key.startValue: "\(solution.startValue)", Key.behaviour: "\(behaviourVersion)",
      Key.checksum: solution.store.checksum,
    ]
  }

  static func rules(in file: SafetensorsFile) throws(SolutionFileError) -> Rules {
    guard let format = file.metadata[Key.format] else { throw .notASolution(path: file.path) }
    guard let version = Int(format), version >= 1 else { throw badMetadata(Key.format, in: file) }
    guard version <= formatVersion else {
      throw .newerFormat(path: file.path, found: version, supported: formatVersion)
    }
    let sides = (file.metadata[Key.board] ?? "").split(separator: "x").map { Int($0) ?? 0 }
    guard sides.count == 2 else { throw badMetadata(Key.board, in: file) }
    guard let four = Double(file.metadata[Key.fourProbability] ?? "") else {
      throw badMetadata(Key.fourProbability, in: file)
    }
    guard let tiles = Int(file.metadata[Key.startTiles] ?? "") else { throw badMetadata(Key.startTiles, in: file) }
    let shape: BoardShape
    do {
      shape = try BoardShape(rows: sides[0], columns: sides[1])
    } catch {
      throw badMetadata(Key.board, in: file)
    }
    guard shape.cellCount <= 9 else { throw badMetadata(Key.board, in: file) }
    do {
      return try Rules(shape: shape, fourProbability: four, startTiles: tiles)
    } catch .probabilityOutOfRange {
      throw badMetadata(Key.fourProbability, in: file)
    } catch {
      throw badMetadata(Key.startTiles, in: file)
    }
  }

  static func badMetadata(_ key: String, in file: SafetensorsFile) -> SolutionFileError {
    .badMetadata(path: file.path, key: key, found: file.metadata[key])
  }

  /// Opens the tensors of a file and checks everything that look-ups rely on.
  static func store(in file: SafetensorsFile, rules: Rules) throws -> MappedSolution {
    let count = try elementCount(of: Tensor.codes, type: .u32, in: file)
    let values = try elementCount(of: Tensor.values, type: .f64, in: file)
    guard values == count else {
      throw SolutionFileError.wrongTensor(
        path: file.path, name: Tensor.values, found: "F64 [\(values)]", expected: "F64 [\(count)]")
    }
    let layers = try elementCount(of: Tensor.layers, type: .u64, in: file)
    let most = 1 << (rules.shape.cellCount + 1)
    guard (2...most + 1).contains(layers) else {
      throw SolutionFileError.wrongTensor(
        path: file.path, name: Tensor.layers, found: "U64 [\(layers)]", expected: "U64 of 2 to \(most + 1)")
    }
    let starts = try file.array(of: Tensor.layers, as: UInt64.self)
    for (index, start) in starts.enumerated() {
      let isInOrder = index == 0 ? start == 0 : start >= starts[index - 1]
      guard isInOrder, start <= UInt64(count), index + 1 < starts.count || start == UInt64(count) else {
        throw SolutionFileError.badLayer(path: file.path, index: index)
      }
    }
    let solution = MappedSolution(file: file, starts: starts.map { Int($0) })
    file.adviseSequential()
    if let index = solution.firstUnsorted(limit: StateCode.count(of: rules.shape)) {
      throw SolutionFileError.badCode(path: file.path, index: index)
    }
    if let index = solution.firstBadValue { throw SolutionFileError.badValue(path: file.path, index: index) }
    return solution
  }

  private static func elementCount(
    of name: String, type: TensorType, in file: SafetensorsFile
  ) throws(SolutionFileError) -> Int {
    guard let tensor = file.tensor(named: name) else { throw .missingTensor(path: file.path, name: name) }
    guard tensor.type == type, tensor.shape.count == 1 else {
      let shape = tensor.shape.count <= 8 ? "\(tensor.shape)" : "of \(tensor.shape.count) axes"
      throw .wrongTensor(
        path: file.path, name: name, found: "\(tensor.type.rawValue) \(shape)",
        expected: "\(type.rawValue) of one axis")
    }
    return tensor.elementCount
  }
}

extension ExactSolution {
  /// Opens a saved solution. The file stays mapped; it is read once from front to back to check it.
  ///
  /// - Throws: `SystemError`, `SafetensorsError` or `SolutionFileError` for a file that is missing, damaged or not a
  ///   solution.
  public convenience init(path: String) throws {
    try self.init(file: SafetensorsFile(path: path))
  }

  public convenience init(file: SafetensorsFile) throws {
    let rules = try SolutionFile.rules(in: file)
    self.init(rules: rules, store: .file(try SolutionFile.store(in: file, rules: rules)))
    let found = startValue
    guard let expected = Double(file.metadata[SolutionFile.Key.startValue] ?? "") else {
      throw SolutionFile.badMetadata(SolutionFile.Key.startValue, in: file)
    }
    guard found == expected else {
      throw SolutionFileError.wrongStartValue(path: file.path, found: "\(found)", expected: "\(expected)")
    }
    // Most numbers have no part in E[score].
    let (sum, sums) = (store.checksum, file.metadata[SolutionFile.Key.checksum])
    guard sums == nil || sums == sum else { throw SolutionFileError.badChecksum(path: file.path) }
  }

  /// Writes the solution: twelve bytes per position. The file appears whole or not at all.
  ///
  /// - Throws: `SystemError`.
  public func save(to path: String) throws {
    let sizes = store.layerSizes
    let starts = sizes.reduce(into: [UInt64(0)]) { $0.append($0[$0.count - 1] + UInt64($1)) }
    let tensors = [
      TensorDescription(name: SolutionFile.Tensor.codes, type: .u32, shape: [positionCount]),
      TensorDescription(name: SolutionFile.Tensor.values, type: .f64, shape: [positionCount]),
      TensorDescription(name: SolutionFile.Tensor.layers, type: .u64, shape: [starts.count]),
    ]
    let metadata = SolutionFile.metadata(of: self)
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
      switch (store, tensor.name) {
      case (_, SolutionFile.Tensor.layers): try sink.write(starts.span)
      case (.file(let solution), let name): try solution.file.withBytes(of: name) { try sink.write($0) }
      case (.memory(let layers), SolutionFile.Tensor.codes): for layer in layers { try sink.write(layer.codes.span) }
      case (.memory(let layers), _): for layer in layers { try sink.write(layer.values.span) }
      }
    }
  }
}
