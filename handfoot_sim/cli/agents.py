"""``handfoot agents``: which agents can be named."""

from __future__ import annotations

import inspect

import click
from tabulate import tabulate

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import agent_class, agent_names, split_specification
from handfoot_sim.cli.rules import shown


def first_line(agent: type[Agent]) -> str:
    """The strategy in one line: the first of its docstring."""
    return (inspect.getdoc(agent) or "").partition("\n")[0]


def params_table(agent: type[Agent]) -> str:
    """The declared parameters with default, bounds and meaning."""
    rows = [
        (name, p.kind.__name__, shown(p.default), shown(p.low), shown(p.high), p.meaning)
        for name, p in agent.declared.items()
    ]
    headers = ("parameter", "type", "default", "low", "high", "meaning")
    return str(tabulate(rows, headers, disable_numparse=True))


@click.command()
@click.argument("name", default="")
def command(name: str) -> None:
    """List all agents, or show one: its idea and its parameters."""
    if not name:
        rows = []
        for known in sorted(agent_names()):
            found, _ = agent_class(known)
            rows.append((known, "batch" if found.batch else "compiled", first_line(found)))
        click.echo(tabulate(rows, ("agent", "kind", "idea")))
        return
    target, wanted, _ = split_specification(name)
    found, label = agent_class(target, wanted)
    module = inspect.getmodule(found)
    text = inspect.getdoc(module) or inspect.getdoc(found) or ""
    click.echo(f"{label}\n\n{text}\n")
    click.echo(params_table(found) if found.declared else "It has no parameters.")
