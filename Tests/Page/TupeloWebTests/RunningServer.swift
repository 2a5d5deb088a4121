import Testing
import TupeloWeb

extension WebLimits {
  /// Limits whose times no client reaches, however busy the machine is: for tests that are not about time.
  static var patient: WebLimits {
    var limits = WebLimits()
    limits.seconds = 3600
    limits.patience = 3600
    return limits
  }
}

/// A server on a free port, for as long as a test needs it.
final class RunningServer: Sendable {
  private let task: Task<Void, any Error>
  private let ports: AsyncStream<UInt16>

  init(_ service: WebService, limits: WebLimits = .patient) {
    let (stream, continuation) = AsyncStream.makeStream(of: UInt16.self)
    ports = stream
    task = Task {
      defer { continuation.finish() }
      try await WebServer(service, port: 0, limits: limits).run { continuation.yield($0) }
    }
  }

  /// The port, once the server listens.
  func port() async throws -> UInt16 {
    for await port in ports { return port }
    try await task.value
    throw CancellationError()
  }

  func stop() async {
    task.cancel()
    _ = await task.result
  }
}
