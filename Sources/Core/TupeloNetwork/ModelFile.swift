package import Safetensors
internal import TupeloBase
internal import TupeloEngine

/// The format of a network in a safetensors file.
///
/// Each table and plane is one F32 tensor. The names are `weights.0`, `weights.1`, ... in the order of the patterns;
/// tables of later stages follow. With temporal coherence there are also `coherence.error.0`, ... A tensor has one axis
/// of 16 per cell, the pattern's last cell first. So the flat index is the sum of exponent(cell j) * 16^j. The metadata
/// names the network and carries its fingerprint. That is format 1.
///
/// Format 2 adds `tupelo.encoding` to play-only models, for half precision (`f16`) and the compact form of
/// `CompactTable` (`compact`).
public enum ModelFile {
  /// The newest format that this code writes and reads. Files in single precision stay in format 1, which older
  /// programs read.
  public static let formatVersion = 2

  /// The prefix of averaged weights' names in a checkpoint that has them: `average.weights.0`.
  public static let averagePrefix = "average."

  public enum Key {
    public static let format = "tupelo.format"
    public static let network = "tupelo.network"
    public static let fingerprint = "tupelo.fingerprint"
    public static let behaviour = "tupelo.behaviour"
    /// The name of a game that a program defines itself. It is present only in files of such games.
    public static let game = "tupelo.game"
    /// The name of an encoder of 2048 that a program defines itself. It is present only in files of such encoders.
    public static let encoder = "tupelo.encoder"
    /// Present if play replaces zero weights of a later stage with the weights of the previous stage.
    public static let filledStages = "tupelo.filled_stages"
  }

  /// The metadata that every file with a network has.
  ///
  /// - Parameter text: the network in one line, such as `NetworkSpecification.canonicalText`
  package static func metadata(for text: String) -> [String: String] {
    [
      Key.format: "1", Key.network: text, Key.fingerprint: fingerprint(of: text),
      Key.behaviour: String(behaviourVersion),
    ]
  }

  /// Reads the network's line of a file and checks it against the fingerprint.
  ///
  /// - Parameters:
  ///   - game: the name of a game that the program defines itself; `nil` for the games of this package
  ///   - encoder: the name of an encoder that the program defines itself; `nil` for the encoders of this package
  /// - Throws: `ModelFileError`.
  package static func text(
    in header: SafetensorsHeader, game: String? = nil, encoder: String? = nil
  ) throws(ModelFileError) -> String {
    guard let format = header.metadata[Key.format].flatMap({ wholeNumber($0[...]) }) else {
      throw .notAModel(path: header.path)
    }
    guard format >= 1 else { throw .badFormat(path: header.path, found: format) }
    guard format <= formatVersion else {
      throw .newerFormat(path: header.path, found: format, supported: formatVersion)
    }
    if let found = header.metadata[Key.game], found != game { throw .otherGame(path: header.path, game: found) }
    if let found = header.metadata[Key.encoder], found != encoder {
      throw .otherEncoder(path: header.path, encoder: found)
    }
    guard let text = header.metadata[Key.network] else { throw .notAModel(path: header.path) }
    let (found, expected) = (header.metadata[Key.fingerprint] ?? "none", fingerprint(of: text))
    guard found == expected else {
      throw ModelFileError.wrongFingerprint(path: header.path, found: found, expected: expected)
    }
    return text
  }

  /// 16 hex digits that identify a network's structure: FNV-1a (64 bits) of the text that describes it.
  package static func fingerprint(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why a file is not the expected model.
public enum ModelFileError: Error, Hashable, Sendable {
  case notAModel(path: String)
  /// The file belongs to a game that only the program that wrote it defines.
  case otherGame(path: String, game: String)
  /// The weights belong to an encoder that only the program that wrote the file defines.
  case otherEncoder(path: String, encoder: String)
  case newerFormat(path: String, found: Int, supported: Int)
  /// Formats are counted from 1.
  case badFormat(path: String, found: Int)
  case badNetwork(path: String, reason: String)
  case wrongFingerprint(path: String, found: String, expected: String)
  case unknownEncoding(path: String, found: String)
  case missingTensor(path: String, name: String)
  case wrongShape(path: String, name: String, found: [Int], expected: [Int])
  case notFinite(path: String, name: String, index: Int)
  /// A weight beyond `ModelFile.largestWeight`.
  case tooLarge(path: String, name: String, index: Int, weight: Float)
  case nothingInCommon(path: String, network: String)
  case otherNetwork(path: String, network: String, wanted: String)
}

extension ModelFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAModel(let path):
      "\(path): not a tupelo model: a safetensors file, but without tupelo.format and tupelo.network in its metadata"
    case .otherGame(let path, let game):
      "\(path): belongs to the game \(Spelling.printable(game, limit: 40)), which this program does not know: open it "
        + "with the program that wrote it"
    case .otherEncoder(let path, let encoder):
      "\(path): its weights are for the encoder \(Spelling.printable(encoder, limit: 40)), which this program does not "
        + "have: open it with the program that wrote it"
    case .newerFormat(let path, let found, let supported):
      "\(path): written in format \(found), this program reads up to \(supported): use a newer tupelo"
    case .badFormat(let path, let found):
      "\(path): its metadata says format \(found), formats are counted from 1: the file is damaged"
    case .badNetwork(let path, let reason):
      "\(path): its metadata names no network: \(reason)"
    case .wrongFingerprint(let path, let found, let expected):
      "\(path): the fingerprint is \(Spelling.printable(found, limit: 40)), but the network it names has \(expected): "
        + "the file is damaged"
    case .unknownEncoding(let path, let found):
      "\(path): its weights are stored as '\(found.filter { $0.isLetter || $0.isNumber })', this program reads f32, "
        + "f16 and compact:"
        + " use a newer tupelo"
    case .missingTensor(let path, let name):
      "\(path): the tensor \(name) is missing: the file is damaged or holds no training state"
    case .wrongShape(let path, let name, let found, let expected):
      "\(path): the tensor \(name) has shape \(Self.text(found)) instead of F32 \(expected): the file is of another "
        + "network"
    case .notFinite(let path, let name, let index):
      "\(path): the tensor \(name) has a number at index \(index) that is not finite: the file is damaged or training "
        + "diverged"
    case .tooLarge(let path, let name, let index, let weight):
      "\(path): the tensor \(name) has the weight \(weight) at index \(index), weights go up to "
        + "\(ModelFile.largestWeight): the file is damaged or training diverged"
    case .nothingInCommon(let path, let network):
      "\(path): its network (\(network)) has no pattern in common with the one to be trained: choose another file"
    case .otherNetwork(let path, let network, let wanted):
      "\(path): its network (\(network)) is not the one to be trained (\(wanted)): choose another file, or train that "
        + "network"
    }
  }

  /// A shape from a file, at most eight of its axes.
  private static func text(_ shape: [Int]) -> String {
    // Embedded Swift does not print arrays.
    let text = "[" + shape.prefix(8).map { String($0) }.joined(separator: ", ") + "]"
    return shape.count <= 8 ? text : text + " and \(shape.count - 8) more"
  }
}

extension ModelFile {
  /// The largest weight that a file may have, in score points. It is a thousand times the largest score of a game, so a
  /// sum of weights is always finite and fits an `Int`.
  public static let largestWeight: Float = 1e9

  /// Checks that numbers are valid weights.
  ///
  /// - Parameter start: the index of the first of them in the tensor
  /// - Throws: `ModelFileError.notFinite`, `ModelFileError.tooLarge`.
  package static func check(
    weights: Span<Float>, from start: Int, name: String, path: String
  ) throws(ModelFileError) {
    for index in weights.indices where !(abs(weights[index]) <= largestWeight) {
      guard weights[index].isFinite else { throw .notFinite(path: path, name: name, index: start + index) }
      throw .tooLarge(path: path, name: name, index: start + index, weight: weights[index])
    }
  }
}
