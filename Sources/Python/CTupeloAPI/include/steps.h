#ifndef TUPELO_STEPS_H
#define TUPELO_STEPS_H

#include <stddef.h>
#include <stdint.h>

/// The most games that `step_games_play` plays at a time.
#define STEPS_BLOCK 64

/// A batch of games. Arrays have an entry for each game. Arrays of results may be NULL.
///
/// A game is usual if it has no tile above 32768 and is not over, neither before its step nor after it. The functions
/// below play only usual games.
struct step_games {
  /// How lines slide: 65,536 entries of `LineSlide` in TupeloEngine.
  const uint64_t *rows, *columns;
  /// The lowest bit of each cell of the shape.
  uint64_t cells;
  /// A draw of 32 bits below this is a 4.
  uint64_t four_threshold;
  int64_t maximum_steps, maximum_illegal;
  float illegal_reward;
  int illegal_ends, has_log2_rewards;

  uint64_t *boards, *random;
  const uint32_t *overflow;
  int64_t *scores, *plies, *steps;
  /// May be NULL.
  int64_t *illegal_streaks;
  const uint8_t *ended;

  /// Results. The exponents are those of 4x4 boards, 16 for each game.
  uint8_t *exponents, *afterstate_exponents;
  float *rewards;
  uint8_t *terminated, *truncated, *illegal;
  int8_t *masks;
  int32_t *largest;
  uint64_t *afterstates;
  uint32_t *afterstate_overflow;
};

/// Whether all games and actions are sound and no tile is above 32768. An `ended` of 1 is sound if `may_have_ended`.
__attribute__((visibility("hidden")))
int step_games_are_usual(const struct step_games *games, const int64_t *actions, size_t count, int may_have_ended);

/// Plays an action in each of up to `STEPS_BLOCK` usual games, and writes their states and results.
///
/// Games that are not usual keep their states; their results are not meaningful.
///
/// - Parameters:
///   - first: the index of the first game; `actions` begins with its action
/// - Returns: the games that are not usual, a bit each, the first one lowest
__attribute__((visibility("hidden")))
uint64_t step_games_play(const struct step_games *games, const int64_t *actions, size_t first, size_t count);

#endif
