import Dispatch
import TestSupport
import Testing
import TupeloTables

/// Buffers and storage that do not belong together, and phases that overlap, are refused. Each of the first three
/// reached memory that is not the buffer's or the storage's, under AddressSanitizer, when nothing was compared.
@Suite struct SoundnessTests {
  private static let small = FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 1 << 16)
  private static let large = FeatureLayout(featureCount: 32, groupSize: 8, weightCount: 1 << 26)

  /// A buffer with one slot whose features are the last of the large layout.
  private static func features() -> FeatureBuffer {
    var features = FeatureBuffer(large, slots: 1)
    let words = unsafe features.words(ofSlot: 0, for: large)
    for number in 0..<32 { unsafe words[number] = 1 << 26 - 1 }
    return features
  }

  @Test func writingRefusesAnotherLayout() async {
    await #expect(processExitsWith: .trap) {
      var features = FeatureBuffer(Self.small, slots: 1)
      _ = unsafe features.words(ofSlot: 0, for: Self.large)
    }
  }

  @Test func aSumRefusesFeaturesOfALargerNetwork() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      _ = weights.sum(Self.features(), slot: 0)
    }
  }

  @Test func anUpdateRefusesFeaturesOfALargerNetwork() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<CoherenceCell>(count: 16)
      weights.update(Self.features(), slot: 0) {
        $0.weight = 1
      } four: { _ in
        .one
      }
    }
  }

  @Test func slotsAreChecked() async {
    await #expect(processExitsWith: .trap) { _ = Self.features().feature(0, ofSlot: 1) }
    await #expect(processExitsWith: .trap) { _ = Self.features().feature(0, ofSlot: -1) }
  }

  @Test func aPassRefusesToRunBesideAWorker() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.shared { weights.exclusively { _ in } }
    }
  }

  @Test func aWorkerRefusesToRunBesideAPass() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.exclusively { _ in weights.shared {} }
    }
  }

  /// A client that changes weights while another thread saves them.
  @Test func aChangeOutsideARoundRefusesToRunBesideAPass() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.exclusively { _ in weights[3] = PlainCell(weight: 1) }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      let features = FeatureBuffer(FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 16), slots: 1)
      weights.exclusively { _ in weights.update(feature: 0, of: features, slot: 0) { $0.weight = 1 } }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      let features = FeatureBuffer(FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 16), slots: 1)
      weights.exclusively { _ in weights.promote(features, slot: 0, stageSize: 8) }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      let features = FeatureBuffer(FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 16), slots: 1)
      weights.update(features, slot: 0) { _ in
        weights.exclusively { _ in }
      } four: { _ in
        .one
      }
    }
  }

  /// A change by a client's own thread begins in a round of other threads and outlasts it.
  @Test func aPassRefusesToRunBesideAChangeThatBeganInARound() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      let features = FeatureBuffer(FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 16), slots: 1)
      let (begun, changing, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
      DispatchQueue.global().async(group: over) {
        weights.shared {
          begun.signal()
          changing.wait()
        }
      }
      begun.wait()
      weights.update(feature: 0, of: features, slot: 0) { _ in
        changing.signal()
        over.wait()
        weights.exclusively { _ in }
      }
    }
  }

  /// The workers of a round register once, for all their changes. Outside a round each of their changes registers.
  @Test func workersRegisterOnceInARound() async throws {
    let weights = try WeightStorage<PlainCell>(count: 16)
    let own = weights.ofRounds
    weights.shared { own[3].weight = 5 }
    weights.exclusively { $0[3] += 1 }
    #expect(own[3].weight == 6)
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.exclusively { _ in weights.ofRounds[3].weight = 1 }
    }
  }

  @Test func aPassRefusesToRunBesideAPass() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.exclusively { _ in weights.exclusively { _ in } }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.exclusively { _ in weights.reading { _ in } }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.reading { _ in weights.exclusively { _ in } }
    }
  }

  /// Passes that only read may overlap each other, and nothing else.
  @Test func readersMayOverlap() async throws {
    let weights = try WeightStorage<CoherenceCell>(count: 16)
    weights[3].weight = 5
    let sum = weights.reading { outer in
      weights.reading { inner in outer.withWeights { $0[3] } + inner.withWeights { $0[3] } }
    }
    #expect(sum == 10)
    DispatchQueue.concurrentPerform(iterations: 1000) { _ in weights.reading { _ in } }
    weights.exclusively { $0[3] = 6 }
    #expect(weights[3].weight == 6)
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.reading { _ in weights[3].weight = 1 }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.reading { _ in weights.shared {} }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      weights.shared { weights.reading { _ in } }
    }
  }

  /// A pass changes only the weights that it may change.
  @Test func aPassRefusesToChangeOtherWeights() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 48)
      weights.exclusively(changing: [0..<16, 32..<48]) { $0.withMutableWeights { $0[0] = 1 } }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<CoherenceCell>(count: 48)
      weights.exclusively(changing: [0..<16, 32..<48]) { $0.withMutableSums(of: 8..<24) { $0[0] = 1 } }
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<CoherenceCell>(count: 48)
      weights.exclusively(changing: [0..<16, 32..<48]) { $0.copy(0..<16, to: 16) }
    }
  }

  /// Two passes, one within the other, exchange the memory that they may access.
  @Test func aPassRefusesToGiveItsAccessAway() async {
    await #expect(processExitsWith: .trap) {
      let weights = try (0..<2).map { _ in try WeightStorage<PlainCell>(count: 16) }
      weights[0].exclusively { outer in weights[1].exclusively { inner in swap(&outer, &inner) } }
    }
  }

  @Test func theBlocksOfAPassThatIsOverAreRefused() async throws {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16)
      let kept = weights.exclusively { $0.blocks }
      kept.prefetch(0)
    }
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 16, tracksTouches: true)
      _ = weights.exclusively { $0.blocks }.isTouched(0)
    }
    let weights = try WeightStorage<PlainCell>(count: 16, tracksTouches: true)
    #expect(!weights.exclusively { $0.blocks.isTouched(0) })
  }

  /// Without this refusal, promotion would look for an earlier stage for ever.
  @Test func promotionRefusesStagesWithoutWeights() async {
    await #expect(processExitsWith: .trap) {
      let weights = try WeightStorage<PlainCell>(count: 1 << 16)
      weights.promote(FeatureBuffer(Self.small, slots: 1), slot: 0, stageSize: 0)
    }
  }

  @Test func phasesThatFollowEachOtherAreFine() throws {
    let weights = try WeightStorage<CoherenceCell>(count: 17)
    weights.shared { weights.shared { weights[3].errorSum = 2 } }
    weights.exclusively { weights in weights.withMutableWeights { $0[3] = 5 } }
    weights.exclusively { weights in weights.withMutableSums { $0[7] = 9 } }
    #expect(weights[3].weight == 5 && weights[3].errorSum == 2 && weights[3].absoluteErrorSum == 9)
    // The number of weights is odd, and their sums begin on a cache line all the same.
    #expect(weights.byteCount == 128 + 17 * 8)
  }
}
