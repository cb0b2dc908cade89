"""What an agent says of itself, and how fast it decides."""

from __future__ import annotations

import inspect
import re
import time
from typing import Final

from handfoot_sim.agent.interface import Agent
from handfoot_sim.bench.rates import decisions_per_turn
from handfoot_sim.conformance.outcome import Outcome
from handfoot_sim.conformance.subject import SEED, Subject
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.errors import HandfootError
from handfoot_sim.playing import choose_driver, play
from handfoot_sim.rules import Rules

PARTS: Final = ("Idea:", "Source:", "Known weakness:")
"""What the docstring of a strategy's file tells, in the bench that comes with this distribution."""


def is_documented(subject: Subject) -> Outcome:
    """A docstring of the class, meanings of parameters; of bench strategies the file's parts."""
    found = type(subject.agent)
    complaints = []
    if not (found.__doc__ or "").strip():
        complaints.append(
            f'class {found.__name__} has no docstring; write """One line of idea.""" below it'
        )
    for name, param in found.declared.items():
        if not str(param.meaning).strip():
            complaints.append(f"parameter {name} has no meaning; say what it does in Param(...)")
    if found.__module__.startswith("handfoot_agents."):
        complaints += _missing_in_the_bench(found)
    return Outcome(f"the class, {len(found.declared)} parameters", complaints)


def _missing_in_the_bench(found: type[Agent]) -> list[str]:
    module = inspect.getmodule(found)
    text = inspect.getdoc(module) or ""
    missing = [f"the file's docstring has no line {part!r}" for part in PARTS if part not in text]
    if not found.batch:
        source = inspect.getsource(module) if module else ""
        missing += [
            f"parameter {name} is declared but never read"
            for name in found.declared
            if not re.search(rf"\bparams\.{name}\b", source)
        ]
    return missing


def decisions_a_second(subject: Subject) -> Outcome:
    """Plays against itself for about a second on one core; a figure, not a demand."""
    if subject.stuck is not None:
        return Outcome(unjudged="a decision did not end")
    rules = Rules()
    agent = subject.agent
    try:
        pairing = make_pairing([agent, agent], rules, duplicate=False)
        driver = choose_driver(pairing)
        count, taken, turns = 1, 0.0, 0
        while taken < subject.effort.seconds and count < 2**20:
            count *= 2
            begun = time.perf_counter()
            rows = play(pairing, seed=SEED, first_match=0, count=count, driver=driver)
            taken = time.perf_counter() - begun
            turns = int(rows["turns"][:, :, 0].sum())
        sample = 2 if agent.batch else 20
        decisions = turns * decisions_per_turn(agent, driver, rules, sample)
    except HandfootError:
        return Outcome(unjudged="it does not play standard matches to their end")
    return Outcome(
        f"{decisions / taken:,.0f} decisions/s, {count / taken:,.0f} matches/s "
        f"({driver}, one core, {count:,} matches against itself)"
    )
