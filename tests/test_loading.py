"""Agents by name, by module, in files; their parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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


def test_the_hash_tells_of_base_classes_in_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    base, derived = tmp_path / "base_of_mine.py", tmp_path / "mine.py"
    base.write_text(TEN_LINES)
    derived.write_text("from base_of_mine import Hasty\n\n\nclass Mine(Hasty):\n    pass\n")
    before = source_hash(load_agent(str(derived)))
    base.write_text(TEN_LINES.replace("view, 0", "view, 9"))
    assert source_hash(load_agent(str(derived))) != before


def test_the_hash_of_a_class_without_a_file_is_that_of_its_code() -> None:
    hashes = set()
    for weight in (0, 9, 9):
        names: dict[str, Any] = {"__name__": "nowhere"}
        exec(TEN_LINES.replace("view, 0", f"view, {weight}"), names)
        hashes.add(source_hash(names["Hasty"]()))
    assert len(hashes) == 2


def test_files_reach_other_processes(hasty: Path, tmp_path: Path) -> None:
    one = simulate([str(hasty), "greedy"], 4000, 1, driver="lockstep", jobs=1)
    two = simulate([str(hasty), "greedy"], 4000, 1, driver="lockstep", jobs=2)
    assert one.deals.equals(two.deals)


BAD_FILES = {
    "empty.py": ("", "defines no subclass of Agent or BatchAgent"),
    "broken.py": ("def", "running the file failed: SyntaxError"),
    "exits.py": ("raise SystemExit(0)", "running the file failed: SystemExit"),
    "hides.py": (
        "from handfoot_agents.greedy import Greedy\n\n\nclass Mine(Greedy):\n    rush = 2\n",
        "rush = 2 hides the parameter rush",
    ),
    "init.py": (
        TEN_LINES + "\n    def __init__(self):\n        pass\n",
        r"sets no parameters; call super\(\)",
    ),
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
    assert path.stem in str(caught.value)
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
        ("greedy:rush=1,rush=2", "parameter rush is given twice"),
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
        load_lineup(7, Rules())


def test_parameters_are_checked_when_declared() -> None:
    with pytest.raises(AgentError, match="outside its bounds"):
        Param(5, 6, 9, "too low")


@pytest.mark.parametrize("place", ["a=b", "c:d", "e+f", "g h"])
def test_files_in_folders_of_any_name(place: str, tmp_path: Path) -> None:
    path = tmp_path / place / "hasty.py"
    path.parent.mkdir()
    path.write_text(TEN_LINES)
    for text in (str(path), f"{path}:Hasty"):
        assert [agent.label for agent in load_lineup(text, Rules())] == ["hasty", "hasty"]
    assert load_agent(load_agent(str(path)).specification or "").label == "hasty"


@pytest.mark.parametrize(
    ("default", "low", "high"),
    [("a", "a", "b"), (np.int64(3), 1, 5), (None, None, None), (3, "1", 5), (2**70, 0, 2**71)],
)
def test_parameters_of_other_types_are_refused(default: Any, low: Any, high: Any) -> None:
    with pytest.raises(AgentError, match="a parameter's"):
        Param(default, low, high, "nonsense")


def test_large_whole_numbers_are_kept_exactly() -> None:
    assert Param(0, 0, 2**62 + 1, "large").checked("large", str(2**62 + 1)) == 2**62 + 1


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


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("batch", True, "agent Own: batch = True is not for a class to set; .* from BatchAgent"),
        ("label", Param(1, 0, 2, ""), "a parameter can't be called label"),
        ("params", Param(1, 0, 2, ""), "a parameter can't be called params"),
        ("declared", {"a": 3}, "declared = .* must be the parameters that another"),
    ],
)
def test_what_every_agent_has_is_not_hidden(name: str, value: Any, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        type("Own", (Agent,), {name: value, "__module__": "elsewhere"})


def test_misspelt_decisions_are_noticed() -> None:
    with pytest.raises(AgentError, match="discrad is no decision, but looks like discard"):

        class Slip(Agent):
            """Its discards would never be asked for."""

            @staticmethod
            def discrad(view, params):
                return 4


def test_labels_name_what_differs() -> None:
    assert load_agent("greedy").label == "greedy"
    assert load_agent("greedy:pile_min=3,rush=3").label == "greedy:pile_min=3"
    assert load_agent("random_legal:take_chance=0.25").label == "random_legal:take_chance=0.25"
