"""Play a range of matches of one pairing with either driver."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from handfoot_sim.agent.compiling import compile_decisions
from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.engine.asking import place_of
from handfoot_sim.engine.forfeits import forfeit_match
from handfoot_sim.engine.fused import play_matches
from handfoot_sim.engine.lockstep import Tables, play_lockstep
from handfoot_sim.engine.log import Log, no_log, room_for
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.engine.position import look
from handfoot_sim.engine.rows import ROW
from handfoot_sim.errors import AgentError, AgentFailure, IllegalDecision, first_line
from handfoot_sim.game.breaches import NOT_AN_ANSWER, rule_of, sentence
from handfoot_sim.game.state import (
    CRASH,
    OVER,
    PERMIT,
    PLAY,
    TABLE,
    VIEW,
    WROTE,
    full_deck,
    meld_minimums,
    rules_record,
)
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.write import transcript
from handfoot_sim.watching import Asked, allowed, watched

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
    decision_limit: float | None = None,
) -> np.ndarray:
    """Play ``count`` matches: cards number ``first_match`` in all mirrors, then the next cards.

    Returns the rows of dtype ``rows.ROW``, shape (count, deals, teams). The same arguments give
    the same bits with either driver. With ``on_illegal="forfeit"`` a match in which a decision
    fails is recorded as forfeited and the others go on. Where an agent takes more than
    ``decision_limit`` seconds over a decision, ``AgentFailure`` is raised in any case (see
    ``watching``).

    Raises ``IllegalDecision`` (with a transcript of the match up to there) or ``AgentFailure``.
    """
    forfeits = on_illegal == "forfeit"
    rows, stopped = _play(
        _Matches(pairing, seed, first_match, count, dealer, driver, batch, forfeits, decision_limit)
    )
    if stopped is None:
        return rows
    raise _failure(pairing, seed, dealer, driver, stopped)


@dataclass(frozen=True)
class _Matches:
    """Matches to be played: the arguments of ``play``, and what becomes of failures."""

    pairing: Pairing
    seed: int
    first_match: int
    count: int
    dealer: int
    driver: Driver
    batch: int = 1
    forfeits: bool = False
    decision_limit: float | None = None


def _play(
    matches: _Matches, log: Log | None = None, seat_agents: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray | None]:
    """Play; the rows, and the table on which a decision failed, if one stopped the run."""
    pairing = matches.pairing
    rules = pairing.rules
    seats = pairing.seat_agents if seat_agents is None else seat_agents
    rows = np.zeros((matches.count, rules.deals, rules.teams), ROW)
    seated, kept = pairing.seated()
    params = seated["params"].tobytes()
    setting = (
        rules_record(rules), full_deck(rules), meld_minimums(rules), np.uint64(matches.seed),
        matches.dealer, matches.first_match, seats,
    )  # fmt: skip
    head = (log or no_log()).head
    asked: Callable[[], Asked | None]
    if matches.driver == "fused":
        table = np.zeros(1, TABLE)
        table["match"] = -1
        asked = functools.partial(_asked, table)
        run = functools.partial(_play_fused, setting, seated, table, head, rows, matches.forfeits)
    else:
        room = Tables(min(matches.batch, max(1, len(rows))), rules.cards)
        asked = room.asked
        run = functools.partial(
            play_lockstep, pairing.agents, *setting, seated, head, rows, room, matches.forfeits
        )
    if matches.decision_limit:
        late = functools.partial(_late, pairing, matches.decision_limit)
        stopped = watched(run, asked, matches.decision_limit, late)
    else:
        stopped = run()
    if seated["params"].tobytes() != params:
        raise _wrote_params(pairing, seated, params)
    del kept
    return rows, stopped


def _play_fused(
    setting: tuple[Any, ...],
    seated: np.ndarray,
    table: np.ndarray,
    head: np.ndarray,
    rows: np.ndarray,
    forfeits: bool,
) -> np.ndarray | None:
    """Play with the fused driver; the table on which a decision failed, unless it ``forfeits``."""
    rules_row, deck, minimums, _, dealer, *_ = setting
    room = np.zeros(1, VIEW), np.zeros(1, PLAY), np.zeros_like(deck)
    done = play_matches(*setting, seated, table, *room, head, rows, 0)
    while done < len(rows):
        if not forfeits:
            return table
        forfeit_match(rows[done], table[0], rules_row, minimums, dealer)
        done = play_matches(*setting, seated, table, *room, head, rows, done + 1)
    return None


def _asked(table: np.ndarray) -> Asked | None:
    """What an agent is being asked on the fused driver's table, None if nothing."""
    now = table.copy()
    fields = ("match", "mirror", "deal", "turn", "phase", "plays", "refused", "asking")
    mark = tuple(int(now[name][0]) for name in fields)
    return Asked(mark, now) if now["match"][0] >= 0 and now["phase"][0] < OVER else None


def _late(pairing: Pairing, limit: float, asked: Asked) -> AgentFailure:
    """The error for a decision that takes too long."""
    t = asked.tables[0]
    phase = int(t["phase"])
    agent = pairing.agents[pairing.seat_agents[int(t["mirror"]), deciding(t, phase)]]
    seconds = allowed(limit, len(asked.tables))
    return AgentFailure(
        f"agent {agent.label}: {DECISIONS[phase]} has not answered for {seconds:g} s "
        f"{place_of(asked.tables)}; it loops for ever, or needs more time (--decision-limit)"
    )


def _wrote_params(pairing: Pairing, seated: np.ndarray, params: bytes) -> AgentFailure:
    """The error for an agent that changed its parameters."""
    size = len(params) // len(seated)
    labels = [
        agent.label
        for number, agent in enumerate(pairing.agents)
        if seated["params"][number].tobytes() != params[number * size : (number + 1) * size]
    ]
    return AgentFailure(
        f"agent {labels[0]}: a decision wrote into its parameters, which it may only read"
    )


def log_match(
    pairing: Pairing, *, seed: int, match: int, mirror: int, dealer: int, driver: Driver
) -> tuple[Log, np.ndarray]:
    """Play one match with a log; the log (complete up to a decision that fails) and the rows.

    A match in which a decision fails is forfeited.
    """
    log = room_for(pairing.rules)
    seats = pairing.seat_agents[mirror : mirror + 1]
    rows, _ = _play(_Matches(pairing, seed, match, 1, dealer, driver, forfeits=True), log, seats)
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
    seat = deciding(t, phase)
    match, mirror, deal, turn = (int(t[n]) for n in ("match", "mirror", "deal", "turn"))
    agent = pairing.agents[pairing.seat_agents[mirror, seat]]
    place = f"match {match}, mirror {mirror}, deal {deal}, turn {turn}, seat {seat}"
    if crashed:
        if int(t["fault_b"]) == WROTE:
            return AgentFailure(
                f"agent {agent.label}: {DECISIONS[phase]} wrote into its view, which it may only "
                f"read ({place})"
            )
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


def deciding(table: Any, phase: int) -> int:
    """The seat that decides in ``phase`` on a table, a record of dtype ``TABLE``."""
    return int(table["asking"] if phase == PERMIT else table["turn_seat"])


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


def warm_up(
    pairing: Pairing,
    driver: Driver,
    *,
    seed: int = 0,
    dealer: int = 0,
    decision_limit: float | None = None,
) -> None:
    """Compile, or load from disk, all that playing the pairing needs, by playing one set."""
    play(
        pairing, seed=seed, first_match=0, count=pairing.mirrors, dealer=dealer, driver=driver,
        on_illegal="forfeit", decision_limit=decision_limit,
    )  # fmt: skip
