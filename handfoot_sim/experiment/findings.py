"""What was learnt: one page from the answers of all experiments in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from handfoot_sim.errors import RunError
from handfoot_sim.experiment.study import ExperimentManifest, read_experiment
from handfoot_sim.runs.folder import MANIFEST

BEGIN: Final = "<!-- surprised: begin -->"
END: Final = "<!-- surprised: end -->"
NOTHING_YET: Final = "Nothing has been written here yet."


def reference_folders(reference: Path) -> dict[str, Path]:
    """Folders of finished experiments, by name; ``RunError`` if there is none."""
    found = {}
    for path in sorted(reference.glob(f"*/{MANIFEST}")):
        manifest = read_experiment(path.parent)
        if manifest.finished:
            found[manifest.name] = path.parent
    if not found:
        raise RunError(
            f"{reference} holds no finished experiment; handfoot experiment all --out {reference} "
            "plays them"
        )
    return found


def findings(reference: Path, page: Path) -> str:
    """The text of a page of findings: a paragraph and a figure for each experiment.

    ``reference`` holds a folder for each; ``page`` is where the text is to lie, for its links. What
    stands on it between the marks about surprises is kept, as it was written by hand.
    """
    where = Path(os.path.relpath(reference.resolve(), page.resolve().parent))
    parts = [_head(), "## What surprised", f"{BEGIN}\n{_by_hand(page)}\n{END}"]
    for name, folder in reference_folders(reference).items():
        manifest = read_experiment(folder)
        parts += _section(name, manifest, folder, where / folder.name)
    return "\n\n".join(parts) + "\n"


def _head() -> str:
    return (
        "# Findings\n\n"
        "What the experiments of `experiments/` have found, each played at real size. Every "
        "paragraph is written by its experiment from its figures; values come with their 95 % "
        "intervals and the number of independent things they rest on. A *match number* is one set "
        "of cards, which all pairings and mirrors play; margins are in points a match. `handfoot "
        "reproduce results/reference/NAME` plays an experiment again and compares its tables bit "
        "for bit."
    )


def _by_hand(page: Path) -> str:
    """What was written by hand on an earlier page."""
    if not page.exists():
        return NOTHING_YET
    text = page.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        return NOTHING_YET
    return text.partition(BEGIN)[2].partition(END)[0].strip() or NOTHING_YET


def _section(name: str, manifest: ExperimentManifest, folder: Path, where: Path) -> list[str]:
    """Heading, answer, figure and where more is, of one experiment."""
    answer = (folder / "answer.md").read_text(encoding="utf-8")
    body = answer.partition("\n\n")[2].split("\n![")[0].strip()
    matches = sum(run.matches for run in manifest.runs)
    size = "" if manifest.size == "real" else f", size {manifest.size}"
    size += "" if manifest.scale == 1 else f", scale {manifest.scale:g}"
    parts = [f"## {manifest.question}", body]
    if manifest.figure:
        parts.append(f"![{manifest.question}]({where.as_posix()}/{manifest.figure})")
    parts.append(
        f"`{name}`: {matches:,} matches{size}, seed {manifest.seed}; "
        f"[tables and plots]({where.as_posix()})"
    )
    return parts
