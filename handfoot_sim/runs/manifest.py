"""The manifest of a run: what was asked, and with what it is played.

Equal manifests make equal shards. A folder that is gone on with must have been begun with the same
agents (by hash of their sources), rules, seed and version; more matches, and in a tournament more
pairings, may be asked for. What differs is refused in a sentence, or, with ``force``, becomes a
further *segment*: it says what changed, and each shard says under which segment it was played.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from handfoot_sim import jit
from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import source_hash
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.errors import RunError
from handfoot_sim.playing import Driver, OnIllegal
from handfoot_sim.rules import FIELD_NAMES, Rules, rules_from_mapping
from handfoot_sim.runs.folder import MANIFEST, RunFolder
from handfoot_sim.runs.work import Work

FORMAT: Final = "handfoot-run-2"

Kind = Literal["compare", "tournament"]
"""What was asked for: one pairing, or many with standings."""

Count = Annotated[int, Meta(ge=1, le=10**12)]
"""A whole number above 0: what a run counts, within the most matches of a pairing."""

Place = Annotated[int, Meta(ge=0, le=10**9)]
"""A place in a list of the manifest, or a seat."""


class AgentRecord(msgspec.Struct, kw_only=True):
    """An agent as it was when the run began.

    ``specification`` is what names it again, empty for agents that were made in Python.
    """

    label: str
    specification: str
    class_: str = msgspec.field(name="class")
    params: dict[str, Any]
    source: str


class PairingRecord(msgspec.Struct, kw_only=True):
    """A pairing: ``lineups`` holds for each team the numbers of its agents by seat."""

    lineups: Annotated[list[list[Place]], Meta(min_length=1)]
    labels: Annotated[list[str], Meta(min_length=1)]
    rules: Place
    matches: Count
    mirrors: Count
    shard_matches: Count
    driver: Driver
    batch: Count
    decision_limit: Annotated[float, Meta(ge=0)] | None = None


class Segment(msgspec.Struct, kw_only=True):
    """From when on something else than at the beginning was played with.

    ``changes`` says what, ``done`` how many matches of each pairing there were before.
    """

    changes: list[str]
    done: dict[str, int]


class Stop(msgspec.Struct, kw_only=True):
    """Keys of a manifest's ``asked`` that say when a pairing has been played enough."""

    until: str = "matches"
    below: float | None = None
    elo0: float | None = None
    elo1: float | None = None
    margin0: float | None = None
    margin1: float | None = None
    alpha: float | None = None
    beta: float | None = None
    step: Annotated[int, Meta(ge=2)] | None = None
    time: str = ""


class Manifest(msgspec.Struct, kw_only=True):
    """What ``manifest.json`` holds; ``asked`` is the plan of a tournament, or the stop rule."""

    format: str
    kind: Kind
    seed: Annotated[int, Meta(ge=0)]
    dealer: Place
    duplicate: bool
    on_illegal: OnIllegal
    block_sets: Count
    rules: list[dict[str, Any]]
    agents: list[AgentRecord]
    pairings: Annotated[list[PairingRecord], Meta(min_length=1)]
    asked: dict[str, Any]
    engine: str
    versions: dict[str, str]
    segments: list[Segment] = []

    def works(self, *, to_play: bool = True) -> list[Work]:
        """The work of every pairing, by number.

        Raises ``RunError`` if it is ``to_play`` and an agent was made in Python, which leaves no
        name to load it by.
        """
        rules = [rules_from_mapping(fields) for fields in self.rules]
        return [
            Work(
                lineups=tuple(
                    tuple(self._named(seat, to_play) for seat in lineup)
                    for lineup in pairing.lineups
                ),
                rules=rules[pairing.rules],
                seed=self.seed,
                matches=pairing.matches,
                dealer=self.dealer,
                duplicate=self.duplicate,
                driver=pairing.driver,
                shard_matches=pairing.shard_matches,
                batch=pairing.batch,
                decision_limit=pairing.decision_limit,
                on_illegal=self.on_illegal,
                number=number,
                block_sets=self.block_sets,
            )
            for number, pairing in enumerate(self.pairings)
        ]

    def _named(self, agent: int, to_play: bool) -> str:
        record = self.agents[agent]
        if to_play and not record.specification:
            raise RunError(
                f"agent {record.label} was made in Python and can't be found by a name; go on by "
                "the same call that began the run"
            )
        return record.specification

    def as_mapping(self) -> dict[str, Any]:
        """The manifest as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def agent_record(agent: Agent) -> AgentRecord:
    """An agent as the manifest tells it."""
    return AgentRecord(
        label=agent.label,
        specification=agent.specification or "",
        class_=f"{type(agent).__module__}:{type(agent).__qualname__}",
        params=dict(agent.params),
        source=source_hash(agent),
    )


def versions() -> dict[str, str]:
    """Versions of what plays."""
    names = ("handfoot-sim", "numpy", "numba", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def rules_mapping(rules: Rules) -> dict[str, Any]:
    """Rules field by field, as plain data."""
    fields = {name: getattr(rules, name) for name in FIELD_NAMES}
    return fields | {"meld_minimums": list(rules.meld_minimums)}


def new_manifest(
    works: Sequence[Work], pairings: Sequence[Pairing], kind: Kind, asked: dict[str, Any]
) -> Manifest:
    """The manifest of a run that begins; all works have the same seed, dealer and so on."""
    first = works[0]
    manifest = Manifest(
        format=FORMAT,
        kind=kind,
        seed=first.seed,
        dealer=first.dealer,
        duplicate=first.duplicate,
        on_illegal=first.on_illegal,
        block_sets=first.block_sets,
        rules=[],
        agents=[],
        pairings=[],
        asked=asked,
        engine=jit.source_hash(),
        versions=versions(),
    )
    known: dict[tuple[type[Agent], str], int] = {}
    for work, pairing in zip(works, pairings, strict=True):
        rules = rules_mapping(work.rules)
        if rules not in manifest.rules:
            manifest.rules.append(rules)
        for agent in pairing.agents:
            if _identity(agent) not in known:
                known[_identity(agent)] = len(manifest.agents)
                manifest.agents.append(agent_record(agent))
        manifest.pairings.append(
            PairingRecord(
                lineups=[[known[_identity(a)] for a in lineup] for lineup in pairing.lineups],
                labels=list(pairing.labels),
                rules=manifest.rules.index(rules),
                matches=work.matches,
                mirrors=pairing.mirrors,
                shard_matches=work.shard_matches,
                driver=work.driver,
                batch=work.batch,
                decision_limit=work.decision_limit,
            )
        )
    return manifest


def _identity(agent: Agent) -> tuple[type[Agent], str]:
    return type(agent), repr(agent.params)


def read_manifest(folder: RunFolder) -> Manifest:
    """The manifest of a run folder; ``RunError`` if the folder is none."""
    path = folder.place(MANIFEST)
    try:
        data = folder.read(MANIFEST)
        head = msgspec.json.decode(data)
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder} is no run folder: it has no {MANIFEST}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise RunError(f"{path} can't be read: {error}") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RunError(f"{path} is not the manifest of a run of this version ({FORMAT})")
    try:
        manifest = msgspec.convert(head, Manifest)
        msgspec.convert(manifest.asked, Stop)
    except msgspec.ValidationError as error:
        raise RunError(f"{path} is damaged: {error}") from None
    _check_places(manifest, path)
    return manifest


def _check_places(manifest: Manifest, path: str) -> None:
    """Refuse a manifest whose pairings name agents or rules that it does not list."""
    for number, pairing in enumerate(manifest.pairings):
        agents = max((seat for lineup in pairing.lineups for seat in lineup), default=-1)
        for what, most, listed in (
            ("agent", agents, manifest.agents),
            ("rules", pairing.rules, manifest.rules),
        ):
            if most >= len(listed):
                raise RunError(
                    f"{path} is damaged: pairing {number} is played with {what} number {most}, "
                    f"but it lists {len(listed)} - at `$.{what.rstrip('s')}s`"
                )


def write_manifest(folder: RunFolder, manifest: Manifest) -> None:
    """Write the manifest; ``RunError`` if that fails."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    folder.write(MANIFEST, text + b"\n")


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
    # Partnerships are told over their one opponent, so other pairings can't be among them.
    if _opponent(earlier) != _opponent(wanted):
        raise RunError(f"{place} holds a run with another value of 'format' or 'opponent'; {again}")
    if earlier.kind == "compare" and earlier.rules != wanted.rules:
        raise RunError(f"{place} holds a run with another value of 'rules'; {again}")


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
