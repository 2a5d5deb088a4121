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

  /// The memory that a network's weights take in a page, in bytes; `nil` where the page has no such board, or counts
  /// no further.
  ///
  /// - Parameter file: the network's; its weights are loaded, because blocks of zeros take no memory
  public static func weightBytes(of network: NetworkSpecification, in file: SafetensorsFile) throws -> Int? {
    // The engine in the page counts weights by 32 bits.
    guard network.shape == .standard, network.weightCount <= Int(Int32.max) else { return nil }
    return try SparseNetwork(file: file).byteCount
  }

  /// Whether a page can play by a network in a file: it is of 4x4 boards, and its weights fit.
  public static func fits(_ network: NetworkSpecification, in file: SafetensorsFile) throws -> Bool {
    // With all weights, the map of their blocks, and blocks that are not full. Then there is nothing to load.
    let most = network.weightCount * 4 + network.weightCount / 8 + (4 << 20)
    if network.shape == .standard, most <= largestMemory { return true }
    return try weightBytes(of: network, in: file).map { $0 <= largestMemory } ?? false
  }
}
