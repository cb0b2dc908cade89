"""From a plan to what is played: the agent, the pool, the space, the rules, all checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import (
    agent_class,
    agent_names,
    file_named,
    load_agent,
    split_specification,
)
from handfoot_sim.engine.pairing import load_lineup
from handfoot_sim.errors import PlanError
from handfoot_sim.rules import PRESETS, Rules
from handfoot_sim.simulation import as_rules
from handfoot_sim.tournament.entrants import rules_text
from handfoot_sim.tuning.batches import Setting
from handfoot_sim.tuning.deciding import HEAD_TO_HEAD, HELD_OUT, POOL
from handfoot_sim.tuning.plan import TunePlan
from handfoot_sim.tuning.pool import ITSELF, Pool, pool_of
from handfoot_sim.tuning.space import Space, space_of

AT_RANDOM: Final = "random_legal"
"""No held-out opponent unless asked for: a gain against play at random says nothing."""

LISTS: Final = frozenset({"against", "held_out", "over", "params", "pool", "transfer"})
"""Fields of plans that are lists."""

PlanType = TypeVar("PlanType", bound=msgspec.Struct)


@dataclass(frozen=True)
class Prepared:
    """A plan with all that it names.

    ``groups``: the pool, held-out opponents, the start; ``rules``: those tuned for first, then
    those that the answer is also looked at under, each with its name.
    """

    plan: TunePlan
    agent: Agent
    setting: Setting
    pool: Pool
    groups: tuple[tuple[str, Pool], ...]
    rules: tuple[tuple[str, Rules], ...]
    space: Space

    @property
    def agents(self) -> list[Agent]:
        """All agents that play, the tuned one first."""
        found = [self.agent]
        for _, pool in self.groups:
            for member in pool.members:
                found += load_lineup(member.lineup, self.setting.rules)
        return found

    @property
    def compiled(self) -> bool:
        """Whether all agents are compiled."""
        return not any(agent.batch for agent in self.agents)


def checked(plan: PlanType) -> PlanType:
    """A plan, of a search or a league, checked field by field; ``PlanError`` in a sentence."""
    fields = {name: getattr(plan, name) for name in plan.__struct_fields__}
    for name in sorted(LISTS & fields.keys()):
        if fields[name] is not None and not isinstance(fields[name], list | tuple):
            raise PlanError(f"{name}: expected a list, got {fields[name]!r}")
        if fields[name] is not None:
            fields[name] = list(fields[name])
    try:
        return msgspec.convert(fields, type(plan))
    except msgspec.ValidationError as error:
        sentence, _, place = str(error).partition(" - at `$.")
        key = place.rstrip("`")
        words = sentence[:1].lower() + sentence[1:].replace("`", "").replace(" | null", "")
        raise PlanError(f"{key}: {words}" if key else words) from None


def prepare(plan: TunePlan) -> Prepared:
    """Load and check what a plan names; raises ``PlanError``, ``AgentError``, ``RulesError``."""
    plan = checked(plan)
    if isinstance(plan.agent, str) and "+" in plan.agent and file_named(plan.agent) is None:
        raise PlanError(f"agent: {plan.agent} is a partnership; name the one agent to tune")
    agent = load_agent(plan.agent)
    rules = as_rules(plan.rules)
    if plan.dealer >= rules.players:
        raise PlanError(f"dealer = {plan.dealer} must be below the {rules.players} players")
    space = space_of(agent, plan.params)
    pool = pool_of(plan.against, agent, rules)
    setting = Setting(agent.specification or agent, rules, plan.dealer, plan.decision_limit or None)
    groups = [(POOL, pool)]
    held_out = _held_out(plan, agent, pool)
    if held_out:
        groups.append((HELD_OUT, pool_of(held_out, agent, rules)))
    if pool.labels != (ITSELF,):
        groups.append((HEAD_TO_HEAD, pool_of([ITSELF], agent, rules)))
    return Prepared(plan, agent, setting, pool, tuple(groups), tuple(_rules(plan, rules)), space)


def _held_out(plan: TunePlan, agent: Agent, pool: Pool) -> list[Any]:
    """Opponents that the search does not meet: as asked, or all other compiled agents."""
    if plan.held_out is not None:
        for each in plan.held_out:
            if each in pool.labels:
                raise PlanError(f"held_out: {each} is in the pool; name others")
        return list(plan.held_out)
    return [
        name
        for name in sorted(agent_names())
        if name not in (*pool.labels, agent.name, AT_RANDOM) and not agent_class(name)[0].batch
    ]


def _rules(plan: TunePlan, rules: Rules) -> list[tuple[str, Rules]]:
    """The rules, and those of transfer: as asked, or presets for as many players and teams."""
    if plan.transfer is None:
        others: Sequence[Any] = [
            each
            for each in PRESETS.values()
            if each != rules and (each.players, each.teams) == (rules.players, rules.teams)
        ]
    else:
        others = plan.transfer
    found = [rules]
    for each in others:
        made = as_rules(each)
        if made not in found:
            found.append(made)
    return [(rules_text(each), each) for each in found]


def asked_of(plan: msgspec.Struct) -> dict[str, Any]:
    """A plan as a manifest keeps it; agents made in Python by their labels."""
    found: dict[str, Any] = {}
    for name in plan.__struct_fields__:
        value = getattr(plan, name)
        if value not in (None, ""):
            found[name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Rules):
        return value.as_mapping()
    if isinstance(value, Agent):
        return value.specification or f"{value.label} (made in Python)"
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | dict) else repr(value)


def plan_of(asked: dict[str, Any]) -> TunePlan:
    """The plan that a manifest tells of; ``PlanError`` if an agent can't be found by a name."""
    try:
        plan = msgspec.convert(asked, TunePlan)
    except msgspec.ValidationError as error:
        raise PlanError(f"the manifest is damaged: {error}") from None
    for each in (plan.agent, *plan.against, *(plan.held_out or ())):
        target = each if isinstance(each, str) else ""
        if target.endswith("(made in Python)"):
            raise PlanError(
                f"agent {target} can't be found by a name; go on by the call that began the run"
            )
    split_specification(str(plan.agent))
    return plan
