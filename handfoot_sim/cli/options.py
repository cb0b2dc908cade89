"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


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
