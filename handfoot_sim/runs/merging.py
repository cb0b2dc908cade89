"""Going on in a run folder: what was asked for before and what is asked for now become one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.errors import RunError
from handfoot_sim.runs.manifest import (
    AgentRecord,
    Manifest,
    PairingRecord,
    Segment,
    rules_mapping,
)
from handfoot_sim.runs.work import Work

RULE_FIELDS: Final = (
    "until", "below", "elo0", "elo1", "margin0", "margin1", "alpha", "beta", "step",
)  # fmt: skip
"""What of a plan makes a stop rule."""


def turned(
    works: Sequence[Work], pairings: Sequence[Pairing], earlier: Manifest
) -> tuple[list[Work], list[Pairing]]:
    """Works and pairings of two line-ups, each the way round in which a tournament has it.

    Who is named first says nothing: with the seats exchanged it is the same meeting.
    """
    known = {(tuple(each.labels), repr(earlier.rules[each.rules])) for each in earlier.pairings}
    found: list[tuple[Work, Pairing]] = []
    for work, pairing in zip(works, pairings, strict=True):
        rules = repr(rules_mapping(work.rules))
        labels = pairing.labels
        if (labels, rules) not in known and (labels[::-1], rules) in known and len(labels) == 2:
            work = replace(work, lineups=work.lineups[::-1])
            pairing = make_pairing(pairing.lineups[::-1], work.rules, work.duplicate)
        found.append((work, pairing))
    return [work for work, _ in found], [pairing for _, pairing in found]


def merged(
    earlier: Manifest, wanted: Manifest, place: object, force: bool, there: Mapping[int, int]
) -> Manifest:
    """The manifest of a run that goes on as ``wanted``: the earlier one, with what is new.

    Pairings keep their numbers; new ones come after them. ``there``: matches that pairings have,
    by number, up to their last. Raises ``RunError`` for what can't be one run, and for changed
    sources and versions unless ``force``.
    """
    _refuse_other(earlier, wanted, place)
    result: Manifest = msgspec.convert(earlier.as_mapping(), Manifest)
    changes = _changes(earlier, wanted)
    if changes and not force:
        raise RunError(
            f"{place} was begun with something else: {changes[0]}"
            f"{f' (and {len(changes) - 1} more)' * (len(changes) > 1)}; put it back, give another "
            "folder, or mix both in this one by --force, which records it"
        )
    agents = {key: _place_of(result, key, record) for key, record in _keyed(wanted).items()}
    renumbered = dict(zip(range(len(wanted.agents)), agents.values(), strict=True))
    rules = [_rules_place(result, fields) for fields in wanted.rules]
    known = {_meeting(pairing): n for n, pairing in enumerate(result.pairings)}
    for pairing in wanted.pairings:
        lineups = [[renumbered[seat] for seat in lineup] for lineup in pairing.lineups]
        moved = msgspec.structs.replace(pairing, lineups=lineups, rules=rules[pairing.rules])
        number = known.get(_meeting(moved))
        if number is None:
            _refuse_new(result, place)
            result.pairings.append(moved)
        else:
            fixed = wanted.asked.get("until", "matches") == "matches"
            _extend(result.pairings[number], moved, there.get(number, 0), fixed, place)
    result.asked, result.on_illegal = wanted.asked, wanted.on_illegal
    result.engine, result.versions = wanted.engine, wanted.versions
    if changes:
        result.segments.append(Segment(changes=changes, done={}))
    return result


def _refuse_other(earlier: Manifest, wanted: Manifest, place: object) -> None:
    again = "give another folder with --out, or the same command to go on with that run"
    if earlier.kind != wanted.kind:
        raise RunError(f"{place} holds a run of handfoot {earlier.kind}; {again}")
    for name in ("seed", "dealer", "duplicate", "on_illegal"):
        values = getattr(earlier, name), getattr(wanted, name)
        # What was finished before the run stopped holds no forfeit, so it is what it would be.
        if values[0] != values[1] and values != ("stop", "forfeit"):
            raise RunError(f"{place} holds a run with another value of {name!r}; {again}")
    _refuse_rule(earlier, wanted, place)
    # Partnerships are told over their one opponent, so other pairings can't be among them.
    if _opponent(earlier) != _opponent(wanted):
        raise RunError(f"{place} holds a run with another value of 'format' or 'opponent'; {again}")
    if earlier.kind == "compare" and earlier.rules != wanted.rules:
        raise RunError(f"{place} holds a run with another value of 'rules'; {again}")


def _refuse_rule(earlier: Manifest, wanted: Manifest, place: object) -> None:
    """Refuse another stop rule than the folder's: what it would not have played is thrown away."""
    now, before = ({k: each.asked.get(k) for k in RULE_FIELDS} for each in (wanted, earlier))
    if now["until"] not in (None, "matches") and now != before:
        raise RunError(
            f"{place} holds a run with another stop rule, and this one would throw away matches "
            "that are there; give another folder with --out, or the same command to go on with it"
        )


def _opponent(manifest: Manifest) -> object:
    """The opponent of a cross-play's partnerships; None for other runs."""
    return manifest.asked.get("opponent")


def _refuse_new(result: Manifest, place: object) -> None:
    if result.kind == "compare":
        raise RunError(
            f"{place} holds a run with another value of 'lineups'; give another folder with "
            "--out, or the same command to go on with that run"
        )


def _extend(
    same: PairingRecord, moved: PairingRecord, there: int, fixed: bool, place: object
) -> None:
    """Bring a pairing up to date; its shards keep their size unless a rule is looked at."""
    if moved.matches < there:
        raise RunError(
            f"{place} holds {there:,} matches of {' against '.join(same.labels)} already; ask for "
            "as many or more with --matches, or give another folder"
        )
    if not fixed:
        same.shard_matches = moved.shard_matches
    same.matches, same.driver, same.batch = moved.matches, moved.driver, moved.batch
    same.decision_limit = moved.decision_limit


def _keyed(manifest: Manifest) -> dict[tuple[str, int], AgentRecord]:
    """Agents by label, and by number among those of the same label."""
    seen: dict[str, int] = {}
    keyed = {}
    for record in manifest.agents:
        keyed[record.label, seen.setdefault(record.label, 0)] = record
        seen[record.label] += 1
    return keyed


def _changes(earlier: Manifest, wanted: Manifest) -> list[str]:
    """What is played with otherwise than before, in words."""
    before = _keyed(earlier)
    changes = [
        f"the file of agent {record.label} was changed (source {before[key].source}, now "
        f"{record.source})"
        for key, record in _keyed(wanted).items()
        if key in before and before[key].source != record.source
    ]
    ours, theirs = (each.versions.get("handfoot-sim", "?") for each in (wanted, earlier))
    if ours != theirs:
        changes.append(f"handfoot-sim is version {ours}, was {theirs}")
    if earlier.engine != wanted.engine:
        changes.append(f"the engine is another version (source {wanted.engine})")
    return changes


def _place_of(manifest: Manifest, key: tuple[str, int], record: AgentRecord) -> int:
    """Number of an agent in a manifest, which is brought up to date or takes it in."""
    known = _keyed(manifest)
    if key not in known:
        manifest.agents.append(record)
        return len(manifest.agents) - 1
    number = list(known).index(key)
    manifest.agents[number] = record
    return number


def _rules_place(manifest: Manifest, fields: dict[str, Any]) -> int:
    if fields not in manifest.rules:
        manifest.rules.append(fields)
    return manifest.rules.index(fields)


def _meeting(pairing: PairingRecord) -> str:
    """What makes a pairing the same one: who sits where, by which rules, in how many mirrors."""
    return repr((pairing.lineups, pairing.rules, pairing.mirrors))


def as_recorded(works: Sequence[Work], wanted: Manifest, result: Manifest) -> list[Work]:
    """The works of a run with the numbers and shards that its manifest gives them."""
    found = []
    known = {_meeting(p): (n, p) for n, p in enumerate(result.pairings)}
    keyed = list(_keyed(result))
    moved = {n: keyed.index(key) for n, key in enumerate(_keyed(wanted))}
    for work, pairing in zip(works, wanted.pairings, strict=True):
        lineups = [[moved[seat] for seat in lineup] for lineup in pairing.lineups]
        rules = result.rules.index(wanted.rules[pairing.rules])
        number, record = known[
            _meeting(msgspec.structs.replace(pairing, lineups=lineups, rules=rules))
        ]
        found.append(
            replace(
                work, number=number, shard_matches=record.shard_matches,
                block_sets=result.block_sets,
            )
        )  # fmt: skip
    return found
