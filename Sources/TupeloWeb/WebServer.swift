internal import FlyingSocks
internal import Threads

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#endif

/// A `WebService` on a port.
public struct WebServer: Sendable {
  public let service: WebService
  public let host: String
  /// 0 takes any free one.
  public let port: UInt16
  public let limits: WebLimits

  /// - Parameters:
  ///   - host: an address of this machine, `localhost`, or `0.0.0.0` and `::` for all
  public init(_ service: WebService, host: String = "127.0.0.1", port: UInt16 = 2048, limits: WebLimits = WebLimits()) {
    self.service = service
    self.host = host
    self.port = port
    self.limits = limits
  }

  /// True for the addresses that only this machine can reach.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// Waits for sockets by what the system has for it.
  private static func makePool() -> some AsyncSocketPool {
    #if canImport(Darwin)
      .kQueue()
    #else
      .ePoll()
    #endif
  }

  /// Listens and answers until the task is cancelled.
  ///
  /// - Parameters:
  ///   - ready: told the port once it listens
  /// - Throws: `WebServerError` when it cannot listen.
  public func run(ready: @Sendable (UInt16) -> Void = { _ in }) async throws {
    let socket = try listen()
    let pool = Self.makePool()
    try await pool.prepare()
    let listener = try AsyncSocket(socket: socket, pool: pool)
    ready(Self.port(of: socket) ?? port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask { try await accept(on: listener) }
      defer {
        group.cancelAll()
        try? socket.close()
      }
      do {
        try await group.next()
      } catch is CancellationError {
        return
      }
    }
  }

  private func accept(on listener: AsyncSocket) async throws {
    let open = OpenConnections()
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try Task.checkCancellation()
        let socket: AsyncSocket
        do {
          socket = try await listener.accept()
        } catch SocketError.failed {
          // Out of files, or the client left before it was let in: others may fare better in a moment.
          try await Task.sleep(for: .milliseconds(20))
          continue
        }
        guard open.enter(limit: limits.connections) else {
          group.addTask { await Self.turnAway(socket) }
          continue
        }
        group.addTask {
          await WebConnection(stream: SocketStream(socket: socket), service: service, limits: limits).run()
          try? socket.close()
          open.leave()
        }
      }
    }
  }

  /// Says that the server is full, to a client that reads it within a second.
  private static func turnAway(_ socket: AsyncSocket) async {
    var response = WebResponse.text("too many connections: try again in a second", status: 503)
    response.headers["Retry-After"] = "1"
    let bytes = response.bytes(closing: true)
    try? await Deadline.run(until: .now + .seconds(1)) { try await SocketStream(socket: socket).write(bytes) }
    try? socket.close()
  }

  private func listen() throws(WebServerError) -> Socket {
    if host.contains(":") {
      return try listen(on: address { try sockaddr_in6.inet6(ip6: host, port: port) })
    }
    return try listen(
      on: address { try sockaddr_in.inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port) })
  }

  /// A text that is no address sets no error number: the one that the library reports is of something else, earlier.
  private func address<A>(_ make: () throws -> A) throws(WebServerError) -> A {
    do {
      return try make()
    } catch {
      throw WebServerError(host: host, port: port, code: 0, message: "it is no address")
    }
  }

  private func listen(on address: some SocketAddress) throws(WebServerError) -> Socket {
    do {
      return try Self.listen(on: address)
    } catch SocketError.failed(_, let code, let message) {
      throw WebServerError(host: host, port: port, code: code, message: message)
    } catch {
      throw WebServerError(host: host, port: port, code: 0, message: "\(error)")
    }
  }

  private static func listen(on address: some SocketAddress) throws -> Socket {
    let socket = try Socket(domain: Int32(address.family))
    do {
      try socket.setValue(true, for: .localAddressReuse)
      #if canImport(Darwin)
        try socket.setValue(true, for: .noSIGPIPE)
      #endif
      try socket.bind(to: address)
      try socket.listen()
      return socket
    } catch {
      try? socket.close()
      throw error
    }
  }

  private static func port(of socket: Socket) -> UInt16? {
    switch try? socket.sockname() {
    case .ip4(_, let port), .ip6(_, let port): port
    default: nil
    }
  }
}

/// How many clients there are.
private final class OpenConnections: Sendable {
  private let count = Counter()

  func enter(limit: Int) -> Bool {
    guard count.add(1) <= limit else {
      leave()
      return false
    }
    return true
  }

  func leave() { count.add(-1) }
}

/// Why a server cannot listen.
public struct WebServerError: Error, Hashable, Sendable {
  public let host: String
  public let port: UInt16
  /// The system's number of the error; 0 when the address itself is none.
  public let code: Int32
  public let message: String
}
