import Testing
import TupeloBase
import TupeloDense
import TupeloEngine
import TupeloModels
import TupeloNetwork

/// The lines of this module's README.
@Suite struct DenseModelsReadmeTests {
  @Test func example() throws {
    var architecture = DenseArchitecture()
    architecture.hidden = [32]
    let tuples = try NetworkSpecification.named("17x4")
    let specification = try DenseModelSpecification(.tuples(tuples), architecture)
    let network = try DenseNetwork(specification.network, DenseInitialization(seed: 1, outputScale: 1))
    let model = DenseModel(specification, encoder: TupleIndexer(tuples), network: network)
    let states = [Afterstate(bits: 0x21), Afterstate(bits: 0x33)]
    var values: [Float] = [0, 0]
    var span = values.mutableSpan
    model.evaluate(states.span, into: &span)
    print(specification, values)
    #expect(values == states.map { model.value(of: $0) } && values[0] != values[1])
  }
}
