internal import TupeloTables

// The sparse first layer: sums of table rows, and the gradients of these rows.
//
// Soundness of the unchecked memory: a buffer's features are below its layout's `weightCount`. The callers compare that
// with the number of rows, and the layout's `featureCount` with the number of positions (`EmbeddingShape.accepts`). The
// functions check that the spans hold the table and the batch. So every row and every block lies within its span. Any
// bits are a valid vector of floats.

/// Writes the sums of the rows of each sample into a batch's input, and the sums of linear weights if there are any.
///
/// Rows are added in the order of the features, so a sample's sums do not depend on its batch.
///
/// - Complexity: a row of memory per feature
func sumRows(
  _ features: borrowing FeatureBuffer, _ slots: Range<Int>, _ shape: EmbeddingShape, _ parameters: Span<Float>,
  _ output: inout MutableSpan<Float>, _ linearSums: inout MutableSpan<Float>
) {
  let rowWidth = shape.rowWidth
  precondition(parameters.count >= shape.indexCount * rowWidth && output.count >= slots.count * shape.outputWidth)
  precondition(!shape.hasLinearWeights || linearSums.count >= slots.count)
  let table = unsafe parameters.bytes
  for (sample, slot) in slots.enumerated() {
    let indices = unsafe features.base(ofSlot: slot)
    var linearSum: Float = 0
    for run in shape.runs {
      let block = sample &* shape.outputWidth &+ run.group &* shape.width
      var column = 0
      while column &+ 8 <= rowWidth {
        var sum = SIMD8<Float>.zero
        for position in run.positions {
          let index = unsafe Int(indices[position]) &* rowWidth &+ column
          sum += unsafe table.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 4, as: SIMD8<Float>.self)
        }
        for lane in 0..<7 { unsafe write(sum[lane], to: block &+ column &+ lane, run.isFirst, &output) }
        if column &+ 8 <= shape.width {
          unsafe write(sum[7], to: block &+ column &+ 7, run.isFirst, &output)
        } else {
          linearSum += sum[7]
        }
        column &+= 8
      }
      while column < rowWidth {
        var sum: Float = 0
        for position in run.positions {
          unsafe sum += parameters[unchecked: Int(indices[position]) &* rowWidth &+ column]
        }
        if column < shape.width {
          unsafe write(sum, to: block &+ column, run.isFirst, &output)
        } else {
          linearSum += sum
        }
        column &+= 1
      }
    }
    if shape.hasLinearWeights { linearSums[sample] = linearSum }
  }
}

/// Writes the first sum of a block, or adds a later one.
@unsafe @inline(__always)
private func write(_ sum: Float, to index: Int, _ isFirst: Bool, _ output: inout MutableSpan<Float>) {
  let before = unsafe isFirst ? 0 : output[unchecked: index]
  unsafe output[unchecked: index] = before + sum
}

/// Adds the gradients of a batch's rows: the gradients through the sums, and the coefficients of the values for the
/// linear weights.
///
/// - Parameters:
///   - delta: the gradient with regard to the sums, a row per sample
///   - coefficients: the gradient with regard to each sample's value
func addRowGradients(
  _ features: borrowing FeatureBuffer, _ slots: Range<Int>, _ shape: EmbeddingShape, delta: Span<Float>,
  coefficients: Span<Float>, _ rows: inout GradientRows
) {
  let (width, rowWidth) = (shape.width, shape.rowWidth)
  precondition(delta.count >= slots.count * shape.outputWidth && coefficients.count >= slots.count)
  precondition(rows.width == rowWidth)
  let padding = shape.paddingIndex.map { UInt32(truncatingIfNeeded: $0) }
  for (sample, slot) in slots.enumerated() {
    for run in shape.runs {
      let block = sample &* shape.outputWidth &+ run.group &* width
      for position in run.positions {
        let feature = features.feature(position, ofSlot: slot)
        if feature == padding { continue }
        let row = rows.slot(of: feature) &* rowWidth
        rows.values.withMutableSpan(of: row..<row &+ rowWidth) { values in
          for column in 0..<width { unsafe values[unchecked: column] += delta[unchecked: block &+ column] }
          if shape.hasLinearWeights { values[width] += coefficients[sample] }
        }
      }
    }
  }
}
