"""The agent looked at, how much of it is looked at, and the matches it plays for that."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from handfoot_sim.agent.interface import Agent, Value
from handfoot_sim.agent.loading import split_specification
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.conformance.outcome import Outcome
from handfoot_sim.conformance.situations import Situation, gather
from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.errors import HandfootError
from handfoot_sim.playing import choose_driver, play

SEED: Final = 8


PATIENCE: Final = 20.0
"""Seconds that a decision may take before it counts as one that never ends."""


class Game(NamedTuple):
    """Under which configuration, and against (or with) whom, the agent plays."""

    under: str
    against: str

    def __str__(self) -> str:
        return self.under if self.against == RANDOM else f"{self.under} {self.against}"


RANDOM: Final = "against random_legal"
ITSELF: Final = "against itself"
PARTNER: Final = "with greedy as its partner"


@dataclass(frozen=True)
class Effort:
    """How much is looked at.

    ``against``: the games played under every configuration; ``sets``, ``batch_sets``: sets of
    mirrored matches a game for compiled and for batch agents, which are slower; ``situations``:
    configurations from which situations are gathered, in ``rounds`` rounds each; ``points``:
    random settings of all parameters; ``seconds``: how long speed is measured.
    """

    against: tuple[str, ...]
    sets: int
    batch_sets: int
    situations: tuple[str, ...]
    rounds: int
    points: int
    seconds: float


FULL: Final = Effort(
    against=(RANDOM, ITSELF, PARTNER),
    sets=60,
    batch_sets=6,
    situations=("standard", "pagat", "6 in 3", "easy out", "one card drawn"),
    rounds=2500,
    points=6,
    seconds=1.0,
)
"""What ``handfoot check-agent`` looks at."""

QUICK: Final = Effort(
    against=(RANDOM,),
    sets=4,
    batch_sets=2,
    situations=("standard", "one card drawn"),
    rounds=1200,
    points=2,
    seconds=0.2,
)
"""What it looks at with ``--quick``."""

Played = np.ndarray | HandfootError
"""Rows of results, dtype ``ROW``, shape (matches, deals, teams), or why there are none."""


def written(value: object) -> str:
    """A parameter's or a rule's value as it is written on the command line."""
    if isinstance(value, tuple):
        return ",".join(str(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


class Subject:
    """An agent under check. What it has played is kept, since several checks look at it.

    ``tell`` is called with words for what is being done.
    """

    def __init__(
        self, agent: Agent, effort: Effort = FULL, tell: Callable[[str], Any] = lambda words: None
    ) -> None:
        self.agent = agent
        self.effort = effort
        self.doing = ""
        self.stuck: HandfootError | None = None
        self._tell = tell
        self.params = dict(agent.params)
        self.asked: np.ndarray | None = None
        self.process: subprocess.Popen[str] | None = None
        self._outcomes: dict[Callable[[Subject], Outcome], Outcome] = {}
        self._played: dict[Game, Played] = {}
        self._situations: list[Situation] = []

    def tell(self, words: str) -> None:
        """Say what is being done, after the name of the check that is being made."""
        self._tell(": ".join(part for part in (self.doing, words) if part))

    def once(self, check: Callable[[Subject], Outcome]) -> Outcome:
        """What a check finds, made only once: some checks need to know what others found."""
        if check not in self._outcomes:
            self._outcomes[check] = check(self)
        return self._outcomes[check]

    @property
    def sets(self) -> int:
        """Sets of mirrored matches played in every game."""
        return self.effort.batch_sets if self.agent.batch else self.effort.sets

    @property
    def games(self) -> list[Game]:
        """All games that are played in full."""
        return [
            Game(under, against)
            for under, rules in CONFIGURATIONS.items()
            for against in self.effort.against
            if against != PARTNER or rules.seats_per_team > 1
        ]

    def pairing(self, game: Game, agent: Agent | None = None) -> Pairing:
        """The agent (or ``agent`` in its place) in a game; it is the first of the pairing's."""
        agent = agent or self.agent
        rules = CONFIGURATIONS[game.under]
        if game.against == ITSELF:
            return make_pairing([agent, agent], rules, duplicate=False)
        lineup: Sequence[Agent | str] = [agent]
        if game.against == PARTNER:
            lineup = [agent, *["greedy"] * (rules.seats_per_team - 1)]
        return make_pairing([lineup, "random_legal"], rules)

    def play(self, game: Game, agent: Agent | None = None, **how: Any) -> Played:
        """Play a game now; ``how`` are arguments of ``playing.play``. An error is returned.

        Once a decision has not ended in time (``stuck``), nothing more is played: compiled code
        can't be broken off, and each further game would leave another thread behind.
        """
        if self.stuck is not None:
            return self.stuck
        self.tell(str(game))
        try:
            pairing = self.pairing(game, agent)
            how.setdefault("driver", choose_driver(pairing))
            count = self.sets * pairing.mirrors
            return play(
                pairing, seed=SEED, first_match=0, count=count, decision_limit=PATIENCE, **how
            )
        except HandfootError as error:
            if "has not answered for" in str(error):
                self.stuck = error
            return error

    def played(self, game: Game) -> Played:
        """What a game with the fastest driver gave; it is played once."""
        if game not in self._played:
            self._played[game] = self.play(game)
        return self._played[game]

    def anew(self, **params: Any) -> Agent:
        """Another instance of the agent's class, with its parameters but those given."""
        made = type(self.agent)(**{**self.params, **params})
        made.name = self.agent.name
        return made

    def command(self, game: Game, setting: Mapping[str, Value] | None = None) -> str | None:
        """The command that plays a game, for people; None for a class without name and file."""
        if self.agent.specification is None:
            return None
        target, wanted, _ = split_specification(self.agent.specification)
        changed = {
            name: value
            for name, value in {**self.params, **(setting or {})}.items()
            if value != self.agent.declared[name].default
        }
        words = ",".join(f"{name}={written(value)}" for name, value in changed.items())
        agent = ":".join(part for part in (target, wanted, words) if part)
        rules = CONFIGURATIONS[game.under]
        lineups = {
            RANDOM: [agent, "random_legal"],
            ITSELF: [agent, agent, "--no-duplicate"],
            PARTNER: ["+".join([agent, *["greedy"] * (rules.seats_per_team - 1)]), "random_legal"],
        }[game.against]
        count = self.sets * (1 if game.against == ITSELF else rules.teams)
        numbers = ["--seed", str(SEED), "--matches", str(count)]
        changes = [f"--rule={name}={written(value)}" for name, value in rules.changes().items()]
        return shlex.join(["handfoot", "compare", *lineups, *numbers, *changes])

    def situations(self) -> list[Situation]:
        """Situations in which the agent decides, gathered once; counts what it was asked."""
        if self.asked is None:
            self.asked = np.zeros(4, np.int64)
            for under in () if self.stuck else self.effort.situations:
                partners = CONFIGURATIONS[under].seats_per_team > 1
                for against in (ITSELF, PARTNER)[: 1 + partners]:
                    self.tell(f"{under}, {against}")
                    pairing = self.pairing(Game(under, against))
                    kept, asked = gather(under, pairing, self.effort.rounds)
                    self._situations += kept
                    self.asked += asked
        return self._situations
