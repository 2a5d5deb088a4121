// A program in C that plays, trains, evaluates and searches with Tupelo's library. `.ci/c-example` builds and runs it:
//
//   swift build -c release --product tupelo_c
//   cc Sources/Python/Example/example.c -I Sources/Python/CTupeloAPI/include -L .build/release -ltupelo_c
//     -Wl,-rpath,$PWD/.build/release -o example && ./example
#include "tupelo.h"
#include <stdio.h>
#include <stdlib.h>

/// Ends the program when a function has refused.
static void check(int32_t status) {
  if (status == TUPELO_OK) return;
  fprintf(stderr, "error %d: %s\n", status, tupelo_last_error());
  exit(1);
}

/// Plays a game by the first legal move, in the standard rules: 4040 points and a tile of 256 after 330 moves.
static void play(void) {
  uint64_t board, random[4], seed = 1;
  uint32_t overflow;
  int64_t score, plies, steps, action = 0;
  uint8_t ended;
  int8_t mask[4];
  int32_t largest;
  tupelo_games games = {
      .size = sizeof games, .count = 1, .rows = 4, .columns = 4, .four_probability = 0.1, .start_tiles = 2,
      .autoreset = TUPELO_AUTORESET_DISABLED, .threads = 1,
      .boards = &board, .overflow = &overflow, .random = random, .scores = &score, .plies = &plies, .steps = &steps,
      .ended = &ended, .action_masks = mask, .largest_tiles = &largest};
  check(tupelo_games_reset(&games, &seed, NULL));
  while (!ended) {
    for (action = 0; !mask[action];) action += 1;
    check(tupelo_games_step(&games, &action));
  }
  printf("game of seed 1: score %lld, largest tile %d, %lld moves\n", (long long)score, largest, (long long)plies);
}

/// Trains a small network for 300 games, in slices of 100 ms.
static int64_t train(void) {
  const char *settings[] = {"training.games=300", "training.threads=1", "seed=1"};
  int64_t trainer, model;
  tupelo_progress progress = {.size = sizeof progress};
  check(tupelo_trainer_create("network: {layout: 17x4}", NULL, settings, 3, &trainer));
  do check(tupelo_trainer_slice(trainer, 0, 100, 0, &progress));
  while (progress.games < 300);
  check(tupelo_trainer_model(trainer, &model));
  check(tupelo_release(trainer));
  printf("trained: %lld games, %lld moves\n", (long long)progress.games, (long long)progress.moves);
  return model;
}

/// Plays 100 games by a model.
static void evaluate(int64_t model) {
  int64_t scores[100], finished;
  double sum = 0;
  tupelo_evaluation evaluation = {
      .size = sizeof evaluation, .seed = 1, .games = 100, .threads = 2, .start_tiles = 2, .four_probability = 0.1};
  check(tupelo_evaluate(model, &evaluation, 0, scores, NULL, NULL, &finished));
  for (int game = 0; game < 100; game++) sum += scores[game];
  printf("evaluated: %lld games, average score %.0f\n", (long long)finished, sum / 100);
}

/// Searches the moves of a board 3 plies deep.
static void search(int64_t model) {
  static const char *names[] = {"up", "right", "down", "left"};
  tupelo_search_settings settings = {
      .size = sizeof settings, .four_probability = 0.1, .threads = 1, .table_mebibytes = -1};
  tupelo_search_limits limits = {.size = sizeof limits, .plies = 3, .extend_empty_cells = -1};
  tupelo_search_result result = {.size = sizeof result};
  uint8_t tiles[16] = {1, 2, 3, 4, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0};
  uint64_t board;
  int64_t searcher;
  check(tupelo_pack(4, 4, 1, tiles, &board, NULL));
  check(tupelo_searcher_create(model, &settings, &searcher));
  check(tupelo_searcher_search(searcher, board, 0, &limits, 0, &result));
  check(tupelo_release(searcher));
  printf("best move: %s, worth %.0f points, %lld positions\n", names[result.move], result.values[result.move],
         (long long)result.nodes);
}

int main(void) {
  if (tupelo_abi() != TUPELO_ABI) return fprintf(stderr, "tupelo.h is of another version than the library\n"), 1;
  play();
  int64_t model = train();
  evaluate(model);
  search(model);
  check(tupelo_release(model));
  // A function that refuses gives the reason.
  if (tupelo_release(model) != TUPELO_NO_SUCH_OBJECT) return 1;
  printf("released twice: %s\n", tupelo_last_error());
  return 0;
}
