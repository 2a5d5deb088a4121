// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

public import CTupeloAPI
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

/// A search over any evaluator.
private protocol BoardSearch {
  mutating func analyze(
    _ board: Board, limits: SearchLimits, cancellation: SearchCancellation?
  ) throws(CancellationError) -> MoveAnalysis
  mutating func forget()
}

extension Expectimax: BoardSearch {}

/// A search with its table.
///
/// Soundness of `@unchecked Sendable`: `Objects.exclusive` lets one thread at a time use it.
final class SearchObject: ForeignObject, @unchecked Sendable {
  static let title = "a searcher"

  fileprivate var search: any BoardSearch
  let shape: BoardShape

  init(_ evaluator: any Evaluator, shape: BoardShape, _ settings: tupelo_search_settings) throws {
    self.shape = shape
    let rules = try Rules(shape: shape, fourProbability: settings.four_probability, startTiles: 1)
    let threads = try Memory.number(settings.threads, in: 1...4, "settings.threads")
    let mebibytes = try Memory.number(settings.table_mebibytes, in: -1...65_536, "settings.table_mebibytes")
    func makeSearch(_ evaluator: some Evaluator) throws -> any BoardSearch {
      try Expectimax(
        evaluator, limits: SearchLimits(), rules: rules,
        tableBytes: mebibytes < 0 ? nil : mebibytes << 20, threads: threads)
    }
    search = try makeSearch(evaluator)
  }
}

@c @implementation
public func tupelo_searcher_create(
  _ model: Int64, _ settings: UnsafePointer<tupelo_search_settings>?, _ searcher: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let settings = try unsafe Memory.array(settings, 1, "settings").pointee
    try Memory.check(size: settings.size, MemoryLayout<tupelo_search_settings>.size, "settings")
    let handle = try unsafe Memory.array(searcher, 1, "searcher")
    let board = try Model.named(model)?.board()
    let shape = board?.shape ?? .standard
    unsafe handle.pointee = Objects.add(
      try SearchObject(board ?? HeuristicEvaluator(shape: shape), shape: shape, settings))
  }
}

@c @implementation
public func tupelo_searcher_search(
  _ searcher: Int64, _ board: UInt64, _ overflow: UInt32, _ limits: UnsafePointer<tupelo_search_limits>?,
  _ control: Int64, _ result: UnsafeMutablePointer<tupelo_search_result>?
) -> Int32 {
  status {
    let limits = try searchLimits(unsafe Memory.array(limits, 1, "limits").pointee)
    let result = try unsafe Memory.array(result, 1, "result")
    try Memory.check(size: unsafe result.pointee.size, MemoryLayout<tupelo_search_result>.size, "result")
    let control = try Control.named(control)
    let board = Board(bits: board, overflow: overflow)
    try Objects.exclusive(searcher, as: SearchObject.self) { searcher in
      guard board.isSound(within: searcher.shape.nibbles) else {
        throw Fault.invalid("board is not a board: \(board.flaw(within: searcher.shape))")
      }
      if limits.nodes != nil { searcher.search.forget() }
      let analysis = try searcher.search.analyze(board, limits: limits, cancellation: control.cancellation)
      unsafe result.pointee = tupelo_search_result(analysis)
    }
  }
}

/// The limits that a caller gives, checked.
private func searchLimits(_ given: tupelo_search_limits) throws -> SearchLimits {
  try Memory.check(size: given.size, MemoryLayout<tupelo_search_limits>.size, "limits")
  guard given.milliseconds >= 0, given.milliseconds <= 1e12 else {
    throw Fault.invalid("limits.milliseconds is \(given.milliseconds): give more than 0, or 0 for no limit")
  }
  guard given.nodes >= 0 else {
    throw Fault.invalid("limits.nodes is \(given.nodes): give 1 or more, or 0 for no limit")
  }
  guard given.plies != 0 || given.milliseconds > 0 || given.nodes > 0 else {
    throw Fault.invalid("limits has no limit: give plies, milliseconds or nodes")
  }
  let extend = try Memory.number(given.extend_empty_cells, in: -1...16, "limits.extend_empty_cells")
  let limits = SearchLimits(
    plies: given.plies == 0 ? SearchLimits.maximumPlies : Int(given.plies),
    extensionEmptyCells: extend < 0 ? nil : extend,
    time: given.milliseconds > 0 ? .nanoseconds(Int64(max(given.milliseconds * 1e6, 1))) : nil,
    nodes: given.nodes > 0 ? Int(given.nodes) : nil, minimumProbability: given.cutoff)
  try limits.check()
  return limits
}

extension tupelo_search_result {
  fileprivate init(_ analysis: MoveAnalysis) {
    func value(_ move: Move) -> Double { analysis[move]?.value ?? .nan }
    self.init(
      size: UInt64(MemoryLayout<Self>.size), values: (value(.up), value(.right), value(.down), value(.left)),
      move: Int32(analysis.best?.move.rawValue ?? -1), plies: Int32(analysis.plies), nodes: Int64(analysis.nodes))
  }
}
