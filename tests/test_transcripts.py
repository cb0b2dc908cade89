"""From the engine to a transcript and back: what is played, written and checked agrees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from handfoot_agents.random_legal import RandomLegal
from handfoot_sim.agent import Agent
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.log import Log
from handfoot_sim.engine.position import make_play
from handfoot_sim.errors import TranscriptError
from handfoot_sim.game.state import DISCARD, DRAW, MELD
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.format import convert_match
from handfoot_sim.transcripts.write import transcript
from tests.logged import played, played_transcript
from tests.referee import Breach, referee
from tests.refusing import RefusingGreedy
from tests.spoiling import SPOILERS

Transcript = dict[str, Any]

AGENTS: dict[str, Agent] = {
    "random": RandomLegal(meld_chance=0.95, permit_chance=0.5),
    "refusing": RefusingGreedy(),
}


def rule_broken(match: Transcript) -> str | None:
    fault = check_match(convert_match(match, unfinished=True))
    return None if fault is None else fault.rule


# Whole matches


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_what_was_played_holds(name: str, agent: str) -> None:
    rules = CONFIGURATIONS[name]
    for match in range(2):
        dealer = match % rules.players
        log, rows = played(AGENTS[agent], rules, seed=3, match=match, dealer=dealer)
        written = transcript(log, rules, seed=3, match=match, dealer=dealer, agents=["a", "b"])
        assert check_match(convert_match(written)) is None
        results = referee(json.loads(json.dumps(written)))
        assert [deal["scores"] for deal in written["deals"]] == rows["score"].tolist()
        assert [deal["breakdown"] for deal in results["deals"]] == [
            deal["breakdown"] for deal in written["deals"]
        ]
        assert results["totals"] == written["totals"] == rows["score"].sum(axis=0).tolist()
        assert results["winner"] == written["winner"]


def test_what_a_transcript_says_of_itself() -> None:
    log, _ = played(AGENTS["random"], Rules(pile_take=0), seed=2**64 - 1, match=5, dealer=2)
    named = transcript(log, Rules(pile_take=0), seed=2**64 - 1, match=5, dealer=2, agents="abcd")
    assert named["format"] == "handfoot-transcript-1"
    assert named["rules"] == {"preset": "standard", "pile_take": 0}
    assert (named["seed"], named["match"], named["agents"]) == (2**64 - 1, 5, list("abcd"))
    assert [deal["dealer"] for deal in named["deals"]] == [2, 3, 0, 1]
    assert check_match(convert_match(named)) is None
    nameless = transcript(log, Rules(pile_take=0), seed=1, match=5, dealer=2)
    assert "agents" not in nameless


def test_refusals_are_written_and_change_nothing() -> None:
    found = played_transcript(RefusingGreedy(), Rules(), match=1)
    plays = [
        (turn, play)
        for deal in found["deals"]
        for turn in deal["turns"]
        for play in turn.get("plays", [])
    ]
    asked = [play["permission"] for _, play in plays if "permission" in play]
    assert set(asked) == {True, False}
    for turn, play in plays:
        if play.get("permission") is False:
            turn["plays"].remove(play)
    assert check_match(convert_match(found)) is None


# Matches that were broken off


def cut(log: Log, deal: int, event: int) -> tuple[Log, np.void]:
    """The log up to decision ``event`` of a deal, which is the last one and may be changed."""
    size = int(log.head["size"][0])
    places = np.flatnonzero(log.events["deal"][:size] == deal)
    log.head["size"] = places[event] + 1
    log.cards[deal + 1 :] = 0
    return log, log.events[places[event]]


def broken_off(log: Log, rules: Rules) -> Transcript:
    return transcript(log, rules, seed=1, match=0, dealer=0)


@pytest.mark.parametrize("event", [0, 1, 2, 17, 60, -1])
def test_a_match_broken_off_is_written_as_far_as_it_went(event: int) -> None:
    whole = played_transcript(AGENTS["random"], Rules())
    log, _ = cut(played(AGENTS["random"], Rules())[0], 1, event)
    part = broken_off(log, Rules())
    assert part["deals"][0] == whole["deals"][0]
    assert len(part["deals"]) == 2
    if event == -1:
        assert part["deals"][1] == whole["deals"][1]
    else:
        assert "scores" not in part["deals"][1]
        turns = part["deals"][1]["turns"]
        assert turns[:-1] == whole["deals"][1]["turns"][: len(turns) - 1]
    assert "totals" not in part
    with pytest.raises(TranscriptError):
        convert_match(part)
    rules = Rules(deals=2)
    part["rules"] = rules.as_mapping()
    fault = check_match(convert_match(part, unfinished=True))
    assert fault is not None
    assert fault.rule == ("8.3" if event == -1 else "8.1"), fault


def decisions(log: Log, phase: int, deal: int = 1) -> Iterator[int]:
    """Places, in a deal, of the decisions of a phase."""
    events = log.events[: int(log.head["size"][0])]
    return iter(np.flatnonzero(events[events["deal"] == deal]["phase"] == phase).tolist())


def spoiled(phase: int, answer: int, melds: dict[str, list[str]] | None = None) -> Transcript:
    """A match broken off because a decision of a phase was this one."""
    log, _ = played(AGENTS["random"], Rules())
    log, event = cut(log, 1, list(decisions(log, phase))[3])
    event["answer"] = answer
    if melds is not None:
        event["play"] = make_play(melds)[0]
    return broken_off(log, Rules()) | {"rules": {"deals": 2}}


def test_a_decision_that_broke_a_rule_stands_last() -> None:
    assert rule_broken(spoiled(DISCARD, 2)) == "7.1"
    assert rule_broken(spoiled(MELD, 1, {"wild": ["2"] * 9})) == "4.1"
    assert rule_broken(spoiled(MELD, 1, {})) == "4.7"
    assert rule_broken(spoiled(DRAW, 1, {"wild": ["2"] * 7})) == "5.2"


def test_a_decision_the_format_has_no_words_for_is_left_out() -> None:
    for phase, answer in ((DISCARD, 15), (DISCARD, -1), (DRAW, 7), (MELD, -3)):
        assert rule_broken(spoiled(phase, answer)) == "8.1"
    log, _ = played(AGENTS["random"], Rules())
    log, event = cut(log, 1, next(decisions(log, MELD)))
    event["answer"] = 1
    for part, place, count in (("naturals", 5, -1), ("naturals", 0, 3), ("twos", 15, 1)):
        event["play"] = make_play({})[0]
        event["play"][part][place] = count
        assert not broken_off(log, Rules())["deals"][1]["turns"][-1].get("plays")
    event["play"] = make_play({})[0]
    event["play"]["naturals"][3] = 3
    three = broken_off(log, Rules()) | {"rules": {"deals": 2}}
    assert rule_broken(three) == "7.3"


def test_a_log_of_other_rules_is_noticed() -> None:
    log, _ = played(AGENTS["random"], Rules())
    with pytest.raises(ValueError, match="the log has a decision"):
        broken_off(log, Rules(draw_count=3))


# Spoiled matches, judged by the checker and by the referee

ALSO = {
    ("4.1", "4.5"), ("7.1", "4.5"), ("7.3", "4.5"), ("4.1", "5.2"), ("7.1", "5.2"), ("7.3", "5.2"),
    ("7.1", "4.1"), ("7.3", "4.1"), ("5.4", "4.7"), ("5.3", "5.2"), ("5.2", "4.1"), ("8.1", "4.7"),
    ("2.2", "format"), ("5.2", "4.5"), ("2.1", "9"),
}  # fmt: skip
"""Where a step breaks both rules, and checker and referee name one each."""


def referees(match: Transcript) -> str | None:
    try:
        referee(match)
    except Breach as breach:
        return breach.rule
    return None


@pytest.fixture(scope="module")
def legal() -> list[str]:
    """Legal matches by all configurations, as JSON text."""
    return [
        json.dumps(played_transcript(agent, rules, seed=7, match=number))
        for number, rules in enumerate(CONFIGURATIONS.values())
        for agent in AGENTS.values()
    ]


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda spoiler: spoiler.__name__)
def test_checker_and_referee_agree(spoiler: Any, legal: list[str]) -> None:
    random = Random(spoiler.__name__)
    for _ in range(25):
        match = json.loads(random.choice(legal))
        spoiler(random, match)
        found, other = rule_broken(match), referees(match)
        assert found == other or (found, other) in ALSO, match
