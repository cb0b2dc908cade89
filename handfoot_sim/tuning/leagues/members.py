"""Members of a league: agents that never change, the tuned ones among them kept as files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.agent.tuned import ENDING
from handfoot_sim.errors import AgentError, PlanError, RunError
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tuning.best import best_text
from handfoot_sim.tuning.space import space_of
from handfoot_sim.tuning.tune import Tuned

MEMBERS: Final = "members"
"""Folder of a league in which its tuned members lie."""


@dataclass(frozen=True)
class LeagueMember:
    """A member: by what it is loaded, and the generation it came of, 0 for the beginning."""

    specification: str
    agent: Agent
    generation: int = 0

    @property
    def label(self) -> str:
        """Its name in results."""
        return self.agent.label


def member(text: Any) -> LeagueMember:
    """A member of the beginning; ``PlanError`` for what is no single agent with a name."""
    if not isinstance(text, str):
        raise PlanError(
            f"pool: {text!r} can't be found by a name; a league takes NAME, module:Class or a file"
        )
    try:
        agent = load_agent(text.strip())
    except AgentError as error:
        if "+" in text:
            raise PlanError(
                f"pool: {text} can't be loaded ({error}); members of a league are single agents, "
                "not mixed partnerships"
            ) from None
        raise
    return LeagueMember(agent.specification or text, agent)


def members_of(agent: Any, pool: Sequence[Any]) -> list[LeagueMember]:
    """The members of the beginning, the agent first; ``PlanError`` for names that are twice."""
    if not pool:
        raise PlanError("pool: it is empty; name at least one opponent")
    first = member(agent)
    found = [first]
    generated = re.compile(re.escape(plain_name(first.agent)) + r"-g\d+")
    for text in pool:
        each = member(text)
        if generated.fullmatch(each.label):
            raise PlanError(
                f"pool: {each.label} has a name that this league gives to its own members; give "
                "its file another key name"
            )
        if each.label in [other.label for other in found[1:]]:
            raise PlanError(f"pool: {each.label} is named twice; name it once")
        if each.label != first.label:
            found.append(each)
        elif each.agent.params != first.agent.params or type(each.agent) is not type(first.agent):
            raise PlanError(f"pool: {text} and {agent} are both called {each.label}; rename one")
    return found


def plain_name(agent: Agent) -> str:
    """The agent's name without its parameters, fit for a file and for a name in results."""
    return re.sub(r"[,:+=\s/\\]", "_", agent.name)


def strongest(
    members: Sequence[LeagueMember], ratings: Sequence[float], params: Sequence[str]
) -> LeagueMember:
    """The member of the first one's class with the best rating; of equal ones the newest.

    Members that can't be started from are left out: those with a parameter outside the bounds that
    ``params`` gives.
    """
    own = type(members[0].agent)
    found = members[0]
    best = -float("inf")
    for each, rating in zip(members, ratings, strict=True):
        if type(each.agent) is own and rating >= best and _can_start(each.agent, params):
            found, best = each, rating
    return found


def _can_start(agent: Agent, params: Sequence[str]) -> bool:
    try:
        space_of(agent, params)
    except PlanError:
        return False
    return True


def add_member(
    folder: RunFolder, first: LeagueMember, generation: int, tuned: Tuned
) -> LeagueMember:
    """Write the file of a tuned member, or find it as it was written; ``RunError`` if changed."""
    name = f"{plain_name(first.agent)}-g{generation}"
    place = f"{MEMBERS}/{name}{ENDING}"
    try:
        folder.read(place)
    except FileNotFoundError:
        folder.write(place, best_text(tuned, name).encode())
    loaded = load_agent(folder.place(place))
    if (loaded.label, loaded.params) != (name, tuned.answer):
        raise RunError(
            f"{folder.place(place)} was changed, but members of a league stay as they are; delete "
            "it and go on (it is written anew), or begin another league with --out"
        )
    return LeagueMember(loaded.specification or folder.place(place), loaded, generation)
