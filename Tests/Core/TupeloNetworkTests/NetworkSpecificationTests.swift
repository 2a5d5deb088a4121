import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

@Suite struct NetworkSpecificationTests {
  @Test(
    arguments: [
      ("0120", "pattern '0120' names cell 0 twice: each cell may occur once"),
      ("01g", "pattern '01g' has 'g', which is not a hex digit: cells are 0 to f, row by row"),
      ("", "pattern '' has 0 cells: give 1 to 8"),
      ("012345678", "pattern '012345678' has 9 cells: give 1 to 8"),
    ] as [(String, String)]) func refusesBadPatterns(_ text: String, _ message: String)
  {
    let error = #expect(throws: TuplePatternError.self) { try TuplePattern(text: text) }
    #expect(error?.description == message)
  }

  @Test func refusesCellsOffSmallBoards() throws {
    let shape = try BoardShape(rows: 2, columns: 3)
    let error = #expect(throws: TuplePatternError.self) { try TuplePattern(text: "056", shape: shape) }
    #expect(error?.description == "pattern '056' names cell 6, which is off the 2x3 board: cells go up to 5")
  }

  @Test(arguments: NamedLayout.all.map(\.name)) func canonicalTextReadsBack(_ name: String) throws {
    let specification = try #require(NamedLayout.named(name)).specification()
    #expect(try NetworkSpecification(canonicalText: specification.canonicalText) == specification)
  }

  /// A network is called by its layout only if it is that layout.
  @Test(
    arguments: [
      ("4x4 shared 012345 456789 012456 45689a", "4x6"),
      ("4x4 separate 0123 4567 89ab cdef 048c 159d 26ae 37bf 0145 1256 2367 4589 569a 67ab 89cd 9ade abef", "17x4"),
      ("4x4 shared 0123 4567 89ab cdef 048c 159d 26ae 37bf 0145", "4x4 shared, 9 patterns of 4 cells"),
      ("4x4 shared largest=16384 012345 456789 012456 45689a", "4x6, largest=16384"),
      ("4x4 separate 012345 456789 012456 45689a", "4x4 separate 012345 456789 012456 45689a"),
      ("4x4 shared 0123 4567", "4x4 shared 0123 4567"),
      ("2x3 shared present=16,64 012 345", "2x3 shared 012 345, present=16,64"),
      ("4x4 shared 012345 456789 89abcd 012456 4568 0 1 2 3", "4x4 shared, 9 patterns of 1 to 6 cells"),
      (
        "4x4 shared largest=4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384 0123", "4x4 shared 0123, 14 stages"
      ),
    ] as [(String, String)]) func titlesAreShort(_ text: String, _ title: String) throws
  {
    let network = try NetworkSpecification(canonicalText: text)
    #expect(network.canonicalText == text && network.title == title && title.count <= 60)
  }

  @Test(arguments: NamedLayout.all) func layoutsAreTheirOwnTitles(_ layout: NamedLayout) throws {
    #expect(try layout.specification().title == layout.name)
  }

  @Test func smallBoardsReadBack() throws {
    let shape = try BoardShape(rows: 3, columns: 2)
    let specification = try NetworkSpecification(
      patterns: [TuplePattern(text: "0135", shape: shape)], shape: shape, sharesSymmetries: false)
    #expect(specification.canonicalText == "3x2 separate 0135")
    #expect(try NetworkSpecification(canonicalText: specification.canonicalText) == specification)
  }

  @Test(arguments: ["", "4x4", "4x4 shared", "4x4 both 0123", "5x4 shared 0123", "4x4 shared 0123 00", "x shared 0"])
  func refusesBadCanonicalText(_ text: String) {
    #expect(throws: NetworkSpecificationError.self) { try NetworkSpecification(canonicalText: text) }
  }

  /// The fingerprint is the FNV-1a hash of the canonical text, computed by a few lines of Python. It must never change.
  @Test func fingerprintIsGolden() throws {
    let specification = try #require(NamedLayout.named("4x6")).specification()
    #expect(specification.canonicalText == "4x4 shared 012345 456789 012456 45689a")
    #expect(specification.fingerprint == "e3f8c54ac04fa3db")
  }

  @Test func namedLayoutsHaveTheirPublishedSizes() throws {
    let expected: [(name: String, weights: Int, features: Int)] = [
      ("17x4", 1_114_112, 17), ("2x4+2x6", 33_685_504, 32), ("4x5", 4_194_304, 32), ("4x6", 67_108_864, 32),
      ("5x6", 83_886_080, 40), ("8x6", 134_217_728, 64),
    ]
    #expect(NamedLayout.all.map(\.name) == expected.map(\.name))
    for layout in expected {
      let specification = try #require(NamedLayout.named(layout.name)).specification()
      #expect(try NetworkSpecification.named(layout.name) == specification)
      #expect(specification.weightCount == layout.weights)
      #expect(specification.featureCount == layout.features)
    }
  }

  @Test func aNameOfNoLayoutIsToldTheNames() {
    for name in ["", "4X6", "8x6 ", "9x9", "\u{1b}[31m"] {
      #expect(throws: NamedLayoutError.unknown(name)) { try NetworkSpecification.named(name) }
    }
    #expect(
      NamedLayoutError.unknown("9x9").description
        == #"there is no layout "9x9": use 17x4, 2x4+2x6, 4x5, 4x6, 5x6 or 8x6"#)
    #expect(!NamedLayoutError.unknown("\u{1b}[31m").description.contains("\u{1b}"))
  }

  @Test func refusesWhatDoesNotFit() throws {
    let two = try ["01234567", "12345678"].map { try TuplePattern(text: $0) }
    let tooMany = #expect(throws: NetworkSpecificationError.self) { try NetworkSpecification(patterns: two) }
    #expect(
      tooMany?.description == "8589934592 weights are too many: 2^32 is the limit, use shorter or fewer patterns")
    // The count is more than any machine has memory for, so that the test does not depend on this machine.
    let error = #expect(throws: WeightStorageError.self) { try WeightStorage<CoherenceCell>(count: 1 << 45) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("the weights need 422212.5 GB and this process may use "))
    #expect(text.hasSuffix(" of memory: use fewer or shorter patterns"))
  }
}
