"""The space that is searched: parameters of an agent as places between 0 and 1.

Methods of search know points only, float64 of shape (dimensions,), each place from 0 to 1. A
fraction lies at its part of the way between its bounds, or of their logarithms. A whole number or a
boolean has an interval of its own, as wide as that of any other value, and is that value wherever
in the interval the place is; so a method that moves in small steps crosses from one to the next.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from handfoot_sim.agent.interface import Agent, Param, Value
from handfoot_sim.errors import AgentError, PlanError

ALL = "all"
"""Stands for every parameter that the agent declares."""


@dataclass(frozen=True)
class Dimension:
    """A parameter that is searched, within bounds (both allowed)."""

    name: str
    kind: type[Value]
    low: float
    high: float
    log: bool = False

    @property
    def values(self) -> int:
        """How many values there are; 0 for a fraction."""
        return 0 if self.kind is float else int(self.high) - int(self.low) + 1

    @property
    def step(self) -> float:
        """What one value more is in places, on average; 0 for a fraction."""
        return 1.0 / self.values if self.values else 0.0

    def value(self, place: float) -> Value:
        """The parameter's value at a place; places outside 0 to 1 are taken as 0 or 1."""
        part = min(1.0, max(0.0, float(place)))
        if self.kind is float:
            return self._between(self.low, self.high, part)
        low, high = self.low - 0.5, self.high + 0.5
        number = round(self._between(low, high, part))
        whole = int(min(self.high, max(self.low, number)))
        return bool(whole) if self.kind is bool else whole

    def place(self, value: Value) -> float:
        """The place of a value: of a whole number the middle of its interval."""
        edge = 0.0 if self.kind is float else 0.5
        low, high, number = self.low - edge, self.high + edge, float(value)
        if self.log:
            low, high, number = math.log(low), math.log(high), math.log(number)
        return min(1.0, max(0.0, (number - low) / (high - low)))

    def _between(self, low: float, high: float, part: float) -> float:
        if self.log:
            found = math.exp(math.log(low) + part * (math.log(high) - math.log(low)))
        else:
            found = low + part * (high - low)
        return min(high, max(low, found))


@dataclass(frozen=True)
class Space:
    """The parameters that are searched, and the values of all the others.

    ``base`` has every parameter of the agent, at the values the search starts from.
    """

    dimensions: tuple[Dimension, ...]
    base: Mapping[str, Value]

    def __len__(self) -> int:
        return len(self.dimensions)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters that are searched."""
        return tuple(each.name for each in self.dimensions)

    @property
    def start(self) -> np.ndarray:
        """The point of the starting values, float64, shape (dimensions,)."""
        return np.array([each.place(self.base[each.name]) for each in self.dimensions])

    def params(self, point: np.ndarray | Sequence[float]) -> dict[str, Value]:
        """All parameters of the agent at a point."""
        return dict(self.base) | {
            each.name: each.value(place) for each, place in zip(self.dimensions, point, strict=True)
        }

    def point(self, params: Mapping[str, Value]) -> np.ndarray:
        """The point of values, float64, shape (dimensions,)."""
        return np.array([each.place(params[each.name]) for each in self.dimensions])


def space_of(agent: Agent, wanted: Sequence[str] = (ALL,)) -> Space:
    """The space of an agent's parameters, from its declaration.

    ``wanted``: names, each with bounds of its own if so asked (``burst=0..10``), or ``all``.
    Raises ``AgentError`` for unknown parameters, ``PlanError`` for bounds that can't be.
    """
    if not agent.declared:
        raise AgentError(f"agent {agent.name} has no parameters to tune")
    asked: dict[str, str] = {}
    for text in wanted:
        name, _, bounds = (part.strip() for part in text.partition("="))
        for each in agent.declared if name == ALL else (name,):
            if each not in agent.declared:
                known = ", ".join(agent.declared)
                raise AgentError(f"agent {agent.name} has no parameter {each!r}; it has: {known}")
            if each in asked and name != ALL:
                raise PlanError(f"params: {each} is named twice; name it once")
            asked.setdefault(each, bounds)
    found = [dimension_of(agent, name, bounds) for name, bounds in asked.items()]
    dimensions = tuple(each for each in found if each.low < each.high)
    if not dimensions:
        raise PlanError("params: there is nothing to tune: name a parameter with two values")
    return Space(dimensions, dict(agent.params))


def dimension_of(agent: Agent, name: str, bounds: str = "") -> Dimension:
    """The dimension of a parameter, with ``LOW..HIGH`` instead of its declared bounds."""
    param = agent.declared[name]
    declared = Dimension(name, param.kind, float(param.low), float(param.high), param.log)
    if not bounds:
        start = agent.params[name]
        return replace(declared, low=min(declared.low, start), high=max(declared.high, start))
    low, high = bounds_of(name, param, bounds)
    if not low <= agent.params[name] <= high:
        raise PlanError(
            f"params: {name} starts at {agent.params[name]!r}, which is outside its bounds {bounds}"
        )
    return replace(declared, low=low, high=high)


def bounds_of(name: str, param: Param, text: str) -> tuple[float, float]:
    """Bounds from ``LOW..HIGH``; ``PlanError`` if they cross or lie outside the declared ones."""
    found = re.fullmatch(r"\s*([^.\s].*?|\.\d+)\s*\.\.\s*(\S+)\s*", text)
    if found is None:
        raise PlanError(f"params: {name}={text} is not of the form {name}=LOW..HIGH")
    try:
        low, high = (float(param.checked(name, word)) for word in found.groups())
    except AgentError as error:
        raise PlanError(f"params: {error}") from None
    if low > high:
        raise PlanError(f"params: {name}={text} has its bounds crossed; write the lower one first")
    return low, high
