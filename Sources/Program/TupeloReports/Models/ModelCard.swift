internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloNetwork
public import TupeloRuns
internal import TupeloTraining

/// A model card: what a model is, how well it plays, and how to reproduce it.
///
/// The facts come from the model's file and from the evaluations beside it, `evaluation*.json`, as `tupelo evaluate
/// --json` prints them. The commands also depend on whether the folder of the source model is beside the folder.
public struct ModelCard: Sendable {
  /// The folder of the model file that the card describes.
  let folder: String
  let fileName: String
  let metadata: [String: String]
  let description: ModelDescription
  let storage: String
  let byteCount: Int
  let checksum: String
  /// The identity of the model; see `TrainedModel.identity`.
  public let identity: String
  let license: String
  public let evaluations: [ModelEvaluation]
  /// The configuration of the run that the model comes from, if the file has it.
  let configuration: RunConfiguration?

  public static let cardName = "README.md"
  public static let configurationName = "config.yaml"

  var game: GameKind { description.game }

  /// Reads a model's header and checksum, and its evaluations.
  ///
  /// - Parameters:
  ///   - path: a model file, or a folder with one
  ///   - license: a license identifier of Hugging Face, such as `mit`
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, `ModelFolderError`, `ModelCardError`.
  public init(model path: String, license: String) throws {
    guard !license.isEmpty, license.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
    else {
      throw ModelCardError.badLicense(license)
    }
    self.license = license
    let path = try ModelFolder.model(at: path)
    folder = path.parentFolder
    fileName = (path as NSString).lastPathComponent
    let file = try SafetensorsFile(path: path)
    guard !file.tensors.contains(where: { $0.name.hasPrefix("training.") }) else {
      throw ModelCardError.checkpoint(path: path)
    }
    description = try ModelDescription(in: file, of: .program)
    storage = ModelFile.storage(of: file)
    metadata = file.metadata
    configuration = try file.metadata[ModelOrigin.Key.configuration].map { text in
      do {
        return try RunConfiguration.parse(yaml: text, sourceName: "\(path) (configuration)", of: .program)
      } catch {
        throw ModelCardError.badConfiguration("\(error)")
      }
    }
    byteCount = try ModelFolder.byteCount(ofFile: path)
    let checksum = try ModelFolder.checksum(ofFile: path)
    self.checksum = checksum
    evaluations = try ModelFolder(path: folder).evaluationNames().map { [folder, description] name in
      let path = folder + "/" + name
      let evaluation = try ModelEvaluation(path: path, of: .program)
      guard evaluation.fingerprint == description.fingerprint,
        try evaluation.isOf(checksum: checksum, identity: TrainedModel(file: file, of: .program).identity)
      else { throw ModelCardError.otherModel(path: path) }
      return evaluation
    }
    identity = try TrainedModel(file: file, of: .program).identity
  }

  /// Writes files into the model's folder, each whole or not at all: the run's configuration if it is known, the card
  /// and the checksums.
  ///
  /// An earlier card is replaced. A README that is not such a card, and a different configuration, are not replaced.
  ///
  /// - Returns: the names of the files.
  /// - Throws: `ModelCardError.taken`, `ModelFolderError`, `SystemError`.
  public func write() throws -> [String] {
    var files: [(name: String, text: String)] = [(Self.cardName, markdown)]
    if let configuration { files.append((Self.configurationName, configuration.yamlOfAnyMachine)) }
    for (index, (name, text)) in files.enumerated() {
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let found: String
      do {
        found = try String(contentsOfFile: path, encoding: .utf8)
      } catch {
        throw ModelCardError.taken(path: path)
      }
      if name == Self.configurationName, Self.configuration(in: found) == configuration {
        // Another version of the program writes the same configuration with other keys, so an equal file stays.
        files[index].text = found
        continue
      }
      let lines = found.lines
      let isOurs = name == Self.cardName ? lines[0] == "---" && lines.contains(Self.libraryLine[...]) : found == text
      guard isOurs else { throw ModelCardError.taken(path: path) }
    }
    for (name, text) in files { try TextFile.write(text, to: folder + "/" + name) }
    try ModelFolder(path: folder).writeChecksums()
    return files.map(\.name) + [ModelFolder.checksumName]
  }
}

extension ModelCard {
  /// The configuration in a text; `nil` when the text is not a configuration.
  private static func configuration(in text: String) -> RunConfiguration? {
    do {
      return try RunConfiguration.parse(yaml: text, sourceName: configurationName, of: .program)
    } catch {
      return nil
    }
  }
}

/// Why a card cannot be written.
public enum ModelCardError: Error, Hashable, Sendable {
  case otherModel(path: String)
  case checkpoint(path: String)
  case badLicense(String)
  case badConfiguration(String)
  case taken(path: String)
}

extension ModelCardError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .otherModel(let path):
      "\(path): is the evaluation of another model: make it again with tupelo evaluate --json, or remove it"
    case .checkpoint(let path):
      "\(path): is a checkpoint for training: make a model of it with tupelo export, in a folder of its "
        + "own"
    case .badLicense(let text):
      "'\(Spelling.printable(text))' is not a licence: give an identifier such as mit or apache-2.0"
    case .badConfiguration(let reason):
      "\(reason): the model was made by another tupelo: use that one"
    case .taken(let path):
      "\(path): is there already and would be lost: move or remove it"
    }
  }
}
