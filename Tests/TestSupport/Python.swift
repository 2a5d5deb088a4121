internal import Foundation

/// Python as an independent reader of our files.
public enum Python {
  public static let isMissing = "python3 with safetensors is not installed: pip install safetensors numpy"
  public static let hasSafetensors = succeeds("import safetensors.numpy, numpy")

  public static let isMissingTensorBoard = "python3 with tensorboard is not installed: pip install tensorboard"
  public static let hasTensorBoard = succeeds("from tensorboard.backend.event_processing import event_accumulator")

  public static let isMissingYAML = "python3 with PyYAML is not installed: pip install pyyaml"
  public static let hasYAML = succeeds("import yaml")

  private static func succeeds(_ script: String) -> Bool {
    do {
      _ = try run(script)
      return true
    } catch {
      return false
    }
  }

  public struct Failure: Error {
    public let status: Int32
    public let output: String
  }

  /// Runs a script and returns what it printed. Its errors appear among those of the tests.
  public static func run(_ script: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus, output: text) }
    return text
  }

  /// A number as Python's `float.hex` writes it.
  public static func hex(_ value: Float) -> String {
    let double = Double(value)
    guard double != 0 else { return double.sign == .minus ? "-0x0.0p+0" : "0x0.0p+0" }
    let digits = String(double.significandBitPattern, radix: 16)
    let padded = String(repeating: "0", count: 13 - digits.count) + digits
    return "\(double < 0 ? "-" : "")0x1.\(padded)p\(double.exponent < 0 ? "" : "+")\(double.exponent)"
  }
}
