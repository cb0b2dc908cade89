"""Which strategy is strongest, and is there one that beats all others?

Every compiled agent that comes along plays every other one on duplicate cards, by both presets.

    handfoot experiment round_robin [--quick]
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from handfoot_sim import plots, stats
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import Study
from handfoot_sim.experiment.wording import amount, counted, listed, row_of
from handfoot_sim.ratings.payoff import cycles
from handfoot_sim.tournament.plan import with_all

PRESETS = ("standard", "pagat")
SURE = 0.05


def circles(met: pd.DataFrame) -> list[str]:
    """Circles in which each beats the next and the last the first, where that is shown."""
    agents = sorted(set(met["agent"]))
    beats = np.zeros((len(agents), len(agents)), bool)
    for _, row in met.iterrows():
        if row["margin"] > 0 and row["holm"] < SURE:
            beats[agents.index(row["agent"]), agents.index(row["opponent"])] = True
    return [" > ".join(agents[each] for each in circle) for circle in cycles(beats)]


def play(study: Study) -> str:
    """Play all pairings by both presets."""
    agents = with_all(["all"])
    part = study.tournament("all", agents, matches=study.sized(6000, 200), rules=PRESETS)
    found, met = [], []
    for number, preset in enumerate(PRESETS):
        totals = part.totals(number)
        found.append(stats.standings(totals).assign(rules=preset))
        met.append(stats.head_to_head(totals).assign(rules=preset))
        if number == 0:
            fingerprint = stats.fingerprint(totals)
            study.plot("head_to_head", plots.head_to_head(met[0]))
            study.plot("standings", plots.standings(found[0]))
            study.plot("fingerprint", plots.fingerprint(fingerprint))
            study.table("fingerprint", fingerprint.assign(rules=preset))
        else:
            study.plot(f"head_to_head_{preset}", plots.head_to_head(met[-1]))
    standings, meetings = pd.concat(found, ignore_index=True), pd.concat(met, ignore_index=True)
    study.table("standings", standings)
    study.table("head_to_head", meetings)
    return " ".join(answer(standings, meetings, preset) for preset in PRESETS)


def answer(standings: pd.DataFrame, met: pd.DataFrame, preset: str) -> str:
    """A sentence or two on one preset."""
    own = standings[standings["rules"] == preset].rename(columns={"margin": "value"})
    pairs = met[met["rules"] == preset]
    best, second, last = own.iloc[0], own.iloc[1], own.iloc[-1]
    wins = pairs[(pairs["agent"] == best["agent"]) & (pairs["margin"] > 0) & (pairs["holm"] < SURE)]
    duel = row_of(pairs, agent=best["agent"], opponent=second["agent"])
    everybody = len(wins) == len(own) - 1
    beaten = "all others" if everybody else f"{len(wins)} of {len(own) - 1}"
    unsure = int(((pairs["holm"] >= SURE) & (pairs["agent"] < pairs["opponent"])).sum())
    found = circles(pairs)
    turned = f"circles: {listed(found)}" if found else "no circle is shown"
    return (
        f"By {preset} rules {best['agent']} leads with {amount(best)} a match over the field and "
        f"beats {beaten}, {second['agent']} (second, {amount(second)}) by "
        f"{amount(duel.rename({'margin': 'value'}))}; last is {last['agent']} ({amount(last)}). Of "
        f"{len(pairs) // 2} pairings no difference is shown in {unsure} (Holm); {turned} "
        f"({counted(pairs, 'pairs')} a pairing, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
