"""Agents by name, by module, in files; their parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from handfoot_sim.agent import Agent, Param
from handfoot_sim.agent.loading import agent_names, load_agent, source_hash
from handfoot_sim.engine.pairing import load_lineup, make_pairing
from handfoot_sim.errors import AgentError
from handfoot_sim.rules import Rules
from handfoot_sim.simulation import simulate

TEN_LINES = '''"""A strategy in ten lines."""

from handfoot_sim.agent import Agent, blocks


class Hasty(Agent):
    """Discards its cheapest card, whatever it is."""

    @staticmethod
    def discard(view, params):
        return blocks.cheapest_discard(view, 0)
'''


@pytest.fixture
def hasty(tmp_path: Path) -> Path:
    path = tmp_path / "hasty.py"
    path.write_text(TEN_LINES)
    return path


def test_built_in_agents_are_found() -> None:
    assert {"greedy", "greedy_numpy", "random_legal"} <= set(agent_names())


def test_by_module_and_class() -> None:
    assert load_agent("handfoot_agents.greedy:Greedy:pile_min=2").params["pile_min"] == 2


def test_from_a_file(hasty: Path) -> None:
    assert load_agent(str(hasty)).label == "hasty"
    assert load_agent(f"{hasty}:Hasty").label == "hasty"
    deals = simulate([str(hasty), "random_legal"], 4, 1).deals
    assert set(deals["agent"]) == {"hasty", "random_legal"}


def test_a_changed_file_is_loaded_anew(hasty: Path) -> None:
    before = load_agent(str(hasty))
    unchanged = source_hash(before)
    hasty.write_text(TEN_LINES.replace("Hasty", "Hastier"))
    after = load_agent(str(hasty))
    assert type(after).__name__ == "Hastier"
    assert type(before).__name__ == "Hasty"
    assert source_hash(after) != unchanged


def test_files_reach_other_processes(hasty: Path) -> None:
    one = simulate([str(hasty), "greedy"], 4000, 1, driver="lockstep", jobs=1)
    two = simulate([str(hasty), "greedy"], 4000, 1, driver="lockstep", jobs=2)
    assert one.deals.equals(two.deals)


BAD_FILES = {
    "empty.py": ("", "defines no subclass of Agent or BatchAgent"),
    "broken.py": ("def", "running the file failed: SyntaxError"),
    "raises.py": ("1 / 0", "running the file failed: ZeroDivisionError"),
    "two.py": (TEN_LINES + "\n\nclass Two(Agent):\n    pass\n", r"several agents \(Hasty, Two\)"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files(name: str, tmp_path: Path) -> None:
    text, words = BAD_FILES[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(AgentError, match=words) as caught:
        load_agent(str(path))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gredy", "there is no agent 'gredy'; did you mean greedy"),
        ("no/such/file.py", "no/such/file.py: the file can't be read"),
        ("no_such_module:Agent", "importing no_such_module failed: ModuleNotFoundError"),
        ("handfoot_agents.greedy:Nobody", "there is no agent class Nobody; it defines: Greedy"),
        ("greedy:pile_min", "'pile_min' is not of the form parameter=value"),
        ("greedy:pile_mim=3", "has no parameter 'pile_mim'; it has: pile_min"),
        ("greedy:pile_min=0", "pile_min = '0' must be a whole number from 1 to 20"),
        ("greedy:pile_min=2.5", "must be a whole number from 1 to 20"),
        ("greedy:pile_min=nan", "must be a whole number from 1 to 20"),
        ("greedy:pile_min=x", "must be a whole number from 1 to 20"),
        ("random_legal:take_chance=1.5", "must be a number from 0.0 to 1.0"),
        ("greedy:=3", "'=3' is not of the form parameter=value"),
        ("", "is not NAME, module:Class or path"),
        ("handfoot_sim.agent:Agent", "Agent is a base class, not a strategy"),
    ],
)
def test_bad_specifications(text: str, words: str) -> None:
    with pytest.raises(AgentError, match=words) as caught:
        load_agent(text)
    assert "\n" not in str(caught.value)


def test_line_ups() -> None:
    assert len(load_lineup("greedy", Rules())) == 2
    assert [a.label for a in load_lineup("greedy+random_legal", Rules())] == [
        "greedy",
        "random_legal",
    ]
    with pytest.raises(AgentError, match="names 3 agents, but a team has 2 seats"):
        load_lineup("greedy+greedy+greedy", Rules())
    with pytest.raises(AgentError, match="names 2 agents, but a team has 1 seats"):
        load_lineup("greedy+greedy", Rules(players=3, teams=3))
    with pytest.raises(AgentError, match="a pairing takes 2 line-ups"):
        make_pairing(["greedy"], Rules())
    with pytest.raises(AgentError, match="neither the name of an agent nor an agent"):
        load_lineup(7, Rules())  # type: ignore[arg-type]


def test_parameters_are_checked_when_declared() -> None:
    with pytest.raises(AgentError, match="outside its bounds"):
        Param(5, 6, 9, "too low")


def test_boolean_parameters() -> None:
    class Chooser(Agent):
        """Has a switch."""

        bold = Param(False, False, True, "whether it is bold")

        @staticmethod
        def draw(view, params, play):
            return 0

    assert Chooser(bold="true").params["bold"] is True
    assert Chooser(bold=True).label == "Chooser:bold=true"
    with pytest.raises(AgentError, match="must be true or false"):
        Chooser(bold="maybe")


def test_misspelt_decisions_are_noticed() -> None:
    with pytest.raises(AgentError, match="discrad is no decision, but looks like discard"):

        class Slip(Agent):
            """Its discards would never be asked for."""

            @staticmethod
            def discrad(view, params):
                return 4
