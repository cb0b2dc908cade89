"""Plans of tournaments: from words, from TOML, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handfoot_sim.errors import HandfootError, PlanError
from handfoot_sim.ratings.sprt import EloTest, MarginTest
from handfoot_sim.rules import Rules
from handfoot_sim.stopping import HalfWidth, is_enough, seconds_of, stop_rule
from handfoot_sim.tally import Tally
from handfoot_sim.tournament.pairings import Meeting, meetings
from handfoot_sim.tournament.plan import (
    Plan,
    agents_of,
    plan_from_mapping,
    plan_from_toml,
    split_agents,
)
from handfoot_sim.tournament.playing import run_of_plan


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("greedy,random_legal", ["greedy", "random_legal"]),
        ("greedy:pile_min=3,rush=2,closer", ["greedy:pile_min=3,rush=2", "closer"]),
        ("a:x=1, y=2 ,b:z=3", ["a:x=1, y=2", "b:z=3"]),
        ("a:x=1,y=2+b:z=3,w=4,c", ["a:x=1,y=2+b:z=3,w=4", "c"]),
        ("mine.py:Miser:k=1,module:Class", ["mine.py:Miser:k=1", "module:Class"]),
        ("a,,b,", ["a", "b"]),
        ("", []),
    ],
)
def test_commas_part_agents_and_not_parameters(text: str, agents: list[str]) -> None:
    assert split_agents(text) == agents


def test_both_options_name_agents() -> None:
    assert agents_of(["a,b"], ["odd, name.py"]) == ["a", "b", "odd, name.py"]


def pairs_of(**fields: object) -> list[tuple[str, str]]:
    return [(m.a, m.b) for m in meetings(Plan(**fields))]


def test_formats() -> None:
    agents = ["a", "b", "c"]
    assert pairs_of(agents=agents) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs_of(agents=agents, format="gauntlet") == [("a", "b"), ("a", "c")]
    assert pairs_of(agents=agents, format="ladder") == [("a", "b"), ("a", "c"), ("b", "c")]
    ladder = pairs_of(agents=["new", "v1", "v2", "v3"], format="ladder")
    assert ladder[3:] == [("v1", "v2"), ("v2", "v3")]


def test_a_cross_play_plays_both_orders_of_partners() -> None:
    plan = Plan(agents=["a", "b"], format="cross-play", opponent="c", matches=101)
    assert meetings(plan) == [
        Meeting("a", "c", 101, "a+a"),
        Meeting("a+b", "c", 51, "a+b"),
        Meeting("b+a", "c", 51, "a+b"),
        Meeting("b", "c", 101, "b+b"),
    ]
    with pytest.raises(PlanError, match="a cross-play takes single agents"):
        meetings(Plan(agents=["a+b"], format="cross-play", opponent="c"))


def test_matches_by_default_depend_on_the_stop_rule() -> None:
    agents = ["a", "b"]
    assert Plan(agents=agents).most_matches == 20_000
    assert Plan(agents=agents, until="sprt").most_matches == 1_000_000
    assert Plan(agents=agents, time="60s").most_matches == 1_000_000
    assert Plan(agents=agents, until="sprt", matches=500).most_matches == 500


def test_stop_rules() -> None:
    assert stop_rule("matches") is None
    assert stop_rule("half-width", below=50) == HalfWidth(50)
    assert stop_rule("sprt") == EloTest(0, 5, 0.05, 0.05)
    assert stop_rule("sprt", elo1=3, alpha=0.01) == EloTest(0, 3, 0.01, 0.05)
    assert stop_rule("sprt", margin0=-10, margin1=20) == MarginTest(-10, 20)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"until": "forever"}, "must be one of matches, half-width, sprt"),
        ({"until": "half-width"}, "needs below"),
        ({"until": "half-width", "below": -1}, "below = -1.0 must be a positive number"),
        ({"until": "half-width", "below": float("nan")}, "must be a positive number"),
        ({"until": "matches", "below": 5}, "not used with until = matches"),
        ({"until": "half-width", "elo0": 5, "below": 1}, "elo0 is given but not used"),
        ({"until": "sprt", "elo0": 0, "margin1": 5}, "elo0 is given but not used"),
    ],
)
def test_stop_rules_refuse(how: dict[str, object], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        stop_rule(**how)


def test_half_widths_are_looked_at_once_there_are_enough() -> None:
    tally = Tally()
    assert not is_enough(HalfWidth(50), tally)
    tally.sets, tally.margin = 99, [0.0, 99.0]
    assert not is_enough(HalfWidth(50), tally)
    tally.sets = 100
    assert is_enough(HalfWidth(50), tally)
    assert not is_enough(HalfWidth(0.01), tally)
    assert not is_enough(None, tally)


def test_times() -> None:
    found = [seconds_of(text) for text in ("90", "90s", "5m", "2 min", "1.5h")]
    assert found == [90, 90, 300, 120, 5400]
    for text in ("soon", "0s", "-5s", "5 days"):
        with pytest.raises(PlanError, match="must be a time such as"):
            seconds_of(text)


PLAN = """format = "gauntlet"
agents = ["greedy:pile_min=3,rush=2", "random_legal", "greedy+random_legal"]
matches = 400
seed = 3
rules = ["standard", { preset = "pagat", pile_take = 5 }]
until = "half-width"
below = 50
time = "10m"
"""


def test_all_stands_for_the_compiled_agents() -> None:
    agents = plan_from_mapping({"agents": ["greedy:rush=2", "all"]}).agents
    assert agents[0] == "greedy:rush=2"
    assert {"greedy", "random_legal"} <= set(agents)
    assert "greedy_numpy" not in agents


def test_a_plan_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    plan = plan_from_toml(path)
    assert plan.format == "gauntlet"
    assert len(plan.agents) == 3
    assert plan.stop() == HalfWidth(50)
    assert plan.budget() == 600
    assert [each.pile_take for each in plan.variants()] == [7, 5]
    assert plan.variants()[0] == Rules()


BAD = [
    ("seed = 3", "seed = -1", "line 4: seed: expected int >= 0"),
    ("seed = 3", 'seed = "3"', "line 4: seed: expected int, got str"),
    ("seed = 3", "sead = 3", "line 4: sead: there is no such key; allowed are agents, format"),
    ("matches = 400", "matches = 2.5", "line 3: matches: expected int"),
    ('"gauntlet"', '"cup"', "line 1: format: 'cup' must be one of round-robin, gauntlet"),
    ('"half-width"', '"never"', "line 6: until: 'never' must be one of matches, half-width, sprt"),
    ('"random_legal", ', "3, ", r"line 2: agents\[1\]: expected str, got int"),
    ('"random_legal", "greedy+random_legal"', "", "line 2: agents: a gauntlet takes at least 2"),
    ('"greedy+random_legal"', '"random_legal"', "line 2: agents: random_legal is named twice"),
    ("pile_take = 5", "pile_teak = 5", "line 5: rules: there is no field 'pile_teak'"),
    ("pile_take = 5", "pile_take = -5", "line 5: rules: pile_take = -5 is not allowed"),
    ('"standard", ', '"house", ', "line 5: rules: there is no preset 'house'"),
    ('"standard", ', '{preset="pagat", pile_take=5}, ', "line 5: rules: variant 2 is the same"),
    ('["standard", { preset = "pagat", pile_take = 5 }]', "[]", "line 5: rules: the list is empty"),
    ("below = 50", "below = 0", "line 7: below = 0.0 must be"),
    ("below = 50", "elo0 = 5", "line 7: elo0 is given but not used with until = half-width"),
    ('"10m"', '"soon"', "line 8: time = 'soon' must be a time"),
    ("matches = 400", "matches = ", r"is not TOML: .*line 3"),
    ("seed = 3", 'opponent = "greedy"', "line 4: opponent: a gauntlet takes no opponent"),
    ("agents", "players", "players: there is no such key"),
    ('"random_legal"', '"all", "all"', "line 2: agents: all is named twice"),
]


@pytest.mark.parametrize(("old", "new", "words"), BAD, ids=[new for _, new, _ in BAD])
def test_errors_name_the_key_and_the_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.replace(old, new))
    with pytest.raises(HandfootError, match=words) as caught:
        plan_from_toml(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"format": "cup"}, "format: 'cup' must be one of round-robin"),
        ({"step": 0, "until": "half-width", "below": 5.0}, "step: expected int >= 2"),
        ({"rules": 3}, "rules: expected str"),
        ({"matches": 2.5}, "matches: expected int, got float"),
        ({"time": 3}, "time: expected str, got int"),
        ({"agents": [3, 4]}, r"agents\[0\]: expected str, got int"),
    ],
)
def test_plans_made_in_python_are_checked_too(how: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        run_of_plan(Plan(**({"agents": ["greedy", "random_legal"]} | how)))


def test_a_list_of_agents_is_no_text() -> None:
    with pytest.raises(PlanError, match="agents: expected array, got str"):
        Plan(agents="greedy,closer")


def test_a_field_of_the_rules_is_found_in_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    text = 'agents = ["greedy", "closer"]\n[[rules]]\npreset = "pagat"\n[[rules]]\ndeals = 0\n'
    for old, new in (("deals", "deals"), ("deals", "deels")):
        path.write_text(text.replace(old, new))
        with pytest.raises(PlanError, match=rf"line 5: rules: .*{new}"):
            plan_from_toml(path)


def test_plans_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="can't be read"):
        plan_from_toml(tmp_path / "none.toml")
    (tmp_path / "empty.toml").touch()
    with pytest.raises(PlanError, match="agents: this key is missing"):
        plan_from_toml(tmp_path / "empty.toml")
