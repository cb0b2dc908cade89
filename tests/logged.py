"""Matches played by the fused driver with the log on, for tests of transcripts."""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.agent import Agent
from handfoot_sim.agent.calling import SEATED
from handfoot_sim.agent.compiling import compile_decisions
from handfoot_sim.engine.fused import play_matches
from handfoot_sim.engine.log import Log, room_for
from handfoot_sim.engine.rows import ROW
from handfoot_sim.game.state import PLAY, TABLE, VIEW, full_deck, meld_minimums, rules_record
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.write import transcript


def played(
    agent: Agent, rules: Rules, *, seed: int = 1, match: int = 0, dealer: int = 0
) -> tuple[Log, np.ndarray]:
    """Log and result rows, shape (deals, teams), of one match of an agent against itself."""
    seated = np.zeros(1, SEATED)
    seated["address"] = compile_decisions(type(agent)).addresses
    seated["params"] = agent.params_record()
    rows = np.zeros((1, rules.deals, rules.teams), ROW)
    log = room_for(rules)
    play_matches(
        rules_record(rules),
        full_deck(rules),
        meld_minimums(rules),
        np.uint64(seed),
        dealer,
        match,
        np.zeros((1, rules.players), np.int64),
        seated,
        np.zeros(1, TABLE),
        np.zeros(1, VIEW),
        np.zeros(1, PLAY),
        np.zeros(rules.cards, np.uint8),
        log.head,
        rows,
        0,
    )
    return log, rows[0]


def played_transcript(agent: Agent, rules: Rules, **which: int) -> dict[str, Any]:
    """The transcript of one match of an agent against itself."""
    log, _ = played(agent, rules, **which)
    return transcript(
        log,
        rules,
        seed=which.get("seed", 1),
        match=which.get("match", 0),
        dealer=which.get("dealer", 0),
        agents=[agent.label] * rules.players,
    )
