internal import CTupeloShims

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A block of zeroed memory from the kernel, on huge pages if the kernel grants them.
///
/// Without huge pages, lookups all over a table of many megabytes miss the translation buffers as well as the caches.
///
/// Soundness of the unsafe memory: the mapping is private to this object, `mappedBytes` long from `base`, which is
/// `byteCount` up to whole pages, aligned to a huge page, and unmapped in `deinit`. Code that uses `base` keeps the
/// object alive.
@safe
package final class LargeMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// Whether the kernel took the advice and grants huge pages to this process. Without huge pages training is 10 to 25%
  /// slower, and its results are equal.
  package let hasHugePages: Bool
  private let mappedBytes: Int

  private static let hugePage = 2 << 20

  /// - Throws: `WeightStorageError.outOfMemory` if the process may not use this much memory; `refused` if the kernel
  ///   refuses it nevertheless.
  package init(byteCount: Int) throws(WeightStorageError) {
    let limit = MemoryLimit.bytes
    guard byteCount > 0, byteCount <= limit else { throw .outOfMemory(bytes: byteCount, available: limit) }
    let page = sysconf(Int32(_SC_PAGESIZE))
    mappedBytes = (byteCount + page - 1) / page * page
    let length = mappedBytes + Self.hugePage
    let result = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0)
    guard let mapping = unsafe result, unsafe mapping != MAP_FAILED else {
      throw .refused(bytes: byteCount)
    }
    let offset = -Int(bitPattern: mapping) & (Self.hugePage - 1)
    unsafe base = mapping + offset
    // The parts at both ends that alignment leaves over are returned.
    if offset > 0 { unsafe munmap(mapping, offset) }
    unsafe munmap(base + mappedBytes, Self.hugePage - offset)
    self.byteCount = byteCount
    // A block smaller than one huge page gains nothing from them, so it counts as granted.
    hasHugePages =
      unsafe byteCount < Self.hugePage || tupelo_advise_huge_pages(base, byteCount) == 0 && Self.grantsHugePages
  }

  deinit {
    unsafe munmap(base, mappedBytes)
  }

  /// Whether the process gets huge pages where it asks for them. The kernel also takes the advice where it does not.
  private static let grantsHugePages: Bool = {
    #if os(Linux)
    guard tupelo_huge_pages_are_off() != 1 else { return false }
    #endif
    return allowsHugePages(reading: MemoryLimit.contents)
  }()

  /// Whether the settings of the kernel allow huge pages where a process asks for them; true where there are none.
  ///
  /// - Parameter read: returns the text of a file; `nil` if the file is missing
  package static func allowsHugePages(reading read: (_ path: String) -> String?) -> Bool {
    let folder = "/sys/kernel/mm/transparent_hugepage/"
    // A setting for this size counts before the setting for all sizes.
    let texts = ["hugepages-\(hugePage >> 10)kB/enabled", "enabled"].compactMap { read(folder + $0) }
    return texts.first { !$0.contains("[inherit]") }.map { !$0.contains("[never]") } ?? true
  }

  /// The machine's memory, in bytes.
  package static var physicalBytes: Int {
    sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
  }

  private static var anonymous: Int32 {
    #if canImport(Darwin)
    MAP_ANON
    #else
    Int32(MAP_ANONYMOUS)
    #endif
  }
}
