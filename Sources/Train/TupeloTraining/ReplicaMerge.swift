internal import Safetensors
internal import TupeloBLAS
internal import TupeloBase
public import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// Merges several models of the same network into one, such as replicas that were trained in parallel, or checkpoints
/// of one run.
public enum ReplicaMerge {
  /// The factor of each model's weight in the merged weight.
  public enum Weighting: String, CaseIterable, Sendable {
    /// All models have the same factor.
    case mean
    /// The factor is how much a model has updated the weight: its sum of absolute errors, which temporal coherence
    /// stores. A weight that no model has updated is the plain mean.
    case visits
  }

  /// Merges the models at `paths`, at least one, and writes a play-only model. If a checkpoint has averaged weights,
  /// the averaged weights are used. If play replaces zero weights of later stages with weights of earlier stages, the
  /// replaced weights are merged.
  ///
  /// - Parameter catalogue: the games that the models may belong to
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, or `ReplicaMergeError` when the networks differ
  ///   or the sums are missing.
  /// - Complexity: one pass over all files, with buffers of 64 Ki numbers per file.
  public static func merge(
    _ paths: [String], by weighting: Weighting, to output: String, of catalogue: GameCatalogue = .standard
  ) throws {
    let files = try paths.map { try SafetensorsFile(path: $0) }
    guard let first = files.first else { throw ReplicaMergeError.nothingToMerge }
    let description = try ModelDescription(in: first, of: catalogue)
    for file in files where try ModelDescription(in: file, of: catalogue) != description {
      throw ReplicaMergeError.otherNetwork(path: file.path, first: first.path)
    }
    var sources = try files.map {
      try FilledWeights($0, tables: description.tables, stages: description.patterns?.stages.count ?? 1)
    }
    if weighting == .visits {
      for file in files where file.tensor(named: sums(of: "weights.0")) == nil {
        throw ReplicaMergeError.noVisits(path: file.path)
      }
    }
    let tensors = description.tables.enumerated().map {
      TensorDescription(name: "weights.\($0)", type: .f32, shape: $1.axes)
    }
    let numbers = Dictionary(uniqueKeysWithValues: zip(tensors, tensors.indices))
    try SafetensorsWriter.write(
      to: output, metadata: ModelFile.metadata(for: description.canonicalText), tensors: tensors
    ) { tensor, sink in
      let count = tensor.shape.reduce(1, *)
      guard let table = numbers[tensor] else { return }
      var pass = Pass(table: table, length: min(count, 1 << 16))
      for start in stride(from: 0, to: count, by: pass.length) {
        try pass.merge(&sources, files, start: start, weighting: weighting)
        try sink.write(pass.result.span)
      }
    }
  }

  /// The name of a tensor's coherence sums: `coherence.absolute_error.3` for `weights.3`.
  fileprivate static func sums(of tensor: String) -> String {
    CoherenceCell.planes[2] + tensor.dropFirst(PlainCell.planes[0].count)
  }
}

/// One pass over a tensor, chunk by chunk.
private struct Pass {
  let table: Int
  let length: Int
  var result: [Float]
  private var values: [Float]
  private var counts: [Float]
  private var totals: [Float]
  private var mean: [Float]

  init(table: Int, length: Int) {
    self.table = table
    self.length = length
    (result, values, counts, totals, mean) = (
      [Float](repeating: 0, count: length), [Float](repeating: 0, count: length), [Float](repeating: 0, count: length),
      [Float](repeating: 0, count: length), [Float](repeating: 0, count: length)
    )
  }

  mutating func merge(
    _ sources: inout [FilledWeights], _ files: [SafetensorsFile], start: Int, weighting: ReplicaMerge.Weighting
  ) throws {
    for index in 0..<length { (result[index], totals[index], mean[index]) = (0, 0, 0) }
    for (number, file) in files.enumerated() {
      let (table, range) = (table, start..<start + length)
      var span = values.mutableSpan
      try sources[number].copy(table: table, range: range, into: &span)
      Self.add(values, times: 1 / Float(files.count), to: &mean)
      guard weighting == .visits else { continue }
      try Self.read(ReplicaMerge.sums(of: "weights.\(table)"), of: values, from: file, start: start, into: &counts)
      for index in 0..<length {
        result[index] += counts[index] * values[index]
        totals[index] += counts[index]
      }
    }
    for index in 0..<length {
      result[index] = weighting == .visits && totals[index] > 0 ? result[index] / totals[index] : mean[index]
    }
  }

  private static func add(_ values: [Float], times share: Float, to sum: inout [Float]) {
    var span = sum.mutableSpan
    BLAS.axpy(share, values.span, &span)
  }

  private static func read(
    _ name: String, of weights: [Float], from file: SafetensorsFile, start: Int, into counts: inout [Float]
  ) throws {
    let range = start..<start + counts.count
    var span = counts.mutableSpan
    try file.copy(name, range: range, into: &span)
    // A weight that is fixed at zero has an infinite A, and was never updated.
    for index in counts.indices where counts[index] == .infinity && weights[index] == 0 { counts[index] = 0 }
    for index in counts.indices where !counts[index].isFinite {
      throw ModelFileError.notFinite(path: file.path, name: name, index: start + index)
    }
  }
}

/// Why models cannot be merged.
public enum ReplicaMergeError: Error, Hashable, Sendable {
  case nothingToMerge
  case otherNetwork(path: String, first: String)
  case noVisits(path: String)
}

extension ReplicaMergeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .nothingToMerge: "no model is named: give one or more"
    case .otherNetwork(let path, let first):
      "\(path): of another network than \(first): only equal networks can be averaged"
    case .noVisits(let path):
      "\(path): has no coherence.absolute_error, which says how much a weight was updated: use --by mean, or "
        + "checkpoints of"
        + " temporal coherence"
    }
  }
}
