import PlainText
import Testing

@Suite struct CountTextTests {
  @Test(arguments: [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1000, "1000 games"), (-1, "-1 games")])
  func onlyOneIsSingular(_ count: Int, _ text: String) {
    #expect(CountText.text(count, "game") == text)
  }
}
