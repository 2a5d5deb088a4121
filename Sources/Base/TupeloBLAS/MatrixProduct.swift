/// The sizes of a matrix product C = a op(A) op(B) + b C, where op(X) is X or its transpose.
///
/// Matrices are stored row by row. A leading dimension is the distance from one row to the next as stored, in numbers.
/// It is larger than the row when the matrix is a part of the columns of another one.
public struct MatrixProduct: Hashable, Sendable {
  /// m: the rows of op(A) and of C.
  public let rows: Int
  /// n: the columns of op(B) and of C.
  public let columns: Int
  /// k: the columns of op(A) and the rows of op(B).
  public let inner: Int
  /// Whether op(A) is the transpose of A, which then has `inner` rows and `rows` columns.
  public let transposesA: Bool
  /// Whether op(B) is the transpose of B, which then has `columns` rows and `inner` columns.
  public let transposesB: Bool
  public let leadingA: Int
  public let leadingB: Int
  public let leadingC: Int

  /// - Parameters:
  ///   - rows: m, in 0..<2^31, as the other two sizes
  ///   - columns: n
  ///   - inner: k
  ///   - transposesA: whether A is stored transposed
  ///   - transposesB: whether B is stored transposed
  ///   - leadingA: the leading dimension of A, below 2^31; without it, the length of its rows
  ///   - leadingB: the leading dimension of B
  ///   - leadingC: the leading dimension of C
  /// - Precondition: no leading dimension is below the length of its matrix's rows.
  public init(
    rows: Int, columns: Int, inner: Int, transposesA: Bool = false, transposesB: Bool = false, leadingA: Int? = nil,
    leadingB: Int? = nil, leadingC: Int? = nil
  ) {
    let sizes = 0..<1 << 31
    let (rowA, rowB) = (transposesA ? rows : inner, transposesB ? inner : columns)
    (self.rows, self.columns, self.inner) = (rows, columns, inner)
    (self.transposesA, self.transposesB) = (transposesA, transposesB)
    (self.leadingA, self.leadingB, self.leadingC) = (leadingA ?? rowA, leadingB ?? rowB, leadingC ?? columns)
    precondition(sizes.contains(rows) && sizes.contains(columns) && sizes.contains(inner))
    precondition(self.leadingA >= rowA && self.leadingB >= rowB && self.leadingC >= columns)
    precondition(sizes.contains(self.leadingA) && sizes.contains(self.leadingB) && sizes.contains(self.leadingC))
  }

  /// The numbers that A, B and C span in memory, from the first to the last one that the product touches.
  var extents: (a: Int, b: Int, c: Int) {
    (
      a: transposesA ? Self.extent(inner, rows, leadingA) : Self.extent(rows, inner, leadingA),
      b: transposesB ? Self.extent(columns, inner, leadingB) : Self.extent(inner, columns, leadingB),
      c: Self.extent(rows, columns, leadingC)
    )
  }

  /// The distances in A as stored from a row of op(A) to the next one, and from a column of it to the next one.
  var stepsA: (row: Int, inner: Int) { transposesA ? (1, leadingA) : (leadingA, 1) }

  private static func extent(_ rows: Int, _ columns: Int, _ leading: Int) -> Int {
    rows == 0 || columns == 0 ? 0 : (rows - 1) * leading + columns
  }
}
