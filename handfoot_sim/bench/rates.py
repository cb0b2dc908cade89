"""How many matches, turns and decisions a second each agent plays with each driver."""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass
from typing import Any, Final

import joblib
import numpy as np

from handfoot_sim.engine.pairing import AgentLike, make_pairing
from handfoot_sim.game.deal import shuffle
from handfoot_sim.jit import jit
from handfoot_sim.playing import Driver, log_match, play
from handfoot_sim.rules import Rules

LOCKSTEP_LEAST: Final = 2048
"""Fewest matches a core that are played in lockstep."""

SAMPLE: Final = 20
"""Matches whose decisions are counted."""


@dataclass(frozen=True)
class Rate:
    """One case of the benchmark: medians over rounds.

    ``ratio`` is the time of a turn over that of the calibration loop, measured in the same rounds.
    """

    agent: str
    driver: Driver
    cores: int
    matches: int
    matches_per_s: float
    turns_per_s: float
    decisions_per_s: float
    ns_per_turn: float
    ratio: float

    def as_mapping(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


@jit
def shuffles(deck: Any, order: Any, count: int) -> None:
    """The calibration loop: shuffle a full stock ``count`` times."""
    for i in range(count):
        shuffle(deck, order, np.uint64(i))


def calibration(count: int = 20_000) -> float:
    """Nanoseconds of the calibration loop: one shuffle of 270 cards."""
    deck = np.zeros(270, np.uint8)
    shuffles(deck, deck.copy(), 1)
    start = time.perf_counter()
    shuffles(deck, deck.copy(), count)
    return (time.perf_counter() - start) / count * 1e9


@dataclass
class Case:
    """An agent against itself with a driver on a number of cores, sized to about a second."""

    agent: str
    driver: Driver
    cores: int
    rules: Rules
    matches: int = 2

    def play(self) -> tuple[float, float]:
        """Play once; seconds, and turns a match."""
        start = time.perf_counter()
        if self.cores == 1:
            turns = [play_part(self.agent, self.driver, self.rules, 0, self.matches)]
        else:
            backend = "threading" if self.driver == "fused" else "loky"
            part = self.matches // self.cores
            turns = joblib.Parallel(n_jobs=self.cores, backend=backend)(
                joblib.delayed(play_part)(self.agent, self.driver, self.rules, core * part, part)
                for core in range(self.cores)
            )
        return time.perf_counter() - start, float(np.sum(turns)) / self.matches

    def settle(self, seconds: float) -> None:
        """Compile, and choose how many matches take about so many seconds."""
        self.matches = 2 * self.cores
        self.play()
        # Batch agents live on long arrays: fewer tables than a batch would misjudge them.
        least = 64 if self.driver == "fused" else LOCKSTEP_LEAST
        self.matches = least * self.cores
        taken, _ = self.play()
        wanted = int(min(least * seconds / max(taken, 1e-3), 500_000))
        self.matches = max(wanted, least) * self.cores


def play_part(agent: str, driver: Driver, rules: Rules, first: int, count: int) -> int:
    """Play matches of an agent against itself; the number of turns."""
    pairing = make_pairing([agent, agent], rules, duplicate=False)
    rows = play(pairing, seed=0, first_match=first, count=count, driver=driver)
    return int(rows["turns"][:, :, 0].sum())


def decisions_per_turn(
    agent: AgentLike, driver: Driver, rules: Rules, sample: int = SAMPLE
) -> float:
    """Decisions asked of agents in a turn, counted in a sample of so many matches."""
    pairing = make_pairing([agent, agent], rules, duplicate=False)
    decisions = turns = 0
    for match in range(sample):
        log, rows = log_match(pairing, seed=0, match=match, mirror=0, dealer=0, driver=driver)
        decisions += int(log.head["size"][0])
        turns += int(rows["turns"][0, :, 0].sum())
    return decisions / turns


def cases_of(agents: list[str], rules: Rules) -> list[Case]:
    """Every agent with every driver that plays it, on one core and on all."""
    cases: list[Case] = []
    for agent in agents:
        compiled = make_pairing([agent, agent], rules).compiled
        drivers: list[Driver] = ["fused", "lockstep"] if compiled else ["lockstep"]
        for driver in drivers:
            counts = sorted({1, os.cpu_count() or 1})
            cases.extend(Case(agent, driver, cores, rules) for cores in counts)
    return cases


def measure(cases: list[Case], rounds: int, seconds: float) -> tuple[list[Rate], float]:
    """Play all cases in turn, round by round; their rates, and the calibration loop's time."""
    for case in cases:
        case.settle(seconds)
    times = np.zeros((rounds, len(cases)))
    turns = np.zeros(len(cases))
    loops = np.zeros(rounds)
    for number in range(rounds):
        loops[number] = calibration()
        for index, case in enumerate(cases):
            times[number, index], turns[index] = case.play()
    counted = {
        (case.agent, case.driver): decisions_per_turn(case.agent, case.driver, case.rules)
        for case in cases
    }
    rates = []
    for index, case in enumerate(cases):
        per_second = float(np.median(case.matches / times[:, index]))
        per_turn = times[:, index] * 1e9 / (case.matches * turns[index])
        rates.append(
            Rate(
                agent=case.agent,
                driver=case.driver,
                cores=case.cores,
                matches=case.matches,
                matches_per_s=per_second,
                turns_per_s=per_second * float(turns[index]),
                decisions_per_s=per_second * float(turns[index]) * counted[case.agent, case.driver],
                ns_per_turn=float(np.median(per_turn)),
                ratio=float(np.median(per_turn / loops)),
            )
        )
    return rates, float(np.median(loops))
