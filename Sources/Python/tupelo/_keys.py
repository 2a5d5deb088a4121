"""The settings of a trainer as keywords, for type checkers and editors: the keys of configs/KEYS.md, which a test
compares. They have the type `Any`, because the library checks their values, and its errors say what to give."""

from __future__ import annotations

from typing import Any, TypedDict


class TrainerSettings(TypedDict, total=False):
    """Settings without a section belong to `training`, but for `name`, `seed` and `game`. A double underscore stands
    for the point: `learner__alpha` is the key learner.alpha."""

    name: Any
    seed: Any
    game: Any
    set__features: Any
    set__table: Any
    rules__rows: Any
    rules__columns: Any
    rules__four_probability: Any
    rules__start_tiles: Any
    network__layout: Any
    network__patterns: Any
    network__symmetries: Any
    network__stages: Any
    network__initial_model: Any
    network__dense__hidden: Any
    network__dense__embedding: Any
    network__dense__linear: Any
    network__dense__sums: Any
    learner__step_size: Any
    learner__alpha: Any
    learner__lambda: Any
    learner__steps: Any
    learner__warm_up_games: Any
    learner__warm_up_alpha: Any
    learner__alpha_schedule: Any
    learner__exploration: Any
    learner__initial_value: Any
    learner__batch: Any
    learner__weight_decay: Any
    learner__row_patience: Any
    learner__clip: Any
    learner__decay: Any
    learner__decay_every_games: Any
    learner__zeros: Any
    stages__promotion: Any
    stages__after_games: Any
    stages__frozen: Any
    episodes__start: Any
    episodes__restart_moves: Any
    episodes__batch: Any
    episodes__pool: Any
    episodes__tile: Any
    episodes__share: Any
    averaging__every_games: Any
    averaging__window: Any
    games: Any
    threads: Any
    replicas: Any
    merge_moves: Any
    games_at_once: Any
    solo_games: Any
    report_games: Any
    minutes: Any
    evaluation__games: Any
    evaluation__every_games: Any
    evaluation__interim_games: Any
    evaluation__target: Any
    evaluation__patience: Any
    evaluation__seed: Any
    evaluation__plies: Any
    evaluation__threads: Any
    output__directory: Any
    output__checkpoint_games: Any
    output__checkpoint_minutes: Any
    output__keep: Any
    output__on_checkpoint: Any
