"""When is a wild book worth the cards it takes?

Strategies that aim at a number of wild books play themselves aiming at one fewer, for several
bonuses of a wild book, and both where going out needs one and where it does not. The margin by
which the further book pays rises with the bonus; where it crosses 0, it is worth its cards.

    handfoot experiment wild_book [--quick]
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import (
    DRAWN,
    Part,
    Study,
    corrected,
    means,
    over_field,
    resampled,
)
from handfoot_sim.experiment.wording import amount, counted, each_change, shown

STEPS = {
    "first": (0, ("balanced", "book_planner", "counter")),
    "second": (1, ("balanced", "book_planner", "counter", "milker")),
    "third": (2, ("balanced", "book_planner", "counter", "milker")),
}
"""A further wild book: how many are aimed at without it, and by whom."""
BONUSES = (0, 500, 1000, 1500, 2000)
STANDARD = 1500
NEEDED = (1, 0)
"""Wild books needed to go out."""
WHERE = {1: "one needed to go out", 0: "none needed to go out"}
DRAWS = 1000


def margins(part: Part, more: str, needed: int) -> pd.DataFrame:
    """Margin of the strategy that aims at more: a row a match number, a column a bonus."""
    columns = {}
    for number, rules in enumerate(part.rules):
        if rules.wild_to_go_out == needed:
            cards = part.cards(variant=number)
            columns[rules.bonus_wild] = over_field(cards)[more]
    return pd.DataFrame(columns).sort_index(axis=1)


def crossing(bonuses: np.ndarray, values: np.ndarray) -> float:
    """The bonus at which a margin turns from below 0 to above, the last such place; NaN if none.

    Between two bonuses margins are taken to change in proportion.
    """
    rises = np.flatnonzero((values[:-1] <= 0) & (values[1:] > 0))
    if not len(rises):
        return float("nan")
    at = int(rises[-1])
    part = -values[at] / (values[at + 1] - values[at])
    return float(bonuses[at] + part * (bonuses[at + 1] - bonuses[at]))


def break_even(wide: pd.DataFrame, seed: int) -> dict[str, float]:
    """The bonus from which a further book pays, with a bootstrap interval over match numbers.

    No interval where more than one draw in twenty has no such bonus within the range.
    """
    bonuses, values = np.array(wide.columns, np.float64), wide.to_numpy(np.float64)
    drawn = np.array([crossing(bonuses, each) for each in resampled(values, DRAWS, seed)])
    found = drawn[~np.isnan(drawn)]
    low, high = np.quantile(found, [0.025, 0.975]) if len(found) >= 0.95 * DRAWS else [np.nan] * 2
    value = crossing(bonuses, values.mean(0))
    always = bool((values.mean(0) > 0).all())
    return {"value": value, "low": low, "high": high, "always": always, "n": len(values)}


def play(study: Study) -> str:
    """Play every step by every bonus."""
    rules = [{"bonus_wild": b, "wild_to_go_out": n} for n in NEEDED for b in BONUSES]
    rows, evens = [], []
    for step, (fewer, agents) in STEPS.items():
        for agent in agents:
            lineups = [f"{agent}:wild_books={books}" for books in (fewer + 1, fewer)]
            part = study.tournament(
                f"{step}-{agent}", lineups, matches=study.sized(4000, 300), rules=rules
            )
            more = part.played.run.pairings[0].labels[0]
            for needed in NEEDED:
                wide = margins(part, more, needed)
                keys = {"agent": agent, "book": step, "needed": needed}
                rows.append(means(wide, "bonus").assign(**keys))
                evens.append({**keys, **break_even(wide, study.seed)})
    worth = corrected(pd.concat(rows, ignore_index=True))
    evens_frame = pd.DataFrame(evens)
    study.table("worth", worth)
    study.table("break_even", evens_frame.rename(columns={"value": "bonus"}))
    panel = worth["book"] + ", " + worth["needed"].map(WHERE)
    study.plot(
        "worth",
        plots.curve(
            worth.assign(panel=panel).sort_values("needed", ascending=False, kind="stable"),
            x="bonus", panel="panel", label="bonus of a wild book, points",
            text="What aiming at a further wild book is worth, by the bonus",
            note="margin of a strategy over itself aiming at one fewer, points a match, 95 % "
            "intervals", agents=DRAWN,
        ),
    )  # fmt: skip
    return answer(worth, evens_frame)


def answer(worth: pd.DataFrame, evens: pd.DataFrame) -> str:
    """The paragraph."""
    said = []
    for step in STEPS:
        usual = worth[
            (worth["bonus"] == STANDARD) & (worth["needed"] == 1) & (worth["book"] == step)
        ]
        own = evens[(evens["book"] == step) & (evens["needed"] == 1)]
        unsure = [row["agent"] for _, row in usual.iterrows() if not shown(row)]
        doubt = f", not shown for {', '.join(unsure)}" if unsure else ""
        said.append(
            f"the {step} brings {each_change(usual, 'agent', 'points a match')}{doubt}, "
            f"and pays from a bonus of {', '.join(told(row) for _, row in own.iterrows())}"
        )
    return (
        f"With the standard bonus of 1,500 points and one wild book needed to go out, "
        f"{'; '.join(said)} ({counted(worth, 'pairs')} a bonus; Holm over {len(worth)} margins; "
        f"95 % intervals, of the bonus by a bootstrap of {DRAWS:,} draws of pairs, margins between "
        "two bonuses taken as proportional; where none is needed to go out is in the table)."
    )


def told(row: pd.Series) -> str:
    """From which bonus it pays for one strategy."""
    if row["always"]:
        return f"0 ({row['agent']})"
    if np.isnan(row["value"]):
        return f"more than {max(BONUSES):,} ({row['agent']})"
    return f"{amount(row, '')} ({row['agent']})"


if __name__ == "__main__":
    start(__file__)
