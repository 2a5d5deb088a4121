// What the sources use of Foundation, with Apple's availability where it is younger than macOS 10.13 and iOS 11.
@_exported public import Darwin
@_exported public import Dispatch

// MARK: Errors

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}
extension Error {
  public var localizedDescription: String { "" }
}
open class NSObject: Hashable, CustomStringConvertible {
  public init() {}
  public static func == (one: NSObject, other: NSObject) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
  open var description: String { "" }
}
open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
  open var domain: String { "" }
  open var code: Int { 0 }
  open var userInfo: [String: Any] { [:] }
  open var localizedDescription: String { "" }
  open var localizedFailureReason: String? { nil }
}
public let NSUnderlyingErrorKey = "", NSPOSIXErrorDomain = "", NSCocoaErrorDomain = "", NSFilePathErrorKey = ""
public let NSLocalizedDescriptionKey = ""
public struct CocoaError: Error {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static func ~= (code: Code, error: any Error) -> Bool { true }
    public static var fileNoSuchFile: Code { Code(rawValue: 0) }
    public static var fileReadNoSuchFile: Code { Code(rawValue: 0) }
    public static var fileReadNoPermission: Code { Code(rawValue: 0) }
    public static var fileWriteNoPermission: Code { Code(rawValue: 0) }
    public static var fileWriteFileExists: Code { Code(rawValue: 0) }
    public static var fileWriteOutOfSpace: Code { Code(rawValue: 0) }
    public static var fileReadUnknown: Code { Code(rawValue: 0) }
    public static var fileWriteUnknown: Code { Code(rawValue: 0) }
  }
  public init(_ code: Code) { self.code = code }
  public let code: Code
  public var underlying: (any Error)? { nil }
  public static var fileNoSuchFile: Code { .fileNoSuchFile }
  public static var fileReadNoSuchFile: Code { .fileReadNoSuchFile }
}
public struct POSIXError: Error {
  public enum Code: Int32, Sendable { case EPERM = 1, ENOENT, EIO = 5 }
  public init(_ code: Code) {}
}

// MARK: Texts and numbers

open class NSString: NSObject, @unchecked Sendable {
  open var length: Int { 0 }
  open var pathExtension: String { "" }
  open var lastPathComponent: String { "" }
  open var deletingPathExtension: String { "" }
  open var deletingLastPathComponent: String { "" }
  open var pathComponents: [String] { [] }
  open var expandingTildeInPath: String { "" }
  open var standardizingPath: String { "" }
  open var resolvingSymlinksInPath: String { "" }
  open var isAbsolutePath: Bool { true }
  open func appendingPathComponent(_ name: String) -> String { "" }
  open func appendingPathExtension(_ name: String) -> String? { nil }
}
open class NSNumber: NSObject, @unchecked Sendable {
  public init(value: Int) {}
  public init(value: Bool) {}
  public init(value: Double) {}
  open var intValue: Int { 0 }
  open var int64Value: Int64 { 0 }
  open var uint64Value: UInt64 { 0 }
  open var doubleValue: Double { 0 }
  open var boolValue: Bool { true }
}
open class NSNull: NSObject, @unchecked Sendable {}
open class NSArray: NSObject, @unchecked Sendable {}
open class NSDictionary: NSObject, @unchecked Sendable {
  open subscript(key: Any) -> Any? { nil }
}
public typealias TimeInterval = Double
public struct NSRange { public var location = 0, length = 0 }
public func NSStringFromClass(_ one: AnyClass) -> String { "" }

public struct CharacterSet: Sendable {
  public init(charactersIn text: String) {}
  public static var whitespaces: CharacterSet { CharacterSet(charactersIn: "") }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet(charactersIn: "") }
  public static var newlines: CharacterSet { CharacterSet(charactersIn: "") }
  public static var decimalDigits: CharacterSet { CharacterSet(charactersIn: "") }
  public static var alphanumerics: CharacterSet { CharacterSet(charactersIn: "") }
  public static var urlPathAllowed: CharacterSet { CharacterSet(charactersIn: "") }
  public static var urlQueryAllowed: CharacterSet { CharacterSet(charactersIn: "") }
  public func contains(_ scalar: Unicode.Scalar) -> Bool { true }
  public var inverted: CharacterSet { self }
}
extension NSString {
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var regularExpression: CompareOptions { CompareOptions(rawValue: 1) }
    public static var caseInsensitive: CompareOptions { CompareOptions(rawValue: 2) }
    public static var backwards: CompareOptions { CompareOptions(rawValue: 4) }
    public static var anchored: CompareOptions { CompareOptions(rawValue: 8) }
    public static var numeric: CompareOptions { CompareOptions(rawValue: 16) }
    public static var literal: CompareOptions { CompareOptions(rawValue: 32) }
    public static var diacriticInsensitive: CompareOptions { CompareOptions(rawValue: 64) }
  }
}
public protocol CVarArgs {}
extension String {
  public struct Encoding: Hashable, Sendable {
    public static var utf8: Encoding { Encoding() }
    public static var ascii: Encoding { Encoding() }
    public static var isoLatin1: Encoding { Encoding() }
    public static var utf16: Encoding { Encoding() }
  }
  public typealias CompareOptions = NSString.CompareOptions
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
  public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { self = "" }
  public init(format: String, arguments: [any CVarArg]) { self = "" }
  public init?(data: Data, encoding: Encoding) { return nil }
  public init?(bytes: some Sequence<UInt8>, encoding: Encoding) { return nil }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  @available(macOS, introduced: 10.10, deprecated: 15) @available(iOS, introduced: 8, deprecated: 18)
  public init(contentsOfFile path: String) throws { self = "" }
}
extension StringProtocol {
  public func components(separatedBy text: some StringProtocol) -> [String] { [] }
  public func components(separatedBy set: CharacterSet) -> [String] { [] }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func replacingOccurrences<A: StringProtocol, B: StringProtocol>(
    of text: A, with other: B, options: String.CompareOptions = [], range: Range<Index>? = nil
  ) -> String { "" }
  public func contains<A: StringProtocol>(_ other: A) -> Bool { true }
  public func range<A: StringProtocol>(
    of text: A, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
  ) -> Range<Index>? { nil }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
  public func addingPercentEncoding(withAllowedCharacters: CharacterSet) -> String? { nil }
  public var removingPercentEncoding: String? { nil }
  public var capitalized: String { "" }
  public func folding(options: String.CompareOptions = [], locale: Locale?) -> String { "" }
  public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public func padding<A: StringProtocol>(toLength: Int, withPad: A, startingAt: Int) -> String { "" }
  public func cString(using: String.Encoding) -> [CChar]? { nil }
  public func compare<A: StringProtocol>(
    _ other: A, options: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil
  ) -> ComparisonResult { .orderedSame }
}
// Objective-C converts these in Apple's SDK. The compiler does it by this protocol here.
extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { NSString() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}
extension Array: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { NSArray() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Self { [] }
}
extension Dictionary: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { NSDictionary() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Self { [:] }
}
public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }

// MARK: Bytes

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
extension Array: ContiguousBytes where Element == UInt8 {}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
  ContiguousBytes, DataProtocol, Codable
{
  public typealias Index = Int
  public init() {}
  public init(_ bytes: some Sequence<UInt8>) {}
  public init(repeating: UInt8, count: Int) {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(_ buffer: UnsafeRawBufferPointer) {}
  public init<Element>(buffer: UnsafeBufferPointer<Element>) {}
  public init(count: Int) {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init?(base64Encoded: String, options: Base64DecodingOptions = []) { return nil }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var mappedIfSafe: ReadingOptions { ReadingOptions(rawValue: 1) }
    public static var alwaysMapped: ReadingOptions { ReadingOptions(rawValue: 2) }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var atomic: WritingOptions { WritingOptions(rawValue: 1) }
    public static var withoutOverwriting: WritingOptions { WritingOptions(rawValue: 2) }
  }
  public struct SearchOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var backwards: SearchOptions { SearchOptions(rawValue: 1) }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(position: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func replaceSubrange(_ range: Range<Int>, with bytes: some Collection<UInt8>) {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public func range(of data: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>? { nil }
  public func subdata(in range: Range<Int>) -> Data { self }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
}

// MARK: Places

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init?(string: String) { return nil }
  public init(fileURLWithPath: String) {}
  public init(fileURLWithPath: String, isDirectory: Bool) {}
  public init(fileURLWithPath: String, relativeTo: URL?) {}
  public init(fileURLWithFileSystemRepresentation: UnsafePointer<Int8>, isDirectory: Bool, relativeTo: URL?) {}
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil) {}
  public var path: String { "" }
  public var description: String { "" }
  public var absoluteString: String { "" }
  public var absoluteURL: URL { self }
  public var isFileURL: Bool { true }
  public var scheme: String? { nil }
  public var host: String? { nil }
  public var port: Int? { nil }
  public var query: String? { nil }
  public var lastPathComponent: String { "" }
  public var pathExtension: String { "" }
  public var pathComponents: [String] { [] }
  public var standardizedFileURL: URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public mutating func deleteLastPathComponent() {}
  public func deletingPathExtension() -> URL { self }
  public func appendingPathComponent(_ name: String) -> URL { self }
  public func appendingPathComponent(_ name: String, isDirectory: Bool) -> URL { self }
  public func appendingPathExtension(_ name: String) -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func checkResourceIsReachable() throws -> Bool { true }
  public func withUnsafeFileSystemRepresentation<R>(_ body: (UnsafePointer<Int8>?) throws -> R) rethrows -> R {
    try body(nil)
  }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending(path: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func appending(component: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public static var temporaryDirectory: URL { URL(fileURLWithPath: "") }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let type = FileAttributeKey(rawValue: ""), size = type, modificationDate = type
  public static let posixPermissions = type, systemSize = type, systemFreeSize = type, systemFileNumber = type
  public static let creationDate = type, systemNumber = type, referenceCount = type, ownerAccountID = type
}
public struct FileAttributeType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let typeRegular = FileAttributeType(rawValue: ""), typeDirectory = typeRegular
  public static let typeSymbolicLink = typeRegular
}
public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  public init(booleanLiteral: Bool) {}
  public init(_ value: Bool) {}
  public var boolValue: Bool { true }
}
public struct URLResourceKey: Hashable, Sendable {
  public static let isDirectoryKey = URLResourceKey(), isRegularFileKey = URLResourceKey()
}
open class FileManager: NSObject, @unchecked Sendable {
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var skipsHiddenFiles: DirectoryEnumerationOptions { DirectoryEnumerationOptions(rawValue: 4) }
  }
  open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
    open func next() -> Any? { nil }
    open func nextObject() -> Any? { nil }
    open var fileAttributes: [FileAttributeKey: Any]? { nil }
    open func skipDescendants() {}
  }
  open class var `default`: FileManager { FileManager() }
  open var temporaryDirectory: URL { URL(fileURLWithPath: "") }
  @available(iOS, unavailable) open var homeDirectoryForCurrentUser: URL { URL(fileURLWithPath: "") }
  open var currentDirectoryPath: String { "" }
  open func changeCurrentDirectoryPath(_ path: String) -> Bool { true }
  open func createDirectory(
    atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func createDirectory(
    at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  @discardableResult open func createFile(
    atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
  ) -> Bool { true }
  open func fileExists(atPath: String) -> Bool { true }
  open func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { true }
  open func contentsOfDirectory(atPath: String) throws -> [String] { [] }
  open func contentsOfDirectory(
    at: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  open func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
  open func subpaths(atPath: String) -> [String]? { nil }
  open func removeItem(atPath: String) throws {}
  open func removeItem(at: URL) throws {}
  open func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
  open func createSymbolicLink(at: URL, withDestinationURL: URL) throws {}
  open func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
  open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
  open func attributesOfFileSystem(forPath: String) throws -> [FileAttributeKey: Any] { [:] }
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
  open func copyItem(atPath: String, toPath: String) throws {}
  open func copyItem(at: URL, to: URL) throws {}
  open func moveItem(atPath: String, toPath: String) throws {}
  open func moveItem(at: URL, to: URL) throws {}
  open func linkItem(atPath: String, toPath: String) throws {}
  open func contentsEqual(atPath: String, andPath: String) -> Bool { true }
  open func contents(atPath: String) -> Data? { nil }
  open func isWritableFile(atPath: String) -> Bool { true }
  open func isReadableFile(atPath: String) -> Bool { true }
  open func isExecutableFile(atPath: String) -> Bool { true }
  open func isDeletableFile(atPath: String) -> Bool { true }
  open func enumerator(atPath: String) -> DirectoryEnumerator? { nil }
  open func enumerator(
    at: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = [],
    errorHandler: ((URL, any Error) -> Bool)? = nil
  ) -> DirectoryEnumerator? { nil }
}
open class FileHandle: NSObject, @unchecked Sendable {
  public init(fileDescriptor: Int32, closeOnDealloc: Bool) {}
  public init(fileDescriptor: Int32) {}
  public convenience init?(forReadingAtPath: String) { return nil }
  public convenience init?(forWritingAtPath: String) { return nil }
  public convenience init?(forUpdatingAtPath: String) { return nil }
  public convenience init(forReadingFrom: URL) throws { self.init(fileDescriptor: 0) }
  public convenience init(forWritingTo: URL) throws { self.init(fileDescriptor: 0) }
  public convenience init(forUpdating: URL) throws { self.init(fileDescriptor: 0) }
  open class var nullDevice: FileHandle { FileHandle(fileDescriptor: 0) }
  open class var standardInput: FileHandle { FileHandle(fileDescriptor: 0) }
  open class var standardOutput: FileHandle { FileHandle(fileDescriptor: 0) }
  open class var standardError: FileHandle { FileHandle(fileDescriptor: 0) }
  open var fileDescriptor: Int32 { 0 }
  open var availableData: Data { Data() }
  open var readabilityHandler: (@Sendable (FileHandle) -> Void)? {
    get { nil }
    set {}
  }
  open func readData(ofLength: Int) -> Data { Data() }
  open func readDataToEndOfFile() -> Data { Data() }
  open func write(_ data: Data) {}
  open func closeFile() {}
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
  public func readToEnd() throws -> Data? { nil }
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
  public func read(upToCount: Int) throws -> Data? { nil }
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
  public func write(contentsOf: some DataProtocol) throws {}
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *)
  public func offset() throws -> UInt64 { 0 }
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *) @discardableResult
  public func seekToEnd() throws -> UInt64 { 0 }
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  open func seek(toOffset: UInt64) throws {}
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  open func truncate(atOffset: UInt64) throws {}
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  open func synchronize() throws {}
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
  open func close() throws {}
}
open class Pipe: NSObject, @unchecked Sendable {
  open var fileHandleForReading: FileHandle { FileHandle(fileDescriptor: 0) }
  open var fileHandleForWriting: FileHandle { FileHandle(fileDescriptor: 0) }
}
open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { Bundle() }
  open class var allBundles: [Bundle] { [] }
  public convenience init(for one: AnyClass) { self.init() }
  open var executableURL: URL? { nil }
  open var bundleURL: URL { URL(fileURLWithPath: "") }
  open var bundlePath: String { "" }
  open var resourceURL: URL? { nil }
  open func url(forResource: String?, withExtension: String?) -> URL? { nil }
}

// MARK: Processes, threads and time

@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
  public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal }
  open var executableURL: URL?
  open var currentDirectoryURL: URL?
  open var arguments: [String]?
  open var environment: [String: String]?
  open var standardInput: Any?
  open var standardOutput: Any?
  open var standardError: Any?
  open var terminationHandler: (@Sendable (Process) -> Void)? {
    get { nil }
    set {}
  }
  open var processIdentifier: Int32 { 0 }
  open var terminationStatus: Int32 { 0 }
  open var terminationReason: TerminationReason { .exit }
  open var isRunning: Bool { true }
  open func run() throws {}
  open func waitUntilExit() {}
  open func terminate() {}
  open func interrupt() {}
}
open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var environment: [String: String] { [:] }
  open var arguments: [String] { [] }
  open var processName: String { "" }
  open var processIdentifier: Int32 { 0 }
  open var hostName: String { "" }
  open var operatingSystemVersionString: String { "" }
  open var activeProcessorCount: Int { 0 }
  open var processorCount: Int { 0 }
  open var physicalMemory: UInt64 { 0 }
  open var systemUptime: TimeInterval { 0 }
}
open class Thread: NSObject, @unchecked Sendable {
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  open class func sleep(forTimeInterval: TimeInterval) {}
  open class var current: Thread { Thread() }
  open class var isMainThread: Bool { true }
  open var stackSize: Int {
    get { 0 }
    set {}
  }
  open var name: String? {
    get { nil }
    set {}
  }
  open func start() {}
}
public protocol NSLocking {
  func lock()
  func unlock()
}
extension NSLocking {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
open class NSLock: NSObject, NSLocking, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
}
open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
  open func wait() {}
  open func signal() {}
  open func broadcast() {}
}
public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public static func < (one: Date, other: Date) -> Bool { true }
  public static func + (date: Date, interval: TimeInterval) -> Date { date }
  public static var distantPast: Date { Date() }
  public static var distantFuture: Date { Date() }
  public var timeIntervalSince1970: TimeInterval { 0 }
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public func timeIntervalSince(_ other: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public static var now: Date { Date() }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public struct ISO8601FormatStyle: Sendable {
    public init() {}
  }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func formatted(_ style: ISO8601FormatStyle) -> String { "" }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func ISO8601Format(_ style: ISO8601FormatStyle = ISO8601FormatStyle()) -> String { "" }
}
@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
extension Date.ISO8601FormatStyle {
  public static var iso8601: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle() }
}
public struct Locale: Hashable, Sendable {
  public init(identifier: String) {}
  public static var current: Locale { Locale(identifier: "") }
}
public struct TimeZone: Hashable, Sendable {
  public init?(identifier: String) { return nil }
  public init?(secondsFromGMT: Int) { return nil }
  public init?(abbreviation: String) { return nil }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public static var gmt: TimeZone { TimeZone(identifier: "")! }
  public static var current: TimeZone { TimeZone(identifier: "")! }
}
open class DateFormatter: NSObject, @unchecked Sendable {
  open var locale: Locale!
  open var timeZone: TimeZone!
  open var dateFormat: String!
  open func string(from: Date) -> String { "" }
  open func date(from: String) -> Date? { nil }
}
public struct UUID: Hashable, Sendable {
  public init() {}
  public var uuidString: String { "" }
}

// MARK: JSON and XML

open class JSONSerialization: NSObject, @unchecked Sendable {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var fragmentsAllowed: ReadingOptions { ReadingOptions(rawValue: 4) }
    public static var allowFragments: ReadingOptions { ReadingOptions(rawValue: 4) }
    public static var mutableContainers: ReadingOptions { ReadingOptions(rawValue: 1) }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var prettyPrinted: WritingOptions { WritingOptions(rawValue: 1) }
    public static var sortedKeys: WritingOptions { WritingOptions(rawValue: 2) }
    public static var fragmentsAllowed: WritingOptions { WritingOptions(rawValue: 4) }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    public static var withoutEscapingSlashes: WritingOptions { WritingOptions(rawValue: 8) }
  }
  open class func isValidJSONObject(_ object: Any) -> Bool { true }
  open class func jsonObject(with: Data, options: ReadingOptions = []) throws -> Any { 0 }
  open class func data(withJSONObject: Any, options: WritingOptions = []) throws -> Data { Data() }
}
open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var prettyPrinted: OutputFormatting { OutputFormatting(rawValue: 1) }
    public static var sortedKeys: OutputFormatting { OutputFormatting(rawValue: 2) }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    public static var withoutEscapingSlashes: OutputFormatting { OutputFormatting(rawValue: 8) }
  }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from: Data) throws -> T { fatalError() }
}
public protocol XMLParserDelegate: AnyObject {}
open class XMLParser: NSObject {
  public init(data: Data) {}
  open weak var delegate: (any XMLParserDelegate)?
  open var parserError: (any Error)? { nil }
  open var lineNumber: Int { 0 }
  open func parse() -> Bool { true }
}
@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
open class Host: NSObject, @unchecked Sendable {
  open class func current() -> Host { Host() }
  open var addresses: [String] { [] }
}
