"""What does playing the same cards both ways save, in matches needed?

Some pairings, of strategies more and less alike, play duplicate pairs. The variance of a pair's
margin is set against that which two matches on cards of their own would have: the variances of
single matches come from the same matches, mirror by mirror, and beside it from a run in which no
cards are played twice. What is needed are the matches for which the 95 % interval of the margin has
a half-width of 50 points. The engine has one way to deal the stock, a stream a seat, so what that
saves over one common stream is not measured here.

    handfoot experiment duplicate_variance [--quick]
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import Study, by_mirror
from handfoot_sim.experiment.wording import counted, listed, ranked, share
from handfoot_sim.stats.intervals import NORMAL

PAIRINGS = (
    ("greedy", "greedy:pile_min=5"),
    ("balanced", "balanced:take_hand=3"),
    ("greedy", "blocker"),
    ("closer", "milker"),
    ("hoarder", "pile_hunter"),
    ("balanced", "closer"),
    ("greedy", "random_legal"),
)
HALF_WIDTH = 50.0
"""Points a match that the interval may err."""
DRAWS = 1000


def needed(variance: float) -> float:
    """Means of such variance that give an interval of ``HALF_WIDTH``: (1.96 sd / 50)^2."""
    return NORMAL**2 * variance / HALF_WIDTH**2


def measured(margins: np.ndarray) -> dict[str, float]:
    """Variances and what they mean, of margins of shape (pairs, 2), one a mirror."""
    single = margins.var(0, ddof=1).mean()
    pair = margins.mean(1).var(ddof=1)
    return {
        "sd_match": float(np.sqrt(single)), "sd_pair": float(np.sqrt(pair)),
        "correlation": float(np.corrcoef(margins.T)[0, 1]),
        "matches_unpaired": needed(single), "matches_in_pairs": 2 * needed(pair),
        "saving": float(1 - 2 * pair / single),
    }  # fmt: skip


def play(study: Study) -> str:
    """Play every pairing with and without duplicates."""
    rows = []
    for number, (a, b) in enumerate(PAIRINGS):
        name = f"{a} - {b}"
        paired = study.single(f"pairs-{number}", [a, b], matches=study.sized(30_000, 2000))
        margins = by_mirror(paired.folder)[["0", "1"]].to_numpy(np.float64)
        found = measured(margins)
        own = study.single(
            f"singles-{number}", [a, b], matches=study.sized(10_000, 1000), duplicate=False
        )
        alone = by_mirror(own.folder)["0"].to_numpy(np.float64)
        generator = np.random.default_rng(study.seed)
        picks = (generator.integers(0, len(margins), len(margins)) for _ in range(DRAWS))
        drawn = pd.DataFrame([measured(margins[pick]) for pick in picks])
        low, high = drawn.quantile(0.025), drawn.quantile(0.975)
        for figure, value in found.items():
            rows.append((name, figure, value, low[figure], high[figure], len(margins)))
        rows.append(
            (name, "sd_match_own_cards", float(alone.std(ddof=1)), np.nan, np.nan, len(alone))
        )
    table = pd.DataFrame(rows, columns=["pairing", "figure", "value", "low", "high", "n"])
    study.table("variance", table)
    matches = {"matches_unpaired": "on cards of their own", "matches_in_pairs": "in pairs"}
    drawn = table[table["figure"].isin(list(matches))]
    study.plot(
        "matches_needed",
        plots.effects(
            drawn.assign(agent=drawn["figure"].map(matches)), rows="pairing", what="pairs",
            unit=f"matches for a margin to ± {HALF_WIDTH:.0f} points a match",
            text="How many matches a margin takes, in pairs and on cards of their own",
            note="95 % intervals by a bootstrap of pairs",
        ),
    )  # fmt: skip
    return answer(table)


def answer(table: pd.DataFrame) -> str:
    """The paragraph."""
    wide = table.pivot(index="pairing", columns="figure", values="value")
    saved = ranked(table[table["figure"] == "saving"])
    said = [
        f"{name} {wide.loc[name, 'matches_in_pairs'] / 2:,.0f} pairs instead of "
        f"{wide.loc[name, 'matches_unpaired']:,.0f} single matches, which saves "
        f"{share(row, 0)} of them"
        for name, (_, row) in zip(saved["pairing"], saved.iterrows(), strict=True)
    ]
    low, high = wide["correlation"].min(), wide["correlation"].max()
    return (
        f"To know a margin to ± {HALF_WIDTH:.0f} points a match with 95 % takes, for "
        f"{listed(said)} ({counted(saved, 'pairs')}; 95 % intervals by a bootstrap of {DRAWS:,} "
        f"draws). The margins that a strategy has in the two mirrors correlate at {low:.2f} to "
        f"{high:.2f}; what is saved is about that, with the other sign. What the stock's streams "
        "by seat save over one common stream is not measured: the engine has no other way to deal."
    )


if __name__ == "__main__":
    start(__file__)
