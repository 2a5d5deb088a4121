public import Safetensors
internal import TupeloEngine
public import TupeloNetwork

/// A model of 2048 that the page may load, so that hints do not wait for the server.
public struct PageModel: Sendable {
  /// The name of the agent that plays by it.
  public let agent: String
  /// The model file.
  public let file: [UInt8]

  /// The path at which the page finds it.
  static let address = "model.safetensors"
  /// The path at which the page finds a model of Set.
  static let setAddress = "set.safetensors"

  /// The largest memory of weights in a page, in bytes: every tab has its own.
  public static let largestMemory = 512 << 20

  /// - Parameters:
  ///   - agent: the name of the agent that plays by it
  ///   - file: the bytes of a model file
  public init(agent: String, file: [UInt8]) { (self.agent, self.file) = (agent, file) }

  /// Whether the engine in the page supports the board and the number of weights, which it counts in 32 bits.
  public static func isPlayable(_ network: NetworkSpecification) -> Bool {
    network.shape == .standard && network.weightCount <= Int(Int32.max)
  }

  /// Whether a page can play by a network in a file: it is of 4x4 boards, and its weights fit.
  ///
  /// - Parameters:
  ///   - file: the file of the network; its weights are read if necessary, because blocks of zeros take no memory
  ///   - memory: the bytes that the weights may take
  public static func fits(
    _ network: NetworkSpecification, in file: SafetensorsFile, memory: Int = largestMemory
  ) throws -> Bool {
    guard isPlayable(network) else { return false }
    // The memory of all weights, of the map of their blocks, and of blocks that are not full. If this fits, nothing
    // must be read.
    let most = network.weightCount * 4 + network.weightCount / 8 + (4 << 20)
    return try most <= memory || SparseNetwork.byteCount(of: file) <= memory
  }
}
