import Tupelo

/// Tiles as a view draws them. After the first board, only traces of moves change the tiles.
struct Picture {
  private struct Tile {
    var cell: Int
    var exponent: Int
  }

  private var tiles: [Int: Tile] = [:]

  init(_ board: IdentifiedBoard) {
    for tile in board.tiles { tiles[tile.id] = Tile(cell: tile.cell, exponent: tile.exponent) }
  }

  /// Slides the tiles of a move, removes those that merged into another one, and adds the new tile.
  mutating func show(_ trace: MoveTrace) {
    for tile in trace.absorbed {
      check(tiles.removeValue(forKey: tile.id)?.cell == tile.from, "a tile merges from another cell: \(trace)")
    }
    check(Set(tiles.keys) == Set(trace.slides.map(\.id)), "a trace does not name the tiles of the view: \(trace)")
    for slide in trace.slides {
      check(tiles[slide.id]?.cell == slide.from, "a tile slides from another cell: \(trace)")
      tiles[slide.id] = Tile(cell: slide.to, exponent: slide.exponent)
    }
    let new = trace.appeared
    check(tiles.updateValue(Tile(cell: new.cell, exponent: new.exponent), forKey: new.id) == nil, "not new: \(trace)")
  }

  /// The tiles as rows of numbers, 0 for an empty cell.
  var rows: [[Int]] {
    var rows = Array(repeating: Array(repeating: 0, count: 4), count: 4)
    for tile in tiles.values { rows[tile.cell / 4][tile.cell % 4] = 1 << tile.exponent }
    return rows
  }
}
