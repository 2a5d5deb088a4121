internal import TupeloTraining

/// The version of the program and the commit that it was built from: `1.0.0 (23243ba0c1d2)`, with `+` when the sources
/// had changes. Without a repository it is the version alone.
public let programVersion: String = {
  guard let buildCommit else { return tupeloVersion }
  return "\(tupeloVersion) (\(buildCommit.prefix(12))\(buildCommit.hasSuffix("+") ? "+" : ""))"
}()
