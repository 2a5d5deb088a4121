/// What a setting decides, and so whether it may change when a run resumes.
package enum ResumeEffect: Sendable {
  /// The tensors in a checkpoint. It never changes.
  case fixed
  /// What is learned. It changes only where changes are allowed.
  case learning
  /// Who plays with which random numbers. It changes only where changes are allowed, and then the workers forget the
  /// positions that they remember as starts.
  case workers
  /// How far training goes, and what it reports. It may change.
  case free
  /// Nothing that is trained: a name, an evaluation or a file. It may change.
  case beside

  /// Whether a change must be allowed.
  package var needsPermission: Bool { self == .learning || self == .workers }
}
