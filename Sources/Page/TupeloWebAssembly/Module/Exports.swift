internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch

// The functions that a page can call. Boards go through `Exchange`, tables and texts through `Room`. Functions that can
// fail return 0 when they are done; otherwise `message` says why.

@_expose(wasm, "exchange") @_cdecl("page_exchange")
package func exchange() -> UnsafeMutableRawPointer { unsafe Module.shared.exchange.address }

@_expose(wasm, "room") @_cdecl("page_room")
package func room(_ count: Int32) -> UnsafeMutableRawPointer { unsafe Module.shared.room.make(Int(count)) }

// MARK: The rules

/// Slides all tiles of the board.
///
/// - Returns: the number of slides; 0 when the move is illegal.
@_expose(wasm, "slide") @_cdecl("page_slide")
package func slide(_ move: Int32) -> Int32 {
  let (exchange, board, shape) = (Module.shared.exchange, Module.shared.board, Module.shared.shape)
  guard let move = Move(rawValue: Int(move)), let outcome = board.afterstate(of: move, in: shape) else { return 0 }
  exchange.setBoard { outcome.afterstate.exponent(at: $0) }
  exchange.setNumber(outcome.reward)
  // A trace has a new tile, whose cell does not matter here.
  var identified = IdentifiedBoard(board, shape: shape)
  guard let rules = Module.shared.rules(four: 0) else { return 0 }
  var tiles = ChanceModel(rules).outcomes(of: outcome.afterstate)
  guard let tile = tiles.next() else { return 0 }
  let cells = identified.tiles
  guard let trace = identified.play(move, appeared: tile) else { return 0 }
  for (number, slide) in trace.slides.enumerated() {
    let absorbed = slide.absorbed.flatMap { id in cells.first { $0.id == id }?.cell } ?? 255
    exchange.setSlide(
      number, SIMD4(UInt8(slide.from), UInt8(slide.to), UInt8(absorbed), UInt8(slide.exponent)))
  }
  return Int32(trace.slides.count)
}

/// The legal moves: a bit each, by their numbers.
@_expose(wasm, "legal") @_cdecl("page_legal")
package func legal() -> Int32 { Int32(Module.shared.board.legalMoves(in: Module.shared.shape).mask) }

/// Draws the tile that appears on the board of the question.
///
/// - Parameters:
///   - four: the probability of a 4
///   - low: the lower half of the seed
///   - high: the upper half
/// - Returns: its cell, plus 16 times its exponent; -1 when no cell is empty or the probability is not valid.
@_expose(wasm, "draw") @_cdecl("page_draw")
package func draw(_ four: Double, _ low: UInt32, _ high: UInt32) -> Int32 {
  let board = Module.shared.board
  guard let rules = Module.shared.rules(four: four) else { return -1 }
  let (chance, afterstate) = (ChanceModel(rules), Afterstate(bits: board.bits, overflow: board.overflow))
  guard chance.emptyMask(of: afterstate) != 0 else { return -1 }
  var random = RandomStream(seed: UInt64(high) << 32 | UInt64(low))
  let tile = chance.sample(of: afterstate, using: &random)
  return Int32(tile.cell + 16 * tile.exponent)
}

/// Draws the board that a game starts on, of the shape of the question's board.
///
/// - Returns: 0 when it is done, 1 for impossible rules.
@_expose(wasm, "start") @_cdecl("page_start")
package func start(_ four: Double, _ tiles: Int32, _ low: UInt32, _ high: UInt32) -> Int32 {
  guard let rules = Module.shared.rules(four: four, startTiles: Int(tiles)) else { return 1 }
  var random = RandomStream(seed: UInt64(high) << 32 | UInt64(low))
  let board = rules.startBoard(using: &random)
  Module.shared.exchange.setBoard { board.exponent(at: $0) }
  return 0
}

// MARK: The model

/// Begins to read a model file of a number of bytes. The exchange then says which bytes of it the room shall have next.
@_expose(wasm, "openModel") @_cdecl("page_open_model")
package func openModel(_ byteCount: Double) -> Int32 { Module.shared.open(byteCount: byteCount) }

/// Reads the bytes of a model file that are in the room. The exchange then says which bytes shall follow.
@_expose(wasm, "takePiece") @_cdecl("page_take_piece")
package func takePiece() -> Int32 { Module.shared.take() }

/// Puts the error, or the answer in words, into the room.
///
/// - Returns: its length in bytes.
@_expose(wasm, "message") @_cdecl("page_message")
package func message() -> Int32 {
  let message = Module.shared.message
  let memory = unsafe Module.shared.room.make(message.count)
  for (index, byte) in message.enumerated() { unsafe memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
  return Int32(message.count)
}

// MARK: Values

/// The value of the board as an afterstate, in score points; not a number while no model is loaded.
@_expose(wasm, "value") @_cdecl("page_value")
package func value() -> Float {
  let board = Module.shared.board
  guard case .board(let network) = Module.shared.network else { return .nan }
  return network.value(of: Afterstate(bits: board.bits, overflow: board.overflow))
}

/// Values all legal moves of the board: by the network, or by the heuristic on a board smaller than 4x4.
///
/// - Parameters:
///   - plies: the depth, or the largest depth with a limit of time
///   - milliseconds: the limit of time; 0 means no limit
///   - four: the probability of a 4
/// - Returns: the legal moves, a bit each; -1 while no model is loaded for 4x4, or for impossible rules.
@_expose(wasm, "analyze") @_cdecl("page_analyze")
package func analyze(_ plies: Int32, _ milliseconds: Double, _ four: Double) -> Int32 {
  let (exchange, board) = (Module.shared.exchange, Module.shared.board)
  let depth = min(max(Int(plies), 1), SearchLimits.maximumPlies)
  let limits = SearchLimits(
    plies: depth, time: milliseconds > 0 ? .microseconds(Int64(min(milliseconds, 1e6) * 1e3)) : nil)
  var mask: Int32 = 0
  let isDone = Module.shared.withSearch(four: four) { search in
    guard let analysis = try? search.analyze(board, limits: limits) else { return }
    exchange.setNumber(analysis.plies)
    exchange.setNodes(analysis.nodes)
    for one in analysis.candidates {
      mask |= 1 << Int32(one.move.rawValue)
      exchange.setMove(one.move.rawValue, reward: one.reward, value: one.value, difference: one.difference)
    }
  }
  return isDone ? mask : -1
}
