// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloEngine
internal import TupeloModels
internal import TupeloTraining

/// Facts about a model, as JSON.
private struct ModelText: Encodable {
  let game: String
  let kind: String
  let structure: String
  let fingerprint: String
  let weights: Int
  let features: Int
  let rows: Int?
  let columns: Int?

  init(_ model: TrainedModel) {
    let description = model.description
    game = description.game.name
    kind = description.game.kind(of: description.structure)
    structure = description.canonicalText
    fingerprint = description.fingerprint
    weights = description.weightCount
    features = description.featureCount
    let shape = (model.base as? any BoardModel)?.shape
    (rows, columns) = (shape?.rows, shape?.columns)
  }
}

@c @implementation
public func tupelo_model_info(
  _ model: Int64, _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let length = try unsafe Memory.array(length, 1, "length")
    let json = JSONText.line(ModelText(try Objects.shared(model, as: Model.self).model))
    try unsafe CText.write(json, text, capacity, length)
  }
}

@c @implementation
public func tupelo_model_identity(
  _ model: Int64, _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let length = try unsafe Memory.array(length, 1, "length")
    try unsafe CText.write(Objects.shared(model, as: Model.self).identity, text, capacity, length)
  }
}
