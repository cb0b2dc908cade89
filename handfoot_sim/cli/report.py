"""``handfoot report``: the page, tables and plots of a run folder."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click
from click.core import ParameterSource
from tqdm import tqdm

from handfoot_sim.cli.options import announce_compiling
from handfoot_sim.cli.resume import go_on_tuning
from handfoot_sim.errors import PlanError, RunError
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.tuning.records import is_record, read_record

OF_MATCHES = ("out", "skip_corrupt", "plots", "variant")
"""Options that only the report of a run of matches has."""


def report_tuning(place: RunFolder) -> None:
    """Write the pages of a finished search, league or sweep anew; nothing of it is played."""
    if "tables" not in place.names():
        again = shlex.join(["handfoot", "resume", str(place)])
        raise RunError(f"{place} holds what is not finished; to go on: {again}")
    go_on_tuning(place, 1, "auto", "", quiet=True)


def refuse_options(place: RunFolder) -> None:
    """Refuse the options that the pages of a search, league or sweep have not."""
    context = click.get_current_context()
    for name in OF_MATCHES:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            word = "--no-plots" if name == "plots" else f"--{name.replace('_', '-')}"
            raise PlanError(
                f"{word} is for runs of matches; {place} holds a run of handfoot "
                f"{read_record(place).kind}, whose pages are always written into the folder"
            )


@click.command(name="report")
@click.argument("folder", metavar="DIR")
@click.option(
    "--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="The page to write; by default DIR/report.html. Tables and plots go beside it.",
)  # fmt: skip
@click.option("--skip-corrupt", is_flag=True, help="Leave out shards that can't be read.")
@click.option("--plots/--no-plots", default=True, help="Draw plots (by default), or tables only.")
@click.option(
    "--variant", default=0, show_default=True, metavar="N",
    help="The rules to report, of a run that was played by several.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress bar, and no words but the result.")
def command(
    folder: str, out: Path | None, skip_corrupt: bool, plots: bool, variant: int, quiet: bool
) -> None:
    """Write a report of the run folder DIR, a path or a URL.

    report.html is one page that needs no other file and no network: who beats whom, how they
    play, two matches to read, rules and provenance. Beside it tables/ holds every frame of the
    statistics as CSV and Parquet, plots/ every plot as SVG and PNG. An unfinished run is
    reported as far as it went.
    """
    from handfoot_sim.report import write_report  # takes a second, which --help does not wait for

    place = folder_at(folder)
    if is_record(place):
        refuse_options(place)
        report_tuning(place)
        return
    announce_compiling("transcripts", quiet)
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    with tqdm(unit=" matches", delay=1, leave=False, disable=hidden) as bar:
        report = write_report(
            folder, out, variant=variant, skip_corrupt=skip_corrupt, pictures=plots,
            on_shard=bar.update, tell=bar.set_description,
        )  # fmt: skip
    for sentence in (*report.lead, *report.warnings):
        click.echo(sentence)
    also = [report.tables, *([report.pictures] if report.pictures else [])]
    click.echo(f"\nreport: {report.page}; beside it {' and '.join(f'{at.name}/' for at in also)}")
