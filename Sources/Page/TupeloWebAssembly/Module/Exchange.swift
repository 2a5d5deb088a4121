/// The memory in which the page and the module hand numbers to each other.
///
/// | bytes | content |
/// |---|---|
/// | 0..<16 | the board of a question, an exponent per cell; 255 is a wall: a cell outside a board smaller than 4x4 |
/// | 16..<32 | the board of an answer, with the walls of the question |
/// | 32..<36 | a reward, or the plies of an analysis |
/// | 40..<48 | the nodes of an analysis |
/// | 48..<64 | rewards by move number |
/// | 64..<96 | values by move number |
/// | 96..<128 | differences to the best value by move number |
/// | 128..<192 | slides: from, to, absorbed, exponent |
/// | 192..<196 | the place of the piece of a model file that the room shall have next; -1 at the end |
/// | 196..<204 | the bytes of that piece; its bytes when it is unpacked, -1 for one that is not packed |
///
/// Soundness of the unsafe memory: its 208 bytes are never freed. Every place above lies within it and is aligned for
/// its type. The module has one thread.
@safe
struct Exchange: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer

  init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 208, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 208)
    unsafe self.memory = memory
  }

  /// The address at which the page finds it.
  var address: UnsafeMutableRawPointer { @unsafe get { unsafe memory } }

  /// The exponents of a question's board, 0 for a wall. Exponents that no board can have count as the largest one.
  func exponent(at cell: Int) -> Int { isWall(cell) ? 0 : min(Int(byte(at: cell)), 17) }

  func isWall(_ cell: Int) -> Bool { byte(at: cell) == 255 }

  private func byte(at cell: Int) -> UInt8 {
    precondition((0..<16).contains(cell))
    return unsafe memory.load(fromByteOffset: cell, as: UInt8.self)
  }

  func setBoard(_ exponent: (Int) -> Int) {
    for cell in 0..<16 {
      let byte = isWall(cell) ? 255 : UInt8(exponent(cell))
      unsafe memory.storeBytes(of: byte, toByteOffset: 16 + cell, as: UInt8.self)
    }
  }

  func setNumber(_ number: Int) { unsafe memory.storeBytes(of: Int32(number), toByteOffset: 32, as: Int32.self) }

  func setNodes(_ nodes: Int) { unsafe memory.storeBytes(of: Double(nodes), toByteOffset: 40, as: Double.self) }

  func setMove(_ move: Int, reward: Int, value: Double, difference: Double) {
    precondition((0..<4).contains(move))
    unsafe memory.storeBytes(of: Int32(reward), toByteOffset: 48 + 4 * move, as: Int32.self)
    unsafe memory.storeBytes(of: value, toByteOffset: 64 + 8 * move, as: Double.self)
    unsafe memory.storeBytes(of: difference, toByteOffset: 96 + 8 * move, as: Double.self)
  }

  func setSlide(_ number: Int, _ slide: SIMD4<UInt8>) {
    precondition((0..<16).contains(number))
    unsafe memory.storeBytes(of: slide, toByteOffset: 128 + 4 * number, as: SIMD4<UInt8>.self)
  }

  func setPiece(from start: Int, count: Int, unpacked: Int?) {
    unsafe memory.storeBytes(of: Int32(start), toByteOffset: 192, as: Int32.self)
    unsafe memory.storeBytes(of: Int32(count), toByteOffset: 196, as: Int32.self)
    unsafe memory.storeBytes(of: Int32(unpacked ?? -1), toByteOffset: 200, as: Int32.self)
  }
}
