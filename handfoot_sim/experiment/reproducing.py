"""Reproduce an experiment: play it again by its manifest, and compare the tables bit for bit."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

from handfoot_sim import jit
from handfoot_sim.agent.loading import load_agent, source_hash
from handfoot_sim.errors import AgentError, RunError
from handfoot_sim.experiment.catalogue import Entry
from handfoot_sim.experiment.study import ExperimentManifest, read_experiment, versions_now


@dataclass(frozen=True)
class Difference:
    """A table that came out differently: its file, and a sentence that says where."""

    table: str
    where: str


def drift(manifest: ExperimentManifest, entry: Entry) -> list[str]:
    """What differs now from what an experiment was played with, a sentence each."""
    found = []
    if entry.source_hash() != manifest.source:
        found.append(f"the file of the experiment has changed since: {entry.file.name}")
    now = versions_now()
    for name, was in manifest.versions.items():
        if now.get(name) != was:
            found.append(f"{name} was {was} and is {now.get(name, 'not there')}")
    if manifest.engine != jit.source_hash():
        found.append("the engine's source has changed since")
    for agent in manifest.agents:
        try:
            changed = source_hash(load_agent(agent.specification)) != agent.source
        except AgentError as error:
            found.append(f"agent {agent.label} can't be loaded: {error}")
            continue
        if changed:
            found.append(f"agent {agent.label} has changed since")
    return found


def differences(reference: Path, again: Path) -> list[Difference]:
    """Tables of two folders of an experiment that are not the same bits.

    Raises ``RunError`` if the reference lacks a table that its manifest names.
    """
    was, now = read_experiment(reference).tables, read_experiment(again).tables
    found = [Difference(name, "is not made any more") for name in was if name not in now]
    found += [Difference(name, "is not in the reference") for name in now if name not in was]
    for name in was:
        if name not in now:
            continue
        try:
            old = (reference / name).read_bytes()
        except OSError as error:
            raise RunError(f"{reference / name} can't be read: {error.strerror}") from None
        new = (again / name).read_bytes()
        if old != new:
            found.append(Difference(name, _first_row(old, new)))
    return found


def _first_row(old: bytes, new: bytes) -> str:
    """Where two tables part: the first row that differs, counted from 1 below the header."""
    lines = [text.decode(errors="replace").splitlines() for text in (old, new)]
    for number, (was, now) in enumerate(itertools.zip_longest(*lines)):
        if was != now:
            place = f"row {number}" if number else "header"
            return f"{place}: was {_shown(was)}, is {_shown(now)}"
    return "only the ends of lines"


def _shown(line: str | None) -> str:
    if line is None:
        return "missing"
    return f'"{line}"' if len(line) <= 160 else f'"{line[:157]}..."'
