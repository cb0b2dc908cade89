"""The notebooks run, and what is stored of them can be read without running them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from notebooks.execute import NOTEBOOKS, ROOT, execute, smaller, stored

REDUCED = 0.02
"""How much of the stored matches the tests play."""
LARGEST = 300_000
SURE = os.environ.get("HANDFOOT_HEAVY")

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def outputs(notebook: NotebookNode) -> Iterator[NotebookNode]:
    for cell in notebook.cells:
        yield from cell.get("outputs", [])


def told(notebook: NotebookNode) -> str:
    """All outputs that are text."""
    parts: list[Any] = []
    for output in outputs(notebook):
        parts.append(output.get("text", ""))
        data = sorted(output.get("data", {}).items())
        parts += [text for kind, text in data if kind != "image/png"]
    return "\n".join(parts)


def check_outputs(notebook: NotebookNode) -> None:
    """No errors, warnings, progress bars or widgets, and no failed check of an agent."""
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text
        kinds = set(output.get("data", {}))
        assert kinds <= {"text/plain", "text/html", "image/png"}
    assert "FAILED" not in told(notebook)


@each
def test_it_runs(path: Path) -> None:
    """At reduced size: every cell, without an error or a warning, and with the same outputs."""
    kept = read(path)
    played = execute(kept, REDUCED)
    check_outputs(played)
    for cell, old in zip(played.cells, kept.cells, strict=True):
        now, then = ([o.output_type for o in c.get("outputs", [])] for c in (cell, old))
        assert now == then, cell.source


@pytest.mark.heavy
@pytest.mark.skipif(not SURE, reason="plays at full size: HANDFOOT_HEAVY=1 runs it")
@each
def test_what_is_stored_is_what_it_gives(path: Path) -> None:
    kept = read(path)
    assert told(execute(kept)) == told(kept)


@each
def test_it_is_stored_with_its_outputs(path: Path) -> None:
    """Executed from the top, tables and pictures included, and small."""
    kept = read(path)
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    check_outputs(kept)
    found = {kind for output in outputs(kept) for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= found
    assert path.stat().st_size < LARGEST


@each
def test_nothing_of_a_machine_is_stored(path: Path) -> None:
    """No paths, no times: only what ``stored`` writes."""
    text = path.read_text(encoding="utf-8")
    assert stored(read(path)) == text
    kept = read(path)
    prose = "\n".join([told(kept), *(cell.source for cell in kept.cells)])
    assert re.findall(r"(?<![\w./:])/(?:home|root|tmp|usr|var|opt|Users|work)\b", prose) == []
    assert str(ROOT) not in text
    assert sys.prefix not in text


@each
def test_links_lead_to_notebooks_and_pages_that_are_there(path: Path) -> None:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#:]+)\)", cell.source):
                assert (path.parent / target).exists(), target
            for page in re.findall(r"`(docs/[\w.-]+)`", cell.source):
                assert (ROOT / page).exists(), page


def notebook_of(*sources: str) -> NotebookNode:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in sources])


def test_a_kernel_is_this_interpreter_with_this_checkout_in_a_folder_of_its_own() -> None:
    played = execute(
        notebook_of(
            "import os, sys, handfoot_sim, handfoot_agents",
            "print(sys.executable); print(handfoot_sim.__file__); print(handfoot_agents.__file__)",
            "print(os.listdir(), os.getcwd()); open('left.txt', 'w').close()",
            "print(os.environ['HANDFOOT_NOTEBOOK_SCALE'], os.environ.get('HANDFOOT_CACHE_DIR'))",
        ),
        0.25,
    )
    interpreter, library, agents, folder, given = filter(None, told(played).split("\n"))
    assert interpreter == sys.executable
    assert Path(library).is_relative_to(ROOT)
    assert Path(agents).is_relative_to(ROOT / "agents")
    listed, _, where = folder.partition(" ")
    assert listed == "[]"
    assert not Path(where).exists()
    assert given == f"0.25 {os.environ.get('HANDFOOT_CACHE_DIR')}"


def test_a_cell_that_fails_is_an_error_with_its_traceback() -> None:
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(notebook_of("number = 0", "1 / number"))


def test_what_is_stored_does_not_depend_on_the_run() -> None:
    sources = (
        "%matplotlib inline\nfrom matplotlib.figure import Figure\nfigure = Figure()\n"
        "figure.subplots().plot([1, 3, 2])\nfigure",
        "print('one')\nimport sys\nsys.stdout.flush()\nprint('two')",
    )
    once, again = (stored(execute(notebook_of(*sources))) for _ in range(2))
    assert once == again
    assert stored(nbformat.reads(once, as_version=4)) == once
    picture = nbformat.reads(once, as_version=4).cells[0].outputs[-1].data["image/png"]
    assert smaller(picture) == picture
