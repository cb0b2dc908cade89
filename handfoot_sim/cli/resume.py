"""``handfoot resume``: go on with a run folder where it stopped."""

from __future__ import annotations

import importlib

import click

from handfoot_sim.cli.compare import play_comparison
from handfoot_sim.cli.options import announce_compiling, engine_options
from handfoot_sim.cli.tournament import play_tournament
from handfoot_sim.runs.carrying import run_of
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.runs.manifest import read_manifest
from handfoot_sim.simulation import worker_count
from handfoot_sim.tuning.records import is_record, read_record


def go_on_tuning(place: RunFolder, jobs: int, backend: str, scheduler: str, quiet: bool) -> None:
    """Go on with a search, a league or a sweep, by the command it is of."""
    kind = read_record(place).kind
    module = importlib.import_module(f"handfoot_sim.cli.{kind}")
    module.resume_tuning(place, jobs=jobs, backend=backend, address=scheduler, quiet=quiet)


@click.command()
@click.argument("folder", metavar="DIR")
@engine_options
@click.option("--force", is_flag=True, help="Go on although agents or version changed.")
@click.option("--quiet", is_flag=True, help="No progress, only the result.")
def command(folder: str, jobs: int, backend: str, scheduler: str, force: bool, quiet: bool) -> None:
    """Play what the run in DIR lacks and report all of it: any folder that --out made."""
    place = folder_at(folder)
    if is_record(place):
        go_on_tuning(place, jobs, backend, scheduler, quiet)
        return
    run = run_of(read_manifest(place))
    engine = Engine(backend, worker_count(jobs), scheduler)
    for driver in dict.fromkeys(work.driver for work in run.works):
        announce_compiling(driver, quiet)
    if run.kind == "tournament":
        play_tournament(run, engine, place, quiet=quiet, force=force)
    else:
        play_comparison(run, engine, place, quiet=quiet, force=force)
