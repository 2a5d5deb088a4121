internal import Safetensors

/// The boards of one layer, sorted, and their values.
struct SolvedLayer: Sendable {
  let codes: [UInt32]
  let values: [Double]
}

/// The storage of a solution's numbers: memory or a file.
enum SolutionStore: Sendable {
  case memory([SolvedLayer])
  case file(MappedSolution)

  /// The number of positions in each layer.
  var layerSizes: [Int] {
    switch self {
    case .memory(let layers): layers.map(\.codes.count)
    case .file(let solution): zip(solution.starts, solution.starts.dropFirst()).map { $1 - $0 }
    }
  }

  /// The value of a code; `nil` when the layer does not have it or does not exist.
  func value(of code: UInt32, layer: Int) -> Double? {
    switch self {
    case .memory(let layers):
      guard layers.indices.contains(layer) else { return nil }
      let codes = layers[layer].codes
      return Self.index(of: code, in: 0..<codes.count) { codes[$0] }.map { layers[layer].values[$0] }
    case .file(let solution):
      return solution.value(of: code, layer: layer)
    }
  }

  /// The index of a code in a range of sorted codes; `nil` when it is not there.
  static func index(of wanted: UInt32, in range: Range<Int>, _ code: (Int) -> UInt32) -> Int? {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if code(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && code(low) == wanted ? low : nil
  }
}

/// A solution in a mapped file. Pages are read from the disk when they are needed.
///
/// The tensors were checked when this was made: they exist, `codes` has four and `values` has eight bytes per position,
/// and `starts` are within both, in order. All reads are bounds-checked by `RawSpan`. Numbers may be misaligned.
struct MappedSolution: Sendable {
  let file: SafetensorsFile
  /// The start of each layer, and the end of the last one.
  let starts: [Int]

  func value(of code: UInt32, layer: Int) -> Double? {
    guard layer >= 0, layer + 1 < starts.count else { return nil }
    let index = withBytes(of: SolutionFile.Tensor.codes) { bytes in
      SolutionStore.index(of: code, in: starts[layer]..<starts[layer + 1]) { bytes.number(at: $0, as: UInt32.self) }
    }
    return index.map { index in
      withBytes(of: SolutionFile.Tensor.values) { $0.number(at: index, as: Double.self) }
    }
  }

  /// The first position that breaks the order of codes within its layer or is not below `limit`; `nil` if there is
  /// none.
  func firstUnsorted(limit: UInt64) -> Int? {
    withBytes(of: SolutionFile.Tensor.codes) { bytes in
      for (start, end) in zip(starts, starts.dropFirst()) {
        // Code 0 belongs to no position.
        var last: UInt32 = 0
        for index in start..<end {
          let code = bytes.number(at: index, as: UInt32.self)
          guard code > last, UInt64(code) < limit else { return index }
          last = code
        }
      }
      return nil
    }
  }

  /// The first value that is negative or not finite; `nil` if there is none.
  var firstBadValue: Int? {
    withBytes(of: SolutionFile.Tensor.values) { bytes in
      for index in 0..<(starts.last ?? 0) {
        let value = bytes.number(at: index, as: Double.self)
        guard value >= 0, value < .infinity else { return index }
      }
      return nil
    }
  }

  func withBytes<R>(of name: String, _ body: (RawSpan) -> R) -> R {
    do {
      return try file.withBytes(of: name, body)
    } catch {
      preconditionFailure("a tensor that was there is gone: \(error)")
    }
  }
}

extension RawSpan {
  fileprivate func number<T: TensorElement>(at index: Int, as type: T.Type) -> T {
    unsafe unsafeLoadUnaligned(fromByteOffset: index * MemoryLayout<T>.stride, as: type)
  }
}
