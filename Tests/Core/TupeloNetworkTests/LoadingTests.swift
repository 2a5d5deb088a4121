import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Models from files, folders, URLs and bytes in memory.
@Suite struct LoadingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A network of one cell, whose value is the weight of the tile in that cell.
  private static func network(factor: Float) throws -> NTupleNetwork {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 separate 0"))
    for exponent in 0..<16 { network[pattern: 0, standardIndex: exponent] = factor * Float(exponent) }
    return network
  }

  /// The factor that a network was made with, for all tiles.
  private static func factor(_ network: some Evaluator) throws -> Float? {
    let values = try (1...14).map { exponent in
      let board = try Board(exponents: [exponent] + [Int](repeating: 1, count: 15))
      return network.value(of: Afterstate(bits: board.bits)) / Float(exponent)
    }
    return Set(values).count == 1 ? values[0] : nil
  }

  /// The factors of a model that is loaded as both kinds of network.
  private static func factors(_ path: String) throws -> [Float?] {
    [try factor(NTupleNetwork(path: path)), try factor(SparseNetwork(path: path))]
  }

  @Test func aFolderStandsForItsModel() throws {
    let model = folder.file("model.safetensors")
    for path in [folder.path, folder.path + "/"] {
      let error = #expect(throws: ModelPathError.noModel(folder: path)) { try NTupleNetwork(path: path) }
      #expect(
        error?.description == "\(path): holds neither checkpoint.safetensors nor model.safetensors: name a model")
    }
    try Self.network(factor: 2).save(to: model)
    for path in [model, folder.path, folder.path + "/"] { #expect(try Self.factors(path) == [2, 2]) }
    // The checkpoint of a run comes first.
    try Self.network(factor: 4).save(to: folder.file("checkpoint.safetensors"))
    #expect(try Self.factors(folder.path) == [4, 4])
    #expect(try Self.factors(model) == [2, 2])
    // A link to a folder counts as a folder.
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(try Self.factors(link) == [4, 4])
  }

  @Test func whatIsNotAModelFileIsRefused() throws {
    #expect(throws: SystemError.self) { try NTupleNetwork(path: folder.file("missing.safetensors")) }
    #expect(throws: SystemError.self) { try SparseNetwork(path: "a\0b") }
    let weights = folder.file("a file.w")
    try write([0, 1, 2], toFile: weights)
    let error = #expect(throws: ModelPathError.weightFile(path: weights)) { try SparseNetwork(path: weights) }
    let imported = folder.file("a file.safetensors")
    #expect(
      error?.description
        == "\(weights): a weight file of TDL2048+: make a model of it with: tupelo import '\(weights)' -o '\(imported)'"
    )
    // This folder has the name of a model file.
    try FileManager.default.createDirectory(
      atPath: folder.file("model.safetensors"), withIntermediateDirectories: false)
    #expect(throws: SystemError.self) { try NTupleNetwork(path: folder.path) }
  }

  @Test func aModelComesFromAURL() throws {
    let model = folder.file("with a space.safetensors")
    try Self.network(factor: 3).save(to: model)
    #expect(try Self.factor(NTupleNetwork(contentsOf: URL(fileURLWithPath: model))) == 3)
    #expect(try Self.factor(SparseNetwork(contentsOf: URL(fileURLWithPath: model))) == 3)
    try Self.network(factor: 5).save(to: folder.file("model.safetensors"))
    let url = URL(fileURLWithPath: folder.path, isDirectory: true)
    #expect(try Self.factor(SparseNetwork(contentsOf: url)) == 5)
    let address = try #require(URL(string: "https://example.com/model.safetensors"))
    let error = #expect(throws: ModelPathError.self) { try SparseNetwork(contentsOf: address) }
    #expect(
      error?.description
        == "https://example.com/model.safetensors: not the URL of a file: download it, and load its bytes")
  }

  @Test(arguments: [PlayFormat.f32, .f16, .compact(step: 1, drop: 0)])
  func aModelComesFromBytes(_ format: PlayFormat) throws {
    let model = folder.file("model.safetensors")
    try Self.network(factor: 16).save(to: model, format: format)
    let file = try bytes(ofFile: model)
    #expect(try Self.factor(NTupleNetwork(bytes: file)) == 16)
    #expect(try Self.factor(SparseNetwork(bytes: file)) == 16)
    #expect(try Self.factor(SparseNetwork(bytes: Data(file))) == 16)
    // A slice begins at another index than 0, and at an odd address.
    #expect(try Self.factor(SparseNetwork(bytes: ([7] + file).dropFirst())) == 16)
    // Bytes that are cut off anywhere, and bytes with more bytes behind them, are refused.
    for count in [0, 7, 8, 9, file.count / 2, file.count - 1] {
      let error = #expect(throws: SafetensorsError.self) { try NTupleNetwork(bytes: file.prefix(count), name: "it") }
      #expect(error?.description.hasPrefix("it: ") == true)
    }
    let error = #expect(throws: SafetensorsError.self) { try SparseNetwork(bytes: file + [0]) }
    #expect(error?.description.hasPrefix("the model: ") == true)
  }
}
