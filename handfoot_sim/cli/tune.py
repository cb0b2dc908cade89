"""``handfoot tune``: search for better parameters, and find out honestly whether they are."""

from __future__ import annotations

import math
from typing import Any, Final

import click

from handfoot_sim.agent.loading import load_agent
from handfoot_sim.cli.compare import tell_resume
from handfoot_sim.cli.live import MatchBar
from handfoot_sim.cli.options import (
    announce_compiling,
    engine_options,
    rules_options,
    tuning_options,
)
from handfoot_sim.rules import rules_from_words
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.tournament.plan import split_agents
from handfoot_sim.tuning.best import BEST, write_best
from handfoot_sim.tuning.plan import Sizes, TunePlan
from handfoot_sim.tuning.preparing import Prepared, plan_of, prepare
from handfoot_sim.tuning.records import read_record
from handfoot_sim.tuning.searching import Generation, Pilot
from handfoot_sim.tuning.text import plan_text, points, tuned_text
from handfoot_sim.tuning.tune import Tuned, Watching, tune

PAGE: Final = "report.html"

PLAIN_EVERY: Final = 10
"""Generations between two lines where standard error is not a terminal."""


class Progress(MatchBar):
    """What is shown while an agent is tuned: the plan, a bar over all matches, the gain."""

    def __init__(self, prepared: Prepared, quiet: bool) -> None:
        super().__init__(quiet)
        self.prepared = prepared
        self.gains: list[float] = []

    def watching(self) -> Watching:
        """Who is told."""
        return Watching(self.plan, self.matches, self.generation, self.describe, self.tell)

    def plan(self, sizes: Sizes, first: Pilot, budget: int) -> None:
        """Print the plan and begin the bar."""
        if not self.quiet:
            click.echo(plan_text(self.prepared, sizes, first, budget) + "\n")
        self.begin(budget)

    def generation(self, generation: Generation) -> None:
        """A generation ended: the mean's gain over the last ten, each on cards of its own."""
        self.gains.append(generation.mean - generation.start)
        last = self.gains[-10:]
        gain = sum(last) / len(last)
        known = not math.isnan(gain)
        if self.bar is not None:
            if known:
                self.bar.set_postfix_str(f"gain {points(gain)}")
        elif not self.quiet and (generation.number + 1) % PLAIN_EVERY == 0:
            seen = f", gain of the mean {points(gain)} over the last {len(last)}" if known else ""
            done = f"generation {generation.number + 1}, {generation.matches:,} matches"
            self.tell(done + seen)


def play_tuning(
    plan: TunePlan, folder: RunFolder | None, *, jobs: int, backend: str, address: str, quiet: bool
) -> Tuned:
    """Tune as planned, or go on with it; print the result and write it into the folder."""
    prepared = prepare(plan)
    announce_compiling("fused" if prepared.compiled else "lockstep", quiet)
    try:
        with Progress(prepared, quiet) as progress:
            tuned = tune(
                plan, out=folder, jobs=jobs, backend=backend, address=address,
                watching=progress.watching(), keep=keep,
            )  # fmt: skip
        click.echo(tuned_text(tuned))
        if folder is not None:
            click.echo(f"\nanswer, to be used as an agent: {folder.place(BEST)}")
            click.echo(f"report: {folder.place(PAGE)}; beside it tables/ and plots/")
    except KeyboardInterrupt:
        tell_resume(folder)
        raise
    return tuned


def keep(tuned: Tuned, folder: RunFolder) -> None:
    """Write page, tables, plots and the answer into the folder.

    The answer comes last: where it is, the search is finished.
    """
    from handfoot_sim.report.tuning import write_tuning_report  # takes a second to load

    write_tuning_report(tuned, folder)
    write_best(tuned, folder)


def resume_tuning(folder: RunFolder, *, jobs: int, backend: str, address: str, quiet: bool) -> None:
    """Go on with the search in a folder."""
    plan = plan_of(read_record(folder).asked)
    play_tuning(plan, folder, jobs=jobs, backend=backend, address=address, quiet=quiet)


@click.command()
@click.argument("agent")
@click.option(
    "--against", multiple=True, metavar="A,B*2,...",
    help="The pool: line-ups, with *WEIGHT; itself (the start); nash:DIR (a tournament's mix).",
)  # fmt: skip
@click.option("--budget", type=int, metavar="MATCHES", help="Matches in all.  [default: 1000000]")
@click.option("--time", default="", metavar="TIME", help="Instead: a time, such as 20m.")
@tuning_options
@click.option("--seed", default=0, show_default=True, help="Seed of cards and of the search.")
@engine_options
@click.option("--out", metavar="DIR", help="Run folder to write, or go on with.")
@click.option("--quiet", is_flag=True, help="No plan, no progress, only the result.")
@rules_options
def command(
    agent: str,
    against: tuple[str, ...],
    held_out: str | None,
    transfer: tuple[str, ...],
    params: str,
    out: str | None,
    jobs: int,
    backend: str,
    scheduler: str,
    quiet: bool,
    rules: str,
    rule: tuple[str, ...],
    **words: Any,
) -> None:
    """Tune AGENT's parameters against a pool, and test the answer on unseen cards.

    AGENT is a specification; parameters it gives are where the search starts. The best value seen
    is luck and never the result: the answer is re-evaluated on other cards, against opponents the
    search has not met and under other rules, and a sequential test against the start says whether
    it is accepted. DIR/best.toml can then be named wherever an agent can.
    """
    load_agent(agent)
    plan = TunePlan(
        agent=agent,
        against=[each for text in against for each in split_agents(text)],
        params=listed(params),
        rules=rules_from_words(rules, rule),
        held_out=None if held_out is None else split_agents(held_out),
        transfer=[rules_from_words(each) for each in transfer] or None,
        **words,
    )
    folder = folder_at(out) if out is not None else None
    play_tuning(plan, folder, jobs=jobs, backend=backend, address=scheduler, quiet=quiet)


def listed(text: str) -> list[str]:
    """The words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
