"""MaskablePPO on 64 games at once: `pip install 'tupelo[gym]' sb3-contrib`, then `python maskable_ppo.py [STEPS]`."""

import sys

import numpy as np
import tupelo
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor
from tupelo.sb3 import VecEnv

envs = VecMonitor(VecEnv(64, observation="onehot", reward="log2"))
agent = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=1024, gamma=0.997, seed=1, verbose=1)
agent.learn(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)


def policy(exponents, masks):  # arrays of all games that are played at once
    return agent.predict(np.eye(18, dtype=np.uint8)[exponents], action_masks=masks)[0]


print(tupelo.evaluate(policy, games=100))
