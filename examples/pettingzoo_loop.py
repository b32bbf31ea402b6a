"""PettingZoo's two loops: one agent at a time (AEC), and all agents at once (Parallel).

    python examples/pettingzoo_loop.py

Random legal actions play a game of Konquista, in which players act in turn, and a game of
Quantaris, in which they act at once. A game is fixed by its seed and those of the action spaces,
so the output is always the same:

    konquista: 883 decisions, returns {'player_0': 0.0, 'player_1': -1.0, 'player_2': 1.0}
    quantaris: 21 turns, returns {'player_0': -1.0, 'player_1': 1.0}
"""

from __future__ import annotations

import pettingzoo

import axiom_gym  # noqa: F401 - registers the games


def play_in_turn() -> None:
    """Play Konquista; `agent_iter` yields the player who decides next."""
    env = pettingzoo.make("aec", "axiom/konquista-v0", players=3)
    env.reset(seed=1)
    decisions = 0
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)  # PettingZoo's convention for an agent whose episode has ended
            continue
        env.step(env.action_space(agent).sample(observation["action_mask"]))
        decisions += 1
    print(f"konquista: {decisions} decisions, returns {returns}")


def play_at_once() -> None:
    """Play Quantaris; each step takes the actions of all agents."""
    env = pettingzoo.make("parallel", "axiom/quantaris-v0", ruleset="0.1")
    observations, _ = env.reset(seed=1)
    turns = 0
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    while env.agents:
        actions = {
            agent: env.action_space(agent).sample(observations[agent]["action_mask"])
            for agent in env.agents
        }
        observations, rewards, _, _, _ = env.step(actions)
        for agent, reward in rewards.items():
            returns[agent] += reward
        turns += 1
    print(f"quantaris: {turns} turns, returns {returns}")


if __name__ == "__main__":
    play_in_turn()
    play_at_once()
