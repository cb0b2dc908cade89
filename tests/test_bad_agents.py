"""Agents that break rules, crash, or answer nonsense: a sentence each, nothing played is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handfoot_sim.agent import Agent, BatchAgent, Param, blocks, inline
from handfoot_sim.errors import AgentError, AgentFailure, IllegalDecision
from handfoot_sim.simulation import simulate
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.format import convert_match


class KeepsNothing(Agent):
    """Discards a red three, which nobody ever holds."""

    @staticmethod
    def discard(view, params):
        return 2


class DiscardsWhatItLacks(Agent):
    """Discards an ace it need not hold."""

    @staticmethod
    def discard(view, params):
        return 14


class LaysTwo(Agent):
    """Lays melds of two cards."""

    @staticmethod
    def meld(view, params, play):
        for rank in range(4, 15):
            if view.cards[rank] == 2:
                play.naturals[rank] = 2
                return 1
        return 0


class AnswersSeven(Agent):
    """Says 7 when asked whether to meld."""

    @staticmethod
    def meld(view, params, play):
        return 7


class Raises(Agent):
    """Raises in its tenth turn."""

    at = Param(10, 0, 100, "turn in which it raises")

    @staticmethod
    def discard(view, params):
        if view.turn >= params.at:
            raise ValueError("no idea what to discard")
        return blocks.cheapest_discard(view, 0)


class LooksTooFar(Agent):
    """Reads beyond the end of an array of its view."""

    @staticmethod
    def discard(view, params):
        return view.cards[view.turn + 40]


class BatchRaises(BatchAgent):
    """Raises when asked to discard."""

    def discard(self, views):
        raise RuntimeError("lost the thread")


class BatchShort(BatchAgent):
    """Returns too few answers."""

    def discard(self, views):
        return np.zeros(len(views) - 1, np.int64)


class BatchNaN(BatchAgent):
    """Returns something that is no number."""

    def discard(self, views):
        return np.full(len(views), np.nan)


class BatchWords(BatchAgent):
    """Returns words."""

    def discard(self, views):
        return np.full(len(views), "4")


class BatchIllegal(BatchAgent):
    """Discards a red three."""

    def discard(self, views):
        return np.full(len(views), 2)


ILLEGAL = [
    (KeepsNothing, "7.1"),
    (DiscardsWhatItLacks, "3.3"),
    (LaysTwo, "4.1"),
    (AnswersSeven, "3.1"),
]


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
@pytest.mark.parametrize(("agent", "rule"), ILLEGAL)
def test_illegal_decisions_name_the_rule(agent: type[Agent], rule: str, driver: str) -> None:
    with pytest.raises(IllegalDecision) as caught:
        simulate([agent, "greedy"], 20, 1, driver=driver, batch=8)
    error = caught.value
    assert error.rule == rule
    assert error.agent == agent.__name__
    for word in (agent.__name__, f"rule {rule}", "match", "deal", "turn", "seat"):
        assert word in str(error)
    assert error.exit_code == 1


@pytest.mark.parametrize("agent", [LaysTwo, DiscardsWhatItLacks])
def test_the_transcript_ends_where_the_rule_is_broken(agent: type[Agent]) -> None:
    with pytest.raises(IllegalDecision) as caught:
        simulate([agent, "greedy"], 20, 1)
    error = caught.value
    match = error.transcript
    assert match is not None
    deals = match["deals"]
    assert len(deals) == error.deal + 1
    assert len(deals[-1]["turns"]) in (error.turn, error.turn + 1)
    fault = check_match(convert_match(match, unfinished=True))
    assert fault is not None
    assert (fault.rule, fault.deal, fault.turn, fault.seat) == (
        error.rule, error.deal, error.turn, error.seat,
    )  # fmt: skip


def test_an_illegal_batch_decision_is_named() -> None:
    with pytest.raises(IllegalDecision, match=r"BatchIllegal broke rule 7.1 \(match \d, mirror \d"):
        simulate([BatchIllegal, "greedy"], 4, 1)


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
def test_a_crash_says_what_was_raised_and_where(driver: str) -> None:
    expected = r"Raises: discard raised ValueError: no idea .*match \d+, mirror \d, deal 0, turn 1"
    with pytest.raises(AgentFailure, match=expected):
        simulate([Raises, "greedy"], 4, 1, driver=driver)


def test_agents_from_elsewhere_cant_read_beyond_their_view() -> None:
    with pytest.raises(AgentFailure, match="LooksTooFar: discard raised IndexError"):
        simulate([LooksTooFar, "greedy"], 4, 1)


class BatchRagged(BatchAgent):
    """Answers with no array at all."""

    def discard(self, views):
        return [[1], [1, 2]]


class BatchHuge(BatchAgent):
    """Answers beyond 64 bits."""

    def discard(self, views):
        return np.full(len(views), 1e300)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (BatchRagged, "discard returned no array"),
        (BatchHuge, "answers must be whole numbers or booleans"),
        (BatchRaises, "discard raised RuntimeError: lost the thread"),
        (BatchShort, r"discard returned shape \(\d+,\) for \d+ views?"),
        (BatchNaN, "answers must be whole numbers or booleans"),
        (BatchWords, "answers must be whole numbers or booleans"),
    ],
)
def test_batch_agents_that_answer_nonsense(agent: type[Agent], words: str) -> None:
    with pytest.raises(AgentFailure, match=f"agent {agent.__name__}: .*{words}.*match 0"):
        simulate([agent, "greedy"], 4, 1)


class NotStatic(Agent):
    """Forgot the static method."""

    def discard(self, view):
        return 4


class TooFewArguments(Agent):
    """Takes one argument."""

    @staticmethod
    def discard(view):
        return 4


class NotCompilable(Agent):
    """Uses what Numba does not know."""

    @staticmethod
    def discard(view, params):
        return eval("view.turn")


class OfTheClass(Agent):
    """A class method."""

    @classmethod
    def discard(cls, view, params):
        return 4


class NoFunction(Agent):
    """A number where a decision belongs."""

    discard = 5


class ReadsItsClass(Agent):
    """Reads a constant of its class."""

    WEIGHT = 30

    @staticmethod
    def discard(view, params):
        return ReadsItsClass.WEIGHT


class MisspellsField(Agent):
    """Asks its view for something it does not have."""

    @staticmethod
    def discard(view, params):
        return view.crads[0]


def cheap(view):
    return view.cards[4]


class CallsPlainFunction(Agent):
    """Calls a function that is not declared as ``inline``."""

    @staticmethod
    def discard(view, params):
        return cheap(view)


class ReturnsFraction(Agent):
    """Answers with a number that is not whole."""

    @staticmethod
    def discard(view, params):
        return 4 if view.turn else 4.7


class ReturnsNaN(Agent):
    """Answers with something that is no number."""

    @staticmethod
    def permit(view, params):
        return np.nan


class ReturnsSometimes(Agent):
    """Forgot the return on one path."""

    @staticmethod
    def discard(view, params):
        if view.turn > 3:
            return blocks.cheapest_discard(view, 30)
        return None


class ReturnsNothing(Agent):
    """Forgot the return."""

    @staticmethod
    def discard(view, params):
        blocks.cheapest_discard(view, 30)


class ReturnsPair(Agent):
    """Answers with two numbers."""

    @staticmethod
    def meld(view, params, play):
        return 1, 2


@inline
def deeper(view, depth):
    """Calls itself, in practice for ever."""
    if depth < 0:
        return 0
    return deeper(view, depth + 1)


@inline
def through(view):
    return deeper(view, view.turn)


class Recurses(Agent):
    """Calls a function that calls one that calls itself."""

    @staticmethod
    def discard(view, params):
        return through(view)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (ReturnsFraction, "discard returns a fraction; .* make it one by int"),
        (ReturnsNaN, "permit returns a fraction"),
        (ReturnsSometimes, "discard returns nothing on some of its paths"),
        (ReturnsNothing, "discard returns nothing; it must return a whole number or a boolean"),
        (ReturnsPair, "meld returns UniTuple.*; an answer must be a whole number or a boolean"),
        (Recurses, "discard calls deeper, which calls itself"),
        (OfTheClass, "discard must be a static method"),
        (NoFunction, "discard = 5 must be a static method"),
        (ReadsItsClass, "must be the module's, not a class's"),
        (NotStatic, "discard must be a static method"),
        (TooFewArguments, r"discard takes 1 arguments but must take \(view, params\)"),
        (NotCompilable, "discard can't be compiled"),
        (MisspellsField, "have a field 'crads'; did you mean cards?"),
        (CallsPlainFunction, "'cheap'.*needs @inline above it"),
    ],
)
def test_classes_that_are_no_agents(agent: type[Agent], words: str) -> None:
    with pytest.raises(AgentError, match=words) as caught:
        simulate([agent, "greedy"], 4, 1)
    assert "\n" not in str(caught.value)


def test_finished_shards_are_kept(tmp_path: Path) -> None:
    late = "from handfoot_sim.agent import Agent, blocks\n\n\nclass Late(Agent):\n"
    late += '    """Breaks a rule once, late in the run."""\n\n    @staticmethod\n'
    late += "    def discard(view, params):\n        if view.random % 60_000 == 7:\n"
    late += "            return 2\n        return blocks.cheapest_discard(view, 30)\n"
    path = tmp_path / "late.py"
    path.write_text(late)
    with pytest.raises(IllegalDecision):
        simulate([str(path), "greedy"], 4000, 2, out=tmp_path / "run")
    assert list((tmp_path / "run" / "shards").glob("deals-*.parquet"))
