#if os(macOS) || os(Linux)
import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase

/// Our files read by the reference implementation and its files read by us.
@Suite(.enabled(if: Python.hasSafetensors, "\(Python.isMissing)"))
struct PythonTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func oursReadByPython() throws {
    let names: [(String, TensorType, [Int])] = [
      ("f32", .f32, [2, 2]), ("f16", .f16, [2]), ("bf16", .bf16, [1]), ("u8", .u8, [3]), ("u32", .u32, [2]),
      ("i64", .i64, [2]), ("u64", .u64, [1, 1]), ("f64", .f64, []), ("empty", .f32, [0, 3]), ("é \" \\ \n", .u8, []),
    ]
    let tensors = names.map { TensorDescription(name: $0, type: $1, shape: $2) }
    try SafetensorsWriter.write(to: path, metadata: ["a": "1", "é\n\"": "🎲"], tensors: tensors) { tensor, sink in
      switch tensor.name {
      case "f32": try sink.write([1.5, -2, .infinity, .leastNonzeroMagnitude].span as Span<Float>)
      case "f16": try sink.write([0x3e00, 0xfc00].span as Span<UInt16>)
      case "bf16": try sink.write([0x3fc0].span as Span<UInt16>)
      case "u8": try sink.write([0, 7, 255].span as Span<UInt8>)
      case "u32": try sink.write([1, 4_294_967_295].span as Span<UInt32>)
      case "i64": try sink.write([-1, .min].span as Span<Int64>)
      case "u64": try sink.write([.max].span as Span<UInt64>)
      case "f64": try sink.write([0.1].span as Span<Double>)
      case "empty": break
      default: try sink.write([9].span as Span<UInt8>)
      }
    }
    let script = """
      import sys, numpy as np, safetensors, safetensors.numpy
      bits = dict(safetensors.deserialize(open(sys.argv[1], "rb").read()))["bf16"]
      assert (bits["dtype"], bits["shape"], bytes(bits["data"])) == ("BF16", [1], b"\\xc0\\x3f"), bits
      with safetensors.safe_open(sys.argv[1], "np") as file:
        assert file.metadata() == {"a": "1", 'é\\n"': "🎲"}, file.metadata()
        assert len(file.keys()) == 10, file.keys()
        loaded = {key: file.get_tensor(key) for key in file.keys() if key != "bf16"}
      expected = {
        "f32": np.array([[1.5, -2], [np.inf, np.float32(1e-45)]], np.float32), "f16": np.array([1.5, -np.inf], \
        np.float16),
        "u8": np.array([0, 7, 255], np.uint8), "u32": np.array([1, 2**32 - 1], np.uint32),
        "i64": np.array([-1, -2**63], np.int64), "u64": np.array([[2**64 - 1]], np.uint64),
        "f64": np.array(0.1, np.float64), "empty": np.zeros((0, 3), np.float32), 'é " \\\\ \\n': np.array(9, \
        np.uint8)}
      assert loaded.keys() == expected.keys(), loaded.keys()
      for name, value in expected.items():
        assert loaded[name].dtype == value.dtype and loaded[name].shape == value.shape, name
        assert np.array_equal(loaded[name], value), (name, loaded[name])
      print("same")
      """
    #expect(try Python.run(script, path) == "same\n")
  }

  /// The simplest function of the reference implementation, which most people use.
  @Test func loadFile() throws {
    let tensor = TensorDescription(name: "weights.0", type: .f32, shape: [16, 16])
    let values = (0..<256).map { Float($0) / 3 }
    try SafetensorsWriter.write(to: path, tensors: [tensor]) { _, sink in try sink.write(values.span) }
    let script = """
      import sys, numpy as np, safetensors.numpy
      loaded = safetensors.numpy.load_file(sys.argv[1])
      assert list(loaded) == ["weights.0"] and loaded["weights.0"].shape == (16, 16)
      print((loaded["weights.0"].ravel() == np.arange(256, dtype=np.float32) / np.float32(3)).all())
      """
    #expect(try Python.run(script, path) == "True\n")
  }

  @Test func pythonsReadByUs() throws {
    let script = """
      import sys, numpy as np, safetensors.numpy
      safetensors.numpy.save_file({
        "f32": np.array([[1.5, -2, 0.1]], np.float32), "f16": np.array([1.5, -2], np.float16),
        "u8": np.array([0, 7, 255], np.uint8), "u32": np.array([1, 2**32 - 1], np.uint32),
        "i64": np.array([[-1], [-2**63]], np.int64), "u64": np.array([2**64 - 1], np.uint64),
        "f64": np.array(0.1, np.float64), "empty": np.zeros((3, 0), np.float32), 'é " \\n': np.array(9, np.uint8),
      }, sys.argv[1], metadata={"a": "1", 'é\\n"': "🎲\\x01"})
      """
    #expect(try Python.run(script, path) == "")
    let file = try SafetensorsFile(path: path)
    #expect(file.metadata == ["a": "1", "é\n\"": "🎲\u{1}"])
    #expect(file.tensors.count == 9)
    let shapes = Dictionary(uniqueKeysWithValues: file.tensors.map { ($0.name, $0.shape) })
    #expect(shapes["f32"] == [1, 3] && shapes["i64"] == [2, 1] && shapes["f64"] == [] && shapes["empty"] == [3, 0])
    #expect(try file.array(of: "f32") == [1.5, -2, 0.1] as [Float])
    #expect(try file.array(of: "f16") == [0x3e00, 0xc000] as [UInt16])
    #expect(try file.array(of: "u8") == [0, 7, 255] as [UInt8])
    #expect(try file.array(of: "u32") == [1, .max] as [UInt32])
    #expect(try file.array(of: "i64") == [-1, .min] as [Int64])
    #expect(try file.array(of: "u64") == [.max] as [UInt64])
    #expect(try file.array(of: "f64") == [0.1] as [Double])
    #expect(try file.array(of: "empty") == [] as [Float])
    #expect(try file.array(of: "é \" \n") == [9] as [UInt8])
  }

  /// A file whose order the format determines has the same bytes as the file of the reference writer.
  @Test func sameBytes() throws {
    let script = """
      import sys, numpy as np, safetensors.numpy
      safetensors.numpy.save_file({
        "b": np.array([1, 2], np.float32), "a": np.array([[3]], np.float32), "é": np.array(4, np.float32),
        "small": np.array([5, 6, 7], np.uint8), "large \\n\\x1f\\x7f/": np.array([8], np.float64),
      }, sys.argv[1], metadata={"key \\t": "value"})
      """
    #expect(try Python.run(script, path) == "")
    let tensors = [
      TensorDescription(name: "a", type: .f32, shape: [1, 1]), TensorDescription(name: "b", type: .f32, shape: [2]),
      TensorDescription(name: "é", type: .f32, shape: []), TensorDescription(name: "small", type: .u8, shape: [3]),
      TensorDescription(name: "large \n\u{1f}\u{7f}/", type: .f64, shape: [1]),
    ]
    let ours = folder.file("ours")
    try SafetensorsWriter.write(to: ours, metadata: ["key \t": "value"], tensors: tensors) { tensor, sink in
      switch tensor.name {
      case "a": try sink.write([3].span as Span<Float>)
      case "b": try sink.write([1, 2].span as Span<Float>)
      case "é": try sink.write([4].span as Span<Float>)
      case "small": try sink.write([5, 6, 7].span as Span<UInt8>)
      default: try sink.write([8].span as Span<Double>)
      }
    }
    #expect(try bytes(ofFile: ours) == bytes(ofFile: path))
  }
}
#endif
