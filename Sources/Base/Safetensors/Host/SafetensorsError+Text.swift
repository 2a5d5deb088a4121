internal import TupeloBase

extension SafetensorsError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy. Text from the file is quoted, shortened and free of
  /// control characters.
  public var description: String {
    let (path, problem, remedy) = parts
    return "\(Spelling.printable(path, limit: 4096)): \(problem): \(remedy)"
  }

  private var parts: (path: String, problem: String, remedy: String) {
    headerParts ?? layoutParts ?? callerParts
  }

  private var headerParts: (String, String, String)? {
    let copyAgain = "copy or download it again"
    let notOurs = "it is damaged or not a safetensors file"
    switch self {
    case .truncatedHeader(let path, let length, let expected):
      return (path, "has \(length) bytes, the header alone needs \(expected)", "\(notOurs); \(copyAgain)")
    case .text(let path):
      return (path, "is a text, not a safetensors file", "name a model, a checkpoint or a run folder")
    case .headerTooLarge(let path, let length, let limit):
      return (path, "has a header of \(length) bytes, more than the allowed \(limit)", notOurs)
    case .malformedHeader(let path, let offset, let expected, let found):
      return (path, "expected \(expected) at byte \(offset), found \(found)", notOurs)
    case .notUTF8(let path, let offset):
      return (path, "the string at byte \(offset) is not UTF-8", notOurs)
    case .duplicateKey(let path, let offset, let key):
      return (path, "the key \(key.quoted) at byte \(offset) occurs a second time", "write it with each name once")
    case .missingField(let path, let name, let field):
      return (path, "the tensor \(name.quoted) has no \(field)", "the file is damaged; \(copyAgain)")
    case .unexpectedField(let path, let name, let field):
      return (
        path, "the tensor \(name.quoted) has the field \(field.quoted)",
        "write it with dtype, shape and data_offsets alone"
      )
    case .unknownType(let path, let name, let found):
      let known = TensorType.allCases.map(\.rawValue).joined(separator: ", ")
      return (path, "the tensor \(name.quoted) is of type \(found.quoted)", "convert it to one of \(known)")
    default: return nil
    }
  }

  private var layoutParts: (String, String, String)? {
    let damaged = "the file is damaged; copy or download it again"
    switch self {
    case .shapeOverflow(let path, let name, let shape):
      return (path, "the tensor \(name.quoted) of shape \(shape.shortened) is larger than any memory", damaged)
    case .badOffsets(let path, let name, let found):
      return (path, "the tensor \(name.quoted) has data_offsets \(found.shortened), not a begin and an end", damaged)
    case .wrongByteCount(let path, let name, let expected, let found):
      return (path, "the tensor \(name.quoted) needs \(expected) bytes and has \(found)", damaged)
    case .misplacedTensor(let path, let name, let expected, let found):
      let kind = found < expected ? "overlaps the one before it" : "leaves a hole before it"
      return (path, "the tensor \(name.quoted) \(kind): it begins at \(found) instead of \(expected)", damaged)
    case .wrongBufferLength(let path, let expected, let found):
      let kind = found < expected ? "the file is cut short" : "something was appended to it"
      return (path, "the tensors need \(expected) bytes and have \(found)", "\(kind); copy or download it again")
    default: return nil
    }
  }

  private var callerParts: (String, String, String) {
    switch self {
    case .noSuchTensor(let path, let name):
      (path, "has no tensor \(name.quoted)", "use another file or name")
    case .wrongElementWidth(let path, let name, let type, let width):
      (
        path, "the tensor \(name.quoted) is \(type.rawValue), \(type.byteWidth) bytes each, the elements have \(width)",
        "use elements of \(type.byteWidth) bytes"
      )
    case .rangeOutOfBounds(let path, let name, let range, let count):
      (path, "the tensor \(name.quoted) has \(count) elements, not \(range)", "ask for a range within them")
    case .wrongDestinationCount(let path, let name, let expected, let found):
      (
        path, "\(expected) elements of the tensor \(name.quoted) do not fit a destination of \(found)",
        "give one of \(expected)"
      )
    case .duplicateTensor(let path, let name):
      (path, "two tensors are to be named \(name.quoted)", "give each a name of its own")
    case .reservedName(let path):
      (path, "a tensor is to be named \"__metadata__\"", "choose another name")
    case .contentsTooLarge(let path):
      (path, "the tensors are larger than any file", "write fewer or smaller ones")
    case .tooFewBytes(let path, let name, let expected, let found):
      (
        path, "the tensor \(name.quoted) needs \(expected) bytes and got \(found)",
        "write all its elements; what was there before is untouched"
      )
    case .tooManyBytes(let path, let name, let expected, let found):
      (
        path, "the tensor \(name.quoted) needs \(expected) bytes and got \(found)",
        "write no more than its elements; what was there before is untouched"
      )
    default: preconditionFailure("an error without a text")
    }
  }
}

extension Array<Int> {
  /// The numbers in brackets; at most eight of them are shown.
  fileprivate var shortened: String {
    let shown = prefix(8).map { String($0) } + (count > 8 ? ["... (\(count) numbers)"] : [])
    return "[" + shown.joined(separator: ", ") + "]"
  }
}
