internal import Foundation
internal import TupeloEvaluation
internal import TupeloTraining

extension MetricsRecord {
  /// Reads the record of a line, without its line break.
  init(line: ArraySlice<UInt8>) throws(MetricsError.LineProblem) {
    let content: MetricsLine
    do {
      content = try MetricsLine(Data(line))
    } catch {
      throw .notJSON
    }
    if let key = content.foreignKey { throw .notANumber(key: key) }
    var tags = content.numbers
    func take(_ key: String) throws(MetricsError.LineProblem) -> Double {
      guard let value = tags.removeValue(forKey: key) else { throw .missing(key: key) }
      return value
    }
    func takeCounter(_ key: String) throws(MetricsError.LineProblem) -> Int {
      guard let count = Int(exactly: try take(key)), (0...Self.counterLimit).contains(count) else {
        throw .notACounter(key: key)
      }
      return count
    }
    let (games, moves) = (try takeCounter(Key.games), try takeCounter(Key.moves))
    let (seconds, time) = (try take(Key.seconds), try take(Key.time))
    self.init(games: games, moves: moves, seconds: seconds, time: time, values: tags)
  }
}
