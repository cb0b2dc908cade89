"""``handfoot bench``: how fast it is on this machine."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from typing import Any

import click
from tabulate import tabulate

from handfoot_sim.agent.loading import agent_names
from handfoot_sim.bench.layers import layer_times
from handfoot_sim.bench.rates import Rate, cases_of, measure
from handfoot_sim.bench.starting import peak_memory, start_times
from handfoot_sim.cli.options import rules_options
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.rules import rules_from_words


def machine() -> dict[str, Any]:
    """What was measured on."""
    names = ("handfoot-sim", "numpy", "numba", "pyarrow")
    return {
        "cores": os.cpu_count(),
        "processor": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        **{name: version(name) for name in names},
    }


def rates_text(rates: list[Rate], loop: float) -> str:
    """The rates as a table."""
    rows = [
        (
            rate.agent,
            rate.driver,
            rate.cores,
            f"{rate.matches_per_s:,.0f}",
            f"{rate.turns_per_s:,.0f}",
            f"{rate.decisions_per_s:,.0f}",
            f"{rate.ns_per_turn:,.0f}",
            f"{rate.ratio:.2f}",
        )
        for rate in rates
    ]
    headers = (
        "agent",
        "driver",
        "cores",
        "matches/s",
        "turns/s",
        "decisions/s",
        "ns a turn",
        "ratio",
    )
    align = ("left", "left", *["right"] * 6)
    table = str(tabulate(rows, headers, disable_numparse=True, colalign=align))
    note = "ratio: time of a turn over that of the calibration loop, one shuffle of 270 cards"
    return f"{table}\n{note} ({loop:,.0f} ns)"


def layers_text(layers: dict[str, float]) -> str:
    """Where the time goes, as a table."""
    whole = layers["fused"]
    meanings = {
        "deals": "shuffling and dealing",
        "transitions": "transitions and their checks",
        "views": "views",
        "agents": "agents, and calling them",
        "recording": "recording deals",
        "fused": "fused driver in all",
        "tables": "then: building tables and figures",
        "writing": "then: writing Parquet",
    }
    rows = [
        (meaning, f"{layers[name]:.1f}", f"{100 * layers[name] / whole:.1f} %")
        for name, meaning in meanings.items()
    ]
    headers = ("greedy against itself, one core", "ns a turn", "of playing")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=("left", "right", "right")))


def starts_text(starts: dict[str, float]) -> str:
    """What a user waits for, as a table."""
    rows = [(name, f"{seconds:.2f}") for name, seconds in starts.items()]
    headers = ("starting", "s")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=("left", "right")))


@click.command()
@click.argument("agents", nargs=-1)
@click.option("--rounds", default=5, show_default=True, help="Rounds; figures are medians.")
@click.option("--seconds", default=1.0, show_default=True, help="About how long each case plays.")
@click.option("--quick", is_flag=True, help="Three short rounds, and no compiling.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@rules_options
def command(
    agents: tuple[str, ...],
    rounds: int,
    seconds: float,
    quick: bool,
    as_json: bool,
    rules: str,
    rule: tuple[str, ...],
) -> None:
    """Measure speed: AGENTS (all built-in ones unless given) with each driver.

    All cases are played in turn, several rounds over, and the medians are reported, so that what
    else the machine does falls on all alike; compare ratios, not runs.
    """
    settled = rules_from_words(rules, rule)
    names = list(agents) or sorted(agent_names())
    if quick:
        rounds, seconds = 3, 0.2
    rates, loop = measure(cases_of(names, settled), rounds, seconds)
    greedy = make_pairing(["greedy", "greedy"], settled)
    layers = layer_times(greedy, 500 if quick else 2000, rounds)
    starts = start_times(with_compiling=not quick)
    figures = {
        "machine": machine(),
        "rules": settled.as_mapping(),
        "rounds": rounds,
        "calibration_ns": loop,
        "rates": [rate.as_mapping() for rate in rates],
        "layers_ns_per_turn": layers,
        "seconds_to_start": starts,
        "peak_memory_mib": peak_memory(),
    }
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    click.echo(", ".join(f"{name} {value}" for name, value in machine().items()))
    click.echo("\n" + rates_text(rates, loop))
    click.echo("\n" + layers_text(layers))
    click.echo("\n" + starts_text(starts))
    click.echo(f"\npeak memory of this process: {peak_memory():,.0f} MiB")
