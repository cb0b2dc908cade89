"""Checks that play matches: legal under all rules, the same again, the same by both drivers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from handfoot_sim.agent.interface import DECISIONS, Agent
from handfoot_sim.conformance.outcome import Findings, Outcome
from handfoot_sim.conformance.subject import ITSELF, RANDOM, SEED, Game, Played, Subject
from handfoot_sim.conformance.words import answer_words
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.errors import HandfootError, IllegalDecision
from handfoot_sim.playing import Driver, choose_driver, log_match

UNPLAYED: Final = "no game could be played to its end"
UNSTEADY: Final = "it does not even play the same twice in the same way"


def events_of(pairing: Pairing, match: int, mirror: int, driver: Driver) -> np.ndarray:
    """Every decision of a match played with a log, dtype ``log.EVENT``; none if it failed."""
    try:
        log, _ = log_match(pairing, seed=SEED, match=match, mirror=mirror, dealer=0, driver=driver)
    except HandfootError:
        return np.zeros(0)
    return log.events[: int(log.head["size"][0])].copy()


def failure(
    subject: Subject, game: Game, error: HandfootError, agent: Agent | None = None
) -> tuple[object, str]:
    """What kind of failure an error is, and its sentence with the decision that failed."""
    if not isinstance(error, IllegalDecision):
        return str(error).partition(" (")[0], str(error)
    pairing = subject.pairing(game, agent)
    events = events_of(pairing, error.match, error.mirror, choose_driver(pairing))
    if not len(events) or (events[-1]["deal"], events[-1]["turn"]) != (error.deal, error.turn):
        return error.rule, str(error)
    last = events[-1]
    decision = DECISIONS[last["phase"]]
    said = answer_words(int(last["phase"]), int(last["answer"]), last["play"])
    return (error.rule, decision), f"{decision} answered {said}: {error}"


def plays_legally(subject: Subject) -> Outcome:
    """Plays every game to its end, under all rules, against itself and others."""
    findings = Findings()
    commands: dict[object, str | None] = {}
    matches = 0
    own = []
    for game in subject.games:
        rows = subject.played(game)
        if isinstance(rows, HandfootError):
            kind, sentence = failure(subject, game, rows)
            findings.add(kind, sentence, str(game))
            commands.setdefault(kind, subject.command(game))
            if subject.stuck:
                break
        else:
            matches += len(rows)
            own.append(own_rows(rows, game))
    seen = f"{matches:,} matches in {len(subject.games)} games"
    notes = never_done(np.concatenate(own)) if own else []
    shown = [command for command in commands.values() if command]
    return Outcome(seen, findings.sentences(), notes, commands=shown)


def own_rows(rows: np.ndarray, game: Game) -> np.ndarray:
    """The rows of the agent's own team: shape (rows,); of all teams where it plays itself."""
    if game.against == ITSELF:
        return rows.ravel()
    teams = rows.shape[2]
    mirrors = np.arange(len(rows)) % teams
    own: np.ndarray = rows[np.arange(len(rows)), :, mirrors].ravel()
    return own


def never_done(rows: np.ndarray) -> list[str]:
    """How an agent plays, and what it never does although it is legal: sentences for people."""
    opened, out = rows["opened_turn"] >= 0, rows["went_out"] > 0
    chances, takes = int(rows["pile_chances"].sum()), int(rows["pile_takes"].sum())
    share = takes / chances if chances else 0.0
    notes = [
        f"its team opened in {opened.mean():.0%} of {len(rows):,} deals, took the pile in "
        f"{share:.0%} of {chances:,} chances and went out in {out.mean():.0%} of the deals"
    ]
    if not opened.any():
        notes.append("it never opened: almost nothing is known of its melds; look at meld")
    return notes


def first_difference(one: np.ndarray, other: np.ndarray) -> tuple[int, int] | None:
    """Row and deal of the first difference between rows of results, or None."""
    differs = np.zeros(one.shape[:2], bool)
    for name in one.dtype.names or ():
        differs |= (one[name] != other[name]).any(2)
    if not differs.any():
        return None
    row, deal = np.unravel_index(int(differs.argmax()), differs.shape)
    return int(row), int(deal)


def unlike(a: np.void, b: np.void) -> bool:
    """Whether two records differ in any field (their bytes may, in the room between fields)."""
    return any(
        unlike(a[name], b[name]) if a[name].dtype.names else (a[name] != b[name]).any()
        for name in a.dtype.names or ()
    )


def where_they_part(
    subject: Subject, game: Game, row: int, deal: int, drivers: tuple[Driver, Driver]
) -> str:
    """Where two playings of a match part, as closely as playing it twice more shows."""
    pairing = subject.pairing(game)
    match, mirror = divmod(row, pairing.mirrors)
    place = f"match {match}, mirror {mirror}, deal {deal}"
    one, other = (events_of(pairing, match, mirror, driver) for driver in drivers)
    for a, b in zip(one, other, strict=False):
        if unlike(a, b):
            place = f"match {match}, mirror {mirror}, deal {a['deal']}, turn {a['turn']}"
            said = [answer_words(int(e["phase"]), int(e["answer"]), e["play"]) for e in (a, b)]
            decision = DECISIONS[a["phase"]]
            return f"{decision} at {place}, seat {a['seat']}: answered {said[0]}, then {said[1]}"
    return f"the results of {place} differ"


def compare_playings(
    subject: Subject, findings: Findings, game: Game, what: str, **how: Any
) -> bool:
    """Play a game once more in another way and note a difference; whether it could be judged."""
    first = subject.played(game)
    if isinstance(first, HandfootError):
        return False
    again: Played = subject.play(game, **how)
    if isinstance(again, HandfootError):
        findings.add(what, f"{what}, it fails: {again}", str(game))
        return True
    difference = first_difference(first, again)
    if difference is not None:
        fastest = choose_driver(subject.pairing(game))
        part = where_they_part(subject, game, *difference, (fastest, how.get("driver", fastest)))
        findings.add(what, f"{what}: {part}", str(game))
    return True


def repeats(subject: Subject) -> Outcome:
    """Plays every game a second time and compares all results."""
    findings = Findings()
    # Batch agents are slow: for them one game a configuration must do.
    games = [game for game in subject.games if game.against == RANDOM or not subject.agent.batch]
    judged = sum(compare_playings(subject, findings, game, "played again") for game in games)
    seen = f"{judged} games played twice"
    return Outcome(seen, findings.sentences(), unjudged="" if judged else UNPLAYED)


def drivers_agree(subject: Subject) -> Outcome:
    """Plays with both drivers, and with few and with many tables side by side."""
    if subject.once(repeats).complaints:
        return Outcome(unjudged=UNSTEADY)
    findings = Findings()
    judged = 0
    games = [game for game in subject.games if game.against == RANDOM]
    if subject.agent.batch:
        few = ("standard", "pagat", "2 players", "6 in 3")
        games = [game for game in games if game.under in few]
    for game in games:
        judged += compare_playings(
            subject, findings, game, "7 tables at a time", driver="lockstep", batch=7
        )
        if not subject.agent.batch:
            compare_playings(
                subject, findings, game, "many tables at a time", driver="lockstep", batch=512
            )
    if subject.agent.batch:
        game = Game("small", RANDOM)
        judged += compare_playings(
            subject, findings, game, "one table at a time", driver="lockstep", batch=1
        )
    ways = "lockstep, 1, 7 and all tables" if subject.agent.batch else "fused, lockstep 7 and 512"
    seen = f"{judged} games ({ways})"
    return Outcome(seen, findings.sentences(), unjudged="" if judged else UNPLAYED)
