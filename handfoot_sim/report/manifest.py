"""What a run's manifest tells the reader: who met whom, by which rules, made with what.

The two forms of a manifest, ``handfoot-run-1`` with one pairing and ``handfoot-run-2`` with
several, are read alike from here on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handfoot_sim.errors import RunError
from handfoot_sim.rules import FIELD_NAMES, PRESETS, Rules, field_note, rules_from_mapping


@dataclass(frozen=True)
class Meeting:
    """A pairing of a run.

    Attributes
    ----------
    labels : of the line-ups, by team of mirror 0
    lineups : specifications of each line-up's agents by seat; empty where there is none
    rules : what is played
    matches, mirrors : matches asked for; times the same cards are played
    """

    labels: tuple[str, ...]
    lineups: tuple[tuple[str, ...], ...]
    rules: Rules
    matches: int
    mirrors: int


def meetings_of(manifest: Mapping[str, Any]) -> list[Meeting]:
    """The pairings of a run by number; ``RunError`` if the manifest is damaged."""
    try:
        if "pairings" not in manifest:
            return [
                Meeting(
                    tuple(manifest["labels"]),
                    tuple(tuple(lineup) for lineup in manifest["lineups"]),
                    rules_from_mapping(manifest["rules"]),
                    int(manifest["matches"]),
                    int(manifest["mirrors"]),
                )
            ]
        rules = [rules_from_mapping(fields) for fields in manifest["rules"]]
        named = [str(agent["specification"]) for agent in manifest["agents"]]
        return [
            Meeting(
                tuple(pairing["labels"]),
                tuple(tuple(named[seat] for seat in lineup) for lineup in pairing["lineups"]),
                rules[pairing["rules"]],
                int(pairing["matches"]),
                int(pairing["mirrors"]),
            )
            for pairing in manifest["pairings"]
        ]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RunError(
            f"the run's manifest.json is damaged ({type(error).__name__}: {error})"
        ) from None


@dataclass(frozen=True)
class RuleRow:
    """A field of the rules: rule number, name, value, the preset's value, meaning."""

    number: str
    name: str
    value: str
    usual: str
    meaning: str

    @property
    def differs(self) -> bool:
        """Whether it is another value than the preset's."""
        return self.value != self.usual


def rule_rows(fields: Mapping[str, Any]) -> tuple[str, list[RuleRow]]:
    """The preset that rules are nearest to, and every field beside it."""
    rules = rules_from_mapping(dict(fields))
    name = min(PRESETS, key=lambda each: len(_differing(rules, PRESETS[each])))
    usual = PRESETS[name]
    rows = []
    for field in FIELD_NAMES:
        number, meaning = field_note(field)
        value, other = (_shown(getattr(each, field)) for each in (rules, usual))
        rows.append(RuleRow(number, field, value, other, meaning))
    return name, rows


def _differing(rules: Rules, other: Rules) -> list[str]:
    return [name for name in FIELD_NAMES if getattr(rules, name) != getattr(other, name)]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(each) for each in value)
    return str(value)


def provenance_rows(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was asked, and with what it was played, as name and value."""
    versions = manifest.get("versions") or {}
    rows = [
        ("format of the run", manifest.get("format")),
        ("kind", manifest.get("kind")),
        ("seed", manifest.get("seed")),
        ("seat that deals first", manifest.get("dealer")),
        ("where an agent breaks a rule", manifest.get("on_illegal")),
        ("engine, hash of its sources", manifest.get("engine")),
        *((f"version of {name}", value) for name, value in versions.items()),
    ]
    for number, segment in enumerate(manifest.get("segments") or [], 1):
        rows.append((f"change {number} while it was played", "; ".join(segment["changes"])))
    return [(name, str(value)) for name, value in rows if value is not None]


def agent_rows(manifest: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Label, class, parameters and hash of the source of every agent of a run."""
    rows = []
    for agent in manifest.get("agents") or []:
        params = agent.get("params") or {}
        said = ", ".join(f"{name}={value}" for name, value in params.items()) or "none"
        rows.append((str(agent.get("label")), str(agent.get("class")), said, str(agent["source"])))
    return rows


def sprt_of(manifest: Mapping[str, Any]) -> dict[str, float] | None:
    """Numbers of the sequential test of margins by which a run was to stop, if by one.

    Those that were not given are left out.
    """
    asked = manifest.get("asked") or {}
    names = ("margin0", "margin1", "alpha", "beta")
    given = {name: float(asked[name]) for name in names if asked.get(name) is not None}
    by_margins = "margin0" in given or "margin1" in given
    return given if asked.get("until") == "sprt" and by_margins else None


def sequence_text(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
