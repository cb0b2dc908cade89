"""Conduct an experiment: from its file to its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from handfoot_sim.experiment.catalogue import Entry
from handfoot_sim.experiment.study import FORMAT, ExperimentManifest, Size, Study
from handfoot_sim.runs.engines import Engine


def conduct(
    entry: Entry,
    folder: Path,
    engine: Engine,
    *,
    size: Size = "real",
    scale: float = 1.0,
    seed: int = 1,
    quiet: bool = False,
    tell: Callable[[str], object] = lambda sentence: None,
) -> str:
    """Play an experiment into a folder and return its answer.

    Matches that the folder holds are not played again; tables, plots and answer are made anew.
    Raises ``RunError`` for a folder that holds something else, and whatever playing raises.
    """
    manifest = ExperimentManifest(
        format=FORMAT, name=entry.name, question=entry.question, size=size, scale=scale, seed=seed,
        source=entry.source_hash(),
    )  # fmt: skip
    play = entry.play()
    study = Study(folder, manifest, engine, quiet=quiet, tell=tell)
    answer = play(study)
    study.finish(answer)
    return answer
