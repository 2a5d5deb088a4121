internal import SetNetwork
internal import TupeloNetwork

/// The network of a module: of 2048 or of Set.
enum LoadedNetwork {
  case board(NTupleNetwork)
  case set(SetNetwork)

  /// Makes the network that a text describes, with all weights zero, and its loader.
  static func make(
    _ text: String, fingerprint: String
  ) throws(ModelLoaderError) -> (LoadedNetwork, ModelLoader) {
    try ModelLoader.check(fingerprint, of: text)
    let specification: SetSpecification?
    do {
      specification = try SetSpecification(canonicalText: text)
    } catch {
      throw ModelLoader.unknown(text)
    }
    guard let specification else {
      let network = try ModelLoader.network(text)
      return (.board(network), ModelLoader(network))
    }
    do {
      let network = try SetNetwork(specification)
      return (.set(network), ModelLoader(network.weights, table: specification.table))
    } catch {
      throw .storage(error)
    }
  }
}
