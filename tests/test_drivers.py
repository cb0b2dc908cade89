"""Both drivers, any batch, any number of workers: the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.errors import AgentError
from handfoot_sim.playing import choose_driver, play
from handfoot_sim.rules import Rules
from handfoot_sim.run import WORTH_A_PROCESS
from handfoot_sim.simulation import simulate

SETS = 12


def rows_by(lineups: list[str], rules: Rules, **how: object) -> np.ndarray:
    pairing = make_pairing(lineups, rules)
    count = SETS * pairing.mirrors
    return play(pairing, seed=5, first_match=3, count=count, **how)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_drivers_agree(name: str) -> None:
    rules = CONFIGURATIONS[name]
    lineups = ["greedy", "random_legal"]
    fused = rows_by(lineups, rules, driver="fused")
    for batch in (1, 7, 4096):
        assert np.array_equal(fused, rows_by(lineups, rules, driver="lockstep", batch=batch))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_batch_agent_plays_like_its_compiled_twin(name: str) -> None:
    rules = CONFIGURATIONS[name]
    compiled = rows_by(["greedy", "random_legal"], rules, driver="fused")
    batch = rows_by(["greedy_numpy", "random_legal"], rules, driver="lockstep")
    assert np.array_equal(compiled, batch)


def test_twins_agree_with_other_parameters() -> None:
    words = "pile_min=4,wild_start=5,rush=8,book_weight=0,open_weight=0"
    compiled = rows_by([f"greedy:{words}", "random_legal"], Rules(), driver="fused")
    batch = rows_by([f"greedy_numpy:{words}", "random_legal"], Rules(), driver="lockstep")
    plain = rows_by(["greedy", "random_legal"], Rules(), driver="fused")
    assert np.array_equal(compiled, batch)
    assert not np.array_equal(compiled, plain)


def test_mixed_partnerships_agree() -> None:
    compiled = rows_by(["greedy+random_legal", "random_legal+greedy"], Rules(), driver="fused")
    batch = rows_by(
        ["greedy_numpy+random_legal", "random_legal+greedy"], Rules(), driver="lockstep"
    )
    assert np.array_equal(compiled, batch)


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
def test_same_results_for_one_and_two_workers(driver: str) -> None:
    lineups = ["greedy", "random_legal"]
    matches = 1200 if driver == "fused" else WORTH_A_PROCESS
    one = simulate(lineups, matches, 9, driver=driver, jobs=1)
    two = simulate(lineups, matches, 9, driver=driver, jobs=2)
    assert len(one.tables) > 1
    assert one.deals.equals(two.deals)


def test_matches_do_not_depend_on_which_others_are_played() -> None:
    pairing = make_pairing(["greedy", "random_legal"], Rules())
    many = play(pairing, seed=1, first_match=0, count=40)
    few = play(pairing, seed=1, first_match=7, count=4)
    assert np.array_equal(many[14:18], few)


def test_seeds_give_other_cards() -> None:
    pairing = make_pairing(["greedy", "greedy"], Rules())
    one = play(pairing, seed=1, first_match=0, count=20)
    other = play(pairing, seed=2, first_match=0, count=20)
    assert not np.array_equal(one["score"], other["score"])


def test_an_agent_against_itself_has_no_paired_margin() -> None:
    for name in ("greedy", "random_legal"):
        pairing = make_pairing([name, name], Rules())
        scores = play(pairing, seed=4, first_match=0, count=40)["score"].sum(1)
        margins = (scores[:, 0] - scores[:, 1]).reshape(-1, 2)
        assert margins.any()
        assert np.array_equal(margins[:, 0], margins[:, 1])


def test_fused_refuses_batch_agents() -> None:
    pairing = make_pairing(["greedy_numpy", "greedy"], Rules())
    assert choose_driver(pairing) == "lockstep"
    with pytest.raises(AgentError, match="use the lockstep driver"):
        choose_driver(pairing, "fused")
    with pytest.raises(AgentError, match="allowed are fused, lockstep"):
        choose_driver(pairing, "slow")
