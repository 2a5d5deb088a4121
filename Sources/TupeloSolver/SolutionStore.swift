internal import Safetensors

/// The boards of one layer, sorted, and their values.
struct SolvedLayer: Sendable {
  let codes: [UInt32]
  let values: [Double]
}

/// Where a solution's numbers are.
enum SolutionStore: Sendable {
  case memory([SolvedLayer])
  case file(MappedSolution)

  /// How many positions each layer has.
  var layerSizes: [Int] {
    switch self {
    case .memory(let layers): layers.map(\.codes.count)
    case .file(let solution): zip(solution.starts, solution.starts.dropFirst()).map { $1 - $0 }
    }
  }

  /// The value of a code, if the layer has it; none of a layer that does not exist.
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

  /// Where a code stands in a range of sorted ones.
  static func index(of wanted: UInt32, in range: Range<Int>, _ code: (Int) -> UInt32) -> Int? {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if code(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && code(low) == wanted ? low : nil
  }
}

/// A solution in a mapped file: pages come from the disk as they are looked at.
///
/// The tensors were checked when it was made: they exist, `codes` has four and `values` eight bytes per position, and
/// `starts` are within both, in order. All reads are bounds-checked by `RawSpan`; numbers may be misaligned.
struct MappedSolution: Sendable {
  let file: SafetensorsFile
  /// Where each layer starts, and at last where all end.
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

  /// The first position that breaks the order of codes within its layer or exceeds `limit`, if there is one.
  func firstUnsorted(limit: UInt64) -> Int? {
    withBytes(of: SolutionFile.Tensor.codes) { bytes in
      for (start, end) in zip(starts, starts.dropFirst()) {
        // Code 0 is no position's.
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

  /// The first value that is negative or not finite, if there is one.
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
