// What the sources use of Dispatch.

open class DispatchObject: @unchecked Sendable {
  open func activate() {}
  open func resume() {}
  open func suspend() {}
}
public struct DispatchTime: Comparable, Sendable {
  public static func < (one: DispatchTime, other: DispatchTime) -> Bool { true }
  public static func now() -> DispatchTime { DispatchTime() }
  public static var distantFuture: DispatchTime { DispatchTime() }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
  public var uptimeNanoseconds: UInt64 { 0 }
}
public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public enum DispatchPredicate: Sendable { case onQueue(DispatchQueue) }
public struct DispatchQoS: Equatable, Sendable {
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
  public static let background = DispatchQoS(), utility = DispatchQoS(), `default` = DispatchQoS()
  public static let userInitiated = DispatchQoS(), userInteractive = DispatchQoS(), unspecified = DispatchQoS()
}
open class DispatchWorkItem: @unchecked Sendable {
  public init(block: @escaping @convention(block) () -> Void) {}
  open func cancel() {}
  open func perform() {}
}
open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public convenience init(label: String, qos: DispatchQoS = .unspecified) { self.init() }
  open class var main: DispatchQueue { DispatchQueue() }
  open class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue() }
  open class func concurrentPerform(iterations: Int, execute: (Int) -> Void) {}
  public func async(execute: @escaping @Sendable @convention(block) () -> Void) {}
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    execute: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func sync<T>(execute: () throws -> T) rethrows -> T { try execute() }
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, execute: @escaping @Sendable @convention(block) () -> Void
  ) {}
}
open class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() {}
  open func enter() {}
  open func leave() {}
  open func wait() {}
  open func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  open func wait() {}
  open func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult open func signal() -> Int { 0 }
}
public protocol DispatchSourceProtocol: DispatchObject {
  func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func setRegistrationHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func setCancelHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func cancel()
}
public protocol DispatchSourceTimer: DispatchSourceProtocol {}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating: DispatchTimeInterval = .never, leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}
}
open class DispatchSource: DispatchObject, DispatchSourceTimer, DispatchSourceSignal, @unchecked Sendable {
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let strict = TimerFlags(rawValue: 1)
  }
  open class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
    DispatchSource()
  }
  open class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
    DispatchSource()
  }
  public func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?) {}
  public func setRegistrationHandler(handler: (@Sendable @convention(block) () -> Void)?) {}
  public func setCancelHandler(handler: (@Sendable @convention(block) () -> Void)?) {}
  public func cancel() {}
}
