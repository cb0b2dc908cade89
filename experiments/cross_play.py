"""Do partners play better who think alike?

Every two of the strategies are partners, in both orders of their seats, against a team of one
strategy and against one of another, all on the same cards. What they are worth together is the
margin of the mixed team less the mean of the margins that each has with itself as partner.

    handfoot experiment cross_play [--quick]
"""

from __future__ import annotations

import itertools

import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import FIELD, Part, Study, corrected, means, over_field
from handfoot_sim.experiment.wording import change, counted, ranked, sure_of

OPPONENTS = ("closer", "balanced")


def margins_of(part: Part, opponent: str) -> pd.DataFrame:
    """Margins of line-ups over the opponent: a row a match number, a column a line-up.

    Match numbers that all have: a mixed team plays half of its matches in either order. Of the
    opponent itself the margin over itself is 0.
    """
    cards = part.cards()
    own = cards[(cards["agent"] != opponent) | (cards["opponent"] == opponent)]
    return over_field(own)


def together(wide: pd.DataFrame) -> pd.DataFrame:
    """Margins of mixed teams less the mean of their members' with themselves, by match number."""
    return pd.DataFrame({
        f"{a}+{b}": (wide[f"{a}+{b}"] + wide[f"{b}+{a}"] - wide[a] - wide[b]) / 2
        for a, b in itertools.combinations(FIELD, 2)
    })  # fmt: skip


def partnerships(wide: pd.DataFrame) -> pd.DataFrame:
    """Margins of all partnerships, either order counting half."""
    mixed = {
        f"{a}+{b}": (wide[f"{a}+{b}"] + wide[f"{b}+{a}"]) / 2
        for a, b in itertools.combinations(FIELD, 2)
    }
    return pd.DataFrame({f"{a}+{a}": wide[a] for a in FIELD} | mixed)


def play(study: Study) -> str:
    """Play every partnership against both opponents."""
    margins, gains, pooled = [], [], []
    for opponent in OPPONENTS:
        part = study.tournament(
            opponent, FIELD, matches=study.sized(9000, 600), format="cross-play",
            opponent=opponent,
        )  # fmt: skip
        wide = margins_of(part, opponent)
        mixed = together(wide)
        margins.append(means(partnerships(wide), "partners").assign(opponent=opponent))
        gains.append(means(mixed, "partners").assign(opponent=opponent))
        pooled.append(
            means(mixed.mean(axis=1).to_frame("mixed"), "teams").assign(opponent=opponent)
        )
    tables = [corrected(pd.concat(each, ignore_index=True)) for each in (margins, gains, pooled)]
    for name, table in zip(("partnerships", "together", "mixed_on_average"), tables, strict=True):
        study.table(name, table)
    gain = tables[1]
    sides = gain["partners"].str.split("+", expand=True)
    two = pd.concat([
        gain.assign(agent=sides[0], partner=sides[1]),
        gain.assign(agent=sides[1], partner=sides[0]),
    ])  # fmt: skip
    two["panel"] = "against " + two["opponent"]
    order = two.sort_values(["agent", "partner"], kind="stable").sort_values(
        "opponent", key=lambda column: column.map(OPPONENTS.index), kind="stable"
    )
    study.plot(
        "together",
        plots.grid(
            order, rows="agent", columns="partner", panel="panel",
            text="What partners gain by thinking differently",
            note="margin of the mixed team less the mean of its members' with themselves, points a "
            "match; in brackets: no difference is shown (Holm, 5 %)",
        ),
    )  # fmt: skip
    return answer(*tables)


def answer(margins: pd.DataFrame, gains: pd.DataFrame, pooled: pd.DataFrame) -> str:
    """The paragraph."""
    said = []
    for opponent in OPPONENTS:
        own = ranked(gains[gains["opponent"] == opponent])
        values = sure_of(own)["value"]
        mean = pooled[pooled["opponent"] == opponent].iloc[0]
        best = ranked(margins[margins["opponent"] == opponent]).iloc[0]
        worst, finest = own.iloc[-1], own.iloc[0]
        said.append(
            f"against {opponent} mixed teams are on average {change(mean, 'points a match')} off "
            f"the mean of their members with themselves, {(values > 0).sum()} of {len(own)} "
            f"mixtures above it and {(values < 0).sum()} below, from {worst['partners']} "
            f"({change(worst)}) to {finest['partners']} ({change(finest)}), and the partnership "
            f"with the best margin is {best['partners']} ({change(best)})"
        )
    return (
        f"Of the {len(FIELD)} strategies as partners, {'; '.join(said)} (above or below where it "
        f"is shown, Holm over {len(gains)} mixtures; {counted(gains)}, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
