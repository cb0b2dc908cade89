"""The files of a sweep in its run folder: its table and its plot."""

from __future__ import annotations

from handfoot_sim.plots.sweeps import sweep
from handfoot_sim.report.pictures import rendered
from handfoot_sim.report.writing import table_files
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tuning.sweeping import Swept

NAME = "sweep"


def write_sweep(swept: Swept, folder: RunFolder) -> list[str]:
    """Write ``tables/sweep.csv`` and ``.parquet``, ``plots/sweep.png`` and ``.svg``; their names.

    ``RunError`` if that fails.
    """
    files = {f"tables/{name}": data for name, data in table_files(swept.frame, NAME).items()}
    prepared = swept.prepared
    (first, *_) = prepared.axes
    log = first.of == "params" and prepared.agent.declared[first.name].log
    figure = sweep(swept.frame, agent=prepared.agent.label, against=prepared.pool.text(), log=log)
    files |= {f"plots/{NAME}.{kind}": rendered(figure, kind) for kind in ("svg", "png")}
    for name, data in files.items():
        folder.write(name, data)
    return list(files)
