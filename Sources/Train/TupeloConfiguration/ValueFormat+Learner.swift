internal import TupeloBase
internal import TupeloLearning
internal import TupeloNetwork

/// The value formats of keys for learners, stages and episodes.
extension ValueFormat where Value == StagePartition {
  static var stages: Self {
    Self(
      expected: "single, or stages such as largest=16384, sum=8192,16384 or present=8192,16384",
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        do throws(StagePartitionError) {
          return try StagePartition(text: text)
        } catch {
          throw .stages(error)
        }
      },
      text: { "\($0)" })
  }
}

extension ValueFormat where Value == Int {
  /// A tile at which a stage can begin.
  static var tile: Self {
    let number = ValueFormat<Int>.wholeNumber(4...32768)
    return Self(
      expected: "a tile from 4 to 32768",
      read: { (value) throws(ValueRefusal) in
        let tile = try number.read(value)
        guard tile.nonzeroBitCount == 1 else { throw .notAllowed("\(tile)", nearest: nil) }
        return tile
      },
      text: { number.write($0) })
  }
}

extension ValueFormat where Value == [Int] {
  /// A list of whole numbers, or one text with spaces or commas.
  static func wholeNumbers(_ range: ClosedRange<Int>) -> Self {
    let number = ValueFormat<Int>.wholeNumber(range)
    return Self(
      expected: "a list of whole numbers from \(range.lowerBound) to \(range.upperBound)",
      read: { (value) throws(ValueRefusal) in
        var numbers: [Int] = []
        for word in try value.words() { numbers.append(try number.read(.text(word))) }
        return numbers
      },
      text: { "[" + $0.map(number.write).joined(separator: ", ") + "]" })
  }
}

extension ValueFormat where Value == AveragingWindow {
  static var averagingWindow: Self {
    let (merges, percent) = (
      ValueFormat<Int>.wholeNumber(1...1_000_000), ValueFormat<Float>.number(above: 0, atMost: 100)
    )
    return Self(
      expected: "a percentage such as 15%, or a whole number of merges",
      read: { (value) throws(ValueRefusal) in
        let text = try value.scalar()
        guard text.hasSuffix("%") else { return .merges(try merges.read(value)) }
        let number = String(text.dropLast())
        if let share = DecimalText(number)?.rounded(to: Float.self), share > 100 { throw .moreThanTheRun(text) }
        return .part(percent: try percent.read(.text(number)))
      },
      text: { window in
        switch window {
        case .merges(let count): merges.write(count)
        case .part(let part): percent.write(part) + "%"
        }
      })
  }
}

extension ValueFormat where Value == [StepSizeSchedule.Change] {
  /// A list of `games=alpha`, ascending.
  static var alphaSchedule: Self {
    let (games, alpha) = (
      ValueFormat<Int>.wholeNumber(1...1_000_000_000_000), ValueFormat<Float>.number(above: 0, atMost: 1)
    )
    return Self(
      expected: "a list of games=alpha in ascending order, such as [500k=0.1, 750k=0.01]",
      read: { (value) throws(ValueRefusal) in
        var changes: [StepSizeSchedule.Change] = []
        for word in try value.words() {
          let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
          guard parts.count == 2 else { throw .notAllowed(word, nearest: nil) }
          let change = StepSizeSchedule.Change(
            games: try games.read(.text(parts[0])), alpha: try alpha.read(.text(parts[1])))
          guard change.games > changes.last?.games ?? 0 else { throw .notAllowed(word, nearest: nil) }
          changes.append(change)
        }
        return changes
      },
      text: { changes in
        "[" + changes.map { "\(games.write($0.games))=\(alpha.write($0.alpha))" }.joined(separator: ", ") + "]"
      })
  }
}

extension ConfigurationValue {
  /// The entries of a list, or the words of one text. Brackets may enclose the text.
  fileprivate func words() throws(ValueRefusal) -> [String] {
    guard case .list(let items) = self else {
      var text = try scalar()[...]
      if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
      return text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    }
    var words: [String] = []
    for item in items {
      guard let text = item.text else { throw .listEntry }
      words.append(text)
    }
    return words
  }
}
