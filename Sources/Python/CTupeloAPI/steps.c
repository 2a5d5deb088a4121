// Steps of many games at once. A step has phases, and each phase is a loop over a block of games. The loops have no
// branch that depends on boards or actions, because such branches are hard to predict. So the compiler can use vector
// instructions. It compiles the phases for two kinds of processor, and the loader picks one of them when the program
// starts. The Swift code of TupeloC steps single games; tests compare every result of both.
#include "steps.h"

#include <string.h>

// Not under ThreadSanitizer: the loader picks a function before the sanitizer has started, and the process would crash.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define FOR_PROCESSORS __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define FOR_PROCESSORS
#endif

/// Each phase is compiled into `step_games_play`, and so for each kind of processor.
#define PHASE static inline __attribute__((always_inline))

typedef uint64_t u64;
typedef struct step_games Games;

/// A bit for each cell.
#define CELLS 0x1111111111111111u
#define BYTES 0x0101010101010101u
/// The cells that have a right neighbour, and the cells that have a lower one.
#define NOT_LAST_COLUMN 0x0111011101110111u
#define NOT_LAST_ROW 0x0000111111111111u

/// All ones for true, 0 for false.
static inline u64 all_if(int condition) { return -(u64)condition; }

static inline u64 choose(u64 mask, u64 yes, u64 no) { return (yes & mask) | (no & ~mask); }

static inline u64 rotated(u64 word, int count) { return word << count | word >> (64 - count); }

/// The lowest bit of each nibble that is not zero.
static inline u64 nonzero(u64 nibbles) {
  nibbles |= nibbles >> 2;
  return (nibbles | nibbles >> 1) & CELLS;
}

static inline u64 transposed(u64 board) {
  u64 pairs = (board & 0xf0f00f0ff0f00f0fu) | (board & 0x0000f0f00000f0f0u) << 12 | (board & 0x0f0f00000f0f0000u) >> 12;
  return (pairs & 0xff00ff0000ff00ffu) | (pairs & 0x00ff00ff00000000u) >> 24 | (pairs & 0x00000000ff00ff00u) << 24;
}

static inline u64 sum_of_bytes(u64 bytes) { return bytes * BYTES >> 56; }

static inline u64 sum_of_nibbles(u64 nibbles) {
  return sum_of_bytes((nibbles & 0x0f0f0f0f0f0f0f0fu) + (nibbles >> 4 & 0x0f0f0f0f0f0f0f0fu));
}

/// Eight nibbles as eight bytes.
static inline u64 spread(u64 nibbles) {
  nibbles = (nibbles | nibbles << 16) & 0x0000ffff0000ffffu;
  nibbles = (nibbles | nibbles << 8) & 0x00ff00ff00ff00ffu;
  return (nibbles | nibbles << 4) & 0x0f0f0f0f0f0f0f0fu;
}

/// The values of a block between the phases.
typedef struct {
  /// The boards: before the move, after the move, with the new tile.
  u64 before[STEPS_BLOCK], after[STEPS_BLOCK], next[STEPS_BLOCK];
  /// Score points of the move.
  u64 points[STEPS_BLOCK];
  /// All ones for a game whose tiles moved, otherwise 0.
  u64 moved[STEPS_BLOCK];
  /// All ones for a game that is not usual, otherwise 0.
  u64 unusual[STEPS_BLOCK];
  /// The legal moves, a byte for each: 0 or 1.
  u64 legal[STEPS_BLOCK];
} Block;

PHASE void slide(
    const Games *games, const int64_t *restrict actions, size_t first, size_t count, Block *restrict block) {
  const u64 *restrict boards = games->boards + first;
  const u64 *restrict rows = games->rows, *restrict columns = games->columns;
  for (size_t at = 0; at < count; at += 1) {
    u64 board = boards[at], action = (u64)actions[at];
    u64 horizontal = -(action & 1);
    u64 lines = choose(horizontal, board, transposed(board));
    const u64 *table = action & 1 ? rows : columns;
    u64 a = table[lines & 0xffff], b = table[lines >> 16 & 0xffff];
    u64 c = table[lines >> 32 & 0xffff], d = table[lines >> 48];
    // Up and left go to the start of a line, right and down to its end.
    u64 place = ((action ^ action >> 1) & 1) * 16;
    u64 slid = (a >> place & 0xffff) | (b >> place & 0xffff) << 16 | (c >> place & 0xffff) << 32
               | (d >> place & 0xffff) << 48;
    u64 after = choose(horizontal, slid, transposed(slid));
    block->before[at] = board;
    block->after[at] = after;
    block->moved[at] = all_if(after != board);
    block->points[at] = (a >> 32) + (b >> 32) + (c >> 32) + (d >> 32);
  }
}

/// Lets a tile appear where tiles moved: xoshiro256++ and `ChanceModel` of TupeloEngine.
PHASE void spawn(const Games *games, size_t first, size_t count, Block *restrict block) {
  const u64 *restrict random = games->random + 4 * first;
  u64 cells = games->cells, threshold = games->four_threshold;
  for (size_t at = 0; at < count; at += 1) {
    u64 after = block->after[at], moved = block->moved[at];
    u64 draw = rotated(random[4 * at] + random[4 * at + 3], 23) + random[4 * at];
    // Each nibble has the number of empty cells up to it.
    u64 counts = (cells & ~nonzero(after)) * CELLS;
    u64 total = (((counts >> 60) - 1) & 15) + 1;
    u64 limit = BYTES << 7 | ((draw >> 32) * total >> 32) * BYTES;
    u64 even = (limit - (counts & 0x0f0f0f0f0f0f0f0fu)) >> 7 & BYTES;
    u64 odd = (limit - (counts >> 4 & 0x000f0f0f0f0f0f0fu)) >> 7 & (BYTES >> 8);
    u64 cell = sum_of_bytes(even + odd);
    u64 exponent = 1 + ((draw & 0xffffffffu) < threshold);
    block->next[at] = choose(moved, after | exponent << (cell * 4 & 63), block->before[at]);
  }
}

/// A move is legal when a tile has an equal neighbour, or an empty cell of the board where it goes to.
PHASE void find_legal(const Games *games, size_t count, Block *restrict block) {
  u64 beside = games->cells >> 4 & games->cells & NOT_LAST_COLUMN;
  u64 below = games->cells >> 16 & games->cells & NOT_LAST_ROW;
  for (size_t at = 0; at < count; at += 1) {
    u64 board = block->next[at], tiles = nonzero(board);
    u64 equal = tiles & ~nonzero(board ^ board >> 4), right = tiles >> 4;
    u64 goes_left = (equal | (right & ~tiles)) & beside, goes_right = (equal | (tiles & ~right)) & beside;
    equal = tiles & ~nonzero(board ^ board >> 16);
    u64 lower = tiles >> 16;
    u64 goes_up = (equal | (lower & ~tiles)) & below, goes_down = (equal | (tiles & ~lower)) & below;
    block->legal[at] = (u64)(goes_up != 0) | (u64)(goes_right != 0) << 8 | (u64)(goes_down != 0) << 16
                       | (u64)(goes_left != 0) << 24;
  }
}

PHASE void find_unusual(const Games *games, size_t first, size_t count, Block *restrict block) {
  u64 outside = ~(games->cells * 15), ends = all_if(games->illegal_ends);
  int64_t last = games->maximum_steps - 1;
  for (size_t at = 0; at < count; at += 1) {
    size_t game = first + at;
    // Two tiles of 32768 may have merged if the points are that many.
    u64 flaws = (block->before[at] & outside) | games->overflow[game] | games->ended[game] | block->points[at] >> 16;
    flaws |= ~block->moved[at] & ends;
    block->unusual[at] = all_if(flaws != 0) | all_if(block->legal[at] == 0) | all_if(games->steps[game] >= last);
  }
  if (games->illegal_streaks == NULL) return;
  const int64_t *restrict streaks = games->illegal_streaks + first;
  int64_t last_illegal = games->maximum_illegal - 1;
  for (size_t at = 0; at < count; at += 1) {
    block->unusual[at] |= ~block->moved[at] & all_if(streaks[at] >= last_illegal);
  }
}

PHASE void write_states(const Games *games, size_t first, size_t count, const Block *restrict block) {
  u64 *restrict boards = games->boards + first, *restrict random = games->random + 4 * first;
  int64_t *restrict scores = games->scores + first, *restrict plies = games->plies + first;
  int64_t *restrict steps = games->steps + first;
  for (size_t at = 0; at < count; at += 1) {
    u64 plays = ~block->unusual[at], moves = plays & block->moved[at];
    boards[at] = choose(plays, block->next[at], block->before[at]);
    scores[at] = (int64_t)((u64)scores[at] + (block->points[at] & moves));
    plies[at] = (int64_t)((u64)plies[at] + (moves & 1));
    steps[at] = (int64_t)((u64)steps[at] + (plays & 1));
  }
  if (games->illegal_streaks) {
    int64_t *restrict streaks = games->illegal_streaks + first;
    for (size_t at = 0; at < count; at += 1) {
      u64 next = ((u64)streaks[at] + 1) & ~block->moved[at];
      streaks[at] = (int64_t)choose(block->unusual[at], (u64)streaks[at], next);
    }
  }
  for (size_t at = 0; at < count; at += 1) {
    u64 moves = ~block->unusual[at] & block->moved[at];
    u64 *restrict words = random + 4 * at;
    u64 s0 = words[0], s1 = words[1], s2 = words[2], s3 = words[3];
    u64 t2 = s2 ^ s0, t3 = s3 ^ s1;
    words[0] = choose(moves, s0 ^ t3, s0);
    words[1] = choose(moves, s1 ^ t2, s1);
    words[2] = choose(moves, t2 ^ s1 << 17, s2);
    words[3] = choose(moves, rotated(t3, 45), s3);
  }
}

/// A merge of two tiles of exponent e takes one tile away and changes the sum of exponents by 1 - e, so the exponent of
/// the new tile is 2 minus that change.
PHASE void write_rewards(const Games *games, size_t first, size_t count, const Block *restrict block) {
  float *restrict rewards = games->rewards + first;
  float illegal = games->illegal_reward;
  if (games->has_log2_rewards) {
    for (size_t at = 0; at < count; at += 1) {
      u64 before = block->before[at], after = block->after[at];
      u64 merges = sum_of_nibbles(nonzero(before)) - sum_of_nibbles(nonzero(after));
      int reward = (int)(2 * merges + sum_of_nibbles(before) - sum_of_nibbles(after));
      rewards[at] = block->moved[at] ? (float)reward : illegal;
    }
    return;
  }
  for (size_t at = 0; at < count; at += 1) rewards[at] = block->moved[at] ? (float)(int)block->points[at] : illegal;
}

PHASE void write_exponents(const u64 *restrict boards, size_t count, uint8_t *restrict bytes) {
  for (size_t at = 0; at < count; at += 1) {
    u64 halves[2] = {spread(boards[at] & 0xffffffffu), spread(boards[at] >> 32)};
    memcpy(bytes + 16 * at, halves, 16);
  }
}

/// The largest tile, found bit by bit of its exponent, from the highest on.
PHASE void write_largest(const Games *games, size_t first, size_t count, const Block *restrict block) {
  int32_t *restrict largest = games->largest + first;
  for (size_t at = 0; at < count; at += 1) {
    u64 candidates = CELLS, exponent = 0;
    for (int place = 3; place >= 0; place -= 1) {
      u64 having = block->next[at] >> place & candidates, is_any = all_if(having != 0);
      candidates = choose(is_any, having, candidates);
      exponent = exponent << 1 | (is_any & 1);
    }
    largest[at] = (int32_t)(1u << exponent & ~1u);
  }
}

PHASE void write_results(const Games *games, size_t first, size_t count, const Block *restrict block) {
  if (games->rewards) write_rewards(games, first, count, block);
  if (games->exponents) write_exponents(block->next, count, games->exponents + 16 * first);
  if (games->afterstate_exponents) write_exponents(block->after, count, games->afterstate_exponents + 16 * first);
  if (games->largest) write_largest(games, first, count, block);
  if (games->terminated) memset(games->terminated + first, 0, count);
  if (games->truncated) memset(games->truncated + first, 0, count);
  if (games->afterstate_overflow) memset(games->afterstate_overflow + first, 0, count * sizeof(uint32_t));
  if (games->afterstates) memcpy(games->afterstates + first, block->after, count * sizeof(u64));
  for (size_t at = 0; games->illegal && at < count; at += 1) games->illegal[first + at] = !block->moved[at];
  for (size_t at = 0; games->masks && at < count; at += 1) {
    uint32_t mask = (uint32_t)block->legal[at];
    memcpy(games->masks + 4 * (first + at), &mask, 4);
  }
}

FOR_PROCESSORS
int step_games_are_usual(const Games *games, const int64_t *restrict actions, size_t count, int may_have_ended) {
  u64 outside = ~(games->cells * 15), flaws = 0;
  uint8_t sound = may_have_ended ? 1 : 0;
  for (size_t at = 0; at < count; at += 1) {
    const u64 *restrict words = games->random + 4 * at;
    flaws |= (games->boards[at] & outside) | ((u64)actions[at] & ~(u64)3) | games->overflow[at];
    flaws |= (u64)(games->ended[at] & (uint8_t)~sound) | all_if((words[0] | words[1] | words[2] | words[3]) == 0);
  }
  return flaws == 0;
}

FOR_PROCESSORS
uint64_t step_games_play(const Games *games, const int64_t *actions, size_t first, size_t count) {
  Block block;
  count = count < STEPS_BLOCK ? count : STEPS_BLOCK;
  slide(games, actions, first, count, &block);
  spawn(games, first, count, &block);
  find_legal(games, count, &block);
  find_unusual(games, first, count, &block);
  write_states(games, first, count, &block);
  write_results(games, first, count, &block);
  u64 unusual = 0;
  for (size_t at = 0; at < count; at += 1) unusual |= (block.unusual[at] & 1) << at;
  return unusual;
}
