import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch
import TupeloWeb

extension BrowserTests {
  /// The engine in the page: its values, and that a page with a model sends no requests to the server.
  @Suite struct Engine {
    private static let page = Repository.file("Sources/Page/TupeloWeb/Page")

    private static func service(_ network: NTupleNetwork, file: [UInt8]) -> WebService {
      WebService(
        agents: WebAgent.offered(model: network, title: "small"), pageModel: PageModel(agent: "network", file: file))
    }

    /// The depth at which a position is compared: one ply for most positions, more for some.
    private static func plies(_ index: Int) -> Int { index % 250 == 0 ? 3 : index % 5 == 0 ? 2 : 1 }

    /// A network in each format of a model file; the compact one has two stages, the later one filled.
    @Test(arguments: ["f32", "f16", "compact"])
    func valuesAreTheProgramsToTheBit(_ format: String) async throws {
      let folder = try TemporaryFolder()
      let model = folder.file("model.safetensors")
      try Self.network(seed: 5, stages: format == "compact").save(
        to: model, format: format == "f32" ? .f32 : format == "f16" ? .f16 : .compact(step: 0.25, drop: 3),
        metadata: format == "compact" ? ["tupelo.filled_stages": "yes"] : [:])
      try await Self.compare(model: model, boards: 1000, folder: folder)
    }

    @Test func tenThousandPositionsHaveTheProgramsValues() async throws {
      try await Self.compare(model: SiteModel.path, boards: 10_000, folder: try TemporaryFolder())
    }

    private static func network(seed: UInt64, stages: Bool) throws -> NTupleNetwork {
      let patterns = try ["01234", "4567", "0145"].map { try TuplePattern(text: $0) }
      let partition = stages ? try StagePartition(.largest, at: [1024]) : .single
      let network = try NTupleNetwork(NetworkSpecification(patterns: patterns, stages: partition))
      var random = RandomPositions(seed: seed)
      for (number, pattern) in patterns.enumerated() {
        for stage in 0..<partition.count {
          for index in 0..<pattern.tableSize where stage == 0 || random.number(below: 4) == 0 {
            network[pattern: number, standardIndex: index, stage: stage] = Float(random.number(in: -900...900))
          }
        }
      }
      return network
    }

    private static func compare(model: String, boards count: Int, folder: TemporaryFolder) async throws {
      var positions = RandomPositions(seed: UInt64(count))
      let boards = try (0..<count).map { index in
        try Board(exponents: positions.matrix(largest: [3, 8, 11, 15, 17][index % 5]).flatMap { $0 })
      }
      let questions = boards.enumerated().map { "\($1.hex()) \(plies($0))" }.joined(separator: "\n")
      try write(Array(questions.utf8), toFile: folder.file("questions"))
      let network = try NTupleNetwork(path: model)
      try await BrowserTests.run(
        #"""
        import base64
        code = "const ENGINE = '" + base64.b64encode(open("PAGE/engine.wasm", "rb").read()).decode() + "';\n"
        code += open("PAGE/engine.js").read() + open("PAGE/model.js").read()
        values = page.evaluate("""async (questions) => {""" + code + """
          const engine = makeEngine(ENGINE_MODULE);
          const file = new Uint8Array(await (await fetch("/model.safetensors")).arrayBuffer());
          await makeModelReader()(engine, file, () => {});
          const view = new DataView(new ArrayBuffer(8));
          const bits = (number) => { view.setFloat64(0, number); return view.getBigUint64(0).toString(16); };
          return questions.map((question) => {
            const [hex, plies] = question.split(" ");
            const board = [...hex].map((digit) => "0123456789abcdefgh".indexOf(digit));
            const { moves } = engine.analyze(board, { plies: Number(plies), four: 0.1 });
            return moves.map(({ legal, reward, value, difference }) =>
              legal ? `${reward} ${bits(value)} ${bits(difference)}` : "-").join(",");
          });
        }""", open("FOLDER/questions").read().split("\n"))
        open("FOLDER/values", "w").write("\n".join(values))
        """#.replacing("PAGE", with: page).replacing("FOLDER", with: folder.path),
        service: service(network, file: try bytes(ofFile: model)))
      let replies = String(decoding: try bytes(ofFile: folder.file("values")), as: UTF8.self).split(separator: "\n")
      try #require(replies.count == count)
      var searches = (1...3).map { Expectimax(network, plies: $0) }
      var different: [String] = []
      for (index, (board, reply)) in zip(boards, replies).enumerated() {
        let analysis = searches[plies(index) - 1].analyze(board)
        let expected = Move.allCases.map { move in
          analysis[move].map { "\($0.reward) \(bits($0.value)) \(bits($0.difference))" } ?? "-"
        }
        if reply != expected.joined(separator: ",") { different.append("\(board.hex()): \(reply), \(expected)") }
      }
      #expect(different.isEmpty, "\(different.count) differ, such as \(different.first ?? "")")
    }

    private static func bits(_ value: Double) -> String { String(value.bitPattern, radix: 16) }

    @Test func aPageWithAModelAsksNoServer() async throws {
      try await BrowserTests.run(
        #"""
        page.keyboard.press("?")
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        page.evaluate("window.asked = 0; window.broken = '/a'")
        page.check("#show-hints"); set_board("1123000000000000"); settle()
        hint = page.get_attribute("#board", "data-hint")
        check(hint in ("up", "right", "down", "left"), f"a hint without the server: {hint}")
        page.focus("#board"); page.keyboard.press("a"); page.keyboard.press("s")
        until(page, "document.getElementById('tally').textContent.includes('Best moves')")
        view("watch"); page.focus("#speed"); page.keyboard.press("End"); page.click("#run")
        until(page, "+document.getElementById('moves').textContent.replace(',', '') >= 40")
        page.click("#run"); settle()
        view("replay"); page.click("#load-current"); page.click("#review")
        until(page, "document.getElementById('review-note').textContent.includes('the best move to')")
        view("analyze"); until(page, "parseInt(document.getElementById('analysis-plies').textContent) > 3")
        check(page.evaluate("window.asked") == 0, "no question went to the server")
        page.evaluate("window.broken = ''")
        view("watch"); page.select_option("#agent", "heuristic"); page.click("#step"); settle()
        check(page.evaluate("window.asked") > 0, "other agents are the server's")
        """#, service: Self.service(try NTupleNetwork(path: SiteModel.path), file: try SiteModel.bytes))
    }

    /// The page reports a model that it cannot load, and the server answers.
    @Test func aDamagedModelIsTold() async throws {
      var file = try SiteModel.bytes
      file.removeLast(1000)
      try await BrowserTests.run(
        #"""
        page.keyboard.press("?")
        until(page, "document.getElementById('model-name').textContent.includes('did not load')")
        check("damaged" in text("#model-name") and "damaged" in text("#news-text"), text("#news-text"))
        check(not page.is_visible("#retry"), "what would fail again is not offered")
        page.check("#show-hints"); set_board("1123000000000000"); settle()
        check(page.get_attribute("#board", "data-hint") is not None, "the server gives hints")
        """#, service: Self.service(try NTupleNetwork(path: SiteModel.path), file: file))
    }

    /// An error of a search in the page has a sentence of its own.
    @Test func aSearchWithoutMemoryIsTold() async throws {
      try await BrowserTests.run(
        #"""
        # The text of the worker, with a search that always fails.
        page.context.add_init_script("""{
          const search = "const analyze = ({ board, plies = MOST_PLIES, milliseconds, four }) =>";
          const failing = `${search} { throw new RangeError("grow"); }; const unused = () =>`;
          window.Blob = class extends Blob {
            constructor(parts, options) {
              super(parts.map((part) => part.replace?.(search, failing) ?? part), options);
            }
          };
        }""")
        page.reload(); until(page, "document.querySelector('#agent option') !== null"); page.keyboard.press("?")
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        page.check("#show-hints"); set_board("1123000000000000"); page.wait_for_selector("#coach-note.error")
        check(text("#coach-note") == "There is no memory left. The coach asks again.", text("#coach-note"))
        """#, service: Self.service(try NTupleNetwork(path: SiteModel.path), file: try SiteModel.bytes))
    }
  }
}
