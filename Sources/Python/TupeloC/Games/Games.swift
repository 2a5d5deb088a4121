// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

public import CTupeloAPI

@c @implementation
public func tupelo_games_reset(
  _ games: UnsafePointer<tupelo_games>?, _ seeds: UnsafePointer<UInt64>?, _ mask: UnsafePointer<UInt8>?
) -> Int32 {
  status { try unsafe GameBatch(games).reset(seeds: seeds, mask: mask) }
}

@c @implementation
public func tupelo_games_step(_ games: UnsafePointer<tupelo_games>?, _ actions: UnsafePointer<Int64>?) -> Int32 {
  status { try unsafe GameBatch(games).step(actions) }
}

@c @implementation
public func tupelo_games_random_steps(
  _ games: UnsafePointer<tupelo_games>?, _ steps: Int64, _ seed: UInt64, _ moves: UnsafeMutablePointer<Int64>?,
  _ episodes: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let moves = try unsafe Memory.optional(moves, "moves")
    let episodes = try unsafe Memory.optional(episodes, "episodes")
    let sums = try unsafe GameBatch(games).randomSteps(steps, seed: seed, control: Control.named(0))
    unsafe moves?.pointee = Int64(sums.moves)
    unsafe episodes?.pointee = Int64(sums.episodes)
  }
}

@c @implementation
public func tupelo_games_observe(_ games: UnsafePointer<tupelo_games>?) -> Int32 {
  status { try unsafe GameBatch(games).observe() }
}
