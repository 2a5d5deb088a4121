import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloNetwork

/// Commands refuse files that only version 0.1.0 and earlier ones read, in one line that names that version.
@Suite final class EndedFileTests {
  private let model = TemporaryFile.path("states.safetensors")
  private let configuration = TemporaryFile.path("states.yaml")

  deinit { [model, configuration].forEach(TemporaryFile.remove) }

  @Test func modelsAreRefused() throws {
    let tensors = [
      TensorDescription(name: "weights.0", type: .f32, shape: [16, 16]),
      TensorDescription(name: "weights.1", type: .f32, shape: [1024]),
      TensorDescription(name: "states", type: .u32, shape: [1024]),
    ]
    let metadata = ModelFile.metadata(for: "2x2 shared 01 states=10")
    try SafetensorsWriter.write(to: model, metadata: metadata, tensors: tensors) { tensor, sink in
      let bytes = [UInt8](repeating: 0, count: tensor.byteCount)
      try sink.write(bytes.span.bytes)
    }
    let text =
      "Error: \(model): a file made with weights for whole states, which tupelo no longer has (version 0.1.0 was the "
      + "last that reads it)\n"
    for arguments in [["evaluate", model], ["inspect", model], ["inspect", model, "--json"]] {
      let result = try Program.run(arguments)
      #expect(result.status == 1 && result.errors == text, "\(arguments): \(result)")
    }
  }

  @Test func keysAreRefused() throws {
    try Data("name: old\nstates:\n  bits: 23\n".utf8).write(to: URL(fileURLWithPath: configuration))
    let text = "states.bits: a key of weights for whole states, which tupelo no longer has: leave it out (version 0.1.0"
    let file = try Program.run(["train", "--config", configuration])
    #expect(file.status == 1 && file.errors.contains("\(configuration):3: \(text)"), "\(file)")
    let typed = try Program.run(["train", "--set", "states.bits=23"])
    #expect(typed.status == 64 && typed.errors.contains("--set \(text)"), "\(typed)")
  }
}
