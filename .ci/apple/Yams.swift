// What TupeloConfiguration uses of Yams, whose own sources need far more of Foundation than these stubs have.

public struct Mark: Sendable {
  public let line: Int, column: Int
}
public final class Tag: CustomStringConvertible {
  public struct Name: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let implicit = Name(rawValue: ""), map = implicit, seq = implicit, str = implicit
  }
  public var description: String { "" }
}
public final class Resolver: Sendable {
  public static let basic = Resolver()
}
public enum Node: Hashable, ExpressibleByStringLiteral {
  case scalar(Scalar)
  case mapping(Mapping)
  case sequence(Sequence)
  case alias(Alias)
  public init(stringLiteral: String) { self = .scalar(Scalar()) }

  public struct Scalar: Hashable {
    public enum Style: UInt32, Sendable { case any, plain, singleQuoted, doubleQuoted, literal, folded }
    public var string: String { "" }
    public var style: Style { .any }
  }
  public struct Mapping: Hashable, BidirectionalCollection, ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (Node, Node)...) {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public func index(after index: Int) -> Int { index + 1 }
    public func index(before index: Int) -> Int { index - 1 }
    public subscript(index: Int) -> (key: Node, value: Node) { ("", "") }
  }
  public struct Sequence: Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Node...) {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> Node { "" }
  }
  public struct Alias: Hashable {}
  public var scalar: Scalar? { nil }
  public var mapping: Mapping? { nil }
  public var sequence: Sequence? { nil }
  public var tag: Tag { fatalError() }
  public var mark: Mark? { nil }
}
public final class Parser {
  public enum Encoding: Sendable { case utf8, utf16 }
  public init(yaml: String, resolver: Resolver, encoding: Encoding) throws {}
  public func singleRoot() throws -> Node? { nil }
}
public enum YamlError: Error {
  public struct Context: Sendable {
    public let text: String
    public let mark: Mark
  }
  case no, memory
  case reader(problem: String, offset: Int?, value: Int32, yaml: String)
  case scanner(context: Context?, problem: String, Mark, yaml: String)
  case parser(context: Context?, problem: String, Mark, yaml: String)
  case composer(context: Context?, problem: String, Mark, yaml: String)
  case writer(problem: String), emitter(problem: String), representer(problem: String)
  case dataCouldNotBeDecoded(encoding: String)
  case duplicatedKeysInMapping(duplicates: [String], context: Context)
}
