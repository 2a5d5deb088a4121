public import Safetensors
public import SetAgents
public import SetEngine
public import TupeloNetwork

/// A model of Set to play with, of any kind that can be trained.
public enum SetModel: SetEvaluator, StoredModel {
  case table(SetNetwork)
  case dense(DenseSetModel)

  /// Loads an open model file, or a checkpoint's weights to play with.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, whose text is one line that names the file;
  ///   `WeightStorageError` or `DenseError` when it does not fit into memory.
  public init(file: SafetensorsFile) throws {
    switch try ModelDescription(in: file) {
    case .dense: self = .dense(try DenseSetModel(file: file))
    default: self = .table(try SetNetwork(file: file))
    }
  }

  public func value(of afterstate: SetAfterstate) -> Float {
    switch self {
    case .table(let network): network.value(of: afterstate)
    case .dense(let model): model.value(of: afterstate)
    }
  }

  public func evaluate(_ afterstates: Span<SetAfterstate>, into values: inout MutableSpan<Float>) {
    switch self {
    case .table(let network): network.evaluate(afterstates, into: &values)
    case .dense(let model): model.evaluate(afterstates, into: &values)
    }
  }

  /// The rules that it was trained for.
  public var rules: SetRules {
    switch self {
    case .table(let network): network.specification.rules
    case .dense(let model): model.encoder.rules
    }
  }

  public var description: ModelDescription {
    switch self {
    case .table(let network): .set(network.specification)
    case .dense(let model): .dense(model.specification)
    }
  }

  /// The identity of the model; see `TrainedModel.identity`.
  public var identity: String {
    switch self {
    case .table(let network): network.identity
    case .dense(let model): model.identity
    }
  }

  /// Writes a model file to play with; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    switch self {
    case .table(let network): try network.save(to: path, format: format, metadata: metadata)
    case .dense(let model): try model.save(to: path, format: format, metadata: metadata)
    }
  }
}
