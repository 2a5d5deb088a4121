import SetEngine
import Testing
import TupeloEngine

/// The lines of this module's README.
@Suite struct SetEngineReadmeTests {
  @Test func example() throws {
    var random = RandomStream(seed: 1)
    let deals = DealModel(.standard)
    var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
    var score = 0
    while let trio = position.table.hint, let afterstate = position.afterstate(of: trio) {
      position = deals.position(after: afterstate, using: &random)
      score += 1
    }
    print(score, position.table)
    let card = try Card(text: "two red striped ovals")
    print(card, card.third(with: try Card(text: "1rsd")).name)
    // The README promises this output.
    #expect("\(score) \(position.table)" == "25 3ptd 3rtq 2ptq 3pov 3goq 1poq")
    #expect("\(card) \(card.third(with: try Card(text: "1rsd")).name)" == "2rtv three red open squiggles")
  }
}
