"""Where experiments are found: the folder ``experiments/`` of a checkout, one question a file."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import handfoot_sim
from handfoot_sim.errors import RunError, first_line

if TYPE_CHECKING:  # a list of experiments needs no compiler
    from handfoot_sim.experiment.study import Study

FOLDER = "experiments"


@dataclass(frozen=True)
class Entry:
    """An experiment: its name (that of its file), its question, and its file."""

    name: str
    question: str
    file: Path

    def source_hash(self) -> str:
        """The beginning of the SHA-256 hash of its file."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest()[:12]

    def play(self) -> Callable[[Study], str]:
        """Load it; its function ``play``. Raises ``RunError`` if the file can't be loaded."""
        spec = importlib.util.spec_from_file_location(f"{FOLDER}.{self.name}", self.file)
        if spec is None or spec.loader is None:
            raise RunError(f"{self.file} can't be loaded")
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise RunError(f"{self.file} can't be loaded: {first_line(error)}") from error
        found: Callable[[Study], str] | None = getattr(module, "play", None)
        if not callable(found):
            raise RunError(f"{self.file} has no function play(study), which makes an experiment")
        return found


def places() -> list[Path]:
    """Where experiments may lie: the checkout of the package, then the current folder."""
    checkout = Path(handfoot_sim.__file__).resolve().parent.parent
    return [checkout / FOLDER, Path.cwd() / FOLDER]


def catalogue() -> dict[str, Entry]:
    """All experiments by name, in order; the file says what it asks, so none is loaded.

    Raises ``RunError`` where there is no folder of experiments.
    """
    for place in places():
        found = {path.stem: entry for path in sorted(place.glob("*.py")) if (entry := _entry(path))}
        if found:
            return found
    raise RunError(
        "there are no experiments here: they lie in experiments/ of a checkout of handfoot-sim; "
        "install it from one (pip install -e .), or go into one"
    )


def named(name: str) -> Entry:
    """The experiment of a name; ``RunError`` names those there are."""
    known = catalogue()
    if name not in known:
        raise RunError(f"there is no experiment {name!r}; there are {', '.join(known)}")
    return known[name]


def _entry(path: Path) -> Entry | None:
    """The experiment of a file, or None if it has no function ``play(study)`` or no docstring."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    plays = any(
        isinstance(node, ast.FunctionDef)
        and node.name == "play"
        and [each.arg for each in node.args.args] == ["study"]
        for node in tree.body
    )
    doc = ast.get_docstring(tree)
    return Entry(path.stem, doc.splitlines()[0], path) if plays and doc else None
