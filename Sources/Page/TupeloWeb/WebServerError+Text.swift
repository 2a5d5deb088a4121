#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

extension WebServerError: CustomStringConvertible {
  public var description: String {
    switch code {
    case EADDRINUSE: "port \(port) is in use: stop the program that has it, or choose another with --port"
    case EACCES: "port \(port) is not allowed: choose one from 1024 up with --port"
    case EADDRNOTAVAIL: "\(host) is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all of its addresses"
    default: "cannot listen on \(host), port \(port): \(message): --host takes an address such as 127.0.0.1"
    }
  }
}
