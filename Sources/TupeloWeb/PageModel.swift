public import Safetensors
internal import TupeloEngine
public import TupeloNetwork

/// A model that the page may load, so that hints do not wait for the server.
public struct PageModel: Sendable {
  /// The name of the agent that plays by it.
  public let agent: String
  /// The model file.
  public let file: [UInt8]

  /// Where the page finds it.
  static let address = "model.safetensors"

  /// The largest memory of weights in a page, in bytes: every tab has its own.
  public static let largestMemory = 512 << 20

  /// - Parameters:
  ///   - agent: the name of the agent that plays by it
  ///   - file: the bytes of a model file
  public init(agent: String, file: [UInt8]) { (self.agent, self.file) = (agent, file) }

  /// The memory that the weights of a model take in a page, in bytes. It is known when they have been loaded.
  public static func weightBytes(of file: SafetensorsFile) throws -> Int { try SparseNetwork(file: file).byteCount }

  /// Whether a page can play by a network in a file: it is of 4x4 boards, and its weights fit.
  public static func fits(_ specification: NetworkSpecification, in file: SafetensorsFile) throws -> Bool {
    // The engine in the page counts weights by 32 bits.
    guard specification.shape == .standard, specification.weightCount <= Int(Int32.max) else { return false }
    // With all weights and the map of their blocks.
    let most = specification.weightCount * 4 + specification.weightCount / 8 + (4 << 20)
    return try most <= largestMemory || weightBytes(of: file) <= largestMemory
  }
}
