"""Decisions a second and core, side by side with other card-game engines.

Random play of OpenSpiel's hearts, spades and gin_rummy (its C++ core, with its own random bots),
RLCard's gin-rummy and Pgx's sparrow_mahjong, each where it is installed (`pip install
'.[bench]'`), against this engine's greedy and random_legal. All are played in turn, several
rounds over; medians are printed. A decision is one answer of a player; what the cards do is not
counted, except for OpenSpiel's "actions", which count both.

    python benchmarks/peers.py [--rounds 5] [--seconds 1.0]
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable

import numpy as np
from tabulate import tabulate

from handfoot_sim.bench.rates import decisions_per_turn, play_part
from handfoot_sim.rules import Rules

Player = Callable[[float], dict[str, float]]
"""Plays for about so many seconds; figures a second, by what is counted."""


def handfoot(agent: str) -> Player:
    """This engine, fused, one core."""
    rules = Rules()
    per_turn = decisions_per_turn(agent, "fused", rules)

    def play(seconds: float) -> dict[str, float]:
        turns, first, start = 0, 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            turns += play_part(agent, "fused", rules, first, 500)
            first += 500
        return {"decisions": turns * per_turn / (time.perf_counter() - start)}

    return play


def open_spiel(name: str) -> Player:
    """A game of OpenSpiel, played by its C++ random bots."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(p, p + 1) for p in range(game.num_players())]

    def play(seconds: float) -> dict[str, float]:
        actions = decisions = number = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, number)
            history = state.full_history()
            actions += len(history)
            decisions += sum(step.player >= 0 for step in history)
            number += 1
        taken = time.perf_counter() - start
        return {"decisions": decisions / taken, "actions": actions / taken}

    return play


def rlcard() -> Player:
    """RLCard's gin-rummy with its random agents."""
    import rlcard as library
    from rlcard.agents import RandomAgent

    env = library.make("gin-rummy")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(seconds: float) -> dict[str, float]:
        decisions, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            trajectories, _ = env.run(is_training=False)
            decisions += sum(len(each) // 2 for each in trajectories)
        return {"decisions": decisions / (time.perf_counter() - start)}

    return play


def pgx() -> Player:
    """Pgx's sparrow_mahjong, 1,024 games side by side on the CPU."""
    import jax
    import jax.numpy as jnp
    import pgx as library

    env = library.make("sparrow_mahjong")
    games = 1024
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @jax.jit
    def choose(key: jax.Array, mask: jax.Array) -> jax.Array:
        return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)

    def play(seconds: float) -> dict[str, float]:
        key = jax.random.PRNGKey(0)
        decisions, taken = 0, 0.0
        while taken < seconds:
            key, first = jax.random.split(key)
            state = init(jax.random.split(first, games))
            start = time.perf_counter()
            while not bool((state.terminated | state.truncated).all()):
                decisions += int((~(state.terminated | state.truncated)).sum())
                key, first = jax.random.split(key)
                state = step(state, choose(first, state.legal_action_mask))
            taken += time.perf_counter() - start
        return {"decisions": decisions / taken}

    return play


def players() -> dict[str, Player]:
    """All that can be measured here."""
    found = {f"handfoot-sim {name}": handfoot(name) for name in ("greedy", "random_legal")}
    if importlib.util.find_spec("pyspiel"):
        for name in ("hearts", "spades", "gin_rummy"):
            found[f"OpenSpiel {name} (C++)"] = open_spiel(name)
    if importlib.util.find_spec("rlcard"):
        found["RLCard gin-rummy"] = rlcard()
    if importlib.util.find_spec("pgx"):
        found["Pgx sparrow_mahjong (1,024 games)"] = pgx()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    words = parser.parse_args()
    everyone = players()
    for play in everyone.values():
        play(0.05)
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in everyone}
    for _ in range(words.rounds):
        for name, play in everyone.items():
            rounds[name].append(play(words.seconds))
    rows = []
    base = np.median([each["decisions"] for each in rounds["handfoot-sim greedy"]])
    for name, figures in rounds.items():
        decisions = np.median([each["decisions"] for each in figures])
        actions = np.median([each.get("actions", np.nan) for each in figures])
        shown = "-" if np.isnan(actions) else f"{actions:,.0f}"
        rows.append((name, f"{decisions:,.0f}", shown, f"{base / decisions:,.1f}"))
    headers = ("engine, one core", "decisions/s", "actions/s", "greedy is faster by")
    print(tabulate(rows, headers, disable_numparse=True, colalign=("left", *["right"] * 3)))


if __name__ == "__main__":
    main()
