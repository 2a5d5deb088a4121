internal import TupeloEngine

/// A line that a person types to the adviser.
enum AdviceRequest: Equatable {
  /// A move, unless it was the best one, and the tiles that appeared.
  case happened(move: Move?, tiles: [NewTile])
  case board(String)
  case undo
  case newGame
  case help
  case quit

  /// A new tile.
  struct NewTile: Equatable {
    /// row * 4 + column
    let cell: Int
    /// 1 for a 2, 2 for a 4, up to 4 for a 16
    let exponent: Int
  }

  /// Parses a line. Its forms are the shortest that are unambiguous. A cell is the letter of a column and the number of
  /// a row, and a tile other than a 2 comes behind it. A move is one letter or a word.
  ///
  /// - Throws: `AdviceError` when the line has none of these forms; returns `nil` for an empty line.
  static func parse(_ line: String, shape: BoardShape) throws(AdviceError) -> AdviceRequest? {
    let words = line.lowercased().split { $0.isWhitespace || $0 == "," || $0.isControl }.map(String.init)
    guard let first = words.first else { return nil }
    if first == "board" { return .board(words.dropFirst().joined(separator: " ")) }
    if let command = commands[first] {
      guard words.count == 1 else { throw .notAlone(first) }
      return command
    }
    var move: Move?
    var tiles: [NewTile] = []
    /// Whether the word before was a cell that its tile may follow.
    var isOpen = false
    for (index, word) in words.enumerated() {
      if isOpen, let exponent = spawned[word], let last = tiles.popLast() {
        tiles.append(NewTile(cell: last.cell, exponent: exponent))
        isOpen = false
      } else if index == 0, let played = Self.move(word) {
        move = played
      } else {
        let (tile, hasValue) = try newTile(word, shape: shape)
        tiles.append(tile)
        isOpen = !hasValue
      }
    }
    return .happened(move: move, tiles: tiles)
  }

  private static let commands: [String: AdviceRequest] = [
    "u": .undo, "undo": .undo, "n": .newGame, "new": .newGame, "?": .help, "help": .help, "q": .quit, "quit": .quit,
  ]

  private static func move(_ word: String) -> Move? {
    if let move = Move.allCases.first(where: { "\($0)" == word }) { return move }
    return word.count == 1 ? word.first.flatMap { Keystroke.character($0).move } : nil
  }

  /// The exponents of the tiles that appear. In some variants of the game they are up to 16.
  private static let spawned = ["2": 1, "4": 2, "8": 3, "16": 4]

  /// Parses a cell with an optional tile: `b3`, `b34`, `b316`. Two digits, such as 32, could name either of two cells.
  private static func newTile(_ word: String, shape: BoardShape) throws(AdviceError) -> (NewTile, hasValue: Bool) {
    let symbols = Array(word)
    guard symbols.count < 16 else { throw .bareBoard }
    guard (2...4).contains(symbols.count), let second = digit(symbols[1]) else { throw .unknown(word) }
    if let first = digit(symbols[0]), (1...4).contains(first), (1...4).contains(second) {
      throw .digits(word, AdviceError.name(of: first * 4 + second - 5), AdviceError.name(of: second * 4 + first - 5))
    }
    guard let letter = symbols[0].asciiValue, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else {
      throw .unknown(word)
    }
    let (row, column) = (second - 1, Int(letter - UInt8(ascii: "a")))
    guard (0..<shape.rows).contains(row), (0..<shape.columns).contains(column) else { throw .offBoard(word, shape) }
    guard symbols.count > 2 else { return (NewTile(cell: row * 4 + column, exponent: 1), false) }
    guard let exponent = spawned[String(symbols[2...])] else { throw .badTile(word) }
    return (NewTile(cell: row * 4 + column, exponent: exponent), true)
  }

  private static func digit(_ character: Character) -> Int? {
    character.isASCII ? character.wholeNumberValue : nil
  }
}

/// The reason why a line is refused. Such a line changes nothing.
enum AdviceError: Error, Equatable {
  case unknown(String)
  /// A cell as two digits, and the cells that they can mean.
  case digits(String, String, String)
  /// A board without the word `board`.
  case bareBoard
  case notAlone(String)
  case offBoard(String, BoardShape)
  case badTile(String)
  case badBoard(BoardTextError)
  case illegal(Move)
  case gameIsOver
  /// A line names a move, but a tile must be named first.
  case tilesMissing(Int, after: Move?)
  case tooManyTiles
  /// A tile that a record cannot have.
  case notRecorded(tile: Int)
  case taken(cell: Int, tile: Int, after: Move?)
  case nothingToUndo
}

extension AdviceError: CustomStringConvertible {
  /// The error in one line of at most 80 columns.
  var description: String {
    switch self {
    case .unknown(let word):
      "'\(word.prefix(12))' is not a move, cell or command: b3 means a 2, b34 a 4; ? for help"
    case .digits(let word, let first, let second):
      "'\(word)' "
        + (first == second ? "is not a cell: write \(first)" : "could be \(first) or \(second): write one of these")
    case .bareBoard: "a board comes behind the word board: board 1200000000000000"
    case .notAlone(let word): "'\(word)' stands alone on its line"
    case .offBoard(let word, let shape): "'\(word)' is off the board, which is \(shape): \(Self.cells(shape))"
    case .badTile(let word): "'\(word)' has an unknown tile: write 2, 4, 8 or 16, or nothing for a 2"
    case .badBoard(let error): "\(error)"
    case .illegal(let move): "\(move) changes nothing on this board"
    case .gameIsOver: "the game is over: u takes back, n begins a new one, board sets another"
    case .tilesMissing(_, let move?): "first enter the tile that appeared after \(move), or u to take \(move) back"
    case .tilesMissing(let count, nil): "first the tiles of the start: \(count) more"
    case .notRecorded(let tile): "a record has new tiles of 2 and 4, not \(tile): start without --record"
    case .tooManyTiles: "one tile appears after a move: this line has more"
    case .taken(let cell, let tile, let move):
      "\(Self.name(of: cell)) has a \(tile)\(move.map { " after \($0)" } ?? ""): a tile appears on an empty cell"
    case .nothingToUndo: "there is nothing to take back"
    }
  }

  /// The name of a cell: column letter and row number.
  static func name(of cell: Int) -> String { "\(letters[cell % 4])\(cell / 4 + 1)" }

  private static let letters = Array("abcd")

  private static func cells(_ shape: BoardShape) -> String {
    "columns a to \(letters[shape.columns - 1]), rows 1 to \(shape.rows)"
  }
}

extension Character {
  /// Whether a character must not be printed to a terminal.
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
