import Safetensors
import TestSupport
import Testing
import TupeloNetwork
import TupeloWeb

/// The networks that fit into a page.
@Suite struct PageModelTests {
  @Test func itsWeightsMustFit() throws {
    let path = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(path) }
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 01234 5678"))
    for index in stride(from: 0, to: 1 << 20, by: 64) { network[pattern: 0, standardIndex: index] = 1 }
    try network.save(to: path, format: .compact(step: 1, drop: 0))
    let file = try SafetensorsFile(path: path)
    let bytes = try SparseNetwork(path: path).byteCount
    #expect(bytes < network.specification.weightCount * 4)
    #expect(try PageModel.fits(network.specification, in: file))
    #expect(try PageModel.fits(network.specification, in: file, memory: bytes))
    #expect(try !PageModel.fits(network.specification, in: file, memory: bytes - 1))
  }

  /// The engine in a page counts with 32 bits and shows 4x4.
  @Test(
    arguments: [
      ("4x4 shared 0123456 1234567", true), ("4x4 shared 01234567", false), ("3x3 shared 012", false),
      ("4x4 shared 0123456 1234567 0145236 0145237 0145238 0145239 014523a 014523b", false),
    ] as [(String, Bool)]) func theEngineMustHaveIt(_ text: String, _ isPlayable: Bool) throws
  {
    #expect(PageModel.isPlayable(try NetworkSpecification(canonicalText: text)) == isPlayable)
  }
}
