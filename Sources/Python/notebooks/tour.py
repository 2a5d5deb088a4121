# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 2048 with Tupelo
#
# Environments, training, evaluation and pictures, in a minute or two.

# %%
import os

import gymnasium
import numpy as np
import tupelo
import tupelo.notebook as show

models = os.environ.get("TUPELO_MODELS", "models")

# %% [markdown]
# ## One game
#
# Observations are exponents: 0 for an empty cell, 1 for a 2, 11 for a 2048. `info` has the legal moves.

# %%
env = gymnasium.make("tupelo/Game2048-v0")
observation, info = env.reset(seed=1)
env.action_space.seed(1)
for _ in range(50):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
env.unwrapped

# %% [markdown]
# ## A thousand games
#
# A step of all games is one call. Games that end begin again.

# %%
envs = gymnasium.make_vec("tupelo/Game2048-v0", num_envs=1024)
observations, info = envs.reset(seed=1)
rng, best = np.random.default_rng(1), 0
for _ in range(500):
    actions = (rng.random((1024, 4)) * info["action_mask"]).argmax(axis=1)
    observations, rewards, terminated, truncated, info = envs.step(actions)
    best = max(best, int(info["largest_tile"].max()))
print("the largest tile of random play:", best)
envs

# %% [markdown]
# ## Training
#
# A small network learns in self-play.

# %%
trainer = tupelo.Trainer({"network.layout": "4x5", "training.threads": 1})
print(trainer.train(2000))
trainer

# %% [markdown]
# ## What has it learned?

# %%
model = trainer.model()
model.evaluate(games=200)

# %%
show.play(model, seed=1, moves=100).animate()

# %% [markdown]
# ## A model that comes with Tupelo, and search
#
# `search` looks several moves ahead.

# %%
strong = tupelo.Model(f"{models}/small")
board = "0123013402450157"
print(strong.search(board, plies=1))
print(strong.search(board, plies=3))
show.board(board)

# %% [markdown]
# ## Positions as arrays
#
# These are the values of all moves on the boards of the thousand games, in one call.

# %%
values = model.move_values(observations)
print(values.shape, values[np.isfinite(values)].mean())  # The value of an illegal move is -inf.
