// What TupeloWeb uses of FlyingSocks, whose own sources need far more of Darwin than these stubs have.
public import Foundation

public protocol SocketAddress: Sendable {
  static var family: sa_family_t { get }
}
extension SocketAddress {
  public var family: sa_family_t { Self.family }
}
extension sockaddr_in: SocketAddress, @unchecked @retroactive Sendable {
  public static var family: sa_family_t { 2 }
}
extension sockaddr_in6: SocketAddress, @unchecked @retroactive Sendable {
  public static var family: sa_family_t { 30 }
}
extension SocketAddress where Self == sockaddr_in {
  public static func inet(ip4: String, port: UInt16) throws -> Self { sockaddr_in() }
}
extension SocketAddress where Self == sockaddr_in6 {
  public static func inet6(ip6: String, port: UInt16) throws -> Self { sockaddr_in6() }
}
public protocol SocketOption<Value> {
  associatedtype Value
}
public struct BoolSocketOption: SocketOption {
  public typealias Value = Bool
  public init(level: Int32 = SOL_SOCKET, name: Int32) {}
}
public struct Int32SocketOption: SocketOption {
  public typealias Value = Int32
}
extension SocketOption where Self == BoolSocketOption {
  public static var localAddressReuse: Self { BoolSocketOption(name: SO_REUSEADDR) }
  public static var noSIGPIPE: Self { BoolSocketOption(name: SO_NOSIGPIPE) }
}
extension SocketOption where Self == Int32SocketOption {
  public static var sendBufferSize: Self { Int32SocketOption() }
}
public struct Socket: Sendable, Hashable {
  public enum Address: Sendable, Hashable {
    case ip4(String, port: UInt16), ip6(String, port: UInt16), unix(String)
  }
  public init(domain: Int32) throws {}
  public func setValue<Option: SocketOption>(_ value: Option.Value, for option: Option) throws {}
  public func bind(to address: some SocketAddress) throws {}
  public func listen(maxPendingConnection: Int32 = 128) throws {}
  public func sockname() throws -> Address { .unix("") }
  public func close() throws {}
}
public enum SocketError: Error {
  case failed(type: String, errno: Int32, message: String)
  case blocked, disconnected, unsupportedAddress
  case timeout(message: String)
}
public protocol AsyncSocketPool: Sendable {
  func prepare() async throws
  func run() async throws
}
public struct EventQueuePool: AsyncSocketPool {
  public func prepare() async throws {}
  public func run() async throws {}
}
extension AsyncSocketPool where Self == EventQueuePool {
  public static func kQueue() -> EventQueuePool { EventQueuePool() }
}
public struct AsyncSocket: Sendable {
  public let socket: Socket
  public init(socket: Socket, pool: some AsyncSocketPool) throws { self.socket = socket }
  public func accept() async throws -> AsyncSocket { self }
  public func read(atMost: Int) async throws -> [UInt8] { [] }
  public func write(_ data: Data) async throws {}
}
