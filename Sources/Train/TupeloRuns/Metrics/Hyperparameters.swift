internal import TupeloTraining

/// The settings of a run as the hyperparameters of TensorBoard's tab HPARAMS, which lists the runs of a folder with
/// their settings and scores.
struct Hyperparameters {
  enum Value: Hashable {
    case number(Double)
    case text(String)
  }

  /// The settings that have an effect, in the order of the reference. The folder is left out, because it names the run.
  let values: [(key: String, value: Value)]

  init(_ configuration: RunConfiguration) {
    values = configuration.keys.all.filter { $0.path != "output.directory" }.compactMap { key in
      key.write(configuration).map { (key.path, Value(yaml: $0)) }
    }
  }
}

extension Hyperparameters.Value {
  /// The value of a setting in a configuration file.
  init(yaml text: String) {
    let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    self = isQuoted ? .text(String(text.dropFirst().dropLast())) : Double(text).map { .number($0) } ?? .text(text)
  }
}

extension EventFileWriter {
  /// Appends the hyperparameters of a run. TensorBoard shows those of the first session of a run.
  ///
  /// - Throws: `SystemError`
  func append(_ hyperparameters: Hyperparameters, games: Int, time: Double) throws {
    var start = ProtobufMessage()
    for (key, value) in hyperparameters.values {
      var content = ProtobufMessage()
      switch value {
      case .number(let number): content.add(number, as: Field.valueNumber)
      case .text(let text): content.add(text, as: Field.valueText)
      }
      var entry = ProtobufMessage()
      entry.add(key, as: Field.entryKey)
      entry.add(content, as: Field.entryValue)
      start.add(entry, as: Field.startParameters)
    }
    start.add(time, as: Field.startTime)
    var data = ProtobufMessage()
    data.add(start, as: Field.dataSessionStart)
    var plugin = ProtobufMessage()
    plugin.add("hparams", as: Field.pluginName)
    plugin.add(data, as: Field.pluginContent)
    var metadata = ProtobufMessage()
    metadata.add(plugin, as: Field.metadataPlugin)
    // A tensor of type float and shape (0): TensorBoard reads the metadata alone.
    var dimensions = ProtobufMessage()
    dimensions.add(ProtobufMessage(), as: Field.shapeDimension)
    var tensor = ProtobufMessage()
    tensor.add(1 as Int64, as: Field.tensorType)
    tensor.add(dimensions, as: Field.tensorShape)
    var summary = ProtobufMessage()
    var item = ProtobufMessage()
    item.add("_hparams_/session_start_info", as: Field.itemTag)
    item.add(tensor, as: Field.itemTensor)
    item.add(metadata, as: Field.itemMetadata)
    summary.add(item, as: Field.summaryItem)
    try append(summary, step: games, time: time)
  }

  /// The numbers of fields in TensorBoard's plugin_data.proto, TensorFlow's summary.proto and tensor.proto, and
  /// Protobuf's struct.proto.
  private enum Field {
    static let summaryItem: UInt64 = 1
    static let itemTag: UInt64 = 1
    static let itemTensor: UInt64 = 8
    static let itemMetadata: UInt64 = 9
    static let metadataPlugin: UInt64 = 1
    static let pluginName: UInt64 = 1
    static let pluginContent: UInt64 = 2
    static let dataSessionStart: UInt64 = 3
    static let startParameters: UInt64 = 1
    static let startTime: UInt64 = 5
    static let entryKey: UInt64 = 1
    static let entryValue: UInt64 = 2
    static let valueNumber: UInt64 = 2
    static let valueText: UInt64 = 3
    static let tensorType: UInt64 = 1
    static let tensorShape: UInt64 = 2
    static let shapeDimension: UInt64 = 2
  }
}
