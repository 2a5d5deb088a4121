internal import FlyingSocks
internal import Foundation

/// The two byte streams of a connection.
package protocol ByteStream: Sendable {
  /// Reads at least one byte.
  ///
  /// - Throws: an error when there are no more bytes.
  func read() async throws -> [UInt8]
  func write(_ bytes: [UInt8]) async throws
}

/// The byte stream of a connected socket.
struct SocketStream: ByteStream {
  let socket: AsyncSocket

  func read() async throws -> [UInt8] { try await socket.read(atMost: 4096) }

  func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }
}

/// Serves one client: answers its requests in order until it leaves, makes an error or is too slow.
///
/// Sockets and their pool come from FlyingSocks. The loop is written here, because FlyingFox's loop limits neither the
/// size nor the time of a request's head, and does not answer a malformed one (README.md).
package struct WebConnection<Stream: ByteStream> {
  let stream: Stream
  let service: WebService
  let limits: WebLimits
  /// The deadline that ends the work of the connection.
  let deadline = Deadline()

  /// The bytes of an answer that are written at a time.
  private static var piece: Int { 1 << 16 }

  package init(stream: Stream, service: WebService, limits: WebLimits = WebLimits()) {
    self.stream = stream
    self.service = service
    self.limits = limits
  }

  package func run() async { await deadline.watching { await serve() } }

  /// Responds that there are too many clients, and closes the connection.
  func turnAway() async {
    await deadline.watching { await refuse(.tooManyConnections(limit: limits.connections)) }
  }

  private func serve() async {
    var parser = RequestParser(limits: limits)
    while !Task.isCancelled {
      do {
        guard let request = try await nextRequest(&parser) else { return }
        let response = try await answer(request, &parser)
        let closing = request.headers["connection"]?.lowercased().contains("close") ?? false
        try await send(response, withoutBody: request.method == "HEAD", closing: closing)
        if closing { return }
      } catch let error as WebRequestError {
        await refuse(error)
        return
      } catch {
        // The client is gone, so there is nobody to answer.
        return
      }
    }
  }

  /// The answer; a client that leaves while it is worked on ends the work. Quick answers do not check.
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
          // When this task is cancelled, the wait fails, not the connection.
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

  /// `nil` when the client closes, idles or makes way for another one, between two requests.
  private func nextRequest(_ parser: inout RequestParser) async throws -> WebRequest? {
    deadline.setWaiting(true)
    defer { deadline.setWaiting(false) }
    let end = ContinuousClock.now + .seconds(limits.seconds)
    while true {
      if let request = try parser.next() { return request }
      if parser.takeExpectation() {
        try await deadline.run(until: end) { [stream] in
          try await stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
      }
      let bytes: [UInt8]
      do {
        bytes = try await deadline.run(until: end, endsOnDismissal: true) { [stream] in try await stream.read() }
      } catch is Deadline.Passed {
        if parser.isEmpty { return nil }
        if deadline.isDismissed { throw WebRequestError.tooManyConnections(limit: limits.connections) }
        throw WebRequestError.tooSlow(seconds: limits.seconds)
      } catch SocketError.disconnected {
        return nil
      }
      parser.append(bytes)
    }
  }

  /// Sends an answer piece by piece. A connection holds one piece in memory, however large the answer is.
  private func send(_ response: WebResponse, withoutBody: Bool, closing: Bool) async throws {
    let body = withoutBody ? [] : response.body
    // The head goes with the beginning of the body: a small answer is one packet.
    var sent = min(body.count, Self.piece)
    try await write(response.head(closing: closing) + body[..<sent])
    while sent < body.count {
      let end = min(sent + Self.piece, body.count)
      try await write(Array(body[sent..<end]))
      sent = end
    }
  }

  /// Writes a piece of an answer. The client has its time for each piece, not for the whole answer: a slow link is not
  /// cut off. A client that does not take its piece keeps the server waiting, and may lose its place to another one.
  private func write(_ piece: [UInt8]) async throws {
    deadline.setWaiting(true)
    defer { deadline.setWaiting(false) }
    try await deadline.run(until: .now + .seconds(limits.seconds), endsOnDismissal: true) { [stream] in
      try await stream.write(piece)
    }
  }

  /// Sends the reason, then reads on for a moment: closing with unread bytes would take the answer back from the
  /// client.
  private func refuse(_ error: WebRequestError) async {
    do {
      let response = WebResponse.text("\(error)", status: error.status)
      try await deadline.run(until: .now + .seconds(limits.seconds)) { [stream] in
        try await stream.write(response.head(closing: true) + response.body)
      }
      try await deadline.run(until: .now + .seconds(1)) { [stream, limits] in
        var rest = limits.body
        while rest > 0 { rest -= try await stream.read().count }
      }
    } catch {
      // The client is gone, or still sends after a second; either way the connection ends here.
    }
  }
}

/// The events while an answer is worked on.
private enum AnswerEvent {
  case answer(WebResponse)
  case bytes([UInt8])
  case nothing
}
