"""Play a range of matches of one pairing with either driver."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from handfoot_sim.agent.compiling import compile_decisions
from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.engine.forfeits import forfeit_match
from handfoot_sim.engine.fused import play_matches
from handfoot_sim.engine.lockstep import play_lockstep
from handfoot_sim.engine.log import Log, no_log, room_for
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.engine.position import look
from handfoot_sim.engine.rows import ROW
from handfoot_sim.errors import AgentError, AgentFailure, IllegalDecision, first_line
from handfoot_sim.game.breaches import NOT_AN_ANSWER, rule_of, sentence
from handfoot_sim.game.state import (
    CRASH,
    PERMIT,
    PLAY,
    TABLE,
    VIEW,
    full_deck,
    meld_minimums,
    rules_record,
)
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.write import transcript

Driver = Literal["fused", "lockstep"]
DRIVERS: Final = ("fused", "lockstep")
OnIllegal = Literal["stop", "forfeit"]
ON_ILLEGAL: Final = ("stop", "forfeit")
"""What becomes of the run where an agent breaks a rule or crashes: see ``engine.forfeits``."""
BATCH: Final = 4096
"""Tables of the lockstep driver played side by side."""


def choose_driver(pairing: Pairing, wanted: str | None = None) -> Driver:
    """The driver asked for, or the fastest that can play the pairing.

    Raises ``AgentError`` for a batch agent in the fused driver, or an unknown driver.
    """
    if wanted is None:
        return "fused" if pairing.compiled else "lockstep"
    if wanted not in DRIVERS:
        raise AgentError(f"there is no driver {wanted!r}; allowed are {', '.join(DRIVERS)}")
    if wanted == "fused" and not pairing.compiled:
        batch = ", ".join(agent.label for agent in pairing.agents if agent.batch)
        raise AgentError(
            f"the fused driver plays compiled agents only, but {batch} decides over arrays; "
            "use the lockstep driver"
        )
    return "fused" if wanted == "fused" else "lockstep"


def play(
    pairing: Pairing,
    *,
    seed: int,
    first_match: int,
    count: int,
    dealer: int = 0,
    driver: Driver = "fused",
    batch: int = BATCH,
    on_illegal: OnIllegal = "stop",
) -> np.ndarray:
    """Play ``count`` matches: cards number ``first_match`` in all mirrors, then the next cards.

    Returns the rows of dtype ``rows.ROW``, shape (count, deals, teams). The same arguments give
    the same bits with either driver. With ``on_illegal="forfeit"`` a match in which a decision
    fails is recorded as forfeited and the others go on.

    Raises ``IllegalDecision`` (with a transcript of the match up to there) or ``AgentFailure``.
    """
    rows, stopped = _play(
        pairing, seed, first_match, count, dealer, driver, batch, forfeits=on_illegal == "forfeit"
    )
    if stopped is None:
        return rows
    raise _failure(pairing, seed, dealer, driver, stopped)


def _play(
    pairing: Pairing,
    seed: int,
    first_match: int,
    count: int,
    dealer: int,
    driver: Driver,
    batch: int,
    *,
    forfeits: bool = False,
    log: Log | None = None,
    seat_agents: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray | None]:
    """Play; the rows, and the table on which a decision failed, if one stopped the run."""
    rules = pairing.rules
    seats = pairing.seat_agents if seat_agents is None else seat_agents
    rows = np.zeros((count, rules.deals, rules.teams), ROW)
    rules_row, deck, minimums = rules_record(rules), full_deck(rules), meld_minimums(rules)
    seated, kept = pairing.seated()
    head = (log or no_log()).head
    if driver == "fused":
        table, view, made = np.zeros(1, TABLE), np.zeros(1, VIEW), np.zeros(1, PLAY)
        order, stopped, done = np.zeros(rules.cards, np.uint8), None, -1
        while stopped is None and done < count:
            done = play_matches(
                rules_row, deck, minimums, np.uint64(seed), dealer, first_match, seats, seated,
                table, view, made, order, head, rows, done + 1,
            )  # fmt: skip
            if done < count and forfeits:
                forfeit_match(rows[done], table[0], rules_row, minimums, dealer)
            elif done < count:
                stopped = table
    else:
        stopped = play_lockstep(
            pairing.agents, seated, seats, rules_row, deck, minimums, np.uint64(seed), dealer,
            first_match, head, rows, batch, forfeits,
        )  # fmt: skip
    del kept
    return rows, stopped


def log_match(
    pairing: Pairing, *, seed: int, match: int, mirror: int, dealer: int, driver: Driver
) -> tuple[Log, np.ndarray]:
    """Play one match with a log; the log (complete up to a decision that fails) and the rows.

    A match in which a decision fails is forfeited.
    """
    log = room_for(pairing.rules)
    seats = pairing.seat_agents[mirror : mirror + 1]
    rows, _ = _play(
        pairing, seed, match, 1, dealer, driver, 1, forfeits=True, log=log, seat_agents=seats
    )
    return log, rows


def _failure(
    pairing: Pairing, seed: int, dealer: int, driver: Driver, stopped: np.ndarray
) -> AgentFailure | IllegalDecision:
    """The error for a table on which a decision failed."""
    t = stopped[0]
    crashed = int(t["phase"]) == CRASH
    code = int(t["fault"])
    phase = int(t["fault_a"]) if crashed else int(t["phase"])
    if not crashed and code == NOT_AN_ANSWER:
        phase = int(t["fault_b"])
    seat = int(t["asking"] if phase == PERMIT else t["turn_seat"])
    match, mirror, deal, turn = (int(t[n]) for n in ("match", "mirror", "deal", "turn"))
    agent = pairing.agents[pairing.seat_agents[mirror, seat]]
    place = f"match {match}, mirror {mirror}, deal {deal}, turn {turn}, seat {seat}"
    if crashed:
        stopped["phase"] = phase
        cause = _cause(agent, stopped, pairing.rules, seat, phase)
        return AgentFailure(f"agent {agent.label}: {DECISIONS[phase]} raised {cause} ({place})")
    rule = rule_of(code)
    words = sentence(code, int(t["fault_a"]), int(t["fault_b"]))
    error = IllegalDecision(
        f"agent {agent.label} broke rule {rule} ({place}): {words}",
        agent=agent.label, rule=rule, match=match, mirror=mirror, deal=deal, turn=turn, seat=seat,
    )  # fmt: skip
    log, _ = log_match(pairing, seed=seed, match=match, mirror=mirror, dealer=dealer, driver=driver)
    error.transcript = transcript(
        log,
        pairing.rules,
        seed=seed,
        match=match,
        dealer=dealer,
        agents=pairing.seat_labels(mirror),
    )
    return error


def _cause(agent: Agent, table: np.ndarray, rules: Rules, seat: int, phase: int) -> str:
    """What a compiled agent raised: the decision is asked once more, from Python."""
    view = np.zeros(1, VIEW)
    look(table, rules_record(rules), seat, view)
    params = agent.params_record()
    if agent.declared:
        own = agent.params_dtype()
        params = params.view(np.uint8)[: own.itemsize].view(own)
    arguments = [view[0], params[0]]
    if DECISIONS[phase] in WITH_PLAY:
        arguments.append(np.zeros(1, PLAY)[0])
    try:
        compile_decisions(type(agent)).functions[phase](*arguments)
    except Exception as error:
        return first_line(error)
    return "an exception"


def warm_up(pairing: Pairing, driver: Driver) -> None:
    """Compile, or load from disk, all that playing the pairing needs, by playing one set."""
    count = pairing.mirrors
    play(pairing, seed=0, first_match=0, count=count, driver=driver, on_illegal="forfeit")
