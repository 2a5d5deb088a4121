internal import TupeloBase
internal import TupeloEngine

extension NetworkSpecification {
  /// The network in a few words for people, at most about 60 characters: the name of its layout, such as `17x4` or
  /// `4x6, largest=16384`. If it has no named layout, its patterns if they are few, otherwise their number.
  public var title: String {
    let text = patterns.map(\.text).joined(separator: " ")
    let layout = NamedLayout.all.first { $0.patterns == text && $0.sharesSymmetries == sharesSymmetries }
    guard let layout, shape == .standard else { return untitled(text) + stagesTitle }
    return layout.name + stagesTitle
  }

  private func untitled(_ text: String) -> String {
    let kind = "\(shape) \(sharesSymmetries ? "shared" : "separate")"
    guard text.count > 36 else { return "\(kind) \(text)" }
    let lengths = patterns.map(\.cells.count)
    let (least, most) = (lengths.min() ?? 0, lengths.max() ?? 0)
    let cells = least == most ? CountText.text(most, "cell") : "\(least) to \(most) cells"
    return "\(kind), \(CountText.text(patterns.count, "pattern")) of \(cells)"
  }

  private var stagesTitle: String {
    guard stages.count > 1 else { return "" }
    let text = "\(stages)"
    return ", " + (text.count <= 24 ? text : CountText.text(stages.count, "stage"))
  }
}
