import TupeloWebAssembly

/// Calls the module as `engine/engine.js` does: numbers go through the exchange, texts and files
/// through the room.
enum Page {
  /// Hands a model file over as a browser does, until the module wants no more bytes or refuses some.
  ///
  /// - Parameter unpacked: the bytes of each zlib stream when it is unpacked, by the place of the stream
  /// - Returns: 0 when the model is there; 1 when `text` says why it is not; 2 when a stream has another length than
  ///   the module wants, so that a browser refuses it.
  static func load(_ file: [UInt8], unpacked: [Int: [UInt8]] = [:]) -> Int32 {
    var failure = openModel(Double(file.count))
    while failure == 0 {
      let (start, count, size) = (word(192), word(196), word(200))
      guard start >= 0 else { return 0 }
      let bytes = size < 0 ? Array(file[start..<start + count]) : unpacked[start] ?? Array(repeating: 0, count: size)
      guard size < 0 || bytes.count == size else { return 2 }
      room(Int32(bytes.count)).copyMemory(from: bytes, byteCount: bytes.count)
      failure = takePiece()
    }
    precondition(word(192) == -1, "a module that refuses a file wants no more of it")
    return failure
  }

  private static func word(_ place: Int) -> Int { Int(exchange().load(fromByteOffset: place, as: Int32.self)) }

  /// The message about the last error.
  static var text: String {
    let count = Int(message())
    return String(decoding: UnsafeRawBufferPointer(start: room(Int32(count)), count: count), as: UTF8.self)
  }

  /// Sets the board of a request, an exponent per cell.
  static func setBoard(_ exponents: [Int]) {
    exchange().copyMemory(from: exponents.map { UInt8($0) }, byteCount: 16)
  }

  /// Sets the board of a request, a row of exponents each. Other cells are walls.
  static func setBoard(rows: [[Int]]) {
    let full = rows.map { $0 + Array(repeating: 255, count: 4 - $0.count) }
    setBoard(full.flatMap { $0 } + Array(repeating: 255, count: 16 - 4 * rows.count))
  }

  /// The board of an answer, an exponent per cell; 255 is a wall.
  static var board: [Int] { (0..<16).map { Int(exchange().load(fromByteOffset: 16 + $0, as: UInt8.self)) } }

  /// The slides of an answer: from, to, absorbed (255 for nothing), exponent.
  static func slides(_ count: Int) -> [[Int]] {
    (0..<count).map { slide in
      (0..<4).map { Int(exchange().load(fromByteOffset: 128 + 4 * slide + $0, as: UInt8.self)) }
    }
  }

  /// The reward of a slide.
  static var reward: Int { plies }

  /// The plies of an analysis.
  static var plies: Int { word(32) }

  /// The result of an analysis for one move.
  static func candidate(_ move: Int) -> (reward: Int, value: Double, difference: Double) {
    let exchange = exchange()
    return (
      Int(exchange.load(fromByteOffset: 48 + 4 * move, as: Int32.self)),
      exchange.load(fromByteOffset: 64 + 8 * move, as: Double.self),
      exchange.load(fromByteOffset: 96 + 8 * move, as: Double.self)
    )
  }
}
