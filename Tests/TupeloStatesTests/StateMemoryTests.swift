import Testing
import TupeloNetwork
import TupeloStates

/// What training keeps at hand of states, against the index that knows them.
struct StateMemoryTests {
  private static func memory(bits: Int) throws -> StateMemory {
    try StateMemory(try #require(try StateSpecification(canonicalText: "4x4 separate 012 states=\(bits)")))
  }

  /// Values that can be told apart.
  private static func value(_ slot: Int) -> Float { Float(slot) / 4 }

  /// As many states as slots: each is found where the index has it or, where its bucket is full, not at all.
  @Test func entriesAreWhereTheIndexSays() throws {
    let memory = try Self.memory(bits: 10)
    let hashes = (1...1024).map { memory.hash(UInt64($0)) }
    for (number, hash) in hashes.enumerated() {
      #expect(memory.slot(of: hash) == nil)
      let slot = memory.add(hash, patterns: Float(number), value: Self.value)
      #expect(slot == memory.index.slot(of: hash) && memory.slot(of: hash) == slot)
      guard let slot else { continue }
      #expect(memory.patterns(at: slot) == Float(number) && memory.visits(at: slot) == 0)
      #expect(memory.value(at: slot) == Self.value(slot))
    }
    #expect(hashes.count { memory.slot(of: $0) == nil } > 10)
  }

  /// States that the index knows, from a checkpoint, are met in another order than they were added: none takes
  /// another's slot.
  @Test func knownStatesKeepTheirSlots() throws {
    let memory = try Self.memory(bits: 10)
    let hashes = (1...700).map { memory.hash(UInt64($0)) }
    let slots = hashes.map { memory.index.slot(adding: $0) }
    for (number, hash) in hashes.enumerated().reversed() {
      #expect(memory.add(hash, patterns: Float(number), value: Self.value) == slots[number])
    }
    for (number, hash) in hashes.enumerated() where slots[number] != nil {
      #expect(memory.slot(of: hash) == slots[number])
      #expect(memory.patterns(at: try #require(slots[number])) == Float(number))
    }
  }

  /// An entry that is there stays as it has become.
  @Test func entriesStay() throws {
    let memory = try Self.memory(bits: 12)
    let hash = memory.hash(77)
    let slot = try #require(memory.add(hash, patterns: 5, value: Self.value))
    memory.set(value: 9, at: slot)
    memory.set(visits: 3, at: slot)
    #expect(memory.add(hash, patterns: 6, value: Self.value) == slot)
    #expect(memory.patterns(at: slot) == 5 && memory.value(at: slot) == 9 && memory.visits(at: slot) == 3)
  }

  @Test func threadsAgree() async throws {
    let memory = try Self.memory(bits: 14)
    let found = await withTaskGroup(of: [Int?].self) { group in
      for _ in 0..<4 {
        group.addTask {
          (1...8000).map { state in
            let hash = memory.hash(UInt64(state))
            return memory.slot(of: hash) ?? memory.add(hash, patterns: Float(state), value: Self.value)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(found).count == 1)
    for (number, slot) in found[0].enumerated() {
      guard let slot else { continue }
      #expect(memory.value(at: slot) == Self.value(slot) && memory.patterns(at: slot) == Float(number + 1))
    }
  }
}
