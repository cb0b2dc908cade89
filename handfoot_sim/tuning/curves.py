"""Sensitivity: what becomes of the answer when one parameter, or two, have other values.

All points of all curves play the same cards as the answer does, so what is shown is a paired
difference, and a curve's points differ from each other by less than their intervals say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from handfoot_sim.agent.interface import Value
from handfoot_sim.tally import Estimate, mean_estimate
from handfoot_sim.tuning.batches import Batch, Evaluated, Request, Setting
from handfoot_sim.tuning.evaluations import Book
from handfoot_sim.tuning.plan import derived_seed
from handfoot_sim.tuning.pool import Pool
from handfoot_sim.tuning.space import Dimension, Space

STEPS: Final = 7
"""Values of a parameter along its curve."""
GRID_STEPS: Final = 6
"""Values of each of two parameters in a grid."""
BLOCKS: Final = 20
"""Blocks of cards, over which intervals are computed."""
PARTS: Final = 4
"""Batches that the blocks are played in, so that what was killed loses little."""


@dataclass(frozen=True)
class CurvePoint:
    """One or two parameters at other values, and what that gains over the answer, points a match.

    ``changed``: the values by name; the interval is over blocks of ``pairs`` pairs in all.
    """

    changed: dict[str, Value]
    gain: Estimate
    pairs: int
    failure: str = ""


def curve_values(dimension: Dimension, steps: int) -> list[Value]:
    """Values from the lowest to the highest, evenly placed; fewer where there are no more."""
    if dimension.values and dimension.values <= steps:
        return [dimension.kind(int(dimension.low) + n) for n in range(dimension.values)]
    if dimension.kind is float:
        return [dimension.value(place) for place in np.linspace(0.0, 1.0, steps)]
    edge = dimension.step / 2
    found = [dimension.value(place) for place in np.linspace(edge, 1.0 - edge, steps)]
    return list(dict.fromkeys(found))


def points_on_curves(space: Space, answer: dict[str, Value]) -> list[dict[str, Value]]:
    """The changes of one parameter that the curves are made of; the answer itself is left out."""
    return [
        {each.name: value}
        for each in space.dimensions
        for value in curve_values(each, STEPS)
        if value != answer[each.name]
    ]


def points_on_grid(
    space: Space, answer: dict[str, Value], names: tuple[str, str]
) -> list[dict[str, Value]]:
    """The values of two parameters that the grid is made of, the answer's own among them."""
    first, second = (
        sorted({*curve_values(each, GRID_STEPS), answer[name]})
        for name in names
        for each in space.dimensions
        if each.name == name
    )
    return [{names[0]: a, names[1]: b} for a in first for b in second]


def changes_at(
    book: Book,
    setting: Setting,
    pool: Pool,
    answer: dict[str, Value],
    changes: Sequence[dict[str, Value]],
    matches: int,
    stage: str,
    seed: int,
) -> list[CurvePoint]:
    """Play the answer with each of the changes, on the same cards as the answer itself.

    ``stage`` names the batches ("curves", "grid"), whose cards are those of nothing else.
    """
    requests = (
        Request("answer", answer),
        *(Request(stage, answer | changed) for changed in changes),
    )
    cards = derived_seed(seed, stage)
    each = matches // (len(requests) * setting.rules.teams * BLOCKS)
    counts = pool.shares(max(len(pool.members), each))
    parts: list[Evaluated] = []
    first = 0
    for number in range(PARTS):
        batch = Batch(
            f"{stage}-{number}", setting, pool, requests, counts, BLOCKS // PARTS, cards, first
        )
        first += batch.cards
        parts.append(book.evaluate(batch))
    blocks = np.concatenate([part.blocks for part in parts], axis=1)
    messages = [
        next(filter(None, each), "") for each in zip(*(p.messages for p in parts), strict=True)
    ]
    gains = blocks[1:] - blocks[0]
    return [
        CurvePoint(changed, mean_estimate(float(g.sum()), float(g @ g), len(g)), first, message)
        for changed, g, message in zip(changes, gains, messages[1:], strict=True)
    ]


def importance(points: Sequence[CurvePoint]) -> dict[str, float]:
    """How much each parameter matters: the most that a value on its curve surely loses.

    "Surely": the loss's interval is taken at its lower end, so what was not seen counts little.
    """
    found: dict[str, float] = {}
    for point in points:
        (name,) = point.changed
        loss = -point.gain.high if np.isfinite(point.gain.high) else 0.0
        found[name] = max(found.get(name, 0.0), loss)
    return found


def that_matter_most(space: Space, points: Sequence[CurvePoint]) -> tuple[str, str] | None:
    """The two parameters that matter most; None where fewer than two are tuned."""
    if len(space) < 2:
        return None
    known = importance(points)
    ordered = sorted(space.names, key=lambda name: -known.get(name, 0.0))
    return ordered[0], ordered[1]
