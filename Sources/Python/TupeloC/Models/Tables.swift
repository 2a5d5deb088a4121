// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import Safetensors
internal import TupeloNetwork
internal import TupeloTables
internal import TupeloTraining

/// The tables of an n-tuple network in the caller's memory, in the order of model files.
///
/// Soundness of the unsafe memory: each table leads to as many weights as its pattern has entries, as the header asks.
private func tensors(_ specification: NetworkSpecification, count: UInt64) throws(Fault) -> [TensorDescription] {
  let tensors = specification.tensors
  guard count == UInt64(tensors.count) else {
    throw .invalid("count is \(count): give \(tensors.count), a table for each pattern and stage")
  }
  return tensors
}

/// Refuses tables whose bytes, beside the network, do not fit into memory.
private func checkMemory(of specification: NetworkSpecification) throws(WeightStorageError) {
  let bytes = 8 * specification.weightCount
  guard bytes <= MemoryLimit.bytes else { throw .outOfMemory(bytes: bytes, available: MemoryLimit.bytes) }
}

@c @implementation
public func tupelo_model_from_tables(
  _ structure: UnsafePointer<CChar>?, _ tables: UnsafePointer<UnsafePointer<Float>?>?, _ count: UInt64,
  _ model: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let text = try unsafe CText.text(structure, "structure")
    let handle = try unsafe Memory.array(model, 1, "model")
    let specification: NetworkSpecification
    do {
      specification = try NetworkSpecification(canonicalText: text)
    } catch {
      throw Fault.invalid("structure is \"\(text)\": \(error)")
    }
    let tensors = try tensors(specification, count: count)
    let pointers = try unsafe Memory.array(tables, tensors.count, "tables")
    for (index, tensor) in tensors.enumerated() {
      _ = try unsafe Memory.array(pointers[index], tensor.elementCount, "tables[\(index)]")
    }
    try checkMemory(of: specification)
    let numbers = Dictionary(uniqueKeysWithValues: zip(tensors, tensors.indices))
    let bytes = try SafetensorsWriter.bytes(
      name: "tables", metadata: specification.fileMetadata, tensors: tensors
    ) { tensor, sink in
      guard let number = numbers[tensor] else { return }
      let table = try unsafe Memory.array(pointers[number], tensor.elementCount, "tables[\(number)]")
      try sink.write(unsafe UnsafeBufferPointer(start: table, count: tensor.elementCount).span)
    }
    let file = try SafetensorsFile(bytes: bytes, name: "tables")
    unsafe handle.pointee = Objects.add(Model(try TrainedModel(file: file, of: .foreign), name: "the model"))
  }
}

@c @implementation
public func tupelo_model_tables(
  _ model: Int64, _ tables: UnsafePointer<UnsafeMutablePointer<Float>?>?, _ count: UInt64
) -> Int32 {
  status {
    let model = try Objects.shared(model, as: Model.self)
    guard let network = model.model.base as? NTupleNetwork else {
      throw Fault.invalid("\(model.name) is not an n-tuple network, so it has no tables")
    }
    let tensors = try tensors(network.specification, count: count)
    let pointers = try unsafe Memory.array(tables, tensors.count, "tables")
    for (index, tensor) in tensors.enumerated() {
      _ = try unsafe Memory.array(pointers[index], tensor.elementCount, "tables[\(index)]")
    }
    try checkMemory(of: network.specification)
    let file = try SafetensorsFile(bytes: network.bytes(), name: model.name)
    for (index, tensor) in tensors.enumerated() {
      let table = try unsafe Memory.array(pointers[index], tensor.elementCount, "tables[\(index)]")
      let weights = try file.array(of: tensor.name, as: Float.self)
      unsafe weights.withUnsafeBufferPointer { unsafe table.update(from: $0.baseAddress!, count: $0.count) }
    }
  }
}
