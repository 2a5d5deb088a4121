internal import Foundation
internal import TupeloTraining

/// Builds lines of a picture, thinned to the points that are visible.
struct PlotPath {
  struct Place: Hashable {
    var x: Double
    var y: Double
  }

  /// Keeps, for each half pixel of width, the first, lowest, highest and last point, in their order. The drawn line
  /// does not change (Jugel et al. 2014, "M4").
  static func thinned(_ places: [Place]) -> [Place] {
    var result: [Place] = []
    var start = 0
    while start < places.count {
      let column = (places[start].x * 2).rounded(.down)
      var end = start
      var (low, high) = (start, start)
      while end < places.count, (places[end].x * 2).rounded(.down) == column {
        if places[end].y < places[low].y { low = end }
        if places[end].y > places[high].y { high = end }
        end += 1
      }
      for index in Set([start, low, high, end - 1]).sorted() { result.append(places[index]) }
      start = end
    }
    return result
  }

  /// SVG path data for a line through all places.
  static func line(_ places: [Place]) -> String {
    places.enumerated().map { index, place in
      (index == 0 ? "M" : "L") + number(place.x) + " " + number(place.y)
    }.joined()
  }

  /// SVG path data for the area between two lines.
  static func area(_ upper: [Place], _ lower: [Place]) -> String {
    line(upper) + lower.reversed().map { "L" + number($0.x) + " " + number($0.y) }.joined() + "Z"
  }

  /// A number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    return sign + "\(tenths.magnitude / 10)" + (tenths.isMultiple(of: 10) ? "" : ".\(tenths.magnitude % 10)")
  }
}
