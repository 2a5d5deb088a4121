internal import TupeloBase
public import TupeloEngine

/// Solves a small board exactly. For every position it computes the expected score still to come under score-maximising
/// play.
///
/// The sum of the tiles grows by 2 or 4 with every tile that appears, and moves do not change it. So positions form
/// layers by their sum, and positions of sum s lead only to sums s + 2 and s + 4. A forward pass enumerates the layers,
/// and a backward pass values them. Both passes work on positions up to symmetry. They use afterstates, because there
/// are fewer afterstates than boards.
///
/// Complexity: linear in the positions, with about 16 bytes of memory each: 48.7 million for 3x3.
public struct BoardSolver: Sendable {
  public let rules: Rules
  public let threads: Int
  let code: StateCode
  let moves: MoveTable
  let chance: ChanceModel

  /// - Precondition: at least one thread.
  /// - Throws: `SolverError.tooLarge` beyond nine cells.
  public init(rules: Rules, threads: Int = 1) throws(SolverError) {
    precondition(threads >= 1, "work needs a thread")
    guard rules.shape.cellCount <= 9 else {
      let positions = Self.estimatedPositions(of: rules.shape)
      throw .tooLarge(rules.shape, positions: positions, bytes: positions * 16)
    }
    self.rules = rules
    self.threads = threads
    code = StateCode(rules.shape)
    moves = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  /// The number of positions up to symmetry. For 4x3 it is the published count, 1.15e12 (arXiv 2510.04580). For other
  /// shapes it is an upper bound, with any tile on every cell.
  static func estimatedPositions(of shape: BoardShape) -> Double {
    guard shape.cellCount != 12 else { return 1.15e12 }
    let all = (0..<shape.cellCount).reduce(1.0) { product, _ in product * Double(shape.cellCount + 2) }
    return all / Double(shape.symmetries.count)
  }

  /// Solves the board. The result does not depend on the number of threads.
  ///
  /// - Parameter progress: called after each layer
  public func solve(progress: (SolverProgress) -> Void = { _ in }) -> ExactSolution {
    let layers = enumerated(progress: progress)
    return ExactSolution(rules: rules, layers: valued(layers, progress: progress))
  }
}

/// The progress of a solver.
public struct SolverProgress: Hashable, Sendable {
  public enum Phase: String, Sendable {
    case enumerating
    case valuing
    /// The solver follows a policy.
    case following
  }
  public let phase: Phase
  /// The sum of the tiles on the boards of the layer that was just finished, in score points.
  public let tileSum: Int
  /// The number of positions finished in this phase.
  public let positions: Int
}

/// The positions with one tile sum: boards and afterstates, up to symmetry and sorted.
struct Layer: Sendable {
  var boards: [UInt32]
  /// The afterstates of all legal moves on these boards.
  var afterstates: [UInt32]
}

extension BoardSolver {
  /// The reachable positions by half their sum.
  func enumerated(progress: (SolverProgress) -> Void) -> [Layer] {
    // The largest sum has one tile each from 4 to 2^(cells + 1).
    let count = 1 << (rules.shape.cellCount + 1)
    var pending: [[[UInt32]]] = Array(repeating: [], count: count + 2)
    for (start, _) in StartDistribution(rules, upToSymmetry: code).boards {
      pending[Board(bits: code.position(of: start)).tileSum / 2].append([start])
    }
    var layers: [Layer] = []
    var positions = 0
    for sum in 0..<count {
      let boards = SortedCodes.union(of: pending[sum], threads: threads)
      pending[sum] = []
      let parts = Parallel.mapParts(of: boards, parts: threads, threads: threads, afterstates)
      let afterstates = SortedCodes.union(of: parts, threads: threads)
      for exponent in 1...2 where probability(of: exponent) > 0 {
        pending[sum + exponent] += Parallel.mapParts(of: afterstates, parts: threads, threads: threads) {
          self.boards(after: $0, exponent: exponent)
        }
      }
      layers.append(Layer(boards: boards, afterstates: afterstates))
      positions += boards.count
      progress(SolverProgress(phase: .enumerating, tileSum: 2 * sum, positions: positions))
    }
    while layers.last?.boards.isEmpty ?? false { layers.removeLast() }
    return layers
  }

  private func probability(of exponent: Int) -> Double {
    exponent == 1 ? 1 - rules.fourProbability : rules.fourProbability
  }

  private func afterstates(of boards: ArraySlice<UInt32>) -> [UInt32] {
    var found: [UInt32] = []
    found.reserveCapacity(4 * boards.count)
    for board in boards {
      let successors = moves.successors(of: Board(bits: code.position(of: board)))
      var mask = successors.legal.mask
      while mask != 0 {
        found.append(code.canonicalCode(of: successors.bits[mask.trailingZeroBitCount]))
        mask &= mask &- 1
      }
    }
    return SortedCodes.make(from: found)
  }

  private func boards(after afterstates: ArraySlice<UInt32>, exponent: Int) -> [UInt32] {
    var found: [UInt32] = []
    found.reserveCapacity(rules.shape.cellCount * afterstates.count)
    for afterstate in afterstates {
      let grid = Afterstate(bits: code.position(of: afterstate))
      for outcome in chance.outcomes(of: grid) where outcome.exponent == exponent {
        found.append(code.canonicalCode(of: grid.board(after: outcome).bits))
      }
    }
    return SortedCodes.make(from: found)
  }
}

extension BoardSolver {
  /// The values of all boards, from the last layer to the first.
  func valued(_ layers: [Layer], progress: (SolverProgress) -> Void) -> [SolvedLayer] {
    var solved: [SolvedLayer] = []
    solved.reserveCapacity(layers.count)
    var (afterTwo, afterFour) = (SolvedValues.empty, SolvedValues.empty)
    var positions = 0
    for (number, layer) in layers.enumerated().reversed() {
      let expected = Parallel.mapParts(of: layer.afterstates, parts: 4 * threads, threads: threads) {
        [afterTwo, afterFour] in expectations(of: $0, afterTwo, afterFour)
      }
      let afterstates = SolvedValues(layer.afterstates, Array(expected.joined()))
      let best = Parallel.mapParts(of: layer.boards, parts: 4 * threads, threads: threads) {
        bestValues(of: $0, afterstates)
      }
      let values = Array(best.joined())
      afterFour = afterTwo
      afterTwo = SolvedValues(layer.boards, values)
      solved.append(SolvedLayer(codes: layer.boards, values: values))
      positions += values.count
      progress(SolverProgress(phase: .valuing, tileSum: 2 * number, positions: positions))
    }
    return solved.reversed()
  }

  private func expectations(
    of afterstates: ArraySlice<UInt32>, _ afterTwo: SolvedValues, _ afterFour: SolvedValues
  ) -> [Double] {
    afterstates.map { afterstate in
      let grid = Afterstate(bits: code.position(of: afterstate))
      var sum = 0.0
      for outcome in chance.outcomes(of: grid) {
        let board = code.canonicalCode(of: grid.board(after: outcome).bits)
        sum += outcome.probability * (outcome.exponent == 1 ? afterTwo : afterFour).value(of: board)
      }
      return sum
    }
  }

  private func bestValues(of boards: ArraySlice<UInt32>, _ afterstates: SolvedValues) -> [Double] {
    boards.map { board in
      let successors = moves.successors(of: Board(bits: code.position(of: board)))
      let best = successors.best { move in
        afterstates.value(of: code.canonicalCode(of: successors.bits[move.rawValue]))
      }
      return best?.sum ?? 0
    }
  }
}

extension Parallel {
  /// Calls `body` for `parts` consecutive parts of an array and returns the results. A short array is one part.
  static func mapParts<T: Sendable>(
    of codes: [UInt32], parts: Int, threads: Int, _ body: @Sendable (ArraySlice<UInt32>) -> T
  ) -> [T] {
    let parts = codes.count < 1024 ? 1 : max(parts, 1)
    return map(count: parts, threads: threads) { part in
      body(codes[codes.count * part / parts..<codes.count * (part + 1) / parts])
    }
  }
}

/// Why a board cannot be solved.
public enum SolverError: Error, Hashable, Sendable {
  /// The board has too many positions. `positions` and `bytes` are estimates; for 4x4 they are upper bounds.
  case tooLarge(BoardShape, positions: Double, bytes: Double)
}

extension SolverError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let shape, let positions, let bytes):
      "a \(shape) board has about \(Self.rounded(positions)) positions, which need \(Self.size(bytes)) of memory: "
        + "solve 3x3, 2x4, 4x2 or a smaller board"
    }
  }

  /// A number with two digits and a power of ten: `1.2e12`.
  private static func rounded(_ number: Double) -> String {
    var (digits, exponent) = (number, 0)
    while digits >= 9.95 { (digits, exponent) = (digits / 10, exponent + 1) }
    return "\((digits * 10).rounded() / 10)e\(exponent)"
  }

  private static func size(_ bytes: Double) -> String {
    let terabytes = (bytes / 1e12).rounded(.up)
    return terabytes < 1e4 ? "\(Int(terabytes)) TB" : "\(rounded(terabytes)) TB"
  }
}
