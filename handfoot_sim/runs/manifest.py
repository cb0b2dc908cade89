"""The manifest of a run: what was asked, and with what it is played.

Equal manifests make equal shards. A folder that is gone on with must have been begun with the same
agents (by hash of their sources), rules, seed and version; more matches, and in a tournament more
pairings, may be asked for. What differs is refused in a sentence, or, with ``force``, becomes a
further *segment*: it says what changed, and each shard says under which segment it was played.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
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
        found = head.get("format") if isinstance(head, dict) else None
        if isinstance(found, str) and found.startswith("handfoot-tuning"):
            raise RunError(
                f"{folder} holds a run of handfoot {head.get('kind')}, which has no matches to "
                "show or to go on with here; give another folder"
            )
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
