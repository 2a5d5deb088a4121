package import TupeloBase

/// Writes safetensors files. A file appears whole or not at all, and the same arguments give the same bytes.
public enum SafetensorsWriter {
  /// Writes a file. An existing file at `path` is replaced in one step, when all bytes are on the disk.
  ///
  /// The bytes go to a temporary file in the same folder, named after the destination and ending in `.partial`. On any
  /// failure the temporary file is removed and the destination is unchanged. Only a killed process leaves it behind. A
  /// symbolic link at `path` is followed; a folder, pipe or device is refused. A file that is replaced keeps its
  /// permissions. A file that is mounted by itself is written in place instead.
  ///
  /// Memory: the header and a buffer of one mebibyte, for any size of the tensors.
  ///
  /// - Parameters:
  ///   - path: the destination. Its folder must exist.
  ///   - metadata: the file's `__metadata__`, written in the order of the keys' bytes.
  ///   - tensors: in any order. In the file the widest numbers come first, then names in the order of their bytes.
  ///   - contents: called once per tensor, in the order of the file, to write all its bytes to the sink.
  /// - Throws: The errors of `contents`; `SafetensorsError`: `duplicateTensor`, `reservedName`, `contentsTooLarge`,
  ///   `headerTooLarge`, `tooFewBytes`, `tooManyBytes`, `wrongElementWidth`; `SystemError`: `notARegularFile`,
  ///   `cannotCreate`, `cannotWrite`, `cannotReplace`, `writtenInPart` and `notDurable`. Only after `notDurable` the
  ///   new file is in place.
  public static func write(
    to path: String, metadata: [String: String] = [:], tensors: [TensorDescription],
    contents: (TensorDescription, inout TensorSink) throws -> Void
  ) throws {
    try write(to: path, metadata: metadata, tensors: tensors, calls: .system, contents: contents)
  }

  /// Writes a file through given calls to the disk, which tests replace by failing ones.
  package static func write(
    to path: String, metadata: [String: String] = [:], tensors: [TensorDescription], calls: FileCalls,
    contents: (TensorDescription, inout TensorSink) throws -> Void
  ) throws {
    try checkNames(tensors, path: path)
    let ordered = SafetensorsHeader.inFileOrder(tensors)
    let header = try SafetensorsHeader.bytes(metadata: metadata, tensors: ordered, path: path)
    let file = try ReplacementFile(path: path, calls: calls)
    do {
      try write(header, ordered, to: file, contents: contents)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }

  /// The bytes of the file that `write` would make, in memory.
  ///
  /// - Parameter name: the name of the bytes in errors, instead of a path
  /// - Throws: the errors of `write`, but `SystemError`
  package static func bytes(
    name: String, metadata: [String: String] = [:], tensors: [TensorDescription],
    contents: (TensorDescription, inout TensorSink) throws -> Void
  ) throws -> [UInt8] {
    try checkNames(tensors, path: name)
    let ordered = SafetensorsHeader.inFileOrder(tensors)
    let header = try SafetensorsHeader.bytes(metadata: metadata, tensors: ordered, path: name)
    let output = MemoryOutput(name: name, byteCount: ordered.reduce(header.count) { $0 + $1.byteCount })
    try write(header, ordered, to: output, contents: contents)
    return output.bytes
  }

  private static func write(
    _ header: [UInt8], _ tensors: [TensorDescription], to output: any ByteOutput,
    contents: (TensorDescription, inout TensorSink) throws -> Void
  ) throws {
    try output.append(unsafe header.span.bytes)
    for tensor in tensors {
      var sink = TensorSink(tensor: tensor, file: output)
      try contents(tensor, &sink)
      try sink.checkIsFull()
    }
  }

  /// The size in bytes of the file that `write` makes.
  ///
  /// - Throws: `SafetensorsError.contentsTooLarge`, `headerTooLarge`.
  package static func byteCount(
    metadata: [String: String], tensors: [TensorDescription], path: String
  ) throws(SafetensorsError) -> Int {
    let header = try SafetensorsHeader.bytes(
      metadata: metadata, tensors: SafetensorsHeader.inFileOrder(tensors), path: path)
    return tensors.reduce(header.count) { $0 + $1.byteCount }
  }

  private static func checkNames(_ tensors: [TensorDescription], path: String) throws(SafetensorsError) {
    var names: Set<String> = []
    for tensor in tensors {
      guard tensor.name != SafetensorsHeader.metadataKey else { throw .reservedName(path: path) }
      guard names.insert(tensor.name).inserted else { throw .duplicateTensor(path: path, name: tensor.name) }
    }
  }
}
