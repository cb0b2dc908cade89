"""``handfoot agents``: which agents can be named, and what they are."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click
from tabulate import tabulate

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import (
    agent_class,
    agent_names,
    load_agent,
    split_specification,
    tuned_file,
)
from handfoot_sim.agent.tuned import read_tuned
from handfoot_sim.cli.rules import shown
from handfoot_sim.errors import AgentError, first_line

BEGIN, END = "<!-- agents: begin -->", "<!-- agents: end -->"
"""What the generated part of a page stands between."""

HEADERS = ("parameter", "type", "default", "low", "high", "meaning")


def width() -> int:
    """Columns of the terminal, within reason."""
    return min(max(shutil.get_terminal_size((100, 24)).columns, 60), 120)


def own_doc(agent: type[Agent]) -> str:
    """The docstring that the class has itself, not one that it inherits."""
    return inspect.cleandoc(agent.__doc__ or "")


def idea(agent: type[Agent]) -> str:
    """The strategy in one line: the first paragraph of its class's docstring, in one line."""
    return " ".join(own_doc(agent).partition("\n\n")[0].split())


def tuned_idea(name: str) -> str:
    """What a file of tuned parameters is, in one line; empty for other agents."""
    file = tuned_file(name)
    if file is None:
        return ""
    tuned = read_tuned(file)
    rules = f" for {tuned.rules}" if tuned.rules else ""
    decision = f" ({tuned.decision})" if tuned.decision else ""
    return f"The agent {tuned.agent} with parameters tuned{rules}{decision}."


def params_rows(agent: type[Agent]) -> list[tuple[str, ...]]:
    """The declared parameters: name, type, default, bounds and meaning."""
    return [
        (name, p.kind.__name__, shown(p.default), shown(p.low), shown(p.high), p.meaning)
        for name, p in agent.declared.items()
    ]


def column_width(header: str, rows: Sequence[tuple[str, ...]], column: int) -> int:
    """Characters of a table's column and the gap after it; tabulate gives headers two more."""
    return max(len(header) + 2, *(len(row[column]) for row in rows), 0) + 2


def params_table(agent: type[Agent]) -> str:
    """The declared parameters as a table as wide as the terminal, meanings wrapped."""
    rows = params_rows(agent)
    room = max(width() - sum(column_width(HEADERS[i], rows, i) for i in range(5)), 20)
    wrapped = [(*row[:5], textwrap.fill(row[5], room)) for row in rows]
    return str(tabulate(wrapped, HEADERS, disable_numparse=True))


def agents_list() -> str:
    """All agents that can be named, with their kind and idea; also those that can't be loaded."""
    rows = []
    for name in sorted(agent_names()):
        try:
            found, _ = agent_class(name)
            words = tuned_idea(name) or idea(found)
        except AgentError as error:
            rows.append((name, "-", f"can't be loaded: {first_line(error)}"))
        else:
            rows.append((name, "batch" if found.batch else "compiled", words))
    headers = ("agent", "kind", "idea")
    room = max(width() - sum(column_width(headers[i], rows, i) for i in range(2)), 20)
    wrapped = [(name, kind, textwrap.fill(words, room)) for name, kind, words in rows]
    return str(tabulate(wrapped, headers))


def reflowed(text: str) -> str:
    """A docstring's paragraphs wrapped to the terminal; lists and indented lines stay."""
    parts = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(
        part if re.search(r"^(\s|[-*])", part, re.MULTILINE) else textwrap.fill(part, width())
        for part in parts
    )


def agent_text(name: str) -> str:
    """One agent: its kind, author and file, what it says of itself, and its parameters."""
    target, wanted, _ = split_specification(name)
    found, label = agent_class(target, wanted)
    module = inspect.getmodule(found)
    texts = [inspect.getdoc(module) or "", own_doc(found)]
    lines = [f"{label}: {'batch' if found.batch else 'compiled'} agent {found.__name__}"]
    author = getattr(module, "__author__", None)
    if author:
        lines.append(f"author: {author}")
    source = inspect.getsourcefile(found)
    if source:
        lines.append(f"file: {_shortened(Path(source))}")
    lines.append("")
    if tuned_file(target) is not None:
        values = ", ".join(
            f"{key}={shown(value)}" for key, value in load_agent(name).params.items()
        )
        texts = [tuned_idea(target), f"Its values: {values}.", *texts]
    lines += [f"{reflowed(text)}\n" for text in texts if text]
    lines.append(params_table(found) if found.declared else "It has no parameters.")
    return "\n".join(lines)


def _shortened(path: Path) -> str:
    """A path as seen from the working folder, where it lies below it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def markdown() -> str:
    """All agents that come with this distribution: a section each, with idea and parameters."""
    sections = []
    for name, place in sorted(agent_names().items()):
        if tuned_file(name) is not None:
            sections.append(f"### {name}\n\n{tuned_idea(name)}")
            continue
        if not place.startswith("handfoot_agents."):
            continue
        found, _ = agent_class(name)
        kind = "batch" if found.batch else "compiled"
        text = f"### {name}\n\n{idea(found)} ({kind})"
        if found.declared:
            rows = [tuple(cell.replace("|", "\\|") for cell in row) for row in params_rows(found)]
            text += "\n\n" + str(tabulate(rows, HEADERS, "github", disable_numparse=True))
        else:
            text += "\n\nIt has no parameters."
        sections.append(text)
    return "\n\n".join(sections)


def write_between(path: Path, text: str) -> None:
    """Put ``text`` between the two marks in a page; ``AgentError`` if they are not there."""
    try:
        page = path.read_text(encoding="utf-8")
    except OSError as error:
        raise AgentError(f"{path} can't be read: {error.strerror}") from None
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise AgentError(f"{path} has no lines {BEGIN} and {END} to write the agents between")
    try:
        path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    except OSError as error:
        raise AgentError(f"{path} can't be written: {error.strerror}") from None


@click.command()
@click.argument("name", default="")
@click.option(
    "--markdown", "as_markdown", is_flag=True, help="Print those of handfoot-sim as a page."
)
@click.option(
    "--write",
    type=click.Path(path_type=Path),
    metavar="PAGE",
    help="With --markdown: write it into PAGE, between its two marks.",
)
def command(name: str, as_markdown: bool, write: Path | None) -> None:
    """List all agents, or show one: its idea, its parameters, where it is.

    NAME is a name of the list, module:Class or path/to/file.py.
    """
    if write is not None and not as_markdown:
        raise click.UsageError("--write goes with --markdown")
    if as_markdown and name:
        raise click.UsageError("--markdown shows all agents; leave NAME out")
    if write is not None:
        write_between(write, markdown())
        click.echo(f"the agents are written into {write}")
    elif as_markdown:
        click.echo(markdown())
    else:
        click.echo(agent_text(name) if name else agents_list())
