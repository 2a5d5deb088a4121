import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloWeb

/// Sends one request and reads the answer at its own pace.
private actor SlowReader: ByteStream {
  struct End: Error {}
  /// The pause for each 64 KiB; `nil` for a reader that reads nothing.
  private let pause: Duration?
  private let begun: Counter
  private var question: [UInt8]?
  private(set) var answer: [UInt8] = []
  private(set) var largestPiece = 0

  init(asking path: String, pause: Duration?, begun: Counter = Counter()) {
    question = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    (self.pause, self.begun) = (pause, begun)
  }

  func read() async throws -> [UInt8] {
    if let question {
      self.question = nil
      return question
    }
    try await Task.sleep(for: .seconds(3600))
    throw End()
  }

  func write(_ bytes: [UInt8]) async throws {
    begun.add(1)
    largestPiece = max(largestPiece, bytes.count)
    try await Task.sleep(for: pause.map { $0 * (Double(bytes.count) / 65536) } ?? .seconds(3600))
    answer += bytes
  }
}

/// Large answers to slow clients.
@Suite struct AnswerTests {
  private static func service(_ file: [UInt8]) -> WebService {
    WebService(agents: WebService.stub().agents, pageModel: PageModel(agent: "stub", file: file))
  }

  /// A link may have any speed, as long as bytes keep moving.
  @Test(.slow) func slowLinksAreNotCutOff() async {
    let file = (0..<(1 << 21)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let reader = SlowReader(asking: "/model.safetensors", pause: .milliseconds(150))
    var limits = WebLimits()
    // Much more than a pause, so that a busy machine does not count as a slow link.
    limits.seconds = 4
    let start = ContinuousClock.now
    await WebConnection(stream: reader, service: Self.service(file), limits: limits).run()
    // Deadlines are checked every half second, so the whole answer has to take longer than that, too.
    #expect(ContinuousClock.now - start > .seconds(4.5))
    #expect(await reader.answer.suffix(file.count) == file[...])
    #expect(await reader.largestPiece < 70_000)
  }

  /// The time is over at once. It counts when the server next looks at the clock, which takes up to half a second.
  @Test(.slow, .timeLimit(.minutes(5))) func whoTakesNothingIsLetGo() async {
    let reader = SlowReader(asking: "/engine.wasm", pause: nil)
    var limits = WebLimits()
    limits.seconds = 0
    await WebConnection(stream: reader, service: Self.service([]), limits: limits).run()
    #expect(await reader.answer.isEmpty)
  }

  /// For each client that reads nothing, a piece of the answer is in memory, and not the whole. The test has a process
  /// of its own, because other tests change the memory of theirs.
  @Test(.enabled(if: ResidentMemory.bytes > 0, "the system does not report the memory in use"))
  func waitingAnswersTakeNoMemory() async {
    await #expect(processExitsWith: .success) {
      let file = [UInt8](repeating: 7, count: 20_000_000)
      let service = AnswerTests.service(file)
      let begun = Counter()
      let before = ResidentMemory.bytes
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          let reader = SlowReader(asking: "/model.safetensors", pause: nil, begun: begun)
          group.addTask { await WebConnection(stream: reader, service: service, limits: .patient).run() }
        }
        while begun.value < 20 { try await Task.sleep(for: .milliseconds(5)) }
        // 20 copies would be 400 MB.
        #expect(ResidentMemory.bytes - before < 100_000_000)
        group.cancelAll()
      }
    }
  }
}

/// The memory that this process has, in bytes; 0 where the system does not report it.
enum ResidentMemory {
  static var bytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
  }
}
