"""``handfoot new-agent``: a file to begin with."""

from __future__ import annotations

import keyword
import re
import shlex
from pathlib import Path

import click

from handfoot_sim.errors import AgentError
from handfoot_sim.templates import agent_text

TAKEN = frozenset({"Agent", "BatchAgent", "Param"})


def class_name(path: Path) -> str:
    """The class for a file: ``my_bot.py`` holds ``MyBot``.

    Raises ``AgentError`` where the file's name is none that Python can import.
    """
    stem = path.stem
    if path.suffix != ".py" or not stem.isidentifier() or keyword.iskeyword(stem):
        raise AgentError(
            f"new agent {str(path)!r}: the file's name must be a Python name ending in .py, "
            "such as my_bot.py"
        )
    name = "".join(part[:1].upper() + part[1:] for part in re.split("_+", stem)) or stem
    return name if name[0].isalpha() and name not in TAKEN else f"My{name}"


@click.command(name="new-agent")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--batch", is_flag=True, help="One in plain NumPy, over arrays of views.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it is there.")
def command(file: Path, batch: bool, force: bool) -> None:
    """Write FILE, a commented agent that runs at once, to be changed to your idea."""
    name = class_name(file)
    try:
        with file.open("w" if force else "x", encoding="utf-8") as written:
            written.write(agent_text(name, batch=batch).replace("my_agent.py", file.name))
    except FileExistsError:
        raise AgentError(
            f"new agent {file}: there is such a file; choose another name, or --force to "
            "overwrite it"
        ) from None
    except OSError as error:
        raise AgentError(f"new agent {file}: it can't be written: {error.strerror}") from None
    path = shlex.quote(str(file))
    click.echo(f"{file} holds the agent {name}. Next:")
    click.echo(f"  handfoot check-agent {path}")
    click.echo(f"  handfoot compare {path} greedy --matches 2000")
    click.echo(f"  handfoot compare {path}:starve=true {path} --matches 2000")
