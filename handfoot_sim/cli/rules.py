"""``handfoot rules``: what is played."""

from __future__ import annotations

import click
from tabulate import tabulate

from handfoot_sim.cli.options import rules_options
from handfoot_sim.rules import FIELD_NAMES, PRESETS, Rules, field_note, rules_from_words


def shown(value: object) -> str:
    """A field's value as it is written on the command line."""
    if isinstance(value, tuple):
        return ",".join(str(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def rules_table(rules: Rules) -> str:
    """Every field with its rule number, value, value in ``standard`` where it differs, meaning."""
    standard = PRESETS["standard"]
    changed = rules.changes()
    headers = ["rule", "field", "value", "meaning"]
    rows = []
    for name in FIELD_NAMES:
        rule, meaning = field_note(name)
        rows.append([f"[{rule}]", name, shown(getattr(rules, name)), meaning])
    if changed:
        headers.insert(3, "standard")
        for row, name in zip(rows, FIELD_NAMES, strict=True):
            row.insert(3, shown(getattr(standard, name)) if name in changed else "")
    return str(tabulate(rows, headers, disable_numparse=True))


@click.command()
@click.argument("preset", default="")
@rules_options
def command(preset: str, rules: str, rule: tuple[str, ...]) -> None:
    """Print the rules of PRESET (or a TOML file) field by field.

    A column shows the value in ``standard`` where it differs.
    """
    base = preset or rules
    settled = rules_from_words(base, rule)
    changed = settled.changes()
    click.echo(rules_table(settled))
    click.echo()
    if changed:
        fields = ", ".join(f"{name} = {shown(value)}" for name, value in changed.items())
        click.echo(f"{base} differs from standard in: {fields}")
    else:
        click.echo("these are the standard rules")
