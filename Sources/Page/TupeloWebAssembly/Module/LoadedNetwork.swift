internal import SetAgents
internal import TupeloNetwork
internal import TupeloTables

/// The network of a module: of 2048 or of Set.
enum LoadedNetwork {
  case board(SparseNetwork)
  case set(SetNetwork)
}

/// A network whose weights are on their way.
enum LoadingNetwork {
  case board(SparseNetworkBuilder, tables: [NetworkTable])
  case set(SetNetwork)

  /// Begins with the network that the line of a model file describes, all of whose weights are zero.
  init(_ text: String, path: String) throws(ModelReadingError) {
    let set: SetSpecification?
    do {
      set = try SetSpecification(canonicalText: text)
    } catch {
      throw .model(.badNetwork(path: path, reason: error.description))
    }
    if let set {
      do {
        self = .set(try SetNetwork(set))
      } catch {
        throw .storage(error)
      }
      return
    }
    let board: NetworkSpecification
    do {
      board = try NetworkSpecification(canonicalText: text)
    } catch {
      throw .model(.badNetwork(path: path, reason: error.description))
    }
    do {
      self = .board(try SparseNetworkBuilder(board), tables: board.tables)
    } catch {
      throw .storage(error)
    }
  }

  var tables: [NetworkTable] {
    switch self {
    case .board(_, let tables): tables
    case .set(let network): [network.specification.table]
    }
  }

  /// Puts weights into a table; see `SparseNetworkBuilder.set`.
  func put(_ values: Span<Float>, table number: Int, from start: Int) throws(ModelReadingError) {
    switch self {
    case .board(let builder, _):
      do {
        try builder.set(values, table: number, from: start)
      } catch {
        throw .storage(error)
      }
    case .set(let network):
      // The order in memory is the order in files.
      network.weights.exclusively { weights in
        weights.withMutableWeights(of: start..<start + values.count) { own in
          for index in values.indices { own[index] = values[index] }
        }
      }
    }
  }

  /// The network, whose weights are all there.
  ///
  /// - Parameter fillsStages: whether zero weights of later stages play as the weights of the previous stage
  func finished(fillsStages: Bool) throws(ModelReadingError) -> LoadedNetwork {
    switch self {
    case .board(let builder, _):
      do {
        return .board(try SparseNetwork(builder, fillsStages: fillsStages))
      } catch {
        throw .storage(error)
      }
    case .set(let network): return .set(network)
    }
  }
}
