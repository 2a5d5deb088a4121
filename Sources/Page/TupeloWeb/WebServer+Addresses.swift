internal import Foundation

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
