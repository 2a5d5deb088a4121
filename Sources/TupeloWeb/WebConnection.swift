internal import FlyingSocks
internal import Foundation

/// Where the bytes of a connection come from and go to.
package protocol ByteStream: Sendable {
  /// At least one byte.
  ///
  /// - Throws: when there are no more.
  func read() async throws -> [UInt8]
  func write(_ bytes: [UInt8]) async throws
}

/// A connected socket.
struct SocketStream: ByteStream {
  let socket: AsyncSocket

  func read() async throws -> [UInt8] { try await socket.read(atMost: 4096) }

  func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }
}

/// One client: its requests are answered in their order until it goes, errs, or is too slow.
///
/// Sockets and their pool are FlyingSocks'. The loop is ours, because that of FlyingFox has no bound for a request's
/// head nor for the time it takes, and answers a malformed one with silence (README.md).
package struct WebConnection<Stream: ByteStream> {
  let stream: Stream
  let service: WebService
  let limits: WebLimits

  package init(stream: Stream, service: WebService, limits: WebLimits = WebLimits()) {
    self.stream = stream
    self.service = service
    self.limits = limits
  }

  package func run() async {
    var parser = RequestParser(limits: limits)
    while !Task.isCancelled {
      do {
        guard let request = try await nextRequest(&parser) else { return }
        let response = try await answer(request, &parser)
        let closing = request.headers["connection"]?.lowercased().contains("close") ?? false
        try await send(response.bytes(withoutBody: request.method == "HEAD", closing: closing))
        if closing { return }
      } catch let error as WebRequestError {
        await refuse(error)
        return
      } catch {
        // The client is gone: there is nobody to tell.
        return
      }
    }
  }

  /// The answer; a client that leaves while it is worked on ends the work. Quick answers never look.
  private func answer(_ request: WebRequest, _ parser: inout RequestParser) async throws -> WebResponse {
    try await withThrowingTaskGroup(of: AnswerEvent.self) { [service, stream] group in
      group.addTask { .answer(await service.respond(to: request)) }
      group.addTask {
        do {
          try await Task.sleep(for: .milliseconds(100))
          return .bytes(try await stream.read())
        } catch is CancellationError {
          return .nothing
        } catch {
          // What fails when this task is cancelled is the wait, not the connection.
          if Task.isCancelled { return .nothing }
          throw error
        }
      }
      defer { group.cancelAll() }
      var response: WebResponse?
      while let event = try await group.next() {
        switch event {
        case .answer(let found):
          response = found
          group.cancelAll()
        // The next request, or its beginning: it waits for its turn.
        case .bytes(let bytes): parser.append(bytes)
        case .nothing: break
        }
      }
      guard let response else { throw CancellationError() }
      return response
    }
  }

  /// `nil` when the client closes, or idles, between two requests.
  private func nextRequest(_ parser: inout RequestParser) async throws -> WebRequest? {
    let deadline = ContinuousClock.now + .seconds(limits.seconds)
    while true {
      if let request = try parser.next() { return request }
      if parser.takeExpectation() { try await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
      let bytes: [UInt8]
      do {
        bytes = try await Deadline.run(until: deadline) { [stream] in try await stream.read() }
      } catch is Deadline.Passed {
        if parser.isEmpty { return nil }
        throw WebRequestError.tooSlow(seconds: limits.seconds)
      } catch SocketError.disconnected {
        return nil
      }
      parser.append(bytes)
    }
  }

  private func send(_ bytes: [UInt8]) async throws {
    try await Deadline.run(until: .now + .seconds(limits.seconds)) { [stream] in try await stream.write(bytes) }
  }

  /// Says why, then reads on for a moment: closing with unread bytes would take the answer back from the client.
  private func refuse(_ error: WebRequestError) async {
    do {
      try await send(WebResponse.text("\(error)", status: error.status).bytes(closing: true))
      try await Deadline.run(until: .now + .seconds(1)) { [stream, limits] in
        var rest = limits.body
        while rest > 0 { rest -= try await stream.read().count }
      }
    } catch {
      // Gone, or still sending after a second: either way the connection ends here.
    }
  }
}

/// What may happen while an answer is worked on.
private enum AnswerEvent {
  case answer(WebResponse)
  case bytes([UInt8])
  case nothing
}

/// Work that may take only so long.
enum Deadline {
  struct Passed: Error {}

  static func run<Value: Sendable>(
    until end: ContinuousClock.Instant, _ work: @Sendable @escaping () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let value = first else { throw Passed() }
      return value
    }
  }
}
