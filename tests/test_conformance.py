"""The conformance suite finds what it says it looks for, and says where."""

from __future__ import annotations

import random
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from handfoot_sim.agent import Agent, BatchAgent, Param, batch_blocks, blocks
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.conformance.afresh import same_in_another_process
from handfoot_sim.conformance.answers import (
    leaves_views_alone,
    remembers_nothing,
    sees_nothing_hidden,
)
from handfoot_sim.conformance.bounds import random_value, settings, settings_play_legally
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.conformance.description import decisions_a_second, is_documented
from handfoot_sim.conformance.hidden import redeal_hidden
from handfoot_sim.conformance.matches import drivers_agree, plays_legally, repeats
from handfoot_sim.conformance.outcome import Findings, Outcome, listed
from handfoot_sim.conformance.subject import ITSELF, PARTNER, QUICK, RANDOM, Game, Subject
from handfoot_sim.conformance.suite import CHECKS, checked
from handfoot_sim.errors import AgentFailure
from handfoot_sim.game.cards import RED_THREE
from handfoot_sim.game.state import DISCARD, PERMIT, VIEW
from handfoot_sim.rules import FIELD_NAMES, Rules


class DiscardsTwos(Agent):
    """Discards a two that it lacks, where books have five cards and late in a deal."""

    @staticmethod
    def discard(view, params):
        if view.book_size == 5 and view.cards[1] == 0 and view.turn > 20:
            return 1
        return blocks.cheapest_discard(view, 30)


class Crashes(BatchAgent):
    """Crashes with three seats."""

    def discard(self, views):
        if views["players"][0] == 3:
            raise ValueError("three are a crowd")
        return batch_blocks.cheapest_discard(views, 30)


class Dice(Agent):
    """Throws dice of its own."""

    @staticmethod
    def discard(view, params):
        return blocks.cheapest_discard(view, np.random.randint(0, 100) - 50)  # noqa: NPY002


class Coins(BatchAgent):
    """Throws coins of its own."""

    def discard(self, views):
        return batch_blocks.cheapest_discard(views, random.choice([-30, 30]))


class Counts(BatchAgent):
    """Counts what it was asked before."""

    def __init__(self, **values):
        super().__init__(**values)
        self.asked = 0

    def discard(self, views):
        self.asked += 1
        return batch_blocks.cheapest_discard(views, 40 * (self.asked % 2) - 20)


class Crowd(BatchAgent):
    """Goes by how many tables are asked at once."""

    def discard(self, views):
        if len(views) % 2:
            return 14 - (views["cards"][:, 14::-1] > 0).argmax(1)
        return batch_blocks.cheapest_discard(views, 30)


class Peeks(BatchAgent):
    """Discards what the next seat holds none of, read from the driver's tables."""

    def discard(self, views):
        frame = sys._getframe()
        while "room" not in frame.f_locals:
            frame = frame.f_back
        tables = frame.f_locals["room"].tables[frame.f_locals["chosen"]]
        after = (views["seat"] + 1) % views["players"]
        lacked = tables["hand"][np.arange(len(views)), after] == 0
        wanted = (views["cards"] > 0) & lacked
        plain = batch_blocks.cheapest_discard(views, 30)
        return np.where(wanted.any(1), wanted.argmax(1), plain)


class Writes(Agent):
    """Writes into its view."""

    @staticmethod
    def permit(view, params):
        view.scores[0] = 7
        return True


class WritesInBatches(BatchAgent):
    """Writes into its views."""

    def discard(self, views):
        views["held"][0] += 1
        return batch_blocks.cheapest_discard(views, 30)


class Changes(BatchAgent):
    """Changes its own parameters."""

    weight = Param(30, 0, 60, "of ranks that lie open")

    def discard(self, views):
        self.params["weight"] = 31
        return batch_blocks.cheapest_discard(views, 30)


class Bounds(Agent):
    keep = Param(3, 0, 40, "kind to discard")
    idle = Param(0.5, 0.0, 1.0, "")

    @staticmethod
    def discard(view, params):
        if params.keep > 3 and view.cards[params.keep] > 0:
            return params.keep
        return blocks.cheapest_discard(view, 30)


class Idle(Agent):
    """Never lays a card."""

    @staticmethod
    def meld(view, params, play):
        return False


def found(agent: type[Agent], check: object) -> Outcome:
    return Subject(agent(), QUICK).once(check)


BAD = [
    (DiscardsTwos, plays_legally, r"odd values: discard answered 2: .* broke rule 3.3 \(match"),
    (Crashes, plays_legally, r"3 players: .* three are a crowd \(.*match .* seat \d"),
    (Dice, repeats, r"standard: played again: discard at match \d+, mirror \d, deal \d, turn \d+"),
    (Dice, remembers_nothing, r"discard at match .* seat \d: answered .*; asked again, "),
    (Coins, repeats, "played again: discard at match"),
    (Coins, remembers_nothing, "asked again"),
    (Counts, repeats, "played again: "),
    (Counts, remembers_nothing, "; asked "),
    (WritesInBatches, leaves_views_alone, r"discard wrote into its views.*match \d+"),
    (WritesInBatches, plays_legally, r"standard: .* discard wrote into its views"),
    (Writes, plays_legally, r"standard.*: .* permit wrote into its view"),
    (Crowd, drivers_agree, "standard: 7 tables at a time: |small: one table at a time: "),
    (Crowd, remembers_nothing, "asked apart from the others"),
    (Peeks, sees_nothing_hidden, r"discard at match .* with other hidden cards, "),
    (Writes, leaves_views_alone, "permit at match .*: it changed scores of its view"),
    (Changes, leaves_views_alone, "it changed its own parameters"),
    (Bounds, settings_play_legally, r"keep=40 \(standard\): .* IndexError: .* seat \d"),
    (Bounds, is_documented, "class Bounds has no docstring"),
    (Bounds, is_documented, "parameter idle has no meaning"),
]


@pytest.mark.parametrize(
    ("agent", "check", "words"), BAD, ids=[f"{a.__name__} {c.__name__}" for a, c, _ in BAD]
)
def test_a_fault_is_found_and_placed(agent: type[Agent], check: object, words: str) -> None:
    text = "\n".join(found(agent, check).complaints)
    assert re.search(words, text), text


UNJUDGED = [
    (Dice, drivers_agree, "play the same twice"),
    (Dice, same_in_another_process, "play the same twice"),
    (Dice, sees_nothing_hidden, "answer the same cards in the same way"),
    (Idle, same_in_another_process, "no name or file"),
]


@pytest.mark.parametrize(("agent", "check", "words"), UNJUDGED)
def test_what_follows_from_another_fault_is_not_judged(agent, check, words) -> None:
    outcome = found(agent, check)
    assert outcome.verdict == "not judged"
    assert words in outcome.unjudged


def test_one_bad_configuration_does_not_hide_the_others() -> None:
    subject = Subject(DiscardsTwos(), QUICK)
    assert len(subject.once(plays_legally).complaints) == 1
    assert subject.once(repeats).verdict == "ok"
    assert f"{len(CONFIGURATIONS) - 1} games" in subject.once(repeats).seen


def test_notes_tell_of_what_is_never_done() -> None:
    outcome = found(Idle, plays_legally)
    assert outcome.verdict == "ok"
    assert any("never opened" in note for note in outcome.notes)
    notes = found(Bounds, settings_play_legally).notes
    assert len(notes) == 1
    assert notes[0].startswith("idle changed no match at its bounds: it is not read, or")


def test_constants_drawn_at_import_show_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "drawn.py"
    path.write_text(
        "import os\n\nfrom handfoot_sim.agent import Agent, blocks\n\n"
        "WEIGHT = -50 if os.environ.get('PYTHONHASHSEED') == '1' else 50\n\n\n"
        'class Drawn(Agent):\n    """Has a weight of its process."""\n\n    @staticmethod\n'
        "    def discard(view, params):\n        return blocks.cheapest_discard(view, WEIGHT)\n"
    )
    outcome = same_in_another_process(Subject(load_agent(str(path)), QUICK))
    assert "matches came out otherwise in another process" in outcome.complaints[0]


def test_what_an_agent_prints_does_not_mix_with_the_results(tmp_path: Path) -> None:
    path = tmp_path / "talker.py"
    path.write_text(
        "from handfoot_sim.agent import Agent\n\nprint('hello')\n\n\nclass Talker(Agent):\n"
        '    """Says what it is asked."""\n\n    @staticmethod\n'
        "    def permit(view, params):\n        print('asked', view.turn)\n        return True\n"
    )
    outcome = same_in_another_process(Subject(load_agent(str(path)), QUICK))
    assert outcome.verdict == "ok"


def test_a_process_that_fails_is_told(tmp_path: Path) -> None:
    path = tmp_path / "once.py"
    path.write_text('from handfoot_sim.agent import Agent\n\n\nclass Once(Agent):\n    """Is."""\n')
    subject = Subject(load_agent(str(path)), QUICK)
    path.unlink()
    outcome = same_in_another_process(subject)
    assert "another process could not play it" in outcome.complaints[0]
    assert "once.py" in outcome.complaints[0]


def test_settings_are_within_bounds_and_reach_them() -> None:
    agent = load_agent("random_legal")
    every = list(settings(agent, 5))
    assert len(every) == 6 + 5
    assert {"take_chance": 0.0} in every
    assert {"take_chance": 1.0} in every
    generator = np.random.default_rng(1)
    for param in (Param(3, 2, 5, "x"), Param(0.2, 0.1, 0.3, "x"), Param(True, False, True, "x")):
        values = [random_value(param, generator) for _ in range(200)]
        assert all(type(value) is param.kind for value in values)
        assert all(param.checked("x", value) == value for value in values)
        if param.kind is not float:
            assert set(values) == set(range(int(param.low), int(param.high) + 1))


def test_the_command_plays_the_game_again() -> None:
    subject = Subject(load_agent("greedy:rush=2"), QUICK)
    words = subject.command(Game("2 players", RANDOM), {"pile_min": 4})
    assert words is not None
    assert words.startswith("handfoot compare greedy:pile_min=4,rush=2 random_legal --seed 8")
    assert words.endswith("--matches 8 --rule=players=2")
    assert "--no-duplicate" in (subject.command(Game("standard", ITSELF)) or "")
    assert "greedy:rush=2+greedy+greedy " in (subject.command(Game("6 in 2", PARTNER)) or "")
    assert Subject(Idle()).command(Game("standard", RANDOM)) is None


def test_configurations_use_every_form_and_every_field() -> None:
    forms = {(rules.players, rules.teams) for rules in CONFIGURATIONS.values()}
    assert forms >= {(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 3), (6, 6)}
    changed = set().union(*(rules.changes() for rules in CONFIGURATIONS.values()))
    assert set(FIELD_NAMES) - changed <= {
        "value_black_three", "bonus_wild", "bonus_out", "bonus_red_three",
    }  # fmt: skip


@pytest.mark.parametrize("under", ["standard", "pagat", "6 in 3", "one card drawn"])
def test_redealing_keeps_what_is_seen_and_moves_the_rest(under: str) -> None:
    subject = Subject(load_agent("greedy"), replace(QUICK, situations=(under,)))
    generator = np.random.default_rng(5)
    moved = 0
    situations = subject.situations()
    assert {situation.phase for situation in situations} >= {DISCARD, PERMIT}
    for situation in situations:
        tables = situation.tables.copy()
        redeal_hidden(tables, CONFIGURATIONS[under], generator)
        before, after = situation.ask(situation.tables), situation.ask(tables)
        assert np.array_equal(before.shown, after.shown)
        for old, new in zip(situation.tables, tables, strict=True):
            moved += not np.array_equal(old["hand"], new["hand"])
            assert not new["hand"][:, RED_THREE].any()
            assert np.array_equal(old["hand"].sum(1), new["hand"].sum(1))
            assert np.array_equal(old["foot"].sum(1), new["foot"].sum(1))
            assert (new["hand"] >= new["known"]).all()
            assert np.array_equal(cards_of(old), cards_of(new))
    assert moved > 0


def cards_of(t: np.void) -> np.ndarray:
    """How many cards of each kind lie in hands, feet and the stock as it was at first."""
    stock = np.bincount(t["stock"][: t["stock_size"]], minlength=16)
    return t["hand"].sum(0) + t["foot"].sum(0) + stock


def test_views_hold_no_hidden_card() -> None:
    hidden = {"hand", "foot", "stock", "stock_next", "drawn", "pending", "match_key", "turn_key"}
    assert not hidden & set(VIEW.names or ())


def test_speed_is_a_figure() -> None:
    begun = time.perf_counter()
    outcome = decisions_a_second(Subject(load_agent("greedy"), QUICK))
    assert time.perf_counter() - begun >= QUICK.seconds
    assert "decisions/s" in outcome.seen
    assert outcome.verdict == "ok"


def test_nothing_is_played_after_a_decision_that_does_not_end() -> None:
    subject = Subject(Idle(), QUICK)
    subject.stuck = AgentFailure("agent Idle: discard has not answered for 20 s")
    outcomes = {check.name: outcome for check, outcome in checked(subject)}
    assert len(outcomes["plays legally and finishes"].complaints) == 1
    assert outcomes["speed"].unjudged == "a decision did not end"
    assert subject.situations() == []


def test_all_checks_are_made_after_a_failure() -> None:
    subject = Subject(DiscardsTwos(), replace(QUICK, sets=2, rounds=100))
    verdicts = {check.name: outcome.verdict for check, outcome in checked(subject)}
    assert len(verdicts) == len(CHECKS)
    assert verdicts["plays legally and finishes"] == "FAILED"
    assert verdicts["same seed, same bits"] == "ok"


def test_findings_of_one_kind_are_told_once() -> None:
    findings = Findings()
    for place in ("here", "there", "there", "elsewhere"):
        findings.add("kind", "it rains", place)
    findings.add("other", "it snows", "here")
    assert findings.sentences() == [
        "here: it rains (also: there; elsewhere)",
        "here: it snows",
    ]
    assert listed("abcdef", 4) == "a; b; c; d; and 2 more"


def test_the_games_of_standard_rules_are_among_them() -> None:
    assert CONFIGURATIONS["standard"] == Rules()
    assert Game("standard", RANDOM) in Subject(load_agent("greedy"), QUICK).games
