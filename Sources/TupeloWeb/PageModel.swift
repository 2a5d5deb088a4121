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

  /// Whether a page can play by a network: it is of 4x4 boards, and its weights fit.
  public static func fits(_ specification: NetworkSpecification) -> Bool {
    specification.shape == .standard && specification.weightCount <= largestMemory / 4
  }
}
