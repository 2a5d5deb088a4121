// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import Safetensors
internal import TupeloBase
internal import TupeloEngine
internal import TupeloTraining

/// A loaded model, which any number of threads may use at once.
final class Model: ForeignObject {
  static let title = "a model"

  let model: TrainedModel
  /// The name of the model in errors: its path, or the run that it comes from.
  let name: String

  private let hash = Locked<String?>(nil)

  init(_ model: TrainedModel, name: String) { (self.model, self.name) = (model, name) }

  /// The identity of the model. The first use computes a hash of all weights, and other threads wait for it.
  var identity: String {
    hash.withLock { hash in
      let identity = hash ?? model.identity
      hash = identity
      return identity
    }
  }

  /// The model as a model of 2048.
  ///
  /// - Throws: `Fault` for a model of Set.
  func board() throws(Fault) -> any BoardModel {
    do {
      return try model.board(path: name)
    } catch {
      throw .invalid("\(error)")
    }
  }

  /// The model that a caller names; `nil` for 0.
  static func named(_ number: Int64) throws(Fault) -> Model? { number == 0 ? nil : try Objects.shared(number) }
}

@c @implementation
public func tupelo_model_load(_ path: UnsafePointer<CChar>?, _ model: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let path = try unsafe CText.text(path, "path")
    let handle = try unsafe Memory.array(model, 1, "model")
    unsafe handle.pointee = Objects.add(Model(try TrainedModel(path: path, of: .foreign), name: path))
  }
}

@c @implementation
public func tupelo_model_save(
  _ model: Int64, _ path: UnsafePointer<CChar>?, _ format: Int32, _ step: Float, _ drop: Float
) -> Int32 {
  status {
    let path = try unsafe CText.text(path, "path")
    let own = try Objects.shared(model, as: Model.self).model
    let format = try playFormat(format, step: step, drop: drop)
    try Control.named(0).interrupting { try own.save(to: path, format: format) }
  }
}

@c @implementation
public func tupelo_model_bytes(
  _ model: Int64, _ format: Int32, _ step: Float, _ drop: Float, _ bytes: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let handle = try unsafe Memory.array(bytes, 1, "bytes")
    let own = try Objects.shared(model, as: Model.self).model
    let format = try playFormat(format, step: step, drop: drop)
    let bytes = try Control.named(0).interrupting { try own.bytes(format: format) }
    unsafe handle.pointee = Objects.add(Bytes(bytes))
  }
}

@c @implementation
public func tupelo_model_from_bytes(
  _ bytes: UnsafePointer<UInt8>?, _ length: UInt64, _ model: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let handle = try unsafe Memory.array(model, 1, "model")
    let bytes = try unsafe Memory.bytes(bytes, length, "bytes")
    let file = try SafetensorsFile(bytes: bytes, name: "bytes")
    unsafe handle.pointee = Objects.add(Model(try TrainedModel(file: file, of: .foreign), name: "the model"))
  }
}

private func playFormat(_ format: Int32, step: Float, drop: Float) throws(Fault) -> PlayFormat {
  guard step.isFinite, step >= 0 else { throw .invalid("step is \(step): give a number above 0, or 0 for the default") }
  guard drop.isFinite, drop >= 0 else { throw .invalid("drop is \(drop): give 0 or more") }
  switch Int(format) {
  case Int(TUPELO_FORMAT_COMPACT): return .compact(step: step == 0 ? nil : step, drop: drop)
  case Int(TUPELO_FORMAT_F32), Int(TUPELO_FORMAT_F16):
    guard step == 0, drop == 0 else { throw .invalid("step and drop are for the compact format: give 0") }
    return format == 0 ? .f32 : .f16
  default: throw .invalid("format is \(format): give 0 (f32), 1 (f16) or 2 (compact)")
  }
}
