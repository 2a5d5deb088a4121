/// The words that other programs have for settings, so that `lr` leads to `learner.alpha`. Files, variables, `--set`,
/// options and the reference all look here.
package enum OtherWords {
  /// The key for a word of another program, which is the last part of a path.
  package static func key(for path: String) -> String? { keys[plain(path)] }

  /// Why there is no key for a word of another program, as a sentence.
  static func absence(of path: String) -> String? { absent[plain(path)] }

  private static func plain(_ path: String) -> String {
    ConfigurationKey.leaf(of: path).lowercased().replacing("-", with: "_")
  }

  private static let absent: [String: String] = {
    let discount = "2048 has no discount, which is 1: a value is the sum of all rewards to come"
    return ["gamma": discount, "discount": discount, "discount_factor": discount, "discount_rate": discount]
  }()

  /// Every word, in small letters with underscores, and its key.
  package static let keys: [String: String] = Dictionary(
    uniqueKeysWithValues: words.flatMap { key, words in words.map { ($0, key) } })

  private static let words: [String: [String]] = [
    "learner.alpha": ["lr", "learning_rate", "stepsize", "eta"],
    "learner.exploration": ["epsilon", "epsilon_greedy", "exploration_rate", "exploration_fraction"],
    "learner.lambda": ["gae_lambda", "td_lambda", "trace_decay", "lam"],
    "learner.steps": ["n_step", "n_steps", "nstep", "horizon", "td_steps"],
    "learner.batch": ["batch_size", "minibatch_size", "mini_batch"],
    "learner.clip": ["max_grad_norm", "grad_clip", "gradient_clip", "clip_norm"],
    "learner.step_size": ["optimizer", "optim"],
    "learner.initial_value": ["optimistic_init", "v_init", "init_value", "optimism"],
    "network.dense.hidden": ["net_arch", "hidden_size", "hidden_sizes", "hidden_layers", "layers"],
    "network.patterns": ["tuples", "n_tuples", "ntuples"],
    "network.initial_model": ["pretrained", "init_from", "load_model", "warm_start"],
    "training.games": ["n_episodes", "num_episodes", "num_games", "total_timesteps", "epochs"],
    "training.threads": ["workers", "num_workers", "n_workers", "n_jobs", "num_threads", "cores"],
    "training.games_at_once": ["n_envs", "num_envs"],
    "training.minutes": ["time_limit", "max_minutes", "max_time"],
    "training.report_games": ["log_interval", "log_every", "log_freq", "print_every"],
    "evaluation.games": ["n_eval_episodes", "eval_episodes", "eval_games"],
    "evaluation.every_games": ["eval_freq", "eval_every", "eval_interval"],
    "evaluation.plies": ["depth", "search_depth", "ply"],
    "evaluation.patience": ["early_stopping", "early_stop"],
    "output.directory": ["dir", "log_dir", "logdir", "save_dir", "out_dir", "output_dir", "save_path"],
    "output.checkpoint_games": ["save_freq", "save_every", "save_interval", "checkpoint_freq", "checkpoint_every"],
    "seed": ["random_seed", "rng_seed", "random_state"],
  ]
}
