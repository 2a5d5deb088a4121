internal import Foundation
public import Testing

extension ExitTest.Condition {
  /// A process that a check of Swift has ended.
  ///
  /// `.failure` also holds for an error that is thrown, and for a memory fault, which a check should come before.
  /// Release builds print no text of a precondition, so the signal is all that a test can compare.
  public static var trap: Self {
    #if arch(x86_64)
    .signal(SIGILL)
    #else
    .signal(SIGTRAP)
    #endif
  }
}
