"""What a tournament is to play: its plan, from a TOML file or from the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from handfoot_sim.agent.loading import agent_class, agent_names
from handfoot_sim.errors import HandfootError, PlanError, first_line
from handfoot_sim.rules import Rules, rules_from_mapping, rules_from_words
from handfoot_sim.simulation import DECISION_LIMIT
from handfoot_sim.stopping import (
    MOST_MATCHES,
    STEP,
    StopRule,
    rule_asked,
    seconds_of,
)

FORMATS: Final = ("round-robin", "gauntlet", "cross-play", "ladder")
WORDS: Final = {
    "format": FORMATS,
    "until": ("matches", "half-width", "sprt"),
    "on_illegal": ("stop", "forfeit"),
}
"""The words that keys of a plan allow."""

ALL: Final = "all"
"""Stands for every compiled agent that can be named."""

MATCHES: Final = 20_000
"""Matches of a pairing unless the plan says or a stop rule is given."""

_Number = float | None
_RulesWords = str | dict[str, Any]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament as it is asked for; the keys are those of a plan's TOML file.

    Attributes
    ----------
    agents : list of str
        Line-ups: agents with parameters, mixed partnerships (``a+b``), or ``all``. In a gauntlet
        the first plays all others; in a ladder the first is the candidate, the others its
        versions, oldest first.
    format : str
        "round-robin": every two. "gauntlet": the first against each other one. "cross-play": every
        two agents as partners, each partnership against ``opponent``. "ladder": the candidate
        against each version, and each version against the next.
    opponent : str
        The line-up that partnerships of a cross-play meet.
    matches : int or None
        Matches of each pairing, rounded up to whole sets of mirrors; with a stop rule the most.
    seed, dealer, on_illegal, decision_limit
        As in a comparison; all pairings play the same cards.
    rules : str | dict | list
        A preset, a TOML file, or a table of fields; a list of those crosses every pairing with
        each of them.
    until : str
        "matches", "half-width" (with ``below``) or "sprt" (with ``elo0``, ``elo1`` or
        ``margin0``, ``margin1``, and ``alpha``, ``beta``).
    step : int
        Matches of a pairing between two looks at its stop rule.
    time : str
        A time budget for playing, such as "10m"; what has begun is finished.
    anchor : str
        The line-up whose rating is 0; the first unless given.
    """

    agents: Annotated[list[str], Meta(min_length=1)]
    format: Literal["round-robin", "gauntlet", "cross-play", "ladder"] = "round-robin"
    opponent: str = ""
    matches: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    seed: Annotated[int, Meta(ge=0)] = 0
    dealer: Annotated[int, Meta(ge=0, le=5)] = 0
    on_illegal: Literal["stop", "forfeit"] = "stop"
    decision_limit: Annotated[float, Meta(ge=0)] = DECISION_LIMIT
    rules: _RulesWords | list[_RulesWords] = "standard"
    until: Literal["matches", "half-width", "sprt"] = "matches"
    below: _Number = None
    elo0: _Number = None
    elo1: _Number = None
    margin0: _Number = None
    margin1: _Number = None
    alpha: _Number = None
    beta: _Number = None
    step: Annotated[int, Meta(ge=2, le=10**9)] = STEP
    time: str = ""
    anchor: str = ""

    def __post_init__(self) -> None:
        """Check what belongs together; raises ``PlanError``."""
        if isinstance(self.agents, str):
            raise PlanError(f"agents: expected array, got str ({self.agents!r})")
        least = 1 if self.format == "cross-play" else 2
        if len(self.agents) < least:
            raise PlanError(
                f"agents: a {self.format} takes at least {least} agents, but {len(self.agents)} "
                "is given"
            )
        for number, name in enumerate(self.agents):
            if name in self.agents[:number]:
                raise PlanError(f"agents: {name} is named twice; name it once")
        if (self.format == "cross-play") != bool(self.opponent):
            wanted = "needs an" if self.format == "cross-play" else "takes no"
            raise PlanError(f"opponent: a {self.format} {wanted} opponent")
        if self.seed >= 2**64:
            raise PlanError(f"seed: {self.seed} must be below 2**64")
        self.stop()
        self.budget()

    def stop(self) -> StopRule | None:
        """The rule by which a pairing stops before its last match."""
        return rule_asked(msgspec.structs.asdict(self))

    def budget(self) -> float | None:
        """Seconds that playing may take, or None."""
        return seconds_of(self.time) if self.time else None

    @property
    def most_matches(self) -> int:
        """Matches of a pairing, or the most where a rule stops it before."""
        if self.matches is not None:
            return self.matches
        return MATCHES if self.until == "matches" and not self.time else MOST_MATCHES

    def variants(self) -> list[Rules]:
        """The rules to play by, each variant checked; raises ``RulesError``."""
        given = self.rules if isinstance(self.rules, list) else [self.rules]
        if not given:
            raise PlanError("rules: the list is empty; name at least one variant")
        made = [
            rules_from_words(each) if isinstance(each, str) else rules_from_mapping(each)
            for each in given
        ]
        for number, each in enumerate(made):
            if each in made[:number]:
                raise PlanError(f"rules: variant {number + 1} is the same as an earlier one")
        return made


def split_agents(text: str) -> list[str]:
    """Agents of a list with commas: ``greedy:pile_min=3,rush=2,closer`` names two.

    A part that begins with ``name=`` goes on with the parameters of the agent before it.
    """
    agents: list[str] = []
    for part in text.split(","):
        if agents and re.match(r"\s*\w+\s*=", part):
            agents[-1] += f",{part}".rstrip()
        elif part.strip():
            agents.append(part.strip())
    return agents


def with_all(agents: list[Any]) -> list[Any]:
    """Agents with ``all`` replaced by every compiled agent that can be named, in order of names.

    Batch agents are left out: the one that comes along is another's copy, and much slower.
    Raises ``PlanError`` if ``all`` is named twice.
    """
    if ALL not in agents:
        return agents
    if agents.count(ALL) > 1:
        raise PlanError(f"agents: {ALL} is named twice; name it once")
    named = [name for name in sorted(agent_names()) if not agent_class(name)[0].batch]
    place = agents.index(ALL)
    rest = [name for name in named if name not in agents]
    return agents[:place] + rest + agents[place + 1 :]


def plan_from_mapping(fields: dict[str, Any]) -> Plan:
    """A plan from its keys and values; raises ``PlanError`` or ``RulesError``."""
    agents = fields.get("agents")
    if isinstance(agents, list):
        fields = fields | {"agents": with_all(agents)}
    try:
        return msgspec.convert(fields, Plan)
    except msgspec.ValidationError as error:
        where, sentence = _told(error)
        raise PlanError(f"{where}: {sentence}" if where else sentence) from None


def checked(plan: Plan) -> Plan:
    """A plan that was made in Python, checked as one of a file is; raises ``PlanError``."""
    return plan_from_mapping(msgspec.structs.asdict(plan))


def plan_from_toml(path: str | Path, changes: dict[str, Any] | None = None) -> Plan:
    """A plan from a TOML file, with ``changes`` of the command line over its keys.

    Raises ``PlanError`` that names the file, and the line and the key where one is at fault.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{path} is not TOML: {error}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise PlanError(f"the plan {path} can't be read: {first_line(error)}") from None
    try:
        made = plan_from_mapping(fields | (changes or {}))
        made.variants()
    except HandfootError as error:
        raise PlanError(f"{path}{_line_at_fault(text, str(error))}: {error}") from None
    return made


def _told(error: msgspec.ValidationError) -> tuple[str, str]:
    """The key at fault and what is wrong with it, from a message of msgspec."""
    message = str(error)
    unknown = re.match(r"Object contains unknown field `(.*?)`", message)
    if unknown:
        return unknown[1], f"there is no such key; allowed are {', '.join(Plan.__struct_fields__)}"
    missing = re.match(r"Object missing required field `(.*?)`", message)
    if missing:
        return missing[1], "this key is missing"
    sentence, _, place = message.partition(" - at `$.")
    key = place.rstrip("`")
    if key in WORDS and sentence.startswith("Invalid enum value"):
        return key, f"{sentence.split()[-1]} must be one of {', '.join(WORDS[key])}"
    word = sentence[:1].lower() + sentence[1:]
    return key, word.replace("`", "").replace(" | null", "")


def _line_at_fault(text: str, sentence: str) -> str:
    """``, line N`` for the key that begins a sentence or stands in it, where the file has it."""
    key, _, rest = sentence.partition(":")
    field = re.match(r" (?:there is no field '(\w+)'|(\w+) = )", rest) if key == "rules" else None
    words = [field[1] or field[2]] if field else []
    words += [key.partition("[")[0].partition(".")[0].strip()]
    words += [sentence.split()[0], *re.findall(r"\b\w+\b(?= = )", sentence)]
    words += [word for word in Plan.__struct_fields__ if re.search(rf"\b{word}\b", sentence)]
    lines = text.splitlines()
    for word in words:
        pattern = re.compile(rf"(?:^\s*|[{{,]\s*)[\"']?{re.escape(word)}[\"']?\s*=|^\s*\[+{word}\b")
        for number, line in enumerate(lines, 1):
            if word and pattern.search(line):
                return f", line {number}"
    return ""


def agents_of(lists: Iterable[str], single: Iterable[str]) -> list[str]:
    """Agents of the options ``--agents`` (lists with commas) and ``--agent`` (one each)."""
    return [agent for text in lists for agent in split_agents(text)] + list(single)
