"""PPO with masks on one-hot boards, in one file in the style of CleanRL: `pip install 'tupelo[gym]' torch`, then
`python ppo.py [STEPS]`.

The environment gives the masks of legal moves, and the policy gives illegal moves the probability 0. At the end the
policy plays 100 games. The run folder runs/ppo has the scores of the games that ended during training, and `tupelo
runs`, `plot` and `compare` show it beside the runs of `tupelo train`.
"""

import sys

import gymnasium
import numpy as np
import torch
import tupelo
from torch import nn

GAMES, LENGTH, EPOCHS, MINIBATCHES = 128, 64, 3, 4
STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
GAMMA, LAMBDA, CLIP, RATE, ENTROPY, VALUE, NORM = 0.997, 0.95, 0.2, 5e-4, 0.01, 0.5, 0.5

torch.manual_seed(1)
envs = gymnasium.make_vec(
    "tupelo:tupelo/Game2048-v0", num_envs=GAMES, observation="planes", reward="log2", autoreset_mode="SameStep"
)


def layer(module, gain=2**0.5):
    nn.init.orthogonal_(module.weight, gain)
    nn.init.zeros_(module.bias)
    return module


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            layer(nn.Conv2d(18, 64, 2)), nn.ReLU(), layer(nn.Conv2d(64, 64, 2)), nn.ReLU(), nn.Flatten(),
            layer(nn.Linear(256, 256)), nn.ReLU(),
        )  # fmt: skip
        self.policy, self.value = layer(nn.Linear(256, 4), 0.01), layer(nn.Linear(256, 1), 1.0)

    def forward(self, planes, masks):  # (N, 18, 4, 4) and (N, 4): a distribution of N moves, and N values
        hidden = self.body(planes.float())
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(-1)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
planes = torch.zeros(LENGTH, GAMES, 18, 4, 4, dtype=torch.uint8)
masks = torch.zeros(LENGTH, GAMES, 4, dtype=torch.bool)
actions = torch.zeros(LENGTH, GAMES, dtype=torch.long)
chances, rewards, ends, values = (torch.zeros(LENGTH, GAMES) for _ in range(4))


def seen(observation, info):
    return torch.as_tensor(observation), torch.as_tensor(info["action_mask"]).bool()


state = seen(*envs.reset(seed=1))
settings = {"name": "ppo", "own.learner": "ppo.py", "own.steps": STEPS, "own.rate": RATE, "evaluation.games": 100}
run, finished, games = tupelo.Run("runs/ppo", settings), [], 0
rounds = max(STEPS // (GAMES * LENGTH), 1)
for number in range(1, rounds + 1):
    optimizer.param_groups[0]["lr"] = RATE * (1 - (number - 1) / rounds)
    for step in range(LENGTH):
        planes[step], masks[step] = state
        with torch.no_grad():
            moves, values[step] = agent(*state)
        actions[step] = moves.sample()
        chances[step] = moves.log_prob(actions[step])
        observation, reward, terminated, truncated, info = envs.step(actions[step].numpy())
        rewards[step], ends[step] = torch.as_tensor(reward), torch.as_tensor(terminated | truncated).float()
        if "final_info" in info:
            finished += info["final_info"]["score"][info["_final_info"]].tolist()
        state = seen(observation, info)

    # Generalized advantage estimation: an end cuts the sum, because no reward follows it.
    with torch.no_grad():
        next_value, advantage = agent(*state)[1], torch.zeros(GAMES)
    advantages = torch.zeros_like(rewards)
    for step in reversed(range(LENGTH)):
        goes_on = 1 - ends[step]
        error = rewards[step] + GAMMA * next_value * goes_on - values[step]
        advantages[step] = advantage = error + GAMMA * LAMBDA * goes_on * advantage
        next_value = values[step]
    returns = advantages + values

    everything = [array.flatten(0, 1) for array in (planes, masks, actions, chances, advantages, returns)]
    for _ in range(EPOCHS):
        for chosen in torch.randperm(GAMES * LENGTH).chunk(MINIBATCHES):
            some_planes, some_masks, some_actions, before, gain, target = (array[chosen] for array in everything)
            moves, value = agent(some_planes, some_masks)
            ratio = (moves.log_prob(some_actions) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = torch.max(-gain * ratio, -gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            loss = policy_loss + VALUE * (value - target).square().mean() / 2 - ENTROPY * moves.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), NORM)
            optimizer.step()

    if finished:
        moves, games, average = number * GAMES * LENGTH, games + len(finished), float(np.mean(finished))
        run.log(games, moves, {"rollout/score_mean": average, "loss": loss.item()})
        print(f"moves={moves:,} games={games:,} average={average:,.0f} moves/s={moves / run.seconds:,.0f}")
        finished = []


def play(exponents, legal):  # uint8 (N, 4, 4) and bool (N, 4), of all games that are played at once
    shown = np.eye(18, dtype=np.uint8)[exponents].transpose(0, 3, 1, 2)
    with torch.no_grad():
        return agent(torch.as_tensor(shown), torch.as_tensor(legal))[0].probs.argmax(dim=1).numpy()


print(run.evaluate(play))
run.end()
