internal import TupeloBLAS
internal import TupeloBase
public import TupeloTables

/// Backward passes: the gradient of a weighted sum of values.
///
///     gradient += sum over samples i of c_i dV_i/dw,  with c_i = workspace.outputGradients[i]
///
/// With c = dL/dV this is the gradient of a loss L; `differentiate` sets c. With other coefficients it is the gradient
/// for an update by TD(lambda). Gradients are added over passes until `gradient.reset`.
extension DenseNetwork {
  /// Adds the gradient of the last forward pass, for networks whose input is features.
  ///
  /// - Parameters:
  ///   - features: the buffer of the forward pass, unchanged since
  ///   - slots: the slots of the forward pass
  ///   - workspace: the workspace of the forward pass
  ///   - gradient: receives the gradient
  /// - Precondition: the parameters are those of the forward pass.
  /// - Complexity: twice that of the forward pass
  public func backward(
    _ features: borrowing FeatureBuffer, slots: Range<Int>, _ workspace: inout DenseWorkspace,
    into gradient: inout DenseGradient
  ) {
    guard let shape = specification.embedding else { preconditionFailure("the network's input is numbers") }
    precondition(shape.accepts(features.layout), "the features are of a larger embedding than the network's")
    precondition(slots.lowerBound >= 0 && slots.upperBound <= features.slots && slots.count == workspace.count)
    computeGradients(&workspace, &gradient)
    if let biases = specification.embeddingBiases {
      let input = workspace.inputs[0]
      var delta = take(&workspace.outputDelta)
      var span = delta.mutableSpan
      maskInactive(input.span, count: slots.count * shape.outputWidth, &span)
      gradient.withMutableDense(of: biases) { addRows(delta.span, rows: slots.count, to: &$0) }
      workspace.outputDelta = delta
    }
    addRowGradients(
      features, slots, shape, delta: workspace.outputDelta.span, coefficients: workspace.outputGradients.span,
      &gradient.rows)
  }

  /// Adds the gradient of the last forward pass, for networks whose input is numbers.
  public func backward(_ workspace: inout DenseWorkspace, into gradient: inout DenseGradient) {
    precondition(specification.embedding == nil, "the network's input is features")
    computeGradients(&workspace, &gradient)
  }

  /// Adds the gradients of all layers. The gradient with regard to the network's input ends in
  /// `workspace.outputDelta`, unless the input is numbers.
  private func computeGradients(_ workspace: inout DenseWorkspace, _ gradient: inout DenseGradient) {
    precondition(workspace.specification.layers == specification.layers, "the workspace is of another network")
    precondition(gradient.specification.layers == specification.layers, "the gradient is of another network")
    let (layers, count, arithmetic) = (specification.layers, workspace.count, workspace.arithmetic)
    for sample in 0..<count { workspace.outputDelta[sample] = workspace.outputGradients[sample] }
    for number in layers.indices.reversed() {
      let layer = layers[number]
      let input = workspace.inputs[number]
      let delta = workspace.outputDelta
      let weightProduct = MatrixProduct(
        rows: layer.inputs, columns: layer.outputs, inner: count, transposesA: true)
      gradient.withMutableDense(of: layer.weights) { arithmetic.gemm(weightProduct, input.span, delta.span, 1, &$0) }
      gradient.withMutableDense(of: layer.biases) { addRows(delta.span, rows: count, to: &$0) }
      if number == 0 && specification.embedding == nil { break }
      let inputProduct = MatrixProduct(
        rows: count, columns: layer.inputs, inner: layer.outputs, transposesB: true)
      var inputDelta = take(&workspace.inputDelta)
      var span = inputDelta.mutableSpan
      parameters.withSpan { arithmetic.gemm(inputProduct, delta.span, $0.extracting(layer.weights), 0, &span) }
      if number > 0 { maskInactive(input.span, count: count * layer.inputs, &span) }
      workspace.inputDelta = workspace.outputDelta
      workspace.outputDelta = inputDelta
    }
  }
}
