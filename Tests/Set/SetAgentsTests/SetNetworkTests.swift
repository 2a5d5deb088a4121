import Safetensors
import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

struct SetNetworkTests {
  /// A network whose weights are multiples of a half, so that sums are exact in any order.
  private func network(_ rules: SetRules = .standard) throws -> SetNetwork {
    let network = try SetNetwork(SetSpecification(rules))
    var random = RandomStream(seed: 5)
    for index in 0..<network.weights.count {
      network.weights[index] = PlainCell(weight: Float(random.next(below: 17)) / 2 - 4)
    }
    return network
  }

  private func states() -> [SetAfterstate] {
    var random = RandomStream(seed: 11)
    let deals = DealModel()
    var states: [SetAfterstate] = []
    for _ in 0..<20 {
      var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
      while let trio = position.table.hint, let state = position.afterstate(of: trio) {
        states.append(state)
        position = deals.position(after: state, using: &random)
      }
    }
    return states
  }

  @Test func valueIsTheSumOfTheWeights() throws {
    let network = try network()
    var buffer = network.encoder.makeBuffer(slots: 1)
    for state in states() where !state.unseen.isEmpty {
      network.encoder.write(state, into: &buffer, slot: 0)
      let sum = buffer.features(ofSlot: 0).reduce(Float(0)) { $0 + network.weights.weight(at: $1) }
      #expect(network.value(of: state) == sum)
    }
  }

  @Test func emptyDeckIsExact() throws {
    let network = try network()
    let ends = states().filter { $0.unseen.isEmpty }
    #expect(ends.count > 20)
    for state in ends { #expect(network.value(of: state) == Float(state.table.mostSets)) }
  }

  @Test func manyValuesAreThoseOfEach() throws {
    let (network, states) = (try network(), states())
    var values = [Float](repeating: 0, count: states.count)
    var span = values.mutableSpan
    network.evaluate(states.span, into: &span)
    #expect(values == states.map { network.value(of: $0) })
  }

  @Test(arguments: [PlayFormat.f32, .f16, .compact(step: 0.5, drop: 0)])
  func filesHoldTheNetwork(format: PlayFormat) throws {
    let small = try SetRules(features: 3, tableSize: 9)
    let network = try network(small)
    let path = TemporaryFile.path("set.safetensors")
    defer { TemporaryFile.remove(path) }
    try network.save(to: path, format: format)
    let read = try SetNetwork(file: SafetensorsFile(path: path))
    #expect(read.specification == network.specification)
    #expect(read.identity == network.identity)
  }

  @Test func otherGamesAreNamed() throws {
    let path = TemporaryFile.path("set.safetensors")
    defer { TemporaryFile.remove(path) }
    try NTupleNetwork(NetworkSpecification(canonicalText: "3x3 shared 012345")).save(to: path)
    #expect(try SetSpecification(in: SafetensorsFile(path: path)) == nil)
    let error = #expect(throws: ModelFileError.self) { try SetNetwork(file: SafetensorsFile(path: path)) }
    #expect("\(String(describing: error))".contains("of 2048, not of Set"))
  }

  @Test func textNamesTheSpecification() throws {
    for rules in SetRules.allCases {
      let specification = SetSpecification(rules)
      #expect(try SetSpecification(canonicalText: specification.canonicalText) == specification)
    }
    #expect(try SetSpecification(canonicalText: "4x4 shared 0123") == nil)
    #expect(throws: SetSpecificationError.self) { try SetSpecification(canonicalText: "set 82 cards") }
  }

  /// The example of the README.
  @Test func readmeExampleRuns() throws {
    let network = try SetNetwork(SetSpecification(.standard))
    var random = RandomStream(seed: 1)
    let position = DealModel().position(after: SetAfterstate(startOf: .standard), using: &random)
    for trio in position.sets {
      guard let afterstate = position.afterstate(of: trio) else { continue }
      print(trio, network.value(of: afterstate))
    }
    #expect(position.table.setCount > 0)
  }
}
