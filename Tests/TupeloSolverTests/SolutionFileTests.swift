import DurableFiles
import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloSolver

/// A solution file taken apart, to be changed and put together again.
struct SolutionParts {
  var metadata: [String: String]
  var codes: [UInt32]
  var values: [Double]
  var layers: [UInt64]
  /// Tensors written as something else, or, with no type, not at all.
  var otherTypes: [String: TensorType?] = [:]

  init(path: String) throws {
    let file = try SafetensorsFile(path: path)
    metadata = file.metadata
    codes = try file.array(of: "codes")
    values = try file.array(of: "values")
    layers = try file.array(of: "layers")
  }

  func write(to path: String) throws {
    let all: [(String, TensorType, Int)] = [
      ("codes", .u32, codes.count), ("values", .f64, values.count), ("layers", .u64, layers.count),
    ]
    let tensors = all.compactMap { name, type, count -> TensorDescription? in
      guard let other = otherTypes[name] else { return TensorDescription(name: name, type: type, shape: [count]) }
      return other.map { TensorDescription(name: name, type: $0, shape: [count * type.byteWidth / $0.byteWidth]) }
    }
    try SafetensorsWriter.write(to: path, metadata: metadata, tensors: tensors) { tensor, sink in
      switch tensor.name {
      case "codes": try sink.write(codes.span.bytes)
      case "values": try sink.write(values.span.bytes)
      default: try sink.write(layers.span.bytes)
      }
    }
  }
}

@Suite final class SolutionFileTests {
  private let path = TemporaryFile.path("solution.safetensors")

  deinit { TemporaryFile.remove(path) }

  private static func solved(_ rows: Int, _ columns: Int, four: Double = 0.1, start: Int = 2) throws -> ExactSolution {
    let shape = try BoardShape(rows: rows, columns: columns)
    return try BoardSolver(rules: try Rules(shape: shape, fourProbability: four, startTiles: start)).solve()
  }

  @Test(arguments: [(2, 2, 0.1, 2), (2, 3, 0.25, 1), (3, 2, 0, 2), (2, 2, 1, 3)])
  func roundTrip(_ rows: Int, _ columns: Int, _ four: Double, _ start: Int) throws {
    let solution = try Self.solved(rows, columns, four: four, start: start)
    try solution.save(to: path)
    let opened = try ExactSolution(path: path)
    #expect(opened.rules == solution.rules)
    #expect(opened.positionCount == solution.positionCount)
    #expect(opened.startValue == solution.startValue)
    #expect(opened.startValueFromTwos == solution.startValueFromTwos)
    for number in 0..<30 as Range<UInt64> {
      var game = Game(rules: solution.rules, seed: 2, number: number)
      repeat {
        #expect(opened.value(of: game.board) == solution.value(of: game.board))
        #expect(opened.moveValues(on: game.board) == solution.moveValues(on: game.board))
      } while opened.bestMove(on: game.board).map { game.play($0) != nil } ?? false
      #expect(game.isOver)
    }
    #expect(opened.value(of: Board(bits: 0x1)) == solution.value(of: Board(bits: 0x1)))
    // What was read, written again, is the same file, also in its own place.
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    try opened.save(to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  /// Python reads the file, and every value in it is what the values after the best move make of it.
  @Test(
    .enabled(if: Python.hasSafetensors, Comment(rawValue: Python.isMissing)), arguments: [(2, 2, 110), (2, 3, 21752)])
  func pythonFindsTheValuesConsistent(_ rows: Int, _ columns: Int, _ count: Int) throws {
    try Self.solved(rows, columns).save(to: path)
    let script = """
      import sys
      from safetensors import safe_open
      with safe_open(sys.argv[1], framework="numpy") as f:
          meta = f.metadata()
          codes, values, layers = (f.get_tensor(n) for n in ("codes", "values", "layers"))
      R, C = map(int, meta["tupelo.board"].split("x"))
      n, p = R * C, float(meta["tupelo.four_probability"])
      assert meta["tupelo.solution"] == "1" and str(codes.dtype) == "uint32" and str(values.dtype) == "float64"
      def board(code):
          return tuple(code // (n + 2) ** i % (n + 2) for i in range(n))
      def images(b):
          rows = [b[i * C:i * C + C] for i in range(R)]
          flips = [rows, rows[::-1], [r[::-1] for r in rows], [r[::-1] for r in rows[::-1]]]
          if R == C: flips += [list(zip(*m)) for m in flips]
          return [sum(m, ()) for m in ([tuple(r) for r in f] for f in flips)]
      known = {}
      for layer in range(len(layers) - 1):
          part = [int(c) for c in codes[layers[layer]:layers[layer + 1]]]
          assert part == sorted(set(part))
          for c, v in zip(part, values[layers[layer]:layers[layer + 1]]):
              b = board(c)
              assert sum(2 ** e for e in b if e) == 2 * layer
              for i in images(b): known[i] = v
      def line(t):
          t, out, score = [e for e in t if e], [], 0
          while t:
              e = t.pop(0)
              if t and t[0] == e:
                  t.pop(0); e += 1; score += 2 ** e
              out.append(e)
          return out, score
      lanes = [[r * C + c for c in range(C)] for r in range(R)] + [[r * C + c for r in range(R)] for c in range(C)]
      across, along = lanes[:R], lanes[R:]
      def mean(b, q):
          free = [i for i in range(n) if not b[i]]
          put = lambda i, e: known[b[:i] + (e,) + b[i + 1:]]
          return sum((1 - q) * put(i, 1) + (q * put(i, 2) if q else 0) for i in free) / len(free)
      def best(b):
          most = 0
          for way in (across, along, [l[::-1] for l in across], [l[::-1] for l in along]):
              after, score = list(b), 0
              for cells in way:
                  tiles, points = line([b[i] for i in cells])
                  score += points
                  for i, e in zip(cells, tiles + [0] * n): after[i] = e
              if tuple(after) != b: most = max(most, score + mean(tuple(after), p))
          return most
      assert all(abs(best(board(int(c))) - v) < 1e-9 for c, v in zip(codes, values))
      print(len(codes))
      """
    #expect(try Python.run(script, path) == "\(count)\n")
  }

  @Test func anotherFormatOrKindOfFile() throws {
    try Self.solved(2, 2).save(to: path)
    var parts = try SolutionParts(path: path)
    #expect(SolutionFile.isSolution(try SafetensorsFile(path: path)))
    parts.metadata["tupelo.solution"] = "2"
    try expect(parts, .newerFormat(path: path, found: 2, supported: 1))
    parts.metadata["tupelo.solution"] = nil
    try expect(parts, .notASolution(path: path))
    #expect(!SolutionFile.isSolution(try SafetensorsFile(path: path)))
    #expect(throws: SystemError.self) { try ExactSolution(path: path + ".missing") }
  }

  @Test(arguments: [
    ("tupelo.solution", "one"), ("tupelo.board", "4x4"), ("tupelo.board", "3"), ("tupelo.board", "2x9"),
    ("tupelo.board", nil), ("tupelo.four_probability", "nan"), ("tupelo.four_probability", "1.5"),
    ("tupelo.four_probability", nil), ("tupelo.start_tiles", "4"), ("tupelo.start_tiles", "-1"),
    ("tupelo.start_tiles", "x"), ("tupelo.start_value", nil), ("tupelo.start_value", "?\u{1b}[2J"),
  ]) func badMetadata(_ key: String, _ value: String?) throws {
    try Self.solved(2, 2).save(to: path)
    var parts = try SolutionParts(path: path)
    parts.metadata[key] = value
    try expect(parts, .badMetadata(path: path, key: key, found: value))
  }

  @Test func badTensors() throws {
    try Self.solved(2, 2).save(to: path)
    let good = try SolutionParts(path: path)
    let count = good.codes.count
    func check(_ error: SolutionFileError, _ change: (inout SolutionParts) -> Void) throws {
      var parts = good
      change(&parts)
      try expect(parts, error)
    }
    for name in ["codes", "values", "layers"] {
      try check(.missingTensor(path: path, name: name)) { $0.otherTypes[name] = .some(nil) }
    }
    try check(.wrongTensor(path: path, name: "codes", found: "F32 [110]", expected: "U32 of one axis")) {
      $0.otherTypes["codes"] = .some(.f32)
    }
    try check(.wrongTensor(path: path, name: "values", found: "F64 [109]", expected: "F64 [110]")) {
      $0.values.removeLast()
    }
    try check(.wrongTensor(path: path, name: "layers", found: "U64 [1]", expected: "U64 of 2 to 33")) {
      $0.layers = [0]
    }
    try check(.wrongTensor(path: path, name: "layers", found: "U64 [34]", expected: "U64 of 2 to 33")) {
      $0.layers = Array(repeating: 0, count: 34)
    }
    try check(.badLayer(path: path, index: 0)) { $0.layers[0] = 1 }
    try check(.badLayer(path: path, index: 5)) { $0.layers[5] = .max }
    try check(.badLayer(path: path, index: 9)) { $0.layers[9] = 0 }
    try check(.badLayer(path: path, index: good.layers.count - 1)) { $0.layers[$0.layers.count - 1] -= 1 }
    try check(.badCode(path: path, index: 0)) { $0.codes[0] = 0 }
    try check(.badCode(path: path, index: count - 1)) { $0.codes[count - 1] = 6 * 6 * 6 * 6 }
    let crowded = try #require(good.layers.indices.dropLast().first { good.layers[$0] + 1 < good.layers[$0 + 1] })
    let pair = Int(good.layers[crowded])
    try check(.badCode(path: path, index: pair + 1)) { $0.codes.swapAt(pair, pair + 1) }
    try check(.badCode(path: path, index: pair + 1)) { $0.codes[pair + 1] = $0.codes[pair] }
    for value in [-1, .nan, .infinity] { try check(.badValue(path: path, index: 50)) { $0.values[50] = value } }
    let other = good.metadata["tupelo.start_value"] ?? ""
    try check(.wrongStartValue(path: path, found: other, expected: "1.0")) { $0.metadata["tupelo.start_value"] = "1" }
    // A start board that is not there.
    try check(.wrongStartValue(path: path, found: "nan", expected: other)) { $0.codes[0] += 1 }
  }

  private func expect(_ parts: SolutionParts, _ expected: SolutionFileError) throws {
    try parts.write(to: path)
    let error = #expect(throws: SolutionFileError.self) { try ExactSolution(path: path) }
    #expect(error == expected)
    let text = error?.description ?? ""
    #expect(text.hasPrefix(path + ": ") && text.hasSuffix(": tupelo solve --board ROWSxCOLUMNS --output FILE"))
    #expect(!text.contains { $0.isNewline || $0 == "\u{1b}" })
  }

  /// Any bytes changed, cut off or put in: refused, or opened and safe to ask.
  @Test func damagedFilesAreNeverTrusted() throws {
    try Self.solved(2, 2).save(to: path)
    // Without the checksum, which would keep nearly all of them out.
    var parts = try SolutionParts(path: path)
    parts.metadata["tupelo.checksum"] = nil
    try parts.write(to: path)
    let good = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = RandomStream(seed: 6)
    var opened = 0
    for _ in 0..<2000 {
      var bytes = good
      switch random.next(below: 8) {
      case 0: bytes.removeLast(1 + random.next(below: bytes.count))
      case 1: bytes.insert(UInt8(random.next(below: 256)), at: random.next(below: bytes.count))
      default:
        for _ in 0...random.next(below: 3) { bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256)) }
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      do {
        let solution = try ExactSolution(path: path)
        opened += 1
        for code in 0..<6 * 6 * 6 * 6 {
          let exponents = [code % 6, code / 6 % 6, code / 36 % 6, code / 216]
          let shape = solution.rules.shape
          let rest = Array(repeating: 0, count: shape.cellCount - 4)
          let board = try Board(exponents: exponents + rest, shape: shape)
          if let value = solution.value(of: board) { #expect(value >= 0 && value.isFinite) }
          _ = solution.moveValues(on: board)
        }
      } catch is SafetensorsError {
      } catch is SolutionFileError {
      }
    }
    #expect(opened > 10 && opened < 1500)
  }

  /// Not every number takes part in E[score]; a changed one is found all the same. Files from before there was a
  /// checksum are still read.
  @Test func changedNumbersAreFound() throws {
    try Self.solved(2, 2).save(to: path)
    let parts = try SolutionParts(path: path)
    for index in parts.values.indices {
      var changed = parts
      changed.values[index] = changed.values[index] == 0 ? 1 : changed.values[index] * 2
      try changed.write(to: path)
      #expect(throws: SolutionFileError.self, "value \(index)") { try ExactSolution(path: self.path) }
    }
    var old = parts
    old.metadata = parts.metadata.filter { $0.key != "tupelo.checksum" }
    try old.write(to: path)
    #expect(try ExactSolution(path: path).startValue > 0)
    old.metadata["tupelo.solution"] = "-1"
    try old.write(to: path)
    #expect(throws: SolutionFileError.self) { try ExactSolution(path: self.path) }
  }
}
