"""Who sits where: the line-ups of a pairing, as the drivers take them.

A *line-up* is what plays one team: one agent for all its seats, or one for each (a mixed
partnership, ``greedy+random_legal``). In mirror k every line-up has moved k teams on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from handfoot_sim.agent.calling import SEATED
from handfoot_sim.agent.compiling import CompiledDecisions, compile_decisions
from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import file_named, load_agent
from handfoot_sim.errors import AgentError
from handfoot_sim.rules import Rules

Lineup = tuple[Agent, ...]
AgentLike = str | Agent | type[Agent]


def load_lineup(text: AgentLike | Sequence[AgentLike], rules: Rules) -> Lineup:
    """The agents of one team, by seat: ``a``, ``a+b``, an agent, or a sequence of agents.

    Raises ``AgentError`` unless it names one agent, or one for each seat of a team.
    """
    if isinstance(text, str):
        file = file_named(text)
        whole = file is not None and Path(file).expanduser().is_file()
        parts: Sequence[AgentLike] = [text] if whole else text.split("+")
    elif isinstance(text, Sequence):
        parts = text
    else:
        parts = [text]
    seats = rules.seats_per_team
    if len(parts) not in (1, seats) or not parts:
        raise AgentError(
            f"line-up {text!r} names {len(parts)} agents, but a team has {seats} seats: "
            f"name one agent, or {seats} joined by +"
        )
    agents = [load_agent(part) for part in parts]
    return tuple(agents) if len(agents) == seats else tuple(agents * seats)


def lineup_label(lineup: Lineup) -> str:
    """Label in results: ``a``, or ``a+b`` where the seats differ."""
    labels = [agent.label for agent in lineup]
    return labels[0] if len(set(labels)) == 1 else "+".join(labels)


@dataclass(frozen=True)
class Pairing:
    """Line-ups that play each other, with the seats they take in each mirror.

    Attributes
    ----------
    rules : Rules
        What they play by.
    lineups : tuple
        One line-up a team, as they sit in mirror 0.
    agents : tuple of Agent
        The different agents among them.
    seat_agents : numpy.ndarray
        Int64, shape (mirrors, players): which of ``agents`` plays a seat.
    """

    rules: Rules
    lineups: tuple[Lineup, ...]
    agents: tuple[Agent, ...]
    seat_agents: np.ndarray

    @property
    def mirrors(self) -> int:
        """How many times the same cards are played."""
        return len(self.seat_agents)

    @property
    def labels(self) -> tuple[str, ...]:
        """Label of each line-up."""
        return tuple(lineup_label(lineup) for lineup in self.lineups)

    @property
    def compiled(self) -> bool:
        """Whether the fused driver can play it."""
        return not any(agent.batch for agent in self.agents)

    def seat_labels(self, mirror: int) -> list[str]:
        """Label of the agent at each seat."""
        return [self.agents[index].label for index in self.seat_agents[mirror]]

    def seated(self) -> tuple[np.ndarray, list[CompiledDecisions | None]]:
        """The agents as the engine calls them, dtype ``SEATED``, shape (agents,).

        The second value keeps the compiled code alive (None for a batch agent, whose addresses
        are 0). Compiles what has not been compiled in this process.
        """
        records = np.zeros(len(self.agents), SEATED)
        kept: list[CompiledDecisions | None] = []
        for index, agent in enumerate(self.agents):
            compiled = None if agent.batch else compile_decisions(type(agent))
            if compiled is not None:
                records["address"][index] = compiled.addresses
                records["own"][index] = compiled.own
            records["params"][index] = agent.params_record()[0]
            kept.append(compiled)
        return records, kept


def make_pairing(
    lineups: Sequence[AgentLike | Sequence[AgentLike]], rules: Rules, duplicate: bool = True
) -> Pairing:
    """Seat the line-ups: two of them (the second takes all other teams), or one a team.

    With ``duplicate`` there are as many mirrors as teams, else one.
    """
    if not isinstance(lineups, Sequence) or isinstance(lineups, str | bytes):
        raise AgentError(
            f"{lineups!r} is no list of line-ups; give one such as ['greedy', 'mine.py']"
        )
    if len(lineups) not in (2, rules.teams):
        raise AgentError(
            f"a pairing takes 2 line-ups, or {rules.teams} where there are {rules.teams} teams"
        )
    loaded = [load_lineup(each, rules) for each in lineups]
    teams = tuple(loaded[min(team, len(loaded) - 1)] for team in range(rules.teams))
    agents: list[Agent] = []
    index: dict[tuple[Any, str], int] = {}
    for lineup in teams:
        for agent in lineup:
            key = (type(agent), repr(agent.params))
            if key not in index:
                index[key] = len(agents)
                agents.append(agent)
    mirrors = rules.teams if duplicate else 1
    seats = np.zeros((mirrors, rules.players), np.int64)
    for mirror in range(mirrors):
        for seat in range(rules.players):
            lineup = teams[(seat - mirror) % rules.teams]
            agent = lineup[seat // rules.teams]
            seats[mirror, seat] = index[type(agent), repr(agent.params)]
    return Pairing(rules, teams, tuple(agents), seats)
