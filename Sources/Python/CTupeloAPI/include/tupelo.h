// The C interface of Tupelo: batches of 2048 games in the caller's memory, models, search, evaluation and training.
//
// Build:  swift build -c release --product tupelo_c      Link:  cc program.c -I DIR_OF_THIS_FILE -ltupelo_c
//
// Rules that hold for every function
//
// - A function returns a status: TUPELO_OK (0), or a negative number for the kind of the fault. tupelo_last_error()
//   then has one line of text. Bad arguments never end the process: sizes, pointers, numbers and the bytes of game
//   states are checked before they are used, and a function that refuses has changed nothing.
// - A text that comes in is UTF-8 and ends with a zero byte. A text that goes out is written to the caller's buffer.
// - An object (model, searcher, trainer, run, bytes, control) is a number above 0, a handle. tupelo_release() ends it.
//   The number of a released object is never used again.
// - Functions may be called from any thread. Models may be used by many threads at once. A searcher, a trainer or a run
//   works for one thread at a time: a second thread gets TUPELO_BUSY at once. Memory of the caller belongs to the call
//   while the call runs: two threads that write to one batch of games get mixed results, but no crash.
// - The library never calls back, never prints, and installs no signal handlers.
//
// Boards
//
// - A board is 64 bits: four for each cell, the exponent of its tile (0 empty, 1 = 2, 2 = 4, ..., 15 = 32768 or more).
//   Cell row * 4 + column, for every size of board, has the four bits from 4 * cell on. Cells outside the board are 0.
// - `overflow` has two bits for each cell, from 2 * cell on: 1 for 65536 and 2 for 131072 where the board has 15; else
//   0. Arrays of overflow that come in may be NULL, which means zeros.
// - Boards have 2 to 4 rows and 2 to 4 columns.
// - Moves and actions: up 0, right 1, down 2, left 3. A move is legal when it changes the board.
// - Rewards and scores are score points of 2048: the sum of the merged tiles.
// - A random stream is four 64-bit words that are not all zero (xoshiro256++).
#ifndef TUPELO_H
#define TUPELO_H
#include <stdint.h>

// For the import into Swift alone.
#if defined(__swift__)
#define TUPELO_NULLABLE _Nullable
#define TUPELO_SAFE __attribute__((swift_attr("@safe")))
#else
#define TUPELO_NULLABLE
#define TUPELO_SAFE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It changes when a function or a struct changes; compare it with tupelo_abi().
#define TUPELO_ABI 4

/// The status that a function returns.
enum {
  TUPELO_OK = 0,
  /// A pointer that is NULL or badly aligned, a number out of its range, bytes that are not a board or a random stream.
  TUPELO_INVALID_ARGUMENT = -1,
  /// A configuration with faults; the text has one line for each.
  TUPELO_BAD_CONFIGURATION = -2,
  /// A file that cannot be read or written, or a file of the wrong kind; the text names the file.
  TUPELO_BAD_FILE = -3,
  /// Tables that do not fit into the memory that the process may use. Nothing was allocated.
  TUPELO_OUT_OF_MEMORY = -4,
  /// The object is in use by another thread.
  TUPELO_BUSY = -5,
  /// A number that is not an object, or an object of the wrong kind.
  TUPELO_NO_SUCH_OBJECT = -6,
  /// tupelo_control_cancel() ended the call. The results that the function describes are valid up to there.
  TUPELO_CANCELLED = -7,
  /// Training ended because the weights grew beyond all bounds.
  TUPELO_DIVERGED = -8,
  /// The text does not fit into the buffer. The function gave the length of the text, and wrote nothing else.
  TUPELO_TOO_SMALL = -9,
  /// An illegal move in a batch with TUPELO_ILLEGAL_RAISE. No game moved.
  TUPELO_ILLEGAL_MOVE = -10,
  /// A step of a game that has ended, in a batch with TUPELO_AUTORESET_DISABLED. No game moved.
  TUPELO_GAME_OVER = -11
};

/// The version of the interface in the library. A caller that was written for another number must not call any other
/// function.
int32_t tupelo_abi(void);

/// The version of Tupelo, such as "1.0.0". The text is never freed.
const char *TUPELO_NULLABLE tupelo_version(void);

/// One line about the last call of this thread that failed; "" before the first failure. It stays valid until the next
/// failing call of this thread, and is never NULL.
const char *TUPELO_NULLABLE tupelo_last_error(void);

// MARK: Batches of games

/// The reward of a step.
enum {
  /// Score points of the move.
  TUPELO_REWARD_SCORE = 0,
  /// The sum of the base-2 logarithms of the merged tiles: 2 for making a 4, 3 for an 8, and 5 for both in one move.
  TUPELO_REWARD_LOG2 = 1
};

/// The effect of an illegal action. An illegal action never moves tiles.
enum {
  /// Nothing happens but the reward `illegal_reward`; the step counts for `maximum_steps`.
  TUPELO_ILLEGAL_IGNORE = 0,
  /// The game ends (terminated) with the reward `illegal_reward`.
  TUPELO_ILLEGAL_TERMINATE = 1,
  /// tupelo_games_step() returns TUPELO_ILLEGAL_MOVE, and no game of the batch moves.
  TUPELO_ILLEGAL_RAISE = 2
};

/// The time at which a game that has ended begins again, as in gymnasium.vector.AutoresetMode. The new game continues
/// the random stream of the old one. A step of a game whose `ended` is 1 already begins a new game in both modes that
/// reset.
enum {
  /// The next step begins a new game and ignores its action: reward 0, terminated 0, truncated 0.
  TUPELO_AUTORESET_NEXT_STEP = 0,
  /// The step in which a game ends also begins the new game. Observation, mask, board, score and plies belong to the
  /// new game; reward, terminated, truncated, afterstate and the arrays `final_...` belong to the old game.
  TUPELO_AUTORESET_SAME_STEP = 1,
  /// Never: a step of an ended game returns TUPELO_GAME_OVER, and no game moves. Use tupelo_games_reset().
  TUPELO_AUTORESET_DISABLED = 2
};

/// The form of observations. E is the exponent of a tile, 0 to 17.
enum {
  TUPELO_OBSERVATION_NONE = 0,
  /// uint8 (count, rows, columns): E of each cell.
  TUPELO_OBSERVATION_EXPONENTS = 1,
  /// uint8 (count, rows, columns, 18): 1 at E, else 0.
  TUPELO_OBSERVATION_ONE_HOT = 2,
  /// uint8 (count, 18, rows, columns): 1 in plane E of each cell, else 0.
  TUPELO_OBSERVATION_PLANES = 3
};

/// A batch of games: its settings, and the caller's memory for the states and results of `count` games.
///
/// Fill the struct with zeros, then set `size` and the fields that you need. The arrays are C-contiguous, and aligned
/// as their type. Results marked "may be NULL" are left out when they are NULL. The state can be copied at any time. A
/// copy continues as the original would.
typedef struct TUPELO_SAFE tupelo_games {
  /// sizeof(tupelo_games)
  uint64_t size;
  /// The number of games, 0 to 2^32.
  int64_t count;
  /// 2 to 4.
  int32_t rows;
  int32_t columns;
  /// The probability that a new tile is a 4, 0 to 1; 0.1 is standard.
  double four_probability;
  /// The number of tiles on a new board, 1 to rows * columns - 1; 2 is standard.
  int32_t start_tiles;
  /// TUPELO_REWARD_...
  int32_t reward;
  /// TUPELO_ILLEGAL_...
  int32_t illegal;
  /// TUPELO_AUTORESET_...
  int32_t autoreset;
  /// Any finite number.
  double illegal_reward;
  /// The number of actions, legal or not, after which a game is truncated; 0 for no limit.
  int64_t maximum_steps;
  /// The number of illegal actions in a row after which a game is truncated; 0 for no limit.
  int64_t maximum_illegal;
  /// TUPELO_OBSERVATION_...
  int32_t observation;
  /// The number of threads that share the work of a call, 1 to 64; small batches use fewer. Results do not depend on
  /// this number.
  int32_t threads;

  // The state: count entries each.
  uint64_t *TUPELO_NULLABLE boards;
  uint32_t *TUPELO_NULLABLE overflow;
  /// (count, 4): the random stream of each game.
  uint64_t *TUPELO_NULLABLE random;
  /// Score points of the game so far.
  int64_t *TUPELO_NULLABLE scores;
  /// Legal moves of the game so far.
  int64_t *TUPELO_NULLABLE plies;
  /// Actions of the game so far, legal or not.
  int64_t *TUPELO_NULLABLE steps;
  /// Illegal actions since the last legal move; may be NULL when `maximum_illegal` is 0.
  int64_t *TUPELO_NULLABLE illegal_streaks;
  /// 1 for a game that has ended, terminated or truncated; else 0.
  uint8_t *TUPELO_NULLABLE ended;

  // The results of a step or reset: count entries each.
  /// See `observation`; may be NULL with TUPELO_OBSERVATION_NONE.
  uint8_t *TUPELO_NULLABLE observations;
  /// See `reward` and `illegal_reward`; may be NULL.
  float *TUPELO_NULLABLE rewards;
  /// 1 if the step ended the game, because no move is legal or because an illegal action ends games; may be NULL.
  uint8_t *TUPELO_NULLABLE terminated;
  /// 1 if the step reached `maximum_steps` or `maximum_illegal` and did not terminate the game; may be NULL.
  uint8_t *TUPELO_NULLABLE truncated;
  /// int8 (count, 4): 1 for legal actions, else 0. If no move is legal, all four are 1, because a mask of zeros gives
  /// NaN in a masked softmax, and the action does not matter then. May be NULL.
  int8_t *TUPELO_NULLABLE action_masks;
  /// The largest tile: 2, 4, ..., 131072; may be NULL.
  int32_t *TUPELO_NULLABLE largest_tiles;
  /// The board after the step's move and before the new tile; after an illegal action or a reset, the board itself. May
  /// be NULL.
  uint64_t *TUPELO_NULLABLE afterstates;
  uint32_t *TUPELO_NULLABLE afterstate_overflow;
  /// uint8 (count, rows, columns): the exponents of the afterstates, 0 to 17. May be NULL; needs `afterstates`.
  uint8_t *TUPELO_NULLABLE afterstate_exponents;
  /// 1 if the step's action was illegal; may be NULL.
  uint8_t *TUPELO_NULLABLE illegal_actions;

  // With TUPELO_AUTORESET_SAME_STEP, the last states of the games that the step terminated or truncated. Entries of
  // other games are not touched. All may be NULL.
  /// The last observations of games that ended in this step, laid out like `observations`.
  uint8_t *TUPELO_NULLABLE final_observations;
  uint64_t *TUPELO_NULLABLE final_boards;
  uint32_t *TUPELO_NULLABLE final_overflow;
  int64_t *TUPELO_NULLABLE final_scores;
  int64_t *TUPELO_NULLABLE final_plies;
  int32_t *TUPELO_NULLABLE final_largest_tiles;
  /// The masks of games that ended in this step, laid out like `action_masks`.
  int8_t *TUPELO_NULLABLE final_action_masks;
} tupelo_games;

/// Begins games: sets their states, and writes observations, masks, largest tiles and afterstates; rewards, terminated,
/// truncated and illegal_actions become 0.
///
/// Game i with seed s equals the Swift `Game(rules: ..., seed: s)`, tile for tile.
///
/// - games: the batch
/// - seeds: count seeds, one for each game; NULL continues the random streams that are in `random`
/// - mask: count entries, 1 for games that begin and 0 for games that stay as they are (their results are not touched);
///   NULL for all games
int32_t tupelo_games_reset(
    const tupelo_games *TUPELO_NULLABLE games, const uint64_t *TUPELO_NULLABLE seeds,
    const uint8_t *TUPELO_NULLABLE mask);

/// Plays one action in every game, and writes all results. States and actions of all games are checked before any game
/// moves.
///
/// - games: the batch
/// - actions: count actions, 0 to 3; in a game that TUPELO_AUTORESET_NEXT_STEP begins, any number
int32_t tupelo_games_step(
    const tupelo_games *TUPELO_NULLABLE games, const int64_t *TUPELO_NULLABLE actions);

/// Plays uniformly random legal actions in every game, as `steps` calls of tupelo_games_step() would. The results are
/// the results of the last step. A cancelled call (see tupelo_control_use()) has played some of the steps, and the
/// states are sound. Batches with TUPELO_AUTORESET_DISABLED are refused.
///
/// - games: the batch
/// - steps: the number of actions for each game, 0 to 10^9
/// - seed: game i draws its actions from stream i of this seed, not from its own stream
/// - moves: receives the number of legal moves of all games; may be NULL
/// - episodes: receives the number of games that ended; may be NULL
int32_t tupelo_games_random_steps(
    const tupelo_games *TUPELO_NULLABLE games, int64_t steps, uint64_t seed, int64_t *TUPELO_NULLABLE moves,
    int64_t *TUPELO_NULLABLE episodes);

/// Checks the states, sets `ended` to 1 in games where no move is legal and keeps it elsewhere, and writes
/// observations, masks and largest tiles. Call it after changing boards or states by hand.
int32_t tupelo_games_observe(const tupelo_games *TUPELO_NULLABLE games);

// MARK: Arrays of boards

/// The four moves of each board.
///
/// - rows, columns: the size of the boards, 2 to 4 each
/// - count: the number of boards, 0 to 2^32
/// - boards, overflow: (count)
/// - afterstates: (count, 4), by move; the board itself for an illegal move
/// - afterstate_overflow: (count, 4); may be NULL when no tile is, or becomes, larger than 32768
/// - rewards: (count, 4), score points; 0 for an illegal move; may be NULL
/// - legal: (count, 4), 1 for legal moves, else 0; may be NULL
int32_t tupelo_successors(
    int32_t rows, int32_t columns, int64_t count, const uint64_t *TUPELO_NULLABLE boards,
    const uint32_t *TUPELO_NULLABLE overflow, uint64_t *TUPELO_NULLABLE afterstates,
    uint32_t *TUPELO_NULLABLE afterstate_overflow, int32_t *TUPELO_NULLABLE rewards, uint8_t *TUPELO_NULLABLE legal);

/// The legal moves of each board: (count, 4), 1 for legal moves, else 0. All zeros where the game is over.
int32_t tupelo_legal(
    int32_t rows, int32_t columns, int64_t count, const uint64_t *TUPELO_NULLABLE boards,
    const uint32_t *TUPELO_NULLABLE overflow, uint8_t *TUPELO_NULLABLE legal);

/// Lets a tile appear on each afterstate: uniformly on an empty cell, a 4 with some probability, else a 2. Each
/// afterstate must have an empty cell. The overflow does not change.
///
/// - four_probability: 0 to 1
/// - random: 4 words, the stream that the tiles are drawn from, in order; receives the state of the stream afterwards
/// - boards: (count), receives the boards; may be `afterstates`
int32_t tupelo_spawn(
    int32_t rows, int32_t columns, double four_probability, int64_t count, const uint64_t *TUPELO_NULLABLE afterstates,
    const uint32_t *TUPELO_NULLABLE overflow, uint64_t *TUPELO_NULLABLE random, uint64_t *TUPELO_NULLABLE boards);

/// Begins a random stream: stream `stream` of `seed`, as the Swift `RandomStream(seed:stream:)`. `random` has 4 words.
int32_t tupelo_random(uint64_t seed, uint64_t stream, uint64_t *TUPELO_NULLABLE random);

/// The rotations and reflections of each board, the board itself first: 8 of a square board, 4 of another board.
///
/// - symmetric: (count, 8) or (count, 4)
/// - symmetric_overflow: as `symmetric`; may be NULL when `overflow` is NULL or has only zeros
int32_t tupelo_symmetries(
    int32_t rows, int32_t columns, int64_t count, const uint64_t *TUPELO_NULLABLE boards,
    const uint32_t *TUPELO_NULLABLE overflow, uint64_t *TUPELO_NULLABLE symmetric,
    uint32_t *TUPELO_NULLABLE symmetric_overflow);

/// Boards from exponents.
///
/// - exponents: (count, rows, columns), 0 to 17
/// - boards, overflow: (count); `overflow` may be NULL when no exponent is above 15
int32_t tupelo_pack(
    int32_t rows, int32_t columns, int64_t count, const uint8_t *TUPELO_NULLABLE exponents,
    uint64_t *TUPELO_NULLABLE boards, uint32_t *TUPELO_NULLABLE overflow);

/// Exponents of boards: (count, rows, columns), 0 to 17.
int32_t tupelo_unpack(
    int32_t rows, int32_t columns, int64_t count, const uint64_t *TUPELO_NULLABLE boards,
    const uint32_t *TUPELO_NULLABLE overflow, uint8_t *TUPELO_NULLABLE exponents);

// MARK: Objects

/// Ends an object of any kind. Objects made from it stay valid: a searcher keeps what it needs of its model. The object
/// must not be in use (TUPELO_BUSY).
int32_t tupelo_release(int64_t object);

/// Copies the bytes of an object of bytes, which other functions make.
///
/// - memory: receives the bytes; may be NULL when `capacity` is 0
/// - capacity: its size in bytes
/// - length: receives the number of bytes, also with TUPELO_TOO_SMALL
int32_t tupelo_bytes_read(
    int64_t bytes, uint8_t *TUPELO_NULLABLE memory, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

/// Makes a control, by which one thread watches and ends the long call of another thread. A call that does not need a
/// control takes 0. A cancelled control stays cancelled: make a new one for the next call.
///
/// - control: receives the handle
int32_t tupelo_control_create(int64_t *TUPELO_NULLABLE control);

/// Ends the call that runs with this control, and every later call with it. Most calls end within milliseconds, an
/// evaluation at its next move, and a training run at the end of its group of games (20, with games at once; 1 with one
/// game at a time; "group_games" of tupelo_trainer_info()) or of its round of replicas, because only there the run can
/// go on as if it had not been stopped.
int32_t tupelo_control_cancel(int64_t control);

/// Lets a control watch and end the later calls of this thread that get none: those to which 0 is given, and the long
/// functions that have no parameter for it, which are tupelo_games_random_steps(), tupelo_model_save(),
/// tupelo_model_bytes() and tupelo_trainer_save().
///
/// - control: the control; 0 for none
int32_t tupelo_control_use(int64_t control);

/// The progress of the call: the number of games that are finished in an evaluation or a slice of a training run.
int32_t tupelo_control_progress(int64_t control, int64_t *TUPELO_NULLABLE games);

// MARK: Models

/// Loads a model: a model file of any kind (n-tuple network, dense network, either of 2048 or of Set; f32, f16 or
/// compact), a checkpoint, a run folder, or a folder with model.safetensors.
///
/// - path: the path of the model
/// - model: receives the handle
int32_t tupelo_model_load(const char *TUPELO_NULLABLE path, int64_t *TUPELO_NULLABLE model);

/// The formats of model files.
enum {
  /// Four bytes for each weight.
  TUPELO_FORMAT_F32 = 0,
  /// Two bytes for each weight, rounded to the nearest.
  TUPELO_FORMAT_F16 = 1,
  /// Weights in steps, compressed, without the weights that are near 0.
  TUPELO_FORMAT_COMPACT = 2
};

/// Writes a model file for play. The file appears whole or not at all.
///
/// - path: the path of the file; an existing file is replaced
/// - format: TUPELO_FORMAT_...
/// - step: for TUPELO_FORMAT_COMPACT, the distance of weights in score points; 0 for the default: 16 for a trained
///   network of patterns, 0.001 units for a dense one, 0.0005 Sets for Set, and less where weights are small
/// - drop: for TUPELO_FORMAT_COMPACT, weights that are smaller become 0; 0 for none. In other formats both are 0.
///
/// A cancelled call (see tupelo_control_use()) writes no file.
int32_t tupelo_model_save(int64_t model, const char *TUPELO_NULLABLE path, int32_t format, float step, float drop);

/// Loads a model from the bytes of a model file in memory. The bytes are copied.
///
/// - bytes: (length)
/// - model: receives the handle
int32_t tupelo_model_from_bytes(
    const uint8_t *TUPELO_NULLABLE bytes, uint64_t length, int64_t *TUPELO_NULLABLE model);

/// The bytes that tupelo_model_save() would write, as an object; see tupelo_bytes_read().
///
/// - format, step, drop: see tupelo_model_save()
/// - bytes: receives the handle
int32_t tupelo_model_bytes(int64_t model, int32_t format, float step, float drop, int64_t *TUPELO_NULLABLE bytes);

/// Makes an n-tuple network from tables of weights.
///
/// - structure: one line, as "structure" of tupelo_model_info(), such as "4x4 shared 0123 4567"
/// - tables: `count` tables, each of 16^cells weights in score points, in the order of the patterns; tables of later
///   stages follow. The entry of a board is the sum of exponent(cell j) * 16^j. They are copied.
/// - model: receives the handle
int32_t tupelo_model_from_tables(
    const char *TUPELO_NULLABLE structure, const float *TUPELO_NULLABLE const *TUPELO_NULLABLE tables, uint64_t count,
    int64_t *TUPELO_NULLABLE model);

/// Copies the tables of an n-tuple network.
///
/// - tables: `count` arrays, each of which receives 16^cells weights; see tupelo_model_from_tables()
int32_t tupelo_model_tables(
    int64_t model, float *TUPELO_NULLABLE const *TUPELO_NULLABLE tables, uint64_t count);

/// Facts about a model, as one JSON object in UTF-8: "game" ("2048" or "set"), "kind" ("tuples", "dense", "set" or
/// "dense-set"), "structure" (one line, equal for equal structures), "fingerprint" (of the structure), "weights"
/// (number), "features" (weights that make up a value), "rows" and "columns" (2048 only).
///
/// - text: the buffer; may be NULL when `capacity` is 0
/// - capacity: its size in bytes, at least the length of the text and 1 for the zero byte at its end
/// - length: receives the length of the text without the zero byte, also with TUPELO_TOO_SMALL
int32_t tupelo_model_info(
    int64_t model, char *TUPELO_NULLABLE text, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

/// The identity of a model, 16 hex digits: a hash of its structure and weights. Two models with equal identities play
/// alike. The first call for a model reads all weights, which takes half a second for 134 million weights. Later calls
/// do not read them.
///
/// - text, capacity, length: see tupelo_model_info()
int32_t tupelo_model_identity(
    int64_t model, char *TUPELO_NULLABLE text, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

/// The values of afterstates: score points that are still to come. The boards have the size of the model's board.
///
/// - values: (count)
int32_t tupelo_model_values(
    int64_t model, int64_t count, const uint64_t *TUPELO_NULLABLE afterstates,
    const uint32_t *TUPELO_NULLABLE overflow, float *TUPELO_NULLABLE values);

/// The values of the moves on boards: reward plus the value of the afterstate, in score points (greedy play, 1 ply).
///
/// - values: (count, 4), by move; NaN for illegal moves; may be NULL
/// - best: (count), the legal move of the largest value, the first one of equal moves, or -1 if no move is legal; may
///   be NULL
int32_t tupelo_model_move_values(
    int64_t model, int64_t count, const uint64_t *TUPELO_NULLABLE boards, const uint32_t *TUPELO_NULLABLE overflow,
    float *TUPELO_NULLABLE values, int8_t *TUPELO_NULLABLE best);

// MARK: Search

/// The settings of a searcher. Set every field: zero is a value and not a default. With zeros, no 4 appears and nothing
/// is kept in a table, and 0 threads are refused.
typedef struct tupelo_search_settings {
  /// sizeof(tupelo_search_settings)
  uint64_t size;
  /// The probability of a 4, 0 to 1.
  double four_probability;
  /// The moves of the root that are searched at once, 1 to 4. A search with a limit on nodes uses one thread.
  int32_t threads;
  /// Memory of each thread's table, which keeps the values of boards, in MiB, 0 to 65536; -1 for the default, 4.
  int32_t table_mebibytes;
} tupelo_search_settings;

/// The limits of one search. A search without a limit on time or nodes goes to the depth `plies`, and its result is
/// equal on every machine. Otherwise the search deepens ply by ply, with a smaller cut-off each time, such as 0.01 at 5
/// plies. The last ply that it completes gives the result. The first ply is always completed.
typedef struct tupelo_search_limits {
  /// sizeof(tupelo_search_limits)
  uint64_t size;
  /// The depth in plies: 1 to 8, or up to 15 with a limit on time, nodes or probability. 1 is greedy. 0 stands for 15
  /// and needs a limit on time or nodes.
  int32_t plies;
  /// One more ply on boards with at most this number of empty cells, 0 to 16; -1 for never.
  int32_t extend_empty_cells;
  /// The time for the search in milliseconds, above 0; 0 for no limit.
  double milliseconds;
  /// The number of afterstates to value; 0 for no limit.
  int64_t nodes;
  /// Boards that are less probable than this number are valued greedily. It is at least 0 and below 1; with 0, a search
  /// without a limit on time or nodes searches every board to the full depth.
  double cutoff;
} tupelo_search_limits;

/// The result of a search.
typedef struct tupelo_search_result {
  /// sizeof(tupelo_search_result), set by the caller
  uint64_t size;
  /// Reward plus expected score to come of each move, in score points; NaN for illegal moves.
  double values[4];
  /// The best move, the first one of equal moves; -1 if no move is legal.
  int32_t move;
  /// The depth that was completed; with a limit on time or nodes, for likely boards.
  int32_t plies;
  /// The number of afterstates that were valued.
  int64_t nodes;
} tupelo_search_result;

/// Makes a searcher (expectimax) with a private table, which it keeps from one search to the next.
///
/// - model: a model of 2048; 0 for the hand-written heuristic on a board of 4x4
/// - settings: see tupelo_search_settings
/// - searcher: receives the handle
int32_t tupelo_searcher_create(
    int64_t model, const tupelo_search_settings *TUPELO_NULLABLE settings, int64_t *TUPELO_NULLABLE searcher);

/// Searches the moves on a board. With a limit on nodes the table is cleared first, so that equal calls have equal
/// results.
///
/// - limits: see tupelo_search_limits
/// - control: ends the search from another thread (TUPELO_CANCELLED, no result); 0 for none
/// - result: receives the result; its `size` must be set
int32_t tupelo_searcher_search(
    int64_t searcher, uint64_t board, uint32_t overflow, const tupelo_search_limits *TUPELO_NULLABLE limits,
    int64_t control, tupelo_search_result *TUPELO_NULLABLE result);

// MARK: Evaluation

/// The agent and the games of an evaluation. Fill the struct with zeros, then set `size` and the fields that you need.
typedef struct TUPELO_SAFE tupelo_evaluation {
  /// sizeof(tupelo_evaluation)
  uint64_t size;
  /// The agent, such as "greedy", "expectimax(plies: 3)", "expectimax(milliseconds: 10)" or "random"; NULL for greedy
  /// play. `tupelo help agents` lists them. Models of Set play greedily, and take NULL.
  const char *TUPELO_NULLABLE agent;
  /// Game k depends on (seed, k) alone, not on threads, and not on which other games are played.
  uint64_t seed;
  /// The number of the first game, 0 or more.
  int64_t first;
  /// The number of games, 1 to 10^8.
  int64_t games;
  /// 1 to 1024.
  int32_t threads;
  /// The number of start tiles in 2048; 2 is standard. Ignored in Set.
  int32_t start_tiles;
  /// The probability of a 4 in 2048, 0 to 1. Ignored in Set.
  double four_probability;
  /// The size of the board when there is no model, 2 to 4 each; with a model, its own size or 0.
  int32_t rows;
  int32_t columns;
} tupelo_evaluation;

/// Plays games. A long evaluation can be cut into slices by `first` and `games`, with equal results. Or it can be one
/// call in a separate thread, which a control watches and ends.
///
/// - model: the model that plays; 0 for the hand-written heuristic, or for agents that need no model
/// - evaluation: see tupelo_evaluation
/// - control: counts finished games, and ends the call from another thread (TUPELO_CANCELLED; results up to `finished`
///   are valid); 0 for none
/// - scores: (games), score points, or Sets that were taken; `scores`, `moves` and `outcomes` may be NULL
/// - moves: (games), the number of choices
/// - outcomes: (games), in 2048 the largest tile, 2 to 131072; in Set the number of cards left over
/// - finished: receives the number of games, from the first one on without a gap, whose results were written
int32_t tupelo_evaluate(
    int64_t model, const tupelo_evaluation *TUPELO_NULLABLE evaluation, int64_t control,
    int64_t *TUPELO_NULLABLE scores, int64_t *TUPELO_NULLABLE moves, int32_t *TUPELO_NULLABLE outcomes,
    int64_t *TUPELO_NULLABLE finished);

/// The report of finished games as JSON, with the keys of `tupelo evaluate --json`: "games", "seed", "score_mean",
/// "score_margin_95" (null for one game), "score_median", "score_max", "moves_mean", "reach_rates" or "left_rates",
/// "seconds", "moves_per_second", "agent", "board", "four_probability", "start_tiles", "network_fingerprint", "model"
/// and more. The key "model_sha256" is left out.
///
/// - model, evaluation: as they were given to tupelo_evaluate(); `first` and `games` are ignored
/// - count: the number of games, 1 to 10^8
/// - scores, moves, outcomes: (count), the results of games 0 to count - 1, as tupelo_evaluate() wrote them
/// - seconds: the time that the games took, 0 or more
/// - text, capacity, length: see tupelo_model_info()
int32_t tupelo_report(
    int64_t model, const tupelo_evaluation *TUPELO_NULLABLE evaluation, int64_t count,
    const int64_t *TUPELO_NULLABLE scores, const int64_t *TUPELO_NULLABLE moves,
    const int32_t *TUPELO_NULLABLE outcomes, double seconds, char *TUPELO_NULLABLE text, uint64_t capacity,
    uint64_t *TUPELO_NULLABLE length);

/// Statistics of the scores of training runs, one score for each run, as JSON: "samples" has "score_mean",
/// "score_margin_95", "score_sd", "iqm", "iqm_low_95" and "iqm_high_95" of each group; "differences" has "difference",
/// "difference_margin_95", "smallest_difference", "probability_of_improvement", "probability_low_95",
/// "probability_high_95" and "verdict" of each group but the first, which is the baseline; "bootstrap" has "resamples"
/// and "seed". A number that is not known is left out. `tupelo compare` explains the numbers.
///
/// - groups: the number of groups, 1 to 10,000
/// - sizes: (groups), the number of runs of each group, 1 to 10,000
/// - scores: the scores of the first group, then those of the second one, and so on; finite
/// - text, capacity, length: see tupelo_model_info()
int32_t tupelo_compare(
    int64_t groups, const int64_t *TUPELO_NULLABLE sizes, const double *TUPELO_NULLABLE scores,
    char *TUPELO_NULLABLE text, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

// MARK: Training

/// The progress of one slice of a training run.
typedef struct tupelo_progress {
  /// sizeof(tupelo_progress), set by the caller
  uint64_t size;
  /// The games and moves of the whole run, also before a checkpoint.
  int64_t games;
  int64_t moves;
  /// The games and moves of the slice.
  int64_t slice_games;
  int64_t slice_moves;
  /// The games of the slice that began on a new board. The scores and outcomes belong to these games only.
  int64_t fresh_games;
  /// Score points in 2048, Sets in Set.
  int64_t score_sum;
  int64_t score_maximum;
  /// The sum of |TD error| over the moves of the slice, in score points or Sets.
  double absolute_error_sum;
  /// The time that the slice took.
  double seconds;
  /// The number of fresh games by outcome: in 2048 by the exponent of the largest tile (11 for 2048), in Set by a third
  /// of the cards left over.
  int64_t outcomes[28];
} tupelo_progress;

/// Begins a run: training by self-play.
///
/// - yaml: the configuration as in configs/*.yaml; NULL or "" for all defaults
/// - name: the name of the text in errors, such as the path of its file; NULL for "configuration"
/// - overrides: `override_count` texts `key=value`, such as "learner.alpha=0.5"; NULL for none. If two texts have the
///   same key, the later one counts.
/// - trainer: receives the handle
///
/// Environment variables set nothing. With 1 thread and an equal configuration, the weights of tables are equal, bit
/// for bit, to the weights of `tupelo train`. Dense networks and batches are equal within rounding where this library
/// computes without OpenBLAS, as in a wheel.
int32_t tupelo_trainer_create(
    const char *TUPELO_NULLABLE yaml, const char *TUPELO_NULLABLE name,
    const char *TUPELO_NULLABLE const *TUPELO_NULLABLE overrides, uint64_t override_count,
    int64_t *TUPELO_NULLABLE trainer);

/// Continues a run from a checkpoint. The weights become the weights of a run without the interruption.
///
/// - path: a checkpoint, or the folder of a run
/// - overrides, override_count: settings to change, such as "training.games=100000"
/// - allow_changes: 1 to allow changes of settings that change the learning, such as the seed; 0 to refuse them
/// - trainer: receives the handle
int32_t tupelo_trainer_resume(
    const char *TUPELO_NULLABLE path, const char *TUPELO_NULLABLE const *TUPELO_NULLABLE overrides,
    uint64_t override_count, int32_t allow_changes, int64_t *TUPELO_NULLABLE trainer);

/// Trains for a while. With 1 thread, slices give the weights of an undivided run, bit for bit, if no `until` cuts a
/// group of games.
///
/// - until: the number of games of the whole run at which training ends; 0 for training.games of the configuration.
///   A number that is not a multiple of "group_games" (see tupelo_trainer_info()) cuts a group of interleaved games,
///   and then later weights differ.
/// - milliseconds: the time after which no further game begins, at least 1; 0 for no limit. A slice plays at least one
///   game.
/// - control: counts the games of the slice, and ends the slice from another thread (TUPELO_CANCELLED; the progress is
///   written, and the trainer can train further); 0 for none
/// - progress: receives the progress of the slice; its `size` must be set; may be NULL
int32_t tupelo_trainer_slice(
    int64_t trainer, int64_t until, int64_t milliseconds, int64_t control, tupelo_progress *TUPELO_NULLABLE progress);

/// A copy of the model in its present state, for play; averaged if the configuration averages. Training does not change
/// the copy.
///
/// - model: receives the handle
int32_t tupelo_trainer_model(int64_t trainer, int64_t *TUPELO_NULLABLE model);

/// Writes a checkpoint. The file appears whole or not at all. A cancelled call (see tupelo_control_use()) writes no
/// file.
int32_t tupelo_trainer_save(int64_t trainer, const char *TUPELO_NULLABLE path);

/// Gives a trainer bytes of the caller, such as a history for plots, which its checkpoints contain from now on.
/// Training does not read them.
///
/// - bytes: (length)
/// - length: at most 2^30; 0 for none
int32_t tupelo_trainer_attach(int64_t trainer, const uint8_t *TUPELO_NULLABLE bytes, uint64_t length);

/// The bytes that tupelo_trainer_attach() gave to the trainer, or to the run that it continues, as an object; see
/// tupelo_bytes_read(). They are of length 0 if there are none. A checkpoint from elsewhere may have any bytes.
///
/// - bytes: receives the handle
int32_t tupelo_trainer_attached(int64_t trainer, int64_t *TUPELO_NULLABLE bytes);

/// Facts about a trainer, as one JSON object: "game" ("2048" or "set"), "games" and "moves" of the run so far, "target"
/// (training.games), "configuration" (YAML with every setting), "learner" (in words), "structure", "memory_bytes",
/// "group_games", "threads", "huge_pages", "evaluation" (an object: "every_games", "games" and "plies" of evaluations
/// during training, which the caller makes), "warnings" (texts about settings without effect, and about the
/// checkpoint).
///
/// - text, capacity, length: see tupelo_model_info()
int32_t tupelo_trainer_info(
    int64_t trainer, char *TUPELO_NULLABLE text, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

// MARK: Runs of a learner of the caller

/// How a session of a run ended.
enum {
  TUPELO_RUN_FINISHED = 0,
  /// Somebody stopped the training, which may continue later.
  TUPELO_RUN_INTERRUPTED = 1
};

/// The time of an evaluation.
enum {
  /// At the end of a session: evaluation.games games of the configuration, with evaluation.seed.
  TUPELO_STAGE_FINAL = 0,
  /// During training: evaluation.interim_games games, with a seed of their own, evaluation.seed + 10^9.
  TUPELO_STAGE_INTERIM = 1
};

/// Begins a run that the caller trains, and writes its folder as `tupelo train` does: settings, learning curve, event
/// files, model and evaluations, which `tupelo runs`, `compare`, `plot` and `serve --runs` read. The folder is locked
/// until tupelo_release() ends the run.
///
/// - folder: the path of a new folder, or of the run to resume
/// - yaml: the settings. own.learner must name the learner, and section `own` takes any other settings of it. NULL or
///   "" for all defaults, or for the settings of the run to resume
/// - name, overrides, override_count: see tupelo_trainer_create()
/// - arguments, argument_count: the arguments of the program, for meta.json
/// - resume: 1 to continue the run of this learner in the folder after its last record; 0 for a new run, which refuses
///   a folder with a run
/// - run: receives the handle
int32_t tupelo_run_create(
    const char *TUPELO_NULLABLE folder, const char *TUPELO_NULLABLE yaml, const char *TUPELO_NULLABLE name,
    const char *TUPELO_NULLABLE const *TUPELO_NULLABLE overrides, uint64_t override_count,
    const char *TUPELO_NULLABLE const *TUPELO_NULLABLE arguments, uint64_t argument_count, int32_t resume,
    int64_t *TUPELO_NULLABLE run);

/// Writes a record of the learning curve. The average length of games and the speed since the last record are added if
/// they are not among the values.
///
/// - games, moves: counted since the start of the run, also before a resumption; they never fall
/// - seconds: of training since the start of the run; a negative number for the time since the last record, without
///   that of evaluations, added to its seconds
/// - count: the number of values, 0 to 100,000; about 2,000 fit into a record
/// - names: tags of metrics such as "rollout/score_mean", or names of the caller, which have letters, digits and
///   . _ + - only: "loss" gets the tag own/loss
/// - values: (count), finite
int32_t tupelo_run_log(
    int64_t run, int64_t games, int64_t moves, double seconds, uint64_t count,
    const char *TUPELO_NULLABLE const *TUPELO_NULLABLE names, const double *TUPELO_NULLABLE values);

/// Writes a model into the folder of the run, in place of an earlier one. Commands that play take the folder as a model
/// then. A cancelled call (see tupelo_control_use()) keeps the earlier file.
int32_t tupelo_run_save(int64_t run, int64_t model);

/// Evaluates a model as the configuration of the run says, and records the result after the games of the last record.
/// The final evaluation also writes evaluation.json, and records of the best, median and worst game.
///
/// - stage: TUPELO_STAGE_...
/// - control: counts finished games, and ends the call from another thread (TUPELO_CANCELLED; nothing is recorded); 0
///   for none
/// - scores, moves, outcomes: receive the results as in tupelo_evaluate(), as many as tupelo_run_info() says; may be
///   NULL
int32_t tupelo_run_evaluate(
    int64_t run, int64_t model, int32_t stage, int64_t control, int64_t *TUPELO_NULLABLE scores,
    int64_t *TUPELO_NULLABLE moves, int32_t *TUPELO_NULLABLE outcomes);

/// Records an evaluation of a player that the library does not know, whose games the caller has played.
///
/// - agent: the name of the player: letters, digits, spaces and ( ) : , . - _ =
/// - stage: TUPELO_STAGE_..., which also says the number and the seed of the games
/// - count, scores, moves, outcomes, seconds: see tupelo_report()
int32_t tupelo_run_results(
    int64_t run, const char *TUPELO_NULLABLE agent, int32_t stage, int64_t count,
    const int64_t *TUPELO_NULLABLE scores, const int64_t *TUPELO_NULLABLE moves,
    const int32_t *TUPELO_NULLABLE outcomes, double seconds);

/// Ends the session of a run, and writes how it ended into meta.json. Later calls with this run are refused, except for
/// tupelo_run_info() and tupelo_release(). A run that is released without this call looks like one that was killed.
///
/// - outcome: TUPELO_RUN_...
int32_t tupelo_run_end(int64_t run, int32_t outcome);

/// Facts about a run, as one JSON object: "folder", "game", "games", "moves" and "seconds" at the last record,
/// "configuration" (YAML), "learner", "evaluation" (objects "final" and "interim" with "games", "seed" and "plies" of
/// evaluations), "rules" (2048 only: "rows", "columns", "four_probability" and "start_tiles"), "warnings" (texts about
/// settings without effect).
///
/// - text, capacity, length: see tupelo_model_info()
int32_t tupelo_run_info(
    int64_t run, char *TUPELO_NULLABLE text, uint64_t capacity, uint64_t *TUPELO_NULLABLE length);

#ifdef __cplusplus
}
#endif
#endif
