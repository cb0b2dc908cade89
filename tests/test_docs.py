"""The pages for people: their code runs, and the table of a view's fields is complete."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from handfoot_sim.agent.loading import agents_in
from handfoot_sim.cli.main import COMMANDS
from handfoot_sim.game.breaches import SENTENCES
from handfoot_sim.game.cards import MAX_SEATS, MAX_TEAMS, PLACES
from handfoot_sim.game.state import VIEW, VIEW_PILE
from handfoot_sim.rules import FIELD_NAMES, field_note
from handfoot_sim.simulation import simulate

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
WRITING = ROOT / "docs" / "writing-an-agent.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [
    pytest.param(found[1], id=f"{page.stem}-{number}")
    for page in (
        README,
        WRITING,
        *(ROOT / "docs" / f"{n}.md" for n in ("report", "results", "statistics")),
    )
    for number, found in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
]
LENGTHS = {
    "seat": MAX_SEATS, "team": MAX_TEAMS, "kind": PLACES, "meld": PLACES, "depth": VIEW_PILE,
}  # fmt: skip
"""How long an array is along an index of this name."""


def fields_in_the_table() -> dict[str, tuple[int, ...]]:
    """Every field named in the first column of the table of a view's fields, with its shape."""
    text = WRITING.read_text(encoding="utf-8").partition("## What a view holds")[2]
    fields = {}
    for line in text.partition("\n## ")[0].splitlines():
        if line.startswith("|"):
            for name, indices in re.findall(r"`(\w+)(?:\[([\w, ]+)\])?`", line.split("|")[1]):
                axes = indices.split(", ") if indices else []
                fields[name] = tuple(LENGTHS[axis] for axis in axes)
    return fields


def test_the_table_names_every_field_of_a_view_with_its_shape() -> None:
    assert fields_in_the_table() == {name: VIEW[name].shape for name in VIEW.names or ()}


def test_there_are_blocks_to_run() -> None:
    assert len(BLOCKS) >= 7


@pytest.mark.parametrize("code", BLOCKS)
def test_code_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file; and the agents that it defines play."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "block.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("block", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for agent in agents_in(module):
        deals = simulate([f"{path}:{agent.__name__}", "greedy"], matches=60, seed=1).deals
        assert deals["opened_turn"].notna().any()


def test_the_readme_names_every_command() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`handfoot {name}" not in text] == []


@pytest.mark.parametrize(
    "page",
    [README, ROOT / "agents" / "README.md", *sorted((ROOT / "docs").glob("*.md"))],
    ids=lambda p: f"{p.parent.name}/{p.name}",
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_rules_page_has_every_rule_of_the_rulebook() -> None:
    """Every rule that an error can name, and every field of the rules or its family."""
    page = (ROOT / "docs" / "rules.md").read_text()
    for rule, _ in SENTENCES.values():
        assert f"**{rule}**" in page, rule
    for name in FIELD_NAMES:
        rule, _ = field_note(name)
        assert f"**{rule}**" in page, name
        families = {f"`{name}`", f"`{name.split('_')[0]}_...`", "`..._to_go_out`"}
        named = any(word in page for word in families - {"`..._to_go_out`"})
        assert named or name.endswith("_to_go_out") or name in ("players", "teams"), name
