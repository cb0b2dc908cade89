"""The check of parameters: at their bounds, and at random between them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handfoot_sim.agent.interface import Agent, Param, Value
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.conformance.matches import failure, first_difference
from handfoot_sim.conformance.outcome import Findings, Outcome
from handfoot_sim.conformance.subject import RANDOM, Game, Subject, written
from handfoot_sim.errors import HandfootError, first_line

SEED = 17


def random_value(param: Param, generator: np.random.Generator) -> Value:
    """A value within a parameter's bounds, each one equally likely."""
    share = float(generator.random())
    if param.kind is bool:
        return share >= 0.5
    if param.kind is int:
        low, high = int(np.ceil(param.low)), int(np.floor(param.high))
        return min(high, low + int(share * (high - low + 1)))
    value = float(f"{param.low * (1 - share) + param.high * share:.4g}")
    return float(min(max(value, param.low), param.high))


def settings(agent: Agent, points: int) -> Iterator[dict[str, Value]]:
    """Every parameter at each bound, the others as they are; then all of them at random."""
    for name, param in agent.declared.items():
        for bound in (param.low, param.high):
            if bound != agent.params[name]:
                yield {name: bound}
    generator = np.random.default_rng(SEED)
    for _ in range(points if agent.declared else 0):
        yield {name: random_value(param, generator) for name, param in agent.declared.items()}


def games_of(subject: Subject, number: int) -> list[Game]:
    """Standard rules, and two other configurations, in turn with the number of the setting."""
    names = list(CONFIGURATIONS)
    others = [names[1 + (2 * number + k) % (len(names) - 1)] for k in (0, 1)]
    return [Game(under, RANDOM) for under in ("standard", *others)]


def settings_play_legally(subject: Subject) -> Outcome:
    """Plays with every parameter at its bounds and with random settings within them."""
    findings = Findings()
    commands: dict[object, str | None] = {}
    idle = set(subject.agent.declared)
    number = matches = 0
    for number, setting in enumerate(settings(subject.agent, subject.effort.points), 1):
        words = ",".join(f"{name}={written(value)}" for name, value in setting.items())
        alone = set(setting) if len(setting) == 1 else set()
        try:
            agent = subject.anew(**setting)
        except Exception as error:
            findings.add("made", f"it can't be made: {first_line(error)}", words)
            continue
        for game in games_of(subject, number):
            rows = subject.play(game, agent)
            if isinstance(rows, HandfootError):
                kind, sentence = failure(subject, game, rows, agent)
                findings.add(kind, sentence, f"{words} ({game})")
                commands.setdefault(kind, subject.command(game, setting))
                idle -= alone
                continue
            matches += len(rows)
            plain = subject.played(game)
            if isinstance(plain, HandfootError) or first_difference(plain, rows):
                idle -= alone
    notes = [
        f"{name} changed no match at its bounds: it is not read, or counts only beside others"
        for name in sorted(idle)
    ]
    if not number:
        return Outcome("it has no parameters")
    shown = [command for command in commands.values() if command]
    seen = f"{number} settings, {matches:,} matches"
    return Outcome(seen, findings.sentences(), notes, commands=shown)
