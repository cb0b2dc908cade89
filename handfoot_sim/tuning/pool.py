"""The pool: whom a strategy is tuned against, and how much each counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from handfoot_sim.agent.interface import Agent
from handfoot_sim.engine.pairing import lineup_label, load_lineup
from handfoot_sim.errors import PlanError
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import fill, recorded_ledgers
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.runs.manifest import Manifest, read_manifest
from handfoot_sim.runs.shards import shards_in
from handfoot_sim.tournament.entrants import variants_of
from handfoot_sim.tournament.standings import field_of

ITSELF: Final = "itself"
"""Stands for the agent with the parameters that the search starts from."""

NASH: Final = "nash:"
"""Before a tournament's run folder: its line-ups, weighted by its Nash mix."""

LEAST_SHARE: Final = 0.005
"""Line-ups that a Nash mix gives less are left out of the pool."""


@dataclass(frozen=True)
class Member:
    """An opponent: how its line-up is named, its label in results, its weight (of all, 1)."""

    lineup: Any
    label: str
    weight: float


@dataclass(frozen=True)
class Pool:
    """Opponents with weights that add up to 1."""

    members: tuple[Member, ...]

    @property
    def weights(self) -> np.ndarray:
        """Weight of each member, float64, shape (members,)."""
        return np.array([member.weight for member in self.members])

    @property
    def labels(self) -> tuple[str, ...]:
        """Label of each member."""
        return tuple(member.label for member in self.members)

    def shares(self, pairs: int) -> tuple[int, ...]:
        """``pairs`` divided among the members by weight, at least 1 each."""
        return tuple(max(1, round(pairs * member.weight)) for member in self.members)

    def text(self) -> str:
        """Members and weights in words."""
        if len(self.members) == 1:
            return self.members[0].label
        return ", ".join(f"{each.label} ({each.weight:.0%})" for each in self.members)


def pool_of(against: Sequence[Any], start: Agent, rules: Rules) -> Pool:
    """The pool of opponents as they are asked for.

    Each is a line-up with ``*WEIGHT`` after it if it is not 1, ``itself``, or ``nash:DIR``, whose
    weights are parts of its own; or a line-up made in Python. Raises ``PlanError`` or
    ``AgentError``.
    """
    found: list[Member] = []
    written: dict[str, str] = {}
    for each in against:
        text, weight = _weighted(each)
        if isinstance(text, str) and text.startswith(NASH):
            mixed = nash_members(text.removeprefix(NASH), rules)
            found += [Member(m.lineup, m.label, m.weight * weight) for m in mixed]
        elif text == ITSELF:
            found.append(Member(start.specification or start, ITSELF, weight))
        else:
            lineup = load_lineup(text, rules)
            named = tuple(agent.specification or agent for agent in lineup)
            _check_label(lineup_label(lineup), text, written)
            found.append(Member(named, lineup_label(lineup), weight))
    if not found:
        raise PlanError("against: the pool is empty; name at least one opponent")
    labels = [member.label for member in found]
    for label in labels:
        if labels.count(label) > 1:
            raise PlanError(f"against: {label} is named twice; name it once, with *WEIGHT")
    total = sum(member.weight for member in found)
    return Pool(tuple(Member(m.lineup, m.label, m.weight / total) for m in found))


def _check_label(label: str, text: Any, written: dict[str, str]) -> None:
    """Refuse two line-ups, written differently, that have one label; ``PlanError``."""
    earlier = written.setdefault(label, str(text))
    if earlier != str(text):
        raise PlanError(
            f"against: {earlier} and {text} are both called {label} in results; rename a file, or "
            "name one of them"
        )


def _weighted(text: Any) -> tuple[Any, float]:
    """A line-up and its weight."""
    found = re.fullmatch(r"(.+)\*([^*/\\]+)", text.strip()) if isinstance(text, str) else None
    if found is None:
        return text.strip() if isinstance(text, str) else text, 1.0
    try:
        weight = float(found[2])
    except ValueError:
        weight = 0.0
    if not 0.0 < weight < 1e9:
        raise PlanError(f"against: {text}: the weight {found[2]!r} must be a number above 0")
    return found[1].strip(), weight


def nash_members(where: str, rules: Rules) -> list[Member]:
    """The line-ups of a finished tournament that its Nash mix plays, with their shares."""
    folder = folder_at(where)
    manifest = read_manifest(folder)
    if manifest.kind != "tournament":
        raise PlanError(f"against: {where} is no tournament, so it has no Nash mix")
    ledgers = fill(recorded_ledgers(manifest), folder, shards_in(folder))
    for variant in variants_of(ledgers):
        if variant.rules == rules:
            field = field_of(variant.labels, variant.encounters, 0, manifest.seed)
            if field.nash is None:
                raise PlanError(
                    f"against: not all line-ups of {where} have met, so there is no Nash mix; "
                    "use a finished round robin"
                )
            lineups = _lineups(manifest)
            return [
                Member(lineups[label], label, float(share))
                for label, share in zip(variant.labels, field.nash, strict=True)
                if share >= LEAST_SHARE
            ]
    raise PlanError(f"against: {where} was played by other rules; give those with --rules")


def _lineups(manifest: Manifest) -> dict[str, tuple[str, ...]]:
    """How the line-ups of a run are named, by label."""
    found: dict[str, tuple[str, ...]] = {}
    for pairing, work in zip(manifest.pairings, manifest.works(), strict=True):
        found |= dict(zip(pairing.labels, work.lineups, strict=True))
    return found
