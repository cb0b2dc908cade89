"""Files of tuned parameters are agents, and say in a sentence where they are none."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from handfoot_sim import simulate
from handfoot_sim.agent.loading import load_agent, source_hash
from handfoot_sim.agent.tuned import read_tuned, toml_value
from handfoot_sim.errors import AgentError, RunError

MINE = """
from handfoot_sim.agent import Agent, Param

class Mine(Agent):
    \"\"\"Mine.\"\"\"
    least = Param(2, 1, 9, "what it takes")
"""


def written(folder: Path, text: str, name: str = "sharp.toml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_file_of_parameters_is_an_agent(tmp_path: Path) -> None:
    file = written(tmp_path, 'agent = "greedy"\n[parameters]\npile_min = 4\n')
    agent = load_agent(file)
    assert agent.params["pile_min"] == 4
    assert agent.label == "sharp"
    changed = load_agent(f"{file}:rush=9")
    assert changed.label == "sharp:rush=9"
    assert changed.params["pile_min"] == 4
    assert source_hash(agent) != source_hash(load_agent("greedy"))


def test_it_plays_as_the_same_parameters_do(tmp_path: Path) -> None:
    file = written(tmp_path, 'agent = "greedy"\nname = "x"\n[parameters]\npile_min = 4\n')
    tuned = simulate([file, "closer"], matches=40, seed=3).deals
    plain = simulate(["greedy:pile_min=4", "closer"], matches=40, seed=3).deals
    assert set(tuned["agent"].unique()) == {"x", "closer"}
    assert (tuned["score"] == plain["score"]).all()


def test_a_path_is_seen_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    file = written(tmp_path, 'agent = "mine.py"\n[parameters]\nleast = 5\n')
    monkeypatch.chdir("/")
    assert load_agent(file).params == {"least": 5}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("agent = ", "is not TOML"),
        ("[parameters]\npile_min = 4", "it has no key agent"),
        ('agent = "greedy"\nparameters = 3', r"\[parameters\] must be a table"),
        ('agent = "greedy"\nname = "a,b"', "name = 'a,b' must be a word"),
        ('agent = "greedy"\n[parameters]\nfat = 4', "has no parameter 'fat'.*sharp.toml"),
        ('agent = "greedy"\n[parameters]\nrush = 99', "rush = 99 must be a whole number.*sharp"),
        ('agent = "greedy:rush=3"', r"belong under \[parameters\]"),
        ('agent = "greed"', "did you mean greedy"),
        ('agent = "other.toml"', "is itself a file of parameters"),
    ],
)
def test_what_is_none_is_said_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence):
        load_agent(written(tmp_path, text))


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(AgentError, match=r"nowhere\.toml: the file can't be read"):
        load_agent("nowhere.toml")


def test_a_changed_file_is_another_source(tmp_path: Path) -> None:
    out = tmp_path / "run"
    file = written(tmp_path, 'agent = "greedy"\n[parameters]\npile_min = 4\n')
    simulate([file, "closer"], matches=40, seed=3, out=out)
    assert [path.suffix for path in (out / "agents").iterdir()] == [".toml"]
    written(tmp_path, 'agent = "greedy"\n[parameters]\npile_min = 5\n')
    with pytest.raises(RunError, match="the file of agent sharp was changed"):
        simulate([file, "closer"], matches=80, seed=3, out=out)


def test_values_come_back_from_toml_as_they_were() -> None:
    values = {
        "a": True,
        "b": -3,
        "c": 0.1 + 0.2,
        "d": 'say "x" \\ \n',
        "e": [1, 2.5],
        "f": {"g": 1},
    }
    text = "\n".join(f"{name} = {toml_value(value)}" for name, value in values.items())
    assert tomllib.loads(text) == values


def test_reading_alone_does_not_load_the_agent(tmp_path: Path) -> None:
    tuned = read_tuned(written(tmp_path, 'agent = "nobody"\n[parameters]\nx = 1\n'))
    assert (tuned.agent, tuned.name, tuned.parameters) == ("nobody", "sharp", {"x": 1})
