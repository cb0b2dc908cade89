"""The manifest of a folder in which a search, a league or a sweep is kept."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from handfoot_sim import jit
from handfoot_sim.agent.interface import Agent
from handfoot_sim.errors import RunError
from handfoot_sim.runs.folder import MANIFEST, RunFolder
from handfoot_sim.runs.manifest import AgentRecord, agent_record, versions

FORMAT: Final = "handfoot-tuning-1"

Kind = Literal["tune", "league", "sweep"]


class Record(msgspec.Struct, kw_only=True):
    """What ``manifest.json`` of such a folder holds.

    kind
        Which command it is of.
    asked
        The plan, key by key, in words that the command line takes too.
    agents
        All agents that play, as they were when the run began.
    engine, versions
        Hash of the compiled sources, and versions of what plays.
    settled
        What was measured at the start and decides what is played: the budget in matches, the
        noise of a pair, and so on.
    """

    format: str
    kind: Kind
    asked: dict[str, Any]
    agents: list[AgentRecord]
    engine: str
    versions: dict[str, str]
    settled: dict[str, Any] = {}


def new_record(kind: Kind, asked: dict[str, Any], agents: list[Agent]) -> Record:
    """The record of a run that begins; an agent that is there twice is told once."""
    told: dict[str, AgentRecord] = {}
    for agent in agents:
        told.setdefault(agent.label, agent_record(agent))
    return Record(
        format=FORMAT,
        kind=kind,
        asked=asked,
        agents=list(told.values()),
        engine=jit.source_hash(),
        versions=versions(),
    )


def is_record(folder: RunFolder) -> bool:
    """Whether a folder holds a search, a league or a sweep (else perhaps matches)."""
    try:
        head = msgspec.json.decode(folder.read(MANIFEST))
    except (OSError, msgspec.DecodeError):
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def read_record(folder: RunFolder) -> Record:
    """The record of a folder; ``RunError`` if there is none."""
    path = folder.place(MANIFEST)
    try:
        data = folder.read(MANIFEST)
        if not is_record(folder):
            raise RunError(f"{path} is not of a search, a league or a sweep ({FORMAT})")
        return msgspec.json.decode(data, type=Record)
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder} is no run folder: it has no {MANIFEST}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise RunError(f"{path} is damaged: {error}") from None


def write_record(folder: RunFolder, record: Record) -> None:
    """Write the record; ``RunError`` if that fails."""
    folder.write(MANIFEST, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def joined_record(folder: RunFolder, wanted: Record) -> Record:
    """Begin a run in a folder, or join it with the one it holds, which must be the same.

    To be called with the folder locked. Raises ``RunError`` in a sentence for another run.
    """
    if not folder.is_run():
        write_record(folder, wanted)
        return wanted
    if not is_record(folder):
        raise RunError(f"{folder} holds a run of matches; give another folder with --out")
    earlier = read_record(folder)
    again = "give another folder with --out, or the same command to go on with that run"
    if earlier.kind != wanted.kind:
        raise RunError(f"{folder} holds a run of handfoot {earlier.kind}; {again}")
    for name in {**wanted.asked, **earlier.asked}:
        if earlier.asked.get(name) != wanted.asked.get(name):
            raise RunError(f"{folder} holds a run with another value of {name!r}; {again}")
    before = {record.label: record.source for record in earlier.agents}
    for record in wanted.agents:
        if before.get(record.label) != record.source:
            raise RunError(
                f"{folder} was begun with another source of agent {record.label}; put it back, or "
                "give another folder with --out"
            )
    if earlier.engine != wanted.engine:
        raise RunError(
            f"{folder} was begun with another version of handfoot-sim; install that one to go on, "
            "or give another folder with --out"
        )
    return earlier
