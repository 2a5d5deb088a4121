import Dispatch
import Testing
import TupeloBase

/// Eight threads and a hundred thousand steps would reveal lost steps.
@Suite struct ThreadsTests {
  private static let threads = 8
  private static let steps = 12_500

  @Test func noStepBehindALockIsLost() {
    let sum = Locked(0)
    DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
      for _ in 0..<Self.steps { sum.withLock { $0 += 1 } }
    }
    #expect(sum.withLock { $0 } == Self.threads * Self.steps)
  }

  @Test func aLockIsLeftWhenItsBodyThrows() {
    struct Refusal: Error {}
    let value = Locked(1)
    #expect(throws: Refusal.self) {
      try value.withLock { value throws(Refusal) in
        value = 2
        throw Refusal()
      }
    }
    #expect(value.withLock { $0 } == 2)
  }

  @Test func everyNumberIsHandedOutOnce() {
    let counter = Counter()
    let seen = Locked<Set<Int>>([])
    DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
      let mine = (0..<Self.steps).map { _ in counter.next() }
      seen.withLock { $0.formUnion(mine) }
    }
    #expect(seen.withLock { $0 } == Set(0..<Self.threads * Self.steps))
    #expect(counter.add(-5) == Self.threads * Self.steps - 5 && counter.value == Self.threads * Self.steps - 5)
  }

  @Test func oneThreadAloneRaisesALatch() {
    let latch = Latch()
    let first = Counter()
    #expect(!latch.isSet)
    DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
      if !latch.set() { first.add(1) }
    }
    #expect(latch.isSet && first.value == 1)
  }

  @Test(arguments: [(0, 4), (1, 4), (1000, 1), (1000, 8)])
  func resultsAreInOrder(count: Int, threads: Int) {
    let squares: [Int] = Parallel.map(count: count, threads: threads) { $0 * $0 }
    #expect(squares == (0..<count).map { $0 * $0 })
  }

  /// A lock, a counter, a latch and a parallel loop, together.
  @Test func threadsAtWork() {
    let even = Locked<Set<Int>>([])
    let calls = Counter()
    let hasSeven = Latch()
    Parallel.forEach(count: 10, threads: 2) { number in
      calls.add(1)
      if number == 7 { hasSeven.set() }
      if number % 2 == 0 { even.withLock { $0.formUnion([number]) } }
    }
    print(even.withLock { $0.count }, calls.value, hasSeven.isSet)
    print(Parallel.map(count: 4, threads: 2) { $0 * $0 })
    #expect(even.withLock { $0 } == [0, 2, 4, 6, 8])
    #expect(calls.value == 10 && hasSeven.isSet)
  }
}
