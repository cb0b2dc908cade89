"""The pages for people: their code runs, and the table of a view's fields is complete."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from handfoot_sim.agent.loading import agents_in
from handfoot_sim.cli.main import COMMANDS
from handfoot_sim.cli.rules import shown
from handfoot_sim.game.breaches import SENTENCES
from handfoot_sim.game.cards import MAX_SEATS, MAX_TEAMS, PLACES
from handfoot_sim.game.state import VIEW, VIEW_PILE
from handfoot_sim.rules import FIELD_NAMES, PRESETS, field_note
from handfoot_sim.simulation import simulate

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
WRITING = ROOT / "docs" / "writing-an-agent.md"
PAGES = [README, ROOT / "agents" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [
    pytest.param(found[1], id=f"{page.stem}-{number}")
    for page in PAGES
    for number, found in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")))
]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [page for page in PAGES if CONSOLE.search(page.read_text(encoding="utf-8"))]
"""Pages that show commands with what they print."""
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


def commands_shown(page: Path) -> list[tuple[str, str]]:
    """The commands of a page's console blocks, in order, each with what it is shown to print."""
    blocks = "".join(found[1] for found in CONSOLE.finditer(page.read_text(encoding="utf-8")))
    parts = re.split(r"^\$ (.*)\n", blocks, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.stem)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    """In one folder, one after the other; ``...`` stands for any text, blanks don't count."""
    for command, wanted in commands_shown(page):
        program, *words = shlex.split(command)
        assert program == "handfoot"
        done = subprocess.run(
            [sys.executable, "-m", "handfoot_sim", *words],
            cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        same = doctest.OutputChecker().check_output(wanted, done.stdout, flags)
        assert same, f"{command} prints\n{done.stdout}"


def test_the_rules_page_has_a_table_of_every_field_as_it_is() -> None:
    standard, pagat = PRESETS["standard"], PRESETS["pagat"]
    rows = []
    for name in FIELD_NAMES:
        rule, meaning = field_note(name)
        value, other = (shown(getattr(rules, name)) for rules in (standard, pagat))
        rows.append(
            f"| `{name}` | {rule} | {value} | {'' if other == value else other} | {meaning} |"
        )
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    table = page.partition("## Every field")[2].partition("\n\n## ")[0]
    assert [line for line in table.splitlines() if line.startswith("| `")] == rows
    assert set(PRESETS) == set(re.findall(r"^- `(\w+)`:", page, re.MULTILINE))


def test_the_readme_names_every_command() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`handfoot {name}" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
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
