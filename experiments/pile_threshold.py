"""How many cards must the pile bring to be worth taking?

Strategies with a threshold for taking (balanced while in the hand, pile_hunter, greedy) play with
each value of it against the same opponents on the same cards. The best threshold is the one with
the largest mean margin over half of the match numbers; how sure that is, a bootstrap over them
says. What it brings over the others is measured on the other half, since the half that chose it
overstates it.

    handfoot experiment pile_threshold [--quick]
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import (
    DRAWN,
    FIELD,
    Study,
    corrected,
    means,
    over_field,
    resampled,
)
from handfoot_sim.experiment.wording import amount, counted

SWEPT = {"balanced": "take_hand", "greedy": "pile_min", "pile_hunter": "k"}
VALUES = tuple(range(1, 9))
"""Thresholds; a taking brings seven cards at most, so with eight the pile is never taken."""
ENDS = (VALUES[0], VALUES[-1])
DRAWS = 2000


def margins(study: Study, agent: str, matches: int) -> pd.DataFrame:
    """Margin over the opponents: a row a match number, a column a threshold."""
    opponents = [other for other in FIELD if other != agent]
    columns = {}
    for value in VALUES:
        candidate = f"{agent}:{SWEPT[agent]}={value}"
        part = study.tournament(
            f"{agent}-{value}", [candidate, *opponents], matches=matches, format="gauntlet"
        )
        label = part.played.run.pairings[0].labels[0]
        columns[value] = over_field(part.cards())[label]
    return pd.DataFrame(columns)


def optimum(wide: pd.DataFrame, seed: int) -> dict[str, float]:
    """The threshold with the largest mean, with the bootstrap's interval, and how often it won."""
    values = np.array(wide.columns)
    best = int(values[int(np.argmax(wide.mean().to_numpy()))])
    drawn = values[np.argmax(resampled(wide.to_numpy(np.float64), DRAWS, seed), axis=1)]
    low, high = np.quantile(drawn, [0.025, 0.975], method="inverted_cdf")
    share = float((drawn == best).mean())
    return {"value": best, "low": float(low), "high": float(high), "share": share, "n": len(wide)}


def play(study: Study) -> str:
    """Sweep each strategy's threshold."""
    matches = study.sized(4000, 300)
    curves, best, steps = [], [], []
    for agent in SWEPT:
        wide = margins(study, agent, matches)
        choosing, judging = wide[wide.index % 2 == 0], wide[wide.index % 2 == 1]
        curves.append(means(wide, "threshold").assign(agent=agent))
        best.append({"agent": agent, "parameter": SWEPT[agent], **optimum(choosing, study.seed)})
        top = best[-1]["value"]
        less = judging.rsub(judging[top], axis=0).drop(columns=top)
        steps.append(means(less, "threshold").assign(agent=agent, best=top))
    curve = pd.concat(curves, ignore_index=True)
    optima = pd.DataFrame(best)
    lost = corrected(pd.concat(steps, ignore_index=True))
    study.table("curves", curve.drop(columns="p"))
    study.table("optima", optima)
    study.table("lost_by_others", lost)
    study.plot(
        "curves",
        plots.curve(
            panels_of(curve, lost), x="threshold", panel="panel", columns=2,
            label="cards a taking must bring", zero=False,
            text="How many cards the pile must bring to be taken",
            note="points a match, 95 % intervals; on the right same cards, match numbers that did "
            "not choose the best threshold (dotted)", agents=DRAWN,
            best=dict(zip(optima["agent"], optima["value"], strict=True)),
        ),
    )  # fmt: skip
    return answer(optima, lost)


def panels_of(curve: pd.DataFrame, lost: pd.DataFrame) -> pd.DataFrame:
    """The margins, and close up by how much they are below that with the best threshold."""
    names = ["value", "low", "high"]
    below = lost[lost["threshold"] < VALUES[-1]].copy()
    below[names] = -below[["value", "high", "low"]].to_numpy()
    best = below.drop_duplicates("agent").assign(**dict.fromkeys(names, 0.0))
    best["threshold"] = best["best"].astype(int)
    close = f"less that with the best, {VALUES[0]} to {VALUES[-2]}"
    return pd.concat([
        curve.assign(panel="margin over five others"),
        pd.concat([below, best]).assign(panel=close),
    ])  # fmt: skip


def answer(optima: pd.DataFrame, lost: pd.DataFrame) -> str:
    """The paragraph."""
    said = []
    for _, row in optima.iterrows():
        own = lost[(lost["agent"] == row["agent"]) & lost["threshold"].isin(ENDS)]
        ends = [
            f"{amount(each, '')} more than with {each['threshold']}" for _, each in own.iterrows()
        ]
        said.append(
            f"{row['agent']}'s best threshold ({row['parameter']}) is {row['value']:.0f} "
            f"({row['low']:.0f} to {row['high']:.0f}; best in {100 * row['share']:.0f} % of "
            f"draws), which brings {' and '.join(ends)}"
        )
    return (
        f"{'; '.join(said)}, in points a match over the same opponents on the same cards "
        f"({counted(optima)} choose the threshold, with 95 % intervals by a bootstrap of the "
        f"largest mean, {DRAWS:,} draws; {counted(lost, 'others')} judge what it brings)."
    )


if __name__ == "__main__":
    start(__file__)
