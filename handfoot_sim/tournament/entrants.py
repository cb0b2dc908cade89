"""Who takes part in a tournament: the line-ups of its pairings, by variant of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handfoot_sim.errors import PlanError
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import Played
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.runs.manifest import Manifest
from handfoot_sim.tournament.standings import Encounter


@dataclass(frozen=True)
class Variant:
    """The pairings played by the same rules.

    ``labels``: entrants in the order in which they first appear; ``encounters`` name them by
    number. In a cross-play the entrants are partnerships and, as the last one, their opponent.
    """

    rules: Rules
    labels: tuple[str, ...]
    encounters: tuple[Encounter, ...]


def check_labels(labels: Sequence[str], specifications: Sequence[str]) -> None:
    """Refuse entrants of the same name: they could not be told apart in results."""
    for number, label in enumerate(labels):
        if label in labels[:number]:
            other = specifications[list(labels).index(label)]
            raise PlanError(
                f"agents: {specifications[number]} and {other} are both called {label} in "
                "results; rename a file, or name one of them"
            )


def rules_text(rules: Rules) -> str:
    """Rules in short: the preset and what differs from it."""
    mapping = rules.as_mapping()
    return str(mapping.pop("preset")) + "".join(f", {k} = {v}" for k, v in mapping.items())


def variants_of(ledgers: Sequence[Ledger]) -> list[Variant]:
    """The pairings of a run by the rules they are played by, in order."""
    grouped: dict[str, list[int]] = {}
    for number, ledger in enumerate(ledgers):
        grouped.setdefault(repr(ledger.work.rules), []).append(number)
    found = []
    for numbers in grouped.values():
        labels: list[str] = []
        encounters = []
        for number in numbers:
            sides = ledgers[number].labels[0], ledgers[number].labels[-1]
            labels += [label for label in sides if label not in labels]
            a, b = (labels.index(label) for label in sides)
            encounters.append(Encounter(number, a, b, ledgers[number]))
        rules = ledgers[numbers[0]].work.rules
        found.append(Variant(rules, tuple(labels), tuple(encounters)))
    return found


def is_cross_play(manifest: Manifest) -> bool:
    """Whether a run's pairings are partnerships against one opponent."""
    return manifest.asked.get("format") == "cross-play"


def anchor_of(labels: Sequence[str], played: Played) -> int:
    """Number of the entrant whose rating is 0: the plan's anchor, or the first."""
    wanted = str(played.manifest.asked.get("anchor") or "")
    return list(labels).index(wanted) if wanted in labels else 0
