"""Agents from elsewhere: what they must not do as they play, and that they can't play for ever."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from handfoot_sim.agent import Agent, BatchAgent, Param, batch_blocks, blocks, inline
from handfoot_sim.agent.calling import decision_signature
from handfoot_sim.agent.compiling import compile_foreign, decision_function
from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY
from handfoot_sim.agent.loading import agent_names, load_agent
from handfoot_sim.errors import AgentFailure, HandfootError, IllegalDecision
from handfoot_sim.run import WORTH_A_PROCESS
from handfoot_sim.simulation import simulate

DRIVERS = ["fused", "lockstep"]


class WritesIntoView(Agent):
    """Takes a card out of the hand it is shown."""

    @staticmethod
    def discard(view, params):
        kind = blocks.cheapest_discard(view, 30)
        if view.turn > 30:
            view.cards[kind] -= 1
        return kind


class WritesIntoParams(Agent):
    """Changes its own parameter."""

    at = Param(1, 0, 100, "counts something")

    @staticmethod
    def discard(view, params):
        params.at = 2
        return blocks.cheapest_discard(view, 30)


class BatchWritesIntoViews(BatchAgent):
    """Changes the hands it is shown."""

    def discard(self, views):
        if views["turn"].max() > 30:
            views["cards"][:, 4] = 1
        return batch_blocks.cheapest_discard(views, 30)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_view_is_not_written_into(driver: str) -> None:
    words = (
        r"WritesIntoView: discard wrote into its view, .*\(match \d, mirror \d, deal 0, turn 3\d"
    )
    with pytest.raises(AgentFailure, match=words):
        simulate([WritesIntoView, "greedy"], 4, 1, driver=driver)
    deals = simulate([WritesIntoView, "greedy"], 4, 1, driver=driver, on_illegal="forfeit").deals
    assert set(deals[deals["agent"] == "WritesIntoView"]["forfeit"]) == {"crash"}


def test_the_views_of_a_batch_are_not_written_into() -> None:
    words = r"wrote into its views .*read-only.* \(match \d, .* turn 3\d"
    with pytest.raises(AgentFailure, match=words):
        simulate([BatchWritesIntoViews, "greedy"], 4, 1)


@pytest.mark.parametrize("driver", DRIVERS)
def test_parameters_are_not_written_into(driver: str) -> None:
    with pytest.raises(AgentFailure, match="WritesIntoParams: a decision wrote into"):
        simulate([WritesIntoParams, "greedy"], 4, 1, driver=driver)


class DividesByNothing(Agent):
    """Divides by a count that is always 0."""

    @staticmethod
    def discard(view, params):
        return view.turn // view.cards[15]


@inline
def beyond(view):
    """Reads beyond the end of an array."""
    return view.cards[view.turn + 40]


class LooksTooFar(Agent):
    """Reads beyond the end of an array in a function of its own."""

    @staticmethod
    def discard(view, params):
        return beyond(view)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    ("agent", "words"),
    [(DividesByNothing, "ZeroDivisionError"), (LooksTooFar, "IndexError: index is out of bounds")],
)
def test_what_python_would_raise_is_raised(agent: type[Agent], words: str, driver: str) -> None:
    with pytest.raises(AgentFailure, match=f"discard raised {words}.*seat"):
        simulate([agent, "greedy"], 4, 1, driver=driver)


class LaysNothing(Agent):
    """Says that it melds, and melds nothing."""

    @staticmethod
    def meld(view, params, play):
        return True


class Insists(BatchAgent):
    """Makes a play again that was refused, and never lets anybody go out."""

    def meld(self, views, plays):
        forgetful = views.copy()
        forgetful["refused"] = 0
        return batch_blocks.lay_all(forgetful, plays, 3, 3, 0)

    def permit(self, views):
        return np.zeros(len(views), bool)


def test_no_turn_goes_on_for_ever_by_plays_that_lay_nothing() -> None:
    with pytest.raises(IllegalDecision, match=r"broke rule 4.7 .*: a play lays no card"):
        simulate([LaysNothing, "greedy"], 4, 1)


def test_no_turn_goes_on_for_ever_by_a_play_that_is_refused() -> None:
    with pytest.raises(IllegalDecision, match=r"Insists broke rule 6.5"):
        simulate([Insists, "greedy"], 40, 1)


LATE = '''
from handfoot_sim.agent import Agent, blocks


class Late(Agent):
    """Breaks a rule once, late in the run."""

    @staticmethod
    def discard(view, params):
        if view.random % 300_000 == 7:
            return 2
        return blocks.cheapest_discard(view, 30)
'''


@pytest.mark.parametrize("driver", DRIVERS)
def test_finished_shards_of_several_workers_are_kept(tmp_path: Path, driver: str) -> None:
    """With this seed the agent breaks its rule in the sixth and the eighth shard of eight."""
    path = tmp_path / "late.py"
    path.write_text(LATE)
    lineups = [str(path), "greedy"]
    with pytest.raises(IllegalDecision, match=r"late broke rule 7.1") as caught:
        simulate(lineups, WORTH_A_PROCESS, 1, driver=driver, jobs=2, out=tmp_path / "run")
    assert caught.value.transcript is not None
    kept = len(list((tmp_path / "run" / "shards").glob("deals-*.parquet")))
    assert kept
    how = {"driver": driver, "on_illegal": "forfeit"}
    gone_on = simulate(lineups, WORTH_A_PROCESS, 1, out=tmp_path / "run", **how)
    assert 0 < gone_on.played < WORTH_A_PROCESS
    assert 0 < gone_on.deals["forfeit"].notna().sum() < len(gone_on.deals) / 10


def test_an_illegal_decision_can_be_sent_from_another_process() -> None:
    error = IllegalDecision(
        "a sentence", agent="a", rule="4.2", match=1, mirror=0, deal=2, turn=3, seat=1
    )
    error.transcript = {"match": 1}
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is IllegalDecision
    assert (str(back), vars(back)) == (str(error), vars(error))
    assert isinstance(back, HandfootError)


@pytest.mark.parametrize("name", sorted(agent_names()))
def test_own_agents_are_compiled_as_strictly(name: str) -> None:
    """They are trusted when they play: their types, and that they do not recurse, are seen here."""
    agent = load_agent(name)
    if agent.batch:
        pytest.skip("decides in plain NumPy")
    import numba

    params = numba.from_dtype(agent.params_dtype())
    for decision in DECISIONS:
        signature = decision_signature(params, decision in WITH_PLAY)
        assert compile_foreign(decision_function(type(agent), decision), signature)
