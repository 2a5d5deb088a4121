package import Safetensors
internal import TupeloBase
internal import TupeloTables

/// The state of a run in about 1/40 of its checkpoint, with which the run continues on another machine.
///
/// Most weights of a large network are hardly ever used. A portable state keeps the weights that were updated often, in
/// the compact form of a model (`CompactTable`), and a byte for each of their sums A and E (`SumCodes`). All other
/// weights get the weight of an unused one and the mean sums of those that were left out. In a pruned network, whose
/// zeros stay, all others are such zeros. Random streams, counters and the configuration are those of the checkpoint.
/// The average of the weights is left out: it begins again.
///
/// A reader of models sees an ordinary compact model. The sums are in the tensors `compact.absolute.0`,
/// `compact.error.0`, ..., zlib streams with a byte for each kept weight, and `state.rest` has the weight, E and A of
/// all other weights of each table.
package enum PortableState {
  /// The version of this form, in the metadata of a portable state.
  static let key = "tupelo.state"
  static let version = "1"
  static let restName = "state.rest"
  static let absoluteName = "absolute"
  static let errorName = "error"

  /// Whether a file is a portable state.
  package static func isIn(_ file: SafetensorsFile) -> Bool { file.metadata[key] != nil }

  /// The weight and the sums of the weights of a table that are not kept. Where zeros stay zero, A is infinite.
  struct Rest {
    var weight: Float = 0
    var error: Float = 0
    var absolute: Float = 0

    var isSound: Bool {
      absolute == .infinity
        ? weight == 0 && error == 0
        : abs(weight) <= ModelFile.largestWeight && absolute.isFinite && abs(error) <= absolute
    }
  }
}

/// Why a portable state cannot be written or read.
package enum PortableStateError: Error, Hashable, Sendable {
  /// The file has no tables of weights in single precision, such as a dense network or a compact model.
  case noTables(path: String)
  /// Not even the weights that must be kept fit.
  case tooSmall(path: String, bytes: Int, needed: Int)
  case newer(path: String, version: String)
  case damaged(path: String, name: String)
}

extension PortableStateError: CustomStringConvertible {
  /// Bytes in megabytes, rounded up to a thousandth.
  private static func megabytes(_ bytes: Int) -> Double { Double((bytes + 999) / 1000) / 1000 }

  package var description: String {
    switch self {
    case .noTables(let path):
      "\(path): is not a whole checkpoint of a network of tables: give the run itself; a run of a dense network moves "
        + "by its checkpoint"
    case .tooSmall(let path, let bytes, let needed):
      "\(path): its state does not fit into \(Self.megabytes(bytes)) MB: give at least \(Self.megabytes(needed)) MB"
    case .newer(let path, let version):
      "\(path): a state of version \(Spelling.printable(version, limit: 20)), this program reads "
        + "\(PortableState.version): use a newer tupelo"
    case .damaged(let path, let name):
      "\(path): the tensor \(name) is not what a state has: the file is damaged"
    }
  }
}
