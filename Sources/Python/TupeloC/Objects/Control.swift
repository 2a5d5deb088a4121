// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import TupeloBase
internal import TupeloSearch

/// Watches and ends a long call from another thread.
final class Control: ForeignObject {
  static let title = "a control"

  let cancellation = SearchCancellation()
  /// Games that the call has finished.
  let games = Counter()

  /// Calls `body`, whose writing to files and memory ends when the control is cancelled.
  ///
  /// - Throws: `CancellationError`; the errors of `body`
  func interrupting<R>(_ body: () throws -> R) throws -> R {
    let cancellation = cancellation
    return try Interruption.watching({ cancellation.isCancelled }, body)
  }

  /// The control that a caller names. For 0, the control of this thread, or a new one, which nobody can reach.
  static func named(_ number: Int64) throws(Fault) -> Control {
    let number = number == 0 ? ofThread : number
    return number == 0 ? Control() : try Objects.shared(number)
  }

  // MARK: Threads

  /// The control of the calling thread, which `tupelo_control_use` has set; 0 for none.
  ///
  /// Soundness of the unsafe memory: the pointer is the number itself, and nothing reads what it points to.
  static var ofThread: Int64 {
    get { unsafe Int64(Int(bitPattern: pthread_getspecific(key))) }
    set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: Int(newValue))) }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key, nil)
    precondition(failure == 0, "no memory of its own for a thread: errno \(failure)")
    return key
  }()
}

@c @implementation
public func tupelo_control_use(_ control: Int64) -> Int32 {
  status {
    if control != 0 { _ = try Objects.shared(control, as: Control.self) }
    Control.ofThread = control
  }
}

@c @implementation
public func tupelo_control_create(_ control: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let handle = try unsafe Memory.array(control, 1, "control")
    unsafe handle.pointee = Objects.add(Control())
  }
}

@c @implementation
public func tupelo_control_cancel(_ control: Int64) -> Int32 {
  status { try Objects.shared(control, as: Control.self).cancellation.cancel() }
}

@c @implementation
public func tupelo_control_progress(_ control: Int64, _ games: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let games = try unsafe Memory.array(games, 1, "games")
    unsafe games.pointee = Int64(try Objects.shared(control, as: Control.self).games.value)
  }
}

/// Bytes that the library gives to a caller.
final class Bytes: ForeignObject {
  static let title = "bytes"

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

@c @implementation
public func tupelo_bytes_read(
  _ bytes: Int64, _ memory: UnsafeMutablePointer<UInt8>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let length = try unsafe Memory.array(length, 1, "length")
    let bytes = try Objects.shared(bytes, as: Bytes.self).bytes
    unsafe length.pointee = UInt64(bytes.count)
    guard capacity >= UInt64(bytes.count) else {
      throw Fault(.tooSmall, "the object has \(bytes.count) bytes, the memory \(capacity)")
    }
    if bytes.isEmpty { return }
    let memory = try unsafe Memory.array(memory, bytes.count, "memory")
    unsafe bytes.withUnsafeBufferPointer { unsafe memory.update(from: $0.baseAddress!, count: $0.count) }
  }
}

@c @implementation
public func tupelo_release(_ object: Int64) -> Int32 {
  status { try Objects.release(object) }
}
