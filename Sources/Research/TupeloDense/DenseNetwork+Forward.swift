internal import TupeloBLAS
internal import TupeloBase
public import TupeloTables

/// Forward passes: the values of a batch.
///
/// With loops (`DenseWorkspace.arithmetic`) a sample's value has the same bits in every batch and on every processor.
/// With BLAS the order of additions depends on the processor, on the number of samples and on a sample's place among
/// them, so the last bits may differ. An equal batch gives equal bits every time, as long as BLAS uses one thread.
extension DenseNetwork {
  /// Computes the values of the samples whose features lie in `slots`, into `workspace.values`.
  ///
  /// - Parameters:
  ///   - features: a buffer whose layout has the embedding's number of features and names no row beyond it
  ///   - slots: at most `workspace.capacity` slots; the first one becomes sample 0
  ///   - workspace: made for this network's specification
  /// - Complexity: O(samples * parameters behind the embedding), and a row of memory per feature
  public func forward(
    _ features: borrowing FeatureBuffer, slots: Range<Int>, _ workspace: inout DenseWorkspace
  ) {
    guard let shape = specification.embedding else { preconditionFailure("the network's input is numbers") }
    precondition(shape.accepts(features.layout), "the features are of a larger embedding than the network's")
    precondition(slots.lowerBound >= 0 && slots.upperBound <= features.slots)
    prepare(&workspace, count: slots.count)
    let biases = specification.embeddingBiases
    var (input, linearSums) = (take(&workspace.inputs[0]), take(&workspace.linearSums))
    parameters.withSpan { span in
      var sums = input.mutableSpan
      var linear = linearSums.mutableSpan
      sumRows(features, slots, shape, span, &sums, &linear)
      if let biases { addBias(span.extracting(biases), rows: slots.count, isRectified: true, &sums) }
    }
    workspace.inputs[0] = input
    workspace.linearSums = linearSums
    computeLayers(&workspace)
    for sample in workspace.linearSums.indices.prefix(slots.count) {
      workspace.values[sample] += workspace.linearSums[sample]
    }
  }

  /// Computes the values of the first `count` rows of the workspace's input, for networks whose input is numbers.
  public func forward(count: Int, _ workspace: inout DenseWorkspace) {
    precondition(specification.embedding == nil, "the network's input is features")
    prepare(&workspace, count: count)
    computeLayers(&workspace)
  }

  private func prepare(_ workspace: inout DenseWorkspace, count: Int) {
    precondition(workspace.specification.layers == specification.layers, "the workspace is of another network")
    precondition(count >= 0 && count <= workspace.capacity)
    workspace.count = count
  }

  private func computeLayers(_ workspace: inout DenseWorkspace) {
    let (layers, count, arithmetic) = (specification.layers, workspace.count, workspace.arithmetic)
    parameters.withSpan { parameters in
      for (number, layer) in layers.enumerated() {
        let product = MatrixProduct(rows: count, columns: layer.outputs, inner: layer.inputs)
        let (weights, biases) = (parameters.extracting(layer.weights), parameters.extracting(layer.biases))
        let isLast = number == layers.count - 1
        var output = isLast ? take(&workspace.values) : take(&workspace.inputs[number + 1])
        let input = workspace.inputs[number]
        var span = output.mutableSpan
        arithmetic.gemm(product, input.span, weights, 0, &span)
        addBias(biases, rows: count, isRectified: !isLast, &span)
        if isLast { workspace.values = output } else { workspace.inputs[number + 1] = output }
      }
    }
  }
}
