"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import click

KERNELS: Final = {"fused": "play_matches", "lockstep": "carry_out", "transcripts": "step"}
"""For each part of the engine, a function that lies on disk once the part is compiled."""


def announce_compiling(part: str, quiet: bool = False) -> None:
    """Say on standard error, where it is so, that a part of the engine is compiled first."""
    from handfoot_sim.jit import is_compiled  # starts the compiler, which not every command needs

    if not quiet and not is_compiled(KERNELS[part]):
        text = "compiling the engine for this machine, once: this takes about half a minute"
        click.echo(text, err=True)


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
