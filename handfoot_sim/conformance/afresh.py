"""The agent in a process of its own, whose results must be those of this one.

``python -m handfoot_sim.conformance.afresh SPECIFICATION SETS`` plays the games of ``GAMES`` and
prints, as JSON, a digest of each match; what changes from one process to the next (the clock,
the order of sets, constants drawn at import) shows.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Final

from handfoot_sim.agent.loading import load_agent
from handfoot_sim.conformance.matches import UNPLAYED, UNSTEADY, repeats
from handfoot_sim.conformance.outcome import Findings, Outcome
from handfoot_sim.conformance.subject import FULL, RANDOM, Game, Played, Subject
from handfoot_sim.errors import HandfootError

GAMES: Final = tuple(Game(under, RANDOM) for under in ("standard", "2 players", "6 in 3"))


def digests(played: Played) -> list[str]:
    """A digest of each match; none if the game failed."""
    if isinstance(played, HandfootError):
        return []
    return [
        hashlib.sha256(b"".join(match[name].tobytes() for name in match.dtype.names or ()))
        .hexdigest()[:16]
        for match in played
    ]  # fmt: skip


def start(subject: Subject) -> subprocess.Popen[str] | None:
    """Begin to play in a process of its own; None where the agent can't be loaded by name."""
    if subject.agent.specification is None:
        return None
    words = ["-m", "handfoot_sim.conformance.afresh", subject.agent.specification]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONHASHSEED": "1",
    }
    return subprocess.Popen(
        [sys.executable, *words, str(subject.sets)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def same_in_another_process(subject: Subject) -> Outcome:
    """Compares what another process played with what this one plays."""
    if subject.once(repeats).complaints:
        return Outcome(unjudged=UNSTEADY)
    process = subject.process or start(subject)
    subject.process = process
    if process is None:
        return Outcome(unjudged="it has no name or file by which another process could load it")
    own = {game: digests(subject.played(game)) for game in GAMES}
    subject.tell("waiting for the other process")
    out, err = process.communicate()
    subject.process = None
    if process.returncode:
        last = (err.strip().splitlines() or ["it ended without a word"])[-1]
        return Outcome(complaints=[f"another process could not play it: {last}"])
    other: dict[str, list[str]] = json.loads(out)
    findings = Findings()
    matches = 0
    for game, ours in own.items():
        theirs = other[game.under]
        if not ours:
            continue
        matches += len(ours)
        pairs = itertools.zip_longest(ours, theirs)
        differing = [number for number, (a, b) in enumerate(pairs) if a != b]
        if differing:
            mirrors = subject.pairing(game).mirrors
            match, mirror = divmod(differing[0], mirrors)
            sentence = (
                f"{len(differing)} of {len(ours)} matches came out otherwise in another process, "
                f"the first of them match {match}, mirror {mirror}"
            )
            findings.add("other", sentence, str(game))
    unjudged = "" if matches else UNPLAYED
    return Outcome(f"{matches:,} matches", findings.sentences(), unjudged=unjudged)


def main(specification: str, sets: int) -> None:
    """Play the games and print their digests; what the agent itself prints is thrown away."""
    answer = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    subject = Subject(load_agent(specification), replace(FULL, sets=sets, batch_sets=sets))
    text = json.dumps({game.under: digests(subject.played(game)) for game in GAMES})
    with os.fdopen(answer, "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
