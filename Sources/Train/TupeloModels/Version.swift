internal import TupeloBase

/// The version of the program, the libraries and the Python package. Tests compare the other places that have it.
public let tupeloVersion = "1.0.0"

/// The running program: its name, and the sources that it is built from.
public enum ProgramBuild {
  private static let state = Locked<String?>(nil)
  private static let nameState = Locked("tupelo")

  /// The commit, with `+` when the sources had changes. Nil outside a repository, and in programs that do not set it.
  public static var commit: String? { state.withLock { $0 } }

  /// Sets the commit, which the program's first line does.
  public static func setCommit(_ commit: String?) { state.withLock { $0 = commit } }

  /// The word that starts the program in the commands that it prints: `tupelo`, unless the program is built on it.
  package static var name: String { nameState.withLock { $0 } }

  /// Sets the name of a program with commands of its own.
  package static func setName(_ name: String) { nameState.withLock { $0 = name } }
}

/// The version of the program and the commit that it was built from: `1.0.0 (23243ba0c1d2)`, with `+` when the sources
/// had changes. Without a repository it is the version alone.
public var programVersion: String {
  guard let commit = ProgramBuild.commit else { return tupeloVersion }
  return "\(tupeloVersion) (\(commit.prefix(12))\(commit.hasSuffix("+") ? "+" : ""))"
}
