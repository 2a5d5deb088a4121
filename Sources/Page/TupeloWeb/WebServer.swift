internal import FlyingSocks
internal import Foundation
internal import TupeloBase

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// Serves a `WebService` on a port.
public struct WebServer: Sendable {
  public let service: WebService
  public let host: String
  /// The port; 0 for any free one.
  public let port: UInt16
  public let limits: WebLimits

  /// - Parameters:
  ///   - service: answers the requests
  ///   - host: an address of this machine, `localhost`, or `0.0.0.0` and `::` for all
  ///   - port: the port; 0 for any free one
  ///   - limits: the limits on requests and connections
  public init(_ service: WebService, host: String = "127.0.0.1", port: UInt16 = 2048, limits: WebLimits = WebLimits()) {
    self.service = service
    self.host = host
    self.port = port
    self.limits = limits
  }

  /// Whether only this machine can reach an address.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The system's mechanism for waiting on sockets.
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
  ///   - ready: called with the port once the server listens
  /// - Throws: `WebServerError` when it cannot listen.
  public func run(ready: @Sendable (UInt16) -> Void = { _ in }) async throws {
    let socket = try listen()
    let pool = Self.makePool()
    try await pool.prepare()
    let listener = try AsyncSocket(socket: socket, pool: pool)
    ready(try Self.port(of: socket) ?? port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask { try await accept(on: listener) }
      defer {
        group.cancelAll()
        Self.close(socket)
      }
      do {
        try await group.next()
      } catch is CancellationError {
        return
      }
    }
  }

  private func accept(on listener: AsyncSocket) async throws {
    let open = OpenConnections(limit: limits.connections, patience: .seconds(limits.patience))
    let refused = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // A group keeps what a task returns until it is taken; the group that discards it needs macOS 14 and iOS 17. So
      // tasks that have ended are counted, and as many results are taken, which are there already.
      let ended = Counter()
      var taken = 0
      while true {
        try Task.checkCancellation()
        while taken < ended.value {
          try await group.next()
          taken += 1
        }
        let socket: AsyncSocket
        do {
          socket = try await listener.accept()
        } catch SocketError.failed {
          // The process has too many open files, or the client left before it was accepted. Wait a moment for the next
          // one.
          try await Task.sleep(for: .milliseconds(20))
          continue
        }
        Self.sendAtOnce(on: socket.socket)
        Self.limitSendBuffer(of: socket.socket)
        let connection = WebConnection(stream: SocketStream(socket: socket), service: service, limits: limits)
        if let place = open.enter(connection.deadline) {
          group.addTask {
            await connection.run()
            Self.close(socket.socket)
            open.leave(place)
            ended.add(1)
          }
        } else if refused.value < Self.refusals {
          refused.add(1)
          group.addTask {
            await connection.turnAway()
            Self.close(socket.socket)
            refused.add(-1)
            ended.add(1)
          }
        } else {
          Self.close(socket.socket)
        }
      }
    }
  }

  /// The number of clients at a time that get a refusal (see `turnAway`). Further connections are closed without a
  /// response.
  private static let refusals = 64

  /// Small answers must not wait for the client to confirm the one before (Nagle's algorithm and delayed confirmation
  /// make 40 ms). On a system that refuses, answers are only slower.
  private static func sendAtOnce(on socket: Socket) {
    do {
      try socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    } catch {
      // A client that has left already, or a system without the option.
    }
  }

  /// Limits what the system keeps of an answer that the client has not taken. The system would keep megabytes, and
  /// reports free space only when about a third of its buffer is free. A slow client would then have to take hundreds
  /// of KiB in the time that it has for each piece.
  private static func limitSendBuffer(of socket: Socket) {
    do {
      try socket.setValue(131_072, for: .sendBufferSize)
    } catch {
      // The client has left already, or the system does not have the option.
    }
  }

  /// A socket that cannot be closed is closed already, or its client is gone; either way nothing is left to do.
  private static func close(_ socket: Socket) {
    do {
      try socket.close()
    } catch {
      return
    }
  }

  private func listen() throws(WebServerError) -> Socket {
    if host.contains(":") {
      return try listen(on: address { try sockaddr_in6.inet6(ip6: host, port: port) })
    }
    return try listen(
      on: address { try sockaddr_in.inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port) })
  }

  /// Makes an address. A text that is not an address sets no error number; the number that the library reports is an
  /// older one.
  private func address<A>(_ make: () throws -> A) throws(WebServerError) -> A {
    do {
      return try make()
    } catch {
      throw WebServerError(host: host, port: port, code: 0, message: "it is not an address")
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
      close(socket)
      throw error
    }
  }

  private static func port(of socket: Socket) throws -> UInt16? {
    switch try socket.sockname() {
    case .ip4(_, let port), .ip6(_, let port): port
    default: nil
    }
  }
}

/// Why a server cannot listen.
public struct WebServerError: Error, Hashable, Sendable {
  public let host: String
  public let port: UInt16
  /// The system's error number; 0 when the address itself is not valid.
  public let code: Int32
  public let message: String
}

extension WebServerError: CustomStringConvertible {
  public var description: String {
    switch code {
    case EADDRINUSE: "port \(port) is in use: stop the program using it, or choose another with --port"
    case EACCES: "port \(port) is not allowed: choose one from 1024 up with --port"
    case EADDRNOTAVAIL: "\(host) is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses"
    default: "cannot listen on \(host), port \(port): \(message): --host takes an address such as 127.0.0.1"
    }
  }
}

extension WebServer {
  /// The names of this machine on its network, in lower case.
  public static var machineNames: [String] {
    let name = ProcessInfo.processInfo.hostName.lowercased()
    guard !name.isEmpty else { return [] }
    return name.contains(".") ? [name] : [name, name + ".local"]
  }

  /// The IPv4 addresses at which other machines reach this one.
  public static var machineAddresses: [String] {
    Host.current().addresses.filter { address in
      let parts = address.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } && !isLoopback(address)
    }.sorted()
  }
}
