internal import Foundation

/// Runs work that waits for another process on a thread of its own. Tests that wait on the few threads that run all
/// tests would leave none for a server that the other process calls.
public enum OwnThread {
  public static func run<Value: Sendable>(_ work: @Sendable @escaping () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
