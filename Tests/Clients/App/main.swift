import Foundation
import Tupelo

// Uses the package as an app does, with product Tupelo alone. The argument is the folder of a bundle with the model
// `17x4`, such as `models` of this package. Any check that fails ends the program.

guard CommandLine.arguments.count == 2, let bundle = Bundle(path: CommandLine.arguments[1]) else {
  print("usage: App BUNDLE")
  exit(64)
}
let coach = try Coach(bundle: bundle, model: "17x4")

// The values of moves from a model in memory equal the values from the same model in the bundle.
let file = URL(fileURLWithPath: CommandLine.arguments[1]).appendingPathComponent("17x4/model.safetensors")
let other = try Coach(bytes: Data(contentsOf: file))
let tiles = [[2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 64], [2, 2, 4, 8]]
let values = try await coach.values(on: tiles, plies: 2)
check(Set(values.keys) == [.left, .right], "the tiles can go left and right alone: \(values)")
check(try await other.values(on: tiles, plies: 2) == values, "bytes value moves in another way: \(values)")

// A view plays by the coach. Each answer comes in time, and traces alone bring the view from board to board.
var game = Game(seed: 1)
var board = IdentifiedBoard(game.board)
var picture = Picture(board)
var times: [Duration] = []
let clock = ContinuousClock()
for _ in 0..<50 {
  let start = clock.now
  let move = try await coach.move(on: picture.rows)
  times.append(start.duration(to: clock.now))
  guard let move, let turn = game.play(move), let trace = board.play(move, appeared: turn.appeared) else { break }
  picture.show(trace)
  check(try Board(tiles: picture.rows) == game.board, "the view differs from the board \(game.board.hex())")
}
times.sort()
check(game.plies == 50, "the game of the coach ended after \(game.plies) moves")
// Other programs may use the processor, but not during every one of fifty moves.
check(times[0] < Coach.time * 3, "every move takes longer than \(times[0])")
print("moves take \(times[25]), the slowest \(times[49])")

// The player moves: the app cancels the search of the old board while it runs, and asks again.
let (begun, announcement) = AsyncStream.makeStream(of: Void.self)
let searcher = Searcher(Announced(evaluator: Corner(), begun: announcement), limits: .time(.seconds(600)))
let (old, new) = (board.board, game.board)
let question = Task { try await searcher.analyze(old) }
for await _ in begun {}
let cancelled = clock.now
question.cancel()
switch await question.result {
case .success(let analysis): check(false, "a cancelled search answered: \(analysis)")
case .failure(let error): check(error is CancellationError, "a cancelled search ended by: \(error)")
}
print("a search ends \(cancelled.duration(to: clock.now)) after it is cancelled")
check(try await searcher.move(on: new, limits: .plies(2)) != nil, "no move after a cancelled search")

// An evaluator of the app's own plays better than random moves.
func meanScore(of agent: inout some Agent, games: UInt64) -> Int {
  var sum = 0
  for number in 0..<games {
    var game = Game(seed: 1, number: number)
    agent.beginGame(seed: 1, number: number)
    while let move = agent.move(on: game.board) { game.play(move) }
    sum += game.score
  }
  return sum / Int(games)
}
var corner = Expectimax(Corner(), plies: 2)
var random = try AgentSpecification(text: "random").makeAgent()
let scores = (own: meanScore(of: &corner, games: 10), random: meanScore(of: &random, games: 10))
check(scores.own > 4 * scores.random, "the app's own evaluator scores \(scores.own), random play \(scores.random)")
print("the app's own evaluator scores \(scores.own), random play \(scores.random)")
