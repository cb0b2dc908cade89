"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

BACKENDS: Final = ("auto", "loky", "threading", "dask", "ray")
UNTIL: Final = ("matches", "half-width", "sprt")

KERNELS: Final = {"fused": "play_matches", "lockstep": "carry_out", "transcripts": "step"}
"""For each part of the engine, a function that lies on disk once the part is compiled."""


def announce_compiling(part: str, quiet: bool = False) -> None:
    """Say on standard error, where it is so, that a part of the engine is compiled first."""
    from handfoot_sim.jit import is_compiled  # starts the compiler, which not every command needs

    if not quiet and not is_compiled(KERNELS[part]):
        what, long = "the engine", "about half a minute, and some seconds an agent"
        if part == "transcripts":
            what, long = "the code for transcripts", "some 15 seconds"
        click.echo(f"compiling {what} for this machine, once: this takes {long}", err=True)


def rules_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--rules`` and ``--rule``, passed on as ``rules`` and ``rule``."""
    single = click.option(
        "--rule",
        multiple=True,
        metavar="FIELD=VALUE",
        help="Change one field of the rules; may be given several times.",
    )
    whole = click.option(
        "--rules",
        default="standard",
        show_default=True,
        metavar="PRESET|FILE.toml",
        help="The rules to play by: standard, pagat, or a TOML file.",
    )
    return whole(single(function))


def _stack(options: list[Callable[..., Any]], function: Callable[..., Any]) -> Callable[..., Any]:
    """A function with options, the first on top."""
    for option in reversed(options):
        function = option(function)
    return function


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--jobs``, ``--backend`` and ``--scheduler`` (or ``--address``), who plays."""
    options = [
        click.option("--jobs", default=-1, show_default=True, help="Workers; -1: one a core."),
        click.option(
            "--backend", type=click.Choice(BACKENDS), default="auto", show_default=True,
            help="Who plays: threads or processes of this machine, or a cluster.",
        ),
        click.option(
            "--scheduler", "--address", "scheduler", default="", metavar="ADDRESS",
            help="Where the Dask scheduler or the Ray cluster is.",
        ),
    ]  # fmt: skip
    return _stack(options, function)


def stop_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """When a pairing has been played enough: ``--until`` and its numbers, ``--time``."""
    numbers = {
        "--below": "With half-width: stop when it is below so many points.",
        "--elo0": "With sprt: H0, A is so many Elo better.  [default: 0]",
        "--elo1": "With sprt: H1.  [default: 5]",
        "--margin0": "With sprt: H0, A is so many points a match better.  [default: 0]",
        "--margin1": "With sprt: H1.  [default: 100]",
        "--alpha": "With sprt: probability to accept H1 wrongly.  [default: 0.05]",
        "--beta": "With sprt: probability to accept H0 wrongly.  [default: 0.05]",
    }
    options = [
        click.option(
            "--until", type=click.Choice(UNTIL), default="matches", show_default=True,
            help="Stop before the last match when the interval is narrow, or a test decides.",
        ),
        *(click.option(name, type=float, help=text) for name, text in numbers.items()),
        click.option("--step", type=int, help="Matches between two looks.  [default: 2000]"),
        click.option("--time", default="", metavar="TIME", help="Time budget, such as 60s or 10m."),
    ]  # fmt: skip
    return _stack(options, function)


def tuning_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How a search goes about it: ``--params``, ``--method``, what the test asks, sizes."""
    options = [
        click.option(
            "--params", default="all", show_default=True, metavar="P,Q=LOW..HIGH,...",
            help="Parameters to tune, with other bounds than the declared ones if so wanted.",
        ),
        click.option(
            "--method", type=click.Choice(("cma", "spsa", "optuna")), default="cma",
            show_default=True, help="How to search; optuna is for up to ten parameters.",
        ),
        click.option(
            "--worth", default=50.0, show_default=True, metavar="POINTS",
            help="Gain a match that is worth finding: H1 of the test; H0 is 0.",
        ),
        click.option(
            "--alpha", default=0.01, show_default=True,
            help="Probability of the test to accept what is no gain.",
        ),
        click.option(
            "--beta", default=0.05, show_default=True,
            help="Probability of the test to miss a gain of --worth.",
        ),
        click.option("--population", type=int, help="Candidates of a generation.  [by budget]"),
        click.option("--pairs", type=int, help="Pairs of a candidate in one.  [by budget]"),
        click.option("--sigma", type=float, help="First spread of cma, of the bounds.  [0.05]"),
        click.option(
            "--decision-limit", default=60.0, show_default=True, metavar="SECONDS",
            help="Time an agent may take over a decision; 0: any.",
        ),
        click.option(
            "--held-out", metavar="A,B,...", help="Opponents for re-evaluation only.  [others]"
        ),
        click.option(
            "--transfer", multiple=True, metavar="PRESET|FILE.toml",
            help="Rules for re-evaluation only.  [the other preset]",
        ),
        click.option("--dealer", default=0, show_default=True, help="Seat that deals first."),
    ]  # fmt: skip
    return _stack(options, function)
