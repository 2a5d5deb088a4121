public import Safetensors
internal import TupeloBase

/// How a play-only model stores its weights. All forms are safetensors files and load by `NTupleNetwork(path:)`.
public enum PlayFormat: Hashable, Sendable {
  /// Every weight in single precision: four bytes each.
  case f32
  /// Every weight in half precision, rounded to the nearest: two bytes each. Weights beyond 65504 are divided by a
  /// power of two that the file states.
  case f16
  /// Only the larger weights, as multiples of `step` in a compressed stream.
  ///
  /// - Parameters:
  ///   - step: score points, above 0. A kept weight differs by at most half a step. `nil` for the step that follows
  ///     from
  ///     the weights: 16 points for a trained network of 2048, and less where weights are small
  ///   - drop: score points. Weights smaller than this become 0, and so do weights nearer to 0 than to a multiple of
  ///     the step.
  case compact(step: Float? = nil, drop: Float = 0)
}

extension PlayFormat {
  /// The format's name in a file's metadata.
  var encoding: String {
    switch self {
    case .f32: "f32"
    case .f16: "f16"
    case .compact: "compact"
    }
  }
}

extension ModelFile.Key {
  /// The smallest weight that was kept, in score points. Readers do not need it.
  package static let drop = "tupelo.compact.drop"
  /// The largest size of a pruned file, in megabytes, and the number of games that counted lookups. Readers do not need
  /// them.
  package static let megabytes = "tupelo.compact.megabytes"
  package static let usageGames = "tupelo.compact.usage_games"
  /// The mean error of a feature, in score points, caused by weights that were left out because they were hardly used.
  /// Readers do not need it.
  package static let loss = "tupelo.compact.loss"
}

extension ModelFile {
  /// A description of how a model's weights are stored, such as `half precision`.
  public static func storage(of file: SafetensorsFile) -> String {
    switch file.metadata[Key.encoding] {
    case nil, "f32": return "single precision"
    case "f16":
      let scale = number(Key.scale, in: file)
      return "half precision" + (scale == "1" ? "" : ", times \(scale)")
    case "compact":
      let kept = (file.metadata[Key.kept] ?? "").split(separator: " ").reduce(0) { $0 &+ (Int($1) ?? 0) }
      let dropped = number(Key.drop, in: file)
      let step = number(Key.step, in: file)
      return (PortableState.isIn(file) ? "portable state, " : "compact, ")
        + "\(CountText.text(kept, "weight")) in steps of \(step)"
        + (dropped == "0" ? "" : ", smaller than \(dropped) dropped")
        + (file.metadata[Key.loss] == nil ? "" : ", hardly used ones dropped (loss \(number(Key.loss, in: file)))")
    case let other?: return "in an unknown way: " + other.filter { $0.isLetter || $0.isNumber }.prefix(60)
    }
  }

  /// A number from the metadata as text; `?` when it is not a finite number.
  private static func number(_ key: String, in file: SafetensorsFile) -> String {
    guard let value = file.metadata[key].flatMap({ Float($0) }), value.isFinite else { return "?" }
    return value == value.rounded() && abs(value) < 0x1p31 ? String(Int(value)) : String(value)
  }
}
