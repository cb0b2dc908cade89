"""What a sweep goes over: values of a parameter of the agent, or of a field of the rules.

An axis is written ``name=LOW..HIGH:STEPS`` or ``name=VALUE|VALUE|VALUE``; of an agent's
parameters, ``agent:name=LOW..HIGH:STEPS,other=3`` sweeps one and sets the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import file_named
from handfoot_sim.errors import AgentError, PlanError
from handfoot_sim.rules import Rules, field_value, rules_from_mapping
from handfoot_sim.tuning.space import Dimension, curve_values

STEPS: Final = 7
"""Values of a range that does not say how many."""
MOST_VALUES: Final = 1000
"""Points of a sweep at most."""

_RANGE: Final = re.compile(r"\s*(.*?)\s*\.\.\s*([^:]*?)\s*(?::(.*))?")


@dataclass(frozen=True)
class Axis:
    """Values that are swept: of a parameter ("params") or of a field of the rules ("rules").

    ``own``: the value that it has where it is not swept.
    """

    of: str
    name: str
    values: tuple[Any, ...]
    own: Any

    @property
    def column(self) -> str:
        """Its column in a frame."""
        return f"{self.of}.{self.name}"


def split_swept(specification: str) -> tuple[str, list[str]]:
    """The specification of an agent without its swept parameters, and those, each in words."""
    target = file_named(specification) or specification.partition(":")[0]
    rest = specification[len(target) :]
    if "=" in rest.partition(":")[2].partition(":")[0]:
        head, words = target, rest[1:]
    else:
        chosen, _, words = rest[1:].partition(":")
        head = f"{target}:{chosen}" if rest else target
    pairs = words.split(",") if words else []
    swept = [pair.strip() for pair in pairs if is_swept(pair)]
    plain = ",".join(pair for pair in pairs if not is_swept(pair))
    return f"{head}:{plain}" if plain else head, swept


def is_swept(pair: str) -> bool:
    """Whether ``name=value`` has several values."""
    value = pair.partition("=")[2]
    return ".." in value or "|" in value


def parameter_axis(agent: Agent, text: str) -> Axis:
    """The axis of a parameter; ``AgentError`` or ``PlanError`` for what it can't have."""
    name, words = _split(text)
    if name not in agent.declared:
        known = ", ".join(agent.declared) or "none"
        raise AgentError(f"agent {agent.name} has no parameter {name!r}; it has: {known}")
    param = agent.declared[name]

    def read(word: str) -> Any:
        try:
            return param.checked(name, word)
        except AgentError as error:
            raise AgentError(f"agent {agent.name}: {error}") from None

    return Axis("params", name, _values(text, words, read, param.log), agent.params[name])


def rule_axis(rules: Rules, text: str) -> Axis:
    """The axis of a field of the rules; ``RulesError`` or ``PlanError`` for what it can't have.

    Whether rules with each value can be played is seen when they are made.
    """
    name, words = _split(text)
    if not hasattr(rules, name):
        rules_from_mapping({name: None}, rules)  # says which field may be meant
    values = _values(text, words, lambda word: field_value(name, word), False)
    found = tuple(tuple(value) if isinstance(value, list) else value for value in values)
    return Axis("rules", name, found, getattr(rules, name))


def _split(text: str) -> tuple[str, str]:
    name, mark, words = (part.strip() for part in text.partition("="))
    if not mark or not name or not is_swept(text):
        raise PlanError(
            f"{text!r} is not swept: write name=LOW..HIGH:STEPS, or name=VALUE|VALUE|VALUE"
        )
    return name, words


def _values(text: str, words: str, read: Callable[[str], Any], log: bool) -> tuple[Any, ...]:
    if "|" in words:
        values = [read(word.strip()) for word in words.split("|")]
        for number, value in enumerate(values):
            if value in values[:number]:
                raise PlanError(f"{text}: {value} is named twice; name it once")
        return tuple(values)
    found = _RANGE.fullmatch(words)
    if found is None:
        raise PlanError(f"{text} is not of the form name=LOW..HIGH:STEPS")
    low, high = read(found[1]), read(found[2])
    if not all(isinstance(bound, bool | int | float) for bound in (low, high)):
        raise PlanError(f"{text}: only numbers have ranges; list the values: name=VALUE|VALUE")
    if low > high:
        raise PlanError(f"{text} has its bounds crossed; write the lower one first")
    dimension = Dimension(text, type(low), float(low), float(high), log)
    values = curve_values(dimension, _count(text, found[3], dimension))
    if dimension.kind is float:  # without the last bits of a division, as one would type them
        values = [min(high, max(low, float(f"{value:.12g}"))) for value in values]
    return tuple(dict.fromkeys(values))


def _count(text: str, words: str | None, dimension: Dimension) -> int:
    """How many values a range is to have."""
    there = dimension.values
    if dimension.low == dimension.high:
        raise PlanError(f"{text} is a single value; give two bounds that differ")
    if words is None:
        return min(STEPS, there or STEPS)
    try:
        steps = int(words)
    except ValueError:
        raise PlanError(f"{text}: the steps {words!r} must be a whole number") from None
    if steps < 2:
        raise PlanError(f"{text}: {steps} is too few steps; give at least 2")
    if there and steps > there:
        raise PlanError(f"{text} has {there} values, fewer than {steps}; give {there} at most")
    if steps > MOST_VALUES:
        raise PlanError(f"{text}: {steps:,} steps are too many; give {MOST_VALUES:,} at most")
    return steps
