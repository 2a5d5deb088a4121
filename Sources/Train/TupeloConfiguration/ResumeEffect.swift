/// The effect of a setting, which decides whether it may change when a run resumes.
package enum ResumeEffect: Sendable {
  /// The setting determines the tensors in a checkpoint. It may never change.
  case fixed
  /// The setting affects the learned values. It may change only if changes are allowed.
  case learning
  /// The setting determines the random numbers of each worker. It may change only if changes are allowed, and then the
  /// workers drop their stored start positions.
  case workers
  /// The setting affects the length of training or its reports. It may change.
  case free
  /// The setting does not affect training: a name, an evaluation or a file. It may change.
  case beside

  /// Whether a change must be allowed.
  package var needsPermission: Bool { self == .learning || self == .workers }
}
