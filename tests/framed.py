"""Frames as ``handfoot_sim.stats`` makes them, filled by hand: for tests of what draws them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

BOOKS = (
    "first clean", "second clean", "first dirty", "second dirty", "first wild", "all needed",
)  # fmt: skip
PART = "%"
LONG = {
    "scores": [
        ("melded", "points", 600), ("books", "points", 1500), ("red_threes", "points", 180),
        ("going_out", "points", 40), ("left", "points", -260), ("score", "points", 2060),
    ],
    "piles": [
        ("chances", "a deal", 6), ("takes", "a deal", 3.4), ("cards taken", "a deal", 20.1),
        ("turns with a chance", PART, 0.3), ("taken when it could be", PART, 0.55),
        ("cards a taking", "cards", 5.8), ("black threes discarded", "a deal", 1.9),
        ("wild cards discarded", "a deal", 0.05),
    ],
    "go_out_rates": [
        ("went out", PART, 0.4), ("another went out", PART, 0.35), ("stock ran out", PART, 0.25),
        ("turn of going out, median", "turn", 60), ("asked", "a deal", 0.5),
        ("gained by going out", "points", 900), ("caught with a foot", PART, 0.1),
    ],
    "foot": [
        ("first foot", PART, 0.9), ("second foot", PART, 0.7),
        ("turn of the first foot, median", "turn", 40),
    ],
    "meld_minimums": [
        ("opened", PART, 0.95), ("turn of opening, median", "turn", 9), ("surplus", "points", 35),
        ("lost by not opening", "points", 700),
    ],
    "fingerprint": [
        ("points", "points a deal", 2060), ("went out", PART, 0.4),
        ("cards a taking", "cards", 5.8), ("clean books", "a deal", 1.9),
        ("wild books", "a deal", 0.5),
        ("turn of opening, median", "turn", 9),
    ],
}  # fmt: skip
"""Figures of the long frames with a unit and a value that could be."""

MINIMUMS = (50, 90, 120, 150)


def deal_names(deals: int) -> list[str]:
    return ["all", *(str(deal) for deal in range(deals))]


def long(
    name: str, agents: Sequence[str], deals: int = 4, n: int = 8000, seed: int = 1
) -> pd.DataFrame:
    """A long frame: values vary by agent and deal, intervals narrow with n."""
    draw = np.random.default_rng(seed)
    rows = []
    for agent in agents:
        for deal in ["all"] if name == "fingerprint" else deal_names(deals):
            for figure, unit, usual in LONG[name]:
                value = usual * draw.uniform(0.7, 1.3)
                value = min(0.99, value) if unit == PART else value
                half = abs(usual) * 2 / np.sqrt(n)
                rows.append((agent, deal, figure, unit, value, value - half, value + half, n, 500))
    columns = ["agent", "deal", "figure", "unit", "value", "low", "high", "n", "clusters"]
    frame = pd.DataFrame(rows, columns=columns)
    if name == "go_out_rates":
        ends = frame["figure"].isin(["went out", "another went out", "stock ran out"])
        sums = frame[ends].groupby(["agent", "deal"], sort=False)["value"].transform("sum")
        frame.loc[ends, "value"] /= sums
    if name == "meld_minimums":
        frame.insert(2, "minimum", frame["deal"].map(minimum_of).astype("Int64"))
    return frame.drop(columns="deal") if name == "fingerprint" else frame


def minimum_of(deal: str) -> int | None:
    return None if deal == "all" else MINIMUMS[int(deal) % 4]


def curves(
    events: Sequence[str], agents: Sequence[str], deals: int = 4, n: int = 8000, last: int = 90
) -> pd.DataFrame:
    """Curves that rise to a plateau; the later the event in ``events``, the lower and later."""
    turn = np.arange(last)
    parts = []
    for (place, agent), deal, (number, event) in itertools.product(
        enumerate(agents), deal_names(deals), enumerate(events)
    ):
        middle = 20 + 6 * number + 30 * place / len(agents)
        top = 0.95 / (1 + 0.3 * number)
        share = top / (1 + np.exp(-(turn - middle) / 6))
        half = 2 * np.sqrt(share * (1 - share) / n)
        part = pd.DataFrame({"turn": turn, "share": share})
        part["at_risk"] = (n * (1 - share) * np.linspace(1, 0.1, last)).astype(int)
        part["low"], part["high"] = share - half, share + half
        part["incidence"], part["incidence_low"] = 0.9 * share, 0.9 * (share - half)
        part["incidence_high"] = 0.9 * (share + half)
        part["agent"], part["deal"], part["event"], part["n"] = agent, deal, event, n
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def opening_curves(agents: Sequence[str], deals: int = 4) -> pd.DataFrame:
    frame = curves(["opening"], agents, deals)
    frame["minimum"] = frame["deal"].map(minimum_of).astype("Int64")
    return frame


def meetings(agents: Sequence[str]) -> list[tuple[int, str, str]]:
    pairs = list(itertools.combinations(agents, 2)) or [(agents[0], agents[0])]
    return [(number, a, b) for number, (a, b) in enumerate(pairs)]


def strength(agents: Sequence[str], a: str, b: str) -> float:
    """The true margin of a over b: by their places."""
    return 300.0 * (agents.index(b) - agents.index(a))


def head_to_head(agents: Sequence[str], n: int = 1000) -> pd.DataFrame:
    rows = []
    for pairing, first, second in meetings(agents):
        for a, b in dict.fromkeys([(first, second), (second, first)]):
            margin = strength(agents, a, b)
            share = 1 / (1 + np.exp(-margin / 1500))
            holm = 0.0001 if abs(margin) > 300 else 0.4
            rows.append(
                {
                    "pairing": pairing, "agent": a, "opponent": b, "pairs": n, "share": share,
                    "won": int(n * share), "tied": 0, "lost": n - int(n * share),
                    "margin": margin, "low": margin - 90, "high": margin + 90, "holm": holm, "n": n,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def standings(agents: Sequence[str], n: int = 1000) -> pd.DataFrame:
    margins = [np.mean([strength(agents, a, b) for b in agents if b != a] or [0.0]) for a in agents]
    frame = pd.DataFrame({"agent": list(agents), "margin": margins, "n": n, "pairs": n})
    frame["opponents"] = max(1, len(agents) - 1)
    frame["low"], frame["high"] = frame["margin"] - 60, frame["margin"] + 60
    frame["share"] = 1 / (1 + np.exp(-frame["margin"] / 1500))
    frame["share_low"], frame["share_high"] = frame["share"] - 0.02, frame["share"] + 0.02
    return frame.sort_values("margin", ascending=False, ignore_index=True)


def margins(agents: Sequence[str], n: int = 1000) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The histogram and its summary."""
    bins, rows = [], []
    for pairing, a, b in meetings(agents):
        draw = np.random.default_rng(pairing)
        values = draw.normal(strength(agents, a, b), 1500, n)
        counts, edges = np.histogram(values, 40)
        for left, right, count in zip(edges[:-1], edges[1:], counts, strict=True):
            bins.append((pairing, a, b, left, right, count, count / n))
        rows.append((pairing, a, b, n, values.mean(), np.median(values)))
    histogram = ["pairing", "agent", "opponent", "left", "right", "n", "share"]
    summary = ["pairing", "agent", "opponent", "n", "mean", "median"]
    return pd.DataFrame(bins, columns=histogram), pd.DataFrame(rows, columns=summary)


def running_margin(agents: Sequence[str], n: int = 1000) -> pd.DataFrame:
    parts = []
    for pairing, a, b in meetings(agents):
        draw = np.random.default_rng(pairing)
        values = draw.normal(strength(agents, a, b), 1500, n)
        pairs = np.unique(np.geomspace(2, n, 60).astype(int))
        sums, squares = values.cumsum()[pairs - 1], (values**2).cumsum()[pairs - 1]
        part = pd.DataFrame({"pairs": pairs, "margin": sums / pairs, "squares": squares})
        half = 1.96 * np.sqrt((squares - sums**2 / pairs) / (pairs - 1) / pairs)
        part["low"], part["high"] = part["margin"] - half, part["margin"] + half
        part["pairing"], part["agent"], part["opponent"], part["n"] = pairing, a, b, pairs
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def seats(agents: Sequence[str], teams: int = 2, n: int = 4000) -> pd.DataFrame:
    factors = {
        "first turn": ["first", "later"],
        "dealer": ["own team deals", "another deals"],
        "seat": [str(team) for team in range(teams)],
    }
    draw = np.random.default_rng(3)
    rows = []
    for agent in [*agents, "(all)"]:
        for factor, levels in factors.items():
            for level in levels:
                effect = draw.normal(0, 40)
                rows.append((agent, "all", factor, level, "points a deal", effect / 2, effect, n))
    columns = ["agent", "deal", "factor", "level", "unit", "value", "effect", "n"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["effect_low"], frame["effect_high"] = frame["effect"] - 25, frame["effect"] + 25
    return frame
