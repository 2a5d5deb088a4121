import Foundation
import Testing
import TupeloWeb

/// The three colours of Set, computed from the style sheet: contrast with the card (WCAG 2.2, 1.4.11), and how far
/// apart they are for people with each kind of colour vision.
///
/// Sources: G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model for simulation of color vision
/// deficiency", 2009, severity 1; distances in CIE L*a*b* (1976), where 2.3 is just noticeable.
@Suite struct SetColourTests {
  private static let visions: [String: [[Double]]] = [
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
      [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
      [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
      [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900],
    ],
  ]

  /// Linear red, green and blue of a colour such as `#e04a12`.
  private static func linear(_ text: String) throws -> [Double] {
    let number = try #require(Int(text.dropFirst(), radix: 16))
    return [16, 8, 0].map { shift in
      let value = Double(number >> shift & 255) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
  }

  private static func apply(_ matrix: [[Double]], _ colour: [Double]) -> [Double] {
    matrix.map { row in zip(row, colour).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static func luminance(_ colour: [Double]) -> Double {
    0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
  }

  private static func lab(_ colour: [Double]) -> [Double] {
    let white = [0.95047, 1, 1.08883]
    let matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    let curve = zip(apply(matrix, colour.map { min(max($0, 0), 1) }), white).map { value, most in
      let share = value / most
      return share > 0.008856 ? cbrt(share) : 7.787 * share + 16 / 116
    }
    return [116 * curve[1] - 16, 500 * (curve[0] - curve[1]), 200 * (curve[1] - curve[2])]
  }

  @Test func coloursAreToldApart() async throws {
    let styles = try await WebService.stub().get("/page.css").text
    // The first value is the one for light mode, the second one for dark mode.
    func values(_ name: String) -> [String] {
      let pairs = styles.components(separatedBy: "--\(name): light-dark(").dropFirst().map { $0.prefix { $0 != ")" } }
      return pairs.flatMap { $0.split(separator: ", ").map(String.init) }
    }
    let (cards, colours) = (values("card"), ["set-red", "set-green", "set-purple"].map(values))
    #expect(cards.count == 2 && colours.allSatisfy { $0.count == 2 })
    for scheme in 0..<2 {
      let card = Self.luminance(try Self.linear(cards[scheme]))
      let three = try colours.map { try Self.linear($0[scheme]) }
      for colour in three {
        let (low, high) = (min(card, Self.luminance(colour)), max(card, Self.luminance(colour)))
        #expect((high + 0.05) / (low + 0.05) >= 3)
      }
      for (vision, matrix) in Self.visions {
        let seen = three.map { Self.lab(Self.apply(matrix, $0)) }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
          let distance = sqrt(zip(seen[one], seen[other]).reduce(0) { $0 + pow($1.0 - $1.1, 2) })
          #expect(distance > 35, "\(vision): \(colours[one][scheme]) and \(colours[other][scheme])")
        }
      }
    }
  }
}
