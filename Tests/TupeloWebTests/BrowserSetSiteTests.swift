import Foundation
import SetEngine
import SetNetwork
import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

extension BrowserTests {
  /// Set in a page without a server. The engine in the page answers what `/set/...` of a server answers.
  @Suite struct SetSite {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/TupeloWeb/Page").path

    private static let agents = ["network", "heuristic", "counting", "most-left"]

    /// Positions of whole games, a question each: an agent, the table, the deck.
    private static func questions(games: Range<UInt64>) -> [String] {
      let deals = DealModel()
      return games.flatMap { number in
        var random = RandomStream(seed: 31, stream: number)
        var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
        var questions: [String] = []
        while true {
          let agent = agents[(Int(number) + questions.count) % agents.count]
          questions.append("\(agent)|\(position.table)|\(position.unseen)")
          let count = position.table.setCount
          guard count > 0,
            let next = position.afterstate(of: position.table.set(ofRank: random.next(below: count)))
          else { return questions }
          position = deals.position(after: next, using: &random)
        }
      }
    }

    /// A page with `engine` at hand, of the module in the sources, and a server of the program to compare with.
    private static func compare(_ script: String, questions: [String] = []) async throws {
      let folder = try TemporaryFolder()
      try write(Array(questions.joined(separator: "\n").utf8), toFile: folder.file("questions"))
      let network = try SetNetwork(file: SafetensorsFile(path: SiteModel.setPath))
      let service = WebService(
        agents: [.random], setAgents: SetWebAgent.offered(model: network, title: "set"), pageModel: nil)
      try await BrowserTests.run(
        (#"""
        import base64
        def text_of(path): return base64.b64encode(open(path, "rb").read()).decode()
        code = "const ENGINE = '" + text_of("PAGE/engine.wasm") + "'; const MODEL = '" + text_of("SETPATH") + "';\n"
        code += "".join(open("PAGE/" + name).read() for name in ("engine.js", "model.js", "set-engine.js"))
        code += """
          const host = makeEngine(ENGINE_MODULE);
          const engine = makeSetEngine(host);
          const loaded = makeModelReader()(host, Uint8Array.from(atob(MODEL), (one) => one.charCodeAt(0)), () => {});
          // All that an answer says, in the order of its keys, and numbers by their bits.
          const view = new DataView(new ArrayBuffer(8));
          const whole = (value) => {
            if (Array.isArray(value)) return value.map(whole);
            if (typeof value === "number") {
              view.setFloat64(0, value);
              return view.getBigUint64(0).toString(16);
            }
            if (value === null || typeof value !== "object") return value;
            return Object.keys(value).sort().map((key) => [key, whole(value[key])]);
          };
          const told = async (body) => {
            try {
              return JSON.stringify(whole(await body()));
            } catch (error) {
              return `${error.name}: ${error.message}`;
            }
          };
          const server = (path, options = {}) => told(async () => {
            const response = await fetch(path, options);
            if (!response.ok) throw Object.assign(new Error(await response.text()), { name: "Refused" });
            return response.json();
          });
          const query = (values) => new URLSearchParams(values);
          const different = [];
          let count = 0;
          async function compare(what, here, there) {
            const [mine, its] = await Promise.all([told(here), there]);
            count += 1;
            if (mine !== its) different.push(`${what}: ${mine}, the server: ${its}`);
          }
        """
        def in_page(body, argument=None):
            result = page.evaluate("async (argument) => {" + code + "await loaded;" + body
                                   + "return { different: different.slice(0, 3), failures: different.length, count };"
                                   + "}", argument)
            check(result["failures"] == 0, f"{result}")
            # The browser itself notes in the console what the server refused.
            errors[:] = [error for error in errors if "status of 400" not in error]
            return result["count"]
        questions = open("QUESTIONS").read().split("\n")

        """# + script).replacing("PAGE", with: page).replacing("SETPATH", with: SiteModel.setPath)
          .replacing("QUESTIONS", with: folder.file("questions")), service: service)
    }

    /// Every choice of 6,000 positions has the program's values; each agent is asked about a quarter of them.
    @Test func valuesAreTheProgramsToTheBit() async throws {
      let questions = Self.questions(games: 0..<260)
      #expect(questions.count > 6000)
      try await Self.compare(
        #"""
        count = in_page("""
          for (let start = 0; start < argument.length; start += 32) {
            await Promise.all(argument.slice(start, start + 32).map((question) => {
              const [agent, table, unseen] = question.split("|");
              const values = { cards: table.split(" "), unseen, agent, seed: [1, 2] };
              return compare(question, () => engine.analyze(values),
                server(`/set/analyze?${query({ table, unseen, agent })}`));
            }));
          }
        """, questions)
        check(count == len(questions), f"{count} were compared")
        """#, questions: questions)
    }

    /// Whole games by random choices, among them wrong ones, with records of every length.
    @Test func gamesAndRecordsAreTheServers() async throws {
      try await Self.compare(
        #"""
        count = in_page(r"""
          const names = ["person", "", "Zoë \"quoted\" / \\ back\tslash\u0001", "counting, 2 hints", "\ud83c\udccf"];
          let state = 12345;
          const random = (below) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
          for (let number = 0; number < 12; number += 1) {
            const round = { seed: number % 3 === 0 ? "18446744073709551615" : String(number), game: String(number),
              player: names[number % names.length], choices: [] };
            for (;;) {
              const path = () => `/set/game?${query({ ...round, choices: round.choices.join(",") })}`;
              await compare(`game ${JSON.stringify(round)}`, () => engine.game(round), server(path()));
              const said = engine.game(round);
              if (random(4) === 0) {
                const body = said.record;
                await compare(`record ${body}`, () => engine.record({ text: body }),
                  server("/set/game", { method: "POST", body }));
              }
              const wrong = [0, 1, 2].map((place) => said.table[place]?.card ?? "1rsd").join("");
              for (const bad of [wrong, "deal", "1rsd2rsd3gsd", "xx", "1RSD2RSD3RSD"]) {
                const choices = [...round.choices, bad];
                await compare(`choice ${bad}`, () => engine.game({ ...round, choices }),
                  server(`/set/game?${query({ ...round, choices: choices.join(",") })}`));
              }
              if (said.over) break;
              const set = said.sets[random(said.sets.length)];
              round.choices.push(said.stuck ? "deal" : set.map((place) => said.table[place].card).join(""));
            }
          }
        """)
        check(count > 1600, f"{count} were compared")
        """#)
    }

    @Test func claimsAndRefusalsAreTheServers() async throws {
      try await Self.compare(
        #"""
        count = in_page(r"""
          const round = { seed: "5", game: "0", player: "person", choices: [] };
          const { table, record } = engine.game(round);
          const cards = table.map(({ card }) => card);
          for (let one = 0; one < 12; one += 1) {
            for (let two = one + 1; two < 12; two += 1) {
              for (let three = two + 1; three < 12; three += 1) {
                const claim = [cards[one], cards[two], cards[three]];
                await compare(`claim ${claim}`, () => engine.claim({ cards: claim }),
                  server(`/set/claim?${query({ cards: claim.join(" ") })}`));
              }
            }
          }
          for (const claim of ["1rsd", "1rsd 1rsd 2rsd", "1rsd 2rsd zzzz", "two red striped ovals", "1rsd 2rss", ""]) {
            await compare(`claim ${claim}`, () => engine.claim({ cards: [claim] }),
              server(`/set/claim?${query({ cards: claim })}`));
          }
          for (const [seed, game] of [["x", "0"], ["18446744073709551616", "0"], ["1", "-1"], ["", "0"]]) {
            await compare(`seed ${seed}`, () => engine.game({ ...round, seed, game }),
              server(`/set/game?${query({ seed, game, player: "person" })}`));
          }
          for (const [table, unseen] of [["1rsd 2rsd", ""], ["1rsd 2rsd 3rsd", "1rsd 2gsd 3gsd"], ["zzzz", ""],
                                         ["1rsd 2rsd 3rsd", "1gsd 2gsd 3gsd"], ["", ""], ["1rsd 2rsd 3rsd", ""]]) {
            await compare(`table ${table}`,
              () => engine.analyze({ cards: [table], unseen, agent: "counting", seed: [0, 0] }),
              server(`/set/analyze?${query({ table, unseen, agent: "counting" })}`));
          }
          const seed = '"seed":5';
          const texts = ["", "nonsense", record.replace(seed + ",", ""), record.replace(seed, '"seed":1'),
            record.replace('"features":4', '"features":3'), record.replace('"features":4', '"features":9'),
            record.replace('"features":4', '"features":"4"'), record.replace(seed, '"seed":-5'),
            record.replace(seed, '"seed":null'), record.replace('"agent":"person",', ""), record + "+1rsd",
            record + "1rsd2rsd3rsd".repeat(2), record + " 1rsd2rsd3rsd".repeat(60), '{"tupelo_record":1}', "{}", "[]",
            record.replace("}", ',"more":{"a":[1,true,null,"\\u00e9"],"b":{}}}'), record.replace("}", ',"more":[}'),
            record.replace('"tupelo_set_record":1', '"tupelo_set_record":2'), record + " ".repeat(20000),
            record.replace('"tupelo_set_record":1', '"tupelo_set_record":0'),
            record.replace('"person"', '"\\u007a\\ud83c\\udccf\\n"'), record.replace("\n", "\r\n"),
            record.replace("{", " { "), record.replace('"person"', '"\\x"'), record.replace('"person"', '"a\nb"')];
          for (const body of texts) {
            await compare(`record ${body}`, () => engine.record({ text: body }),
              server("/set/game", { method: "POST", body }));
          }
        """)
        check(count == 220 + 6 + 4 + 6 + 26, f"{count} were compared")
        """#)
    }

    /// What a page offers without a server, a server offers by the same names.
    @Test func agentsAreThoseOfTheServer() async throws {
      let script = try String(contentsOfFile: Self.page + "/set-local.js", encoding: .utf8)
      for agent in SetWebAgent.offered where agent.name != "search" {
        let entry =
          "{ name: \"\(agent.name)\", title: \"\(agent.title)\", criterion: \"\(agent.criterion)\", usesModel: false }"
        #expect(script.contains(entry), "\(entry)")
      }
    }

    private static let table =
      SetTable.table + #"""
        def set_site(name, **options):
            page = site(name, **options)
            page.click("#tab-set"); page.wait_for_selector("#panel-set:not([hidden])"); ready(page)
            return page

        """#

    @Test func aWholeGameByHintsWithTheNetworkOff() async throws {
      try await Site.run(
        Self.table + #"""
          phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
          for name, options in (("host", phone), ("disk", {})):
              page = set_site(name, **options)
              until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
              check(text("#model-name").startswith("Network set, "), text("#model-name"))
              count = len(requests); page.context.set_offline(True)
              check(len(cards()) == 12 and number("deck") == 69, "twelve cards of 81")
              while not sets(): deal()
              before = cards()
              wrong = next(three for three in itertools.combinations(before, 3) if not is_set(three))
              for card in wrong: page.click(button(card))
              until(page, "document.getElementById('set-message').textContent.startsWith('No Set: ')")
              check(cards() == before and "1 wrong claim" in text("#set-note"), "a wrong claim takes nothing")
              page.click("#set-deal"); settle()
              check("There is a Set" in text("#set-message"), "no three more while there is a Set")
              hints = 0
              while not page.is_visible("#set-notice"):
                  if not sets():
                      page.click("#set-hint"); settle(); hints += 1
                      check("deal three more" in text("#set-message"), text("#set-message"))
                      deal(); continue
                  for shown in (1, 2, 3):
                      page.click("#set-hint"); hints += 1
                      until(page, f"document.querySelectorAll('.set-card.hinted').length === {shown}")
                  hinted = listed(".set-card.hinted")
                  check(tuple(hinted) in sets(), f"{name}: hints are a Set: {hinted}")
                  take(hinted)
              check(sets() == [] and number("deck") == 0, "the game ends when nothing is left to take")
              check(number("score") * 3 + len(cards()) == 81, "no card is lost")
              check(f"{hints} hints" in text("#set-note"), text("#set-note"))
              score, left = number("score"), cards()
              check(page.evaluate("document.documentElement.scrollWidth") <= (options.get("width") or 1100), "wide")
              check(len(requests) == count, "nothing was asked for")
              page.context.set_offline(False)
              page.reload(); page.wait_for_selector("#set-notice:not([hidden])")
              check(number("score") == score and cards() == left, f"{name}: a reload keeps the game")
              page.click("#set-back"); ready(page)
              until(page, f"document.getElementById('set-score').textContent === '{score - 1}'")
              page.click("#set-new"); until(page, "document.getElementById('set-deck').textContent === '69'")
              page.context.close()
          """#)
    }

    @Test func agentsAreWatched() async throws {
      try await Site.run(
        Self.table + #"""
          for name in ("host", "disk"):
              page = set_site(name)
              while not sets(): deal()
              names = page.locator("#set-agent option").evaluate_all("(all) => all.map((one) => one.value)")
              check(names == ["network", "heuristic", "counting", "most-left", "random"], f"{names}")
              page.check("#set-values")
              for agent in names:
                  page.select_option("#set-agent", agent); settle(); settle()
                  rows = page.locator("#set-choices .choice").count()
                  check(rows == len(sets()), f"{agent}: every Set: {rows}")
                  chosen = listed(".set-card.chosen")
                  check(tuple(chosen) in sets(), f"{agent}: one is chosen: {chosen}")
                  numbers = page.locator("#set-choices .number").all_inner_texts()
                  if agent in ("network", "heuristic"):
                      check(20 < float(numbers[0]) < 27, f"{agent}: {numbers}")
                      check(20 < float(text("#set-expected")) < 27, f"{agent}: {text('#set-expected')}")
                  elif agent == "random": check(set(numbers) == {""}, f"{agent}: {numbers}")
                  else: check(numbers[0].endswith(("Set", "Sets")), f"{agent}: {numbers}")
              page.select_option("#set-agent", "network"); page.select_option("#set-speed", index=4)
              page.click("#set-run"); page.wait_for_selector("#set-notice:not([hidden])")
              check(number("score") >= 20 and sets() == [], f"a whole game is watched: {number('score')}")
              with page.expect_download() as file: page.click("#set-save")
              file.value.save_as("FOLDER/watched.txt")
              page.click("#set-again"); until(page, "document.getElementById('set-score').textContent === '0'")
              page.set_input_files("#set-file", "FOLDER/watched.txt")
              page.wait_for_selector("#set-notice:not([hidden])")
              open("FOLDER/bad.txt", "w").write("nonsense")
              page.set_input_files("#set-file", "FOLDER/bad.txt"); settle()
              check("header" in text("#set-record-error"), f"a bad record is told: {text('#set-record-error')}")
              page.context.close()
          """#)
    }

    @Test func withoutAModelTheHeuristicPlays() async throws {
      try await Site.run(
        Self.table + #"""
          page = set_site("disk")
          check(text("#model-name") == "No model of Set loaded", text("#model-name"))
          while not sets(): deal()
          page.click("#set-hint"); page.wait_for_selector(".set-card.hinted")
          """#, hasSetModel: false)
    }

    /// A model whose file is gone is told, other agents play, and the model is asked for again.
    @Test func aMissingModelIsTold() async throws {
      try await Site.run(
        Self.table + #"""
          import os
          os.rename("FOLDER/set.safetensors", "FOLDER/away")
          page = set_site("host")
          until(page, "document.getElementById('model-name').textContent.includes('did not load')")
          while not sets(): deal()
          page.check("#set-values"); page.wait_for_selector("#set-choices-error:not(:empty)")
          told = text("#set-choices-error")
          check(told == "The model did not load: its file is not there (status 404). It is asked again.", told)
          page.select_option("#set-agent", "counting"); page.wait_for_selector("#set-choices .choice")
          os.rename("FOLDER/away", "FOLDER/set.safetensors")
          page.select_option("#set-agent", "network"); page.wait_for_selector("#set-choices .choice")
          until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
          errors[:] = [error for error in errors if "404" not in error]
          """#)
    }
  }
}
