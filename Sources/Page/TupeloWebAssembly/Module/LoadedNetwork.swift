internal import SetAgents
internal import TupeloNetwork

/// The network of a module: of 2048 or of Set.
enum LoadedNetwork {
  case board(SparseNetwork)
  case set(SetNetwork)
}

/// A network that is being loaded.
enum LoadingNetwork {
  case board(TupleLoader)
  case set(SetNetwork, TableLoader)

  /// Begins with the network that a text describes, all of whose weights are zero.
  init(_ text: String, fingerprint: String) throws(ModelLoaderError) {
    try ModelLoader.check(fingerprint, of: text)
    let specification: SetSpecification?
    do {
      specification = try SetSpecification(canonicalText: text)
    } catch {
      throw ModelLoader.unknown(text)
    }
    guard let specification else {
      self = .board(try TupleLoader(text))
      return
    }
    do {
      let network = try SetNetwork(specification)
      self = .set(network, TableLoader(network.weights, table: specification.table))
    } catch {
      throw .storage(error)
    }
  }

  var loader: ModelLoader {
    switch self {
    case .board(let loader): loader
    case .set(_, let loader): loader
    }
  }

  /// The network, whose weights are all there.
  ///
  /// - Parameter fillsStages: whether zero weights of later stages play as the weights of the previous stage
  func finished(fillsStages: Bool) throws(ModelLoaderError) -> LoadedNetwork? {
    switch self {
    case .board(let loader): try loader.finished(fillsStages: fillsStages).map { .board($0) }
    case .set(let network, _): .set(network)
    }
  }
}
