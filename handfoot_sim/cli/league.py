"""``handfoot league``: tune against the Nash mix of a pool, let what is accepted join it."""

from __future__ import annotations

import io
from typing import Any, Final

import click
import pandas as pd

from handfoot_sim.cli.compare import tell_resume
from handfoot_sim.cli.live import MatchBar
from handfoot_sim.cli.options import (
    announce_compiling,
    engine_options,
    rules_options,
    tuning_options,
)
from handfoot_sim.cli.tune import listed
from handfoot_sim.rules import rules_from_words
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.tournament.plan import split_agents
from handfoot_sim.tuning.leagues.members import MEMBERS
from handfoot_sim.tuning.leagues.outcome import League, LeagueGeneration
from handfoot_sim.tuning.leagues.plan import LeaguePlan
from handfoot_sim.tuning.leagues.playing import LeagueWatching, league
from handfoot_sim.tuning.leagues.preparing import league_plan_of, prepare_league
from handfoot_sim.tuning.leagues.tables import head_to_head_rows, rating_rows
from handfoot_sim.tuning.leagues.text import generation_text, league_text
from handfoot_sim.tuning.records import read_record

PLOTS: Final = "plots"


class Progress(MatchBar):
    """What is shown while a league is played: a bar over all matches, a line a generation."""

    def watching(self) -> LeagueWatching:
        """Who is told."""
        return LeagueWatching(self.begin, self.matches, self.stage, self.generation, self.tell)

    def stage(self, generation: int, stage: str) -> None:
        """A stage of a generation begins."""
        self.describe(f"{generation}: {stage}" if generation else stage)

    def generation(self, generation: LeagueGeneration) -> None:
        """A generation ended."""
        if not self.quiet:
            self.tell(generation_text(generation))


def play_league(
    plan: LeaguePlan, folder: RunFolder, *, jobs: int, backend: str, address: str, quiet: bool
) -> None:
    """Play a league, or go on with it; print the result and draw its plots."""
    prepared = prepare_league(plan)
    announce_compiling("fused" if prepared.compiled else "lockstep", quiet)
    try:
        with Progress(quiet) as progress:
            found = league(
                plan, out=folder, jobs=jobs, backend=backend, address=address,
                watching=progress.watching(),
            )  # fmt: skip
        write_plots(found, folder)
    except KeyboardInterrupt:
        tell_resume(folder)
        raise
    click.echo(league_text(found))
    if found.best:
        best = folder.place(f"{MEMBERS}/{found.best}.toml")
        click.echo(f"\nnewest member, to be used as an agent: {best}")
    click.echo(f"{'' if found.best else chr(10)}run folder: {folder}")


def write_plots(found: League, folder: RunFolder) -> None:
    """Draw payoffs and history into the folder ``plots``, as SVG and PNG."""
    from handfoot_sim import plots  # a second of loading, which is not needed before

    history = pd.DataFrame(rating_rows(found))
    figures = {"history": plots.league_history(history)}
    if found.payoffs.meetings:
        figures["payoffs"] = plots.head_to_head(pd.DataFrame(head_to_head_rows(found)))
    for name, figure in figures.items():
        for kind in ("svg", "png"):
            drawn = io.BytesIO()
            plots.save(figure, drawn, kind)
            folder.write(f"{PLOTS}/{name}.{kind}", drawn.getvalue())


def resume_tuning(folder: RunFolder, *, jobs: int, backend: str, address: str, quiet: bool) -> None:
    """Go on with the league in a folder."""
    plan = league_plan_of(read_record(folder).asked)
    play_league(plan, folder, jobs=jobs, backend=backend, address=address, quiet=quiet)


@click.command()
@click.argument("agent")
@click.option("--pool", multiple=True, metavar="A,B,...", help="The other members it begins with.")
@click.option(
    "--budget", type=int, metavar="MATCHES",
    help="Matches in all.  [4000000, or as --generations of --tune-budget take]",
)  # fmt: skip
@click.option("--time", default="", metavar="TIME", help="Instead: a time, such as 1h.")
@click.option(
    "--generations", type=int,
    help="How often it is tuned at most.  [4, or as many as --budget has of --tune-budget]",
)  # fmt: skip
@click.option(
    "--tune-budget", type=int, metavar="MATCHES",
    help="Matches of one generation.  [what is left, divided evenly]",
)  # fmt: skip
@click.option(
    "--payoff-matches", default=10_000, show_default=True, help="Matches of every two members."
)
@click.option(
    "--failures", default=2, show_default=True,
    help="Generations in a row without a gain after which it ends.",
)  # fmt: skip
@tuning_options
@click.option("--seed", default=0, show_default=True, help="Seed of all cards and searches.")
@engine_options
@click.option("--out", metavar="DIR", required=True, help="Run folder to write, or go on with.")
@click.option("--quiet", is_flag=True, help="No progress, only the result.")
@rules_options
def command(
    agent: str,
    pool: tuple[str, ...],
    held_out: str | None,
    transfer: tuple[str, ...],
    params: str,
    out: str,
    jobs: int,
    backend: str,
    scheduler: str,
    quiet: bool,
    rules: str,
    rule: tuple[str, ...],
    **words: Any,
) -> None:
    """Tune AGENT again and again, each time against the Nash mix of all members so far.

    AGENT is the first member, the others of the beginning are given with --pool. Every two members
    play the same cards; the Nash mix of these payoffs is what the strongest member of AGENT's
    class is tuned against. An answer that the test accepts joins the members as NAME-g1, NAME-g2,
    ..., a file in DIR/members that never changes. In the end it is said what was forgotten.
    """
    plan = LeaguePlan(
        agent=agent,
        pool=[each for text in pool for each in split_agents(text)],
        params=listed(params),
        rules=rules_from_words(rules, rule),
        held_out=None if held_out is None else split_agents(held_out),
        transfer=[rules_from_words(each) for each in transfer] or None,
        **words,
    )
    play_league(plan, folder_at(out), jobs=jobs, backend=backend, address=scheduler, quiet=quiet)
