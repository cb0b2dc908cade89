"""The engine's matches, replayed by the independent referee: equal scores, equal statistics."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.engine.rows import ROW
from handfoot_sim.playing import log_match, play
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.write import transcript
from tests.referee import referee

MATCHES = 4
HEAVY_MATCHES = int(os.environ.get("HANDFOOT_HEAVY", "12"))
LINEUPS = [("greedy", "random_legal"), ("random_legal", "random_legal"), ("greedy", "greedy")]


def judged(lineups: tuple[str, str], rules: Rules, match: int) -> tuple[dict[str, Any], np.ndarray]:
    """What the referee makes of a match, and the engine's rows of it, shape (deals, teams)."""
    pairing = make_pairing(lineups, rules)
    mirror = match % pairing.mirrors
    dealer = match % rules.players
    log, rows = log_match(
        pairing, seed=21, match=match, mirror=mirror, dealer=dealer, driver="fused"
    )
    written = transcript(
        log, rules, seed=21, match=match, dealer=dealer, agents=pairing.seat_labels(mirror)
    )
    return referee(written), rows[0]


def assert_agree(verdict: dict[str, Any], rows: np.ndarray) -> None:
    assert verdict["totals"] == rows["score"].sum(0).tolist()
    for deal, row in zip(verdict["deals"], rows, strict=True):
        assert deal["turns"] == row["turns"][0]
        for team, stats in enumerate(deal["stats"]):
            for name, value in stats.items():
                if name not in (ROW.names or ()):
                    assert name == "wild2_turn"  # of no use to the table
                    continue
                stated = row[name][team]
                assert (value is None and stated == -1) or value == stated, (name, value, stated)
        for team, parts in enumerate(deal["breakdown"]):
            for name, value in parts.items():
                assert value == row[name][team], name
        assert deal["scores"] == row["score"].tolist()


@pytest.mark.parametrize("lineups", LINEUPS, ids="-".join)
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_engine_and_referee_agree(name: str, lineups: tuple[str, str]) -> None:
    for match in range(MATCHES):
        assert_agree(*judged(lineups, CONFIGURATIONS[name], match))


@pytest.mark.heavy
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_engine_and_referee_agree_on_many_matches(name: str) -> None:
    rules = CONFIGURATIONS[name]
    for match in range(MATCHES, MATCHES + HEAVY_MATCHES):
        assert_agree(*judged(LINEUPS[match % 3], rules, match))


def test_the_sample_exercises_what_is_rare() -> None:
    """Going out, requests refused, foot of the second partner, wild books: all occur in it."""
    seen: dict[str, int] = dict.fromkeys(ROW.names or (), 0)
    for name, rules in CONFIGURATIONS.items():
        rows = play(
            make_pairing(["greedy", "random_legal"], rules), seed=21, first_match=0, count=60
        )
        for column in seen:
            seen[column] += int((rows[column] > 0).sum())
        assert (rows["end"] == 2).any() or name != "standard"
    for column in ("went_out", "asked", "refused", "foot2_turn", "wild", "ready_turn"):
        assert seen[column] > 0, column
