"""From a league's plan to what is played: members, rules, all checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.engine.pairing import load_lineup
from handfoot_sim.errors import PlanError
from handfoot_sim.rules import Rules
from handfoot_sim.simulation import as_rules
from handfoot_sim.tuning.batches import Setting
from handfoot_sim.tuning.leagues.members import LeagueMember, members_of
from handfoot_sim.tuning.leagues.plan import LeaguePlan, check_purse, purse_of
from handfoot_sim.tuning.preparing import checked
from handfoot_sim.tuning.space import space_of
from handfoot_sim.tuning.trials import check_dimensions


@dataclass(frozen=True)
class PreparedLeague:
    """A plan with all that it names; ``held_out``: the agents of its held-out line-ups."""

    plan: LeaguePlan
    members: list[LeagueMember]
    setting: Setting
    held_out: list[Agent]

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self.setting.rules

    @property
    def agents(self) -> list[Agent]:
        """All agents that are named."""
        return [each.agent for each in self.members] + self.held_out

    @property
    def compiled(self) -> bool:
        """Whether all members are compiled."""
        return not any(each.agent.batch for each in self.members)


def prepare_league(plan: LeaguePlan) -> PreparedLeague:
    """Load and check what a plan names; raises ``PlanError``, ``AgentError``, ``RulesError``.

    In the plan that comes back, files are named by their whole paths.
    """
    plan = checked(plan)
    rules = as_rules(plan.rules)
    if plan.dealer >= rules.players:
        raise PlanError(f"dealer = {plan.dealer} must be below the {rules.players} players")
    members = members_of(plan.agent, plan.pool)
    space = space_of(members[0].agent, plan.params)
    if plan.method == "optuna":
        check_dimensions(space)
    held_out = _held_out(plan, rules, [each.label for each in members])
    for each in plan.transfer or []:
        as_rules(each)
    if not plan.time:
        check_purse(plan, purse_of(plan, None, rules.teams), len(members), rules.teams)
    named = msgspec.structs.replace(
        plan,
        agent=members[0].specification,
        pool=[load_agent(str(text).strip()).specification for text in plan.pool],
    )
    setting = Setting(members[0].specification, rules, plan.dealer, plan.decision_limit or None)
    return PreparedLeague(named, members, setting, held_out)


def _held_out(plan: LeaguePlan, rules: Rules, labels: list[str]) -> list[Agent]:
    """Agents of held-out line-ups, which must be none of the members."""
    found: list[Agent] = []
    for each in plan.held_out or []:
        if each in labels:
            raise PlanError(f"held_out: {each} is in the pool; name others")
        found += load_lineup(each, rules)
    return found


def league_plan_of(asked: dict[str, Any]) -> LeaguePlan:
    """The plan that a manifest tells of; ``PlanError`` if it is damaged."""
    try:
        return msgspec.convert(asked, LeaguePlan)
    except msgspec.ValidationError as error:
        raise PlanError(f"the manifest is damaged: {error}") from None
