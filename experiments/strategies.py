"""Which strategy is strongest, and how do they differ?

Every agent that is found by name plays every other one on duplicate cards (the twin of greedy in
NumPy is left out, it plays the same game), under each preset. Written are the table of margins,
the heatmap of them, and a fingerprint of how each agent plays.

    python experiments/strategies.py [--pairs 11000] [--seed 1] [--out results/strategies]

``--write`` also brings ``agents/README.md`` and its heatmap up to date.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import joblib
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from tqdm import tqdm

from handfoot_sim import simulate
from handfoot_sim.agent.loading import agent_names, tuned_file
from handfoot_sim.stats import Totals, fingerprint
from handfoot_sim.tally import Estimate, mean_estimate, student

TWINS = ("greedy_numpy",)
PRESETS = ("standard", "pagat")
PAGE = Path(__file__).resolve().parent.parent / "agents" / "README.md"
SHOWN = (
    "turn of opening, median",
    "opened from the pile",
    "points opened over the minimum",
    "pile taken when it could be",
    "chances at the pile",
    "clean books",
    "dirty books",
    "wild books",
    "turn of the first foot, median",
    "all feet picked up",
    "went out",
    "points left",
)
"""Figures of the fingerprint that the page shows."""


@dataclass(frozen=True)
class Strength:
    """Results of a round robin under one preset.

    ``margins[i, j]`` is by how many points a match agent i beats agent j, ``halves[i, j]`` the
    half-width of its 95 % interval; agents come strongest first.
    """

    preset: str
    agents: list[str]
    margins: np.ndarray
    halves: np.ndarray
    fingerprint: pd.DataFrame


def play(a: str, b: str, preset: str, pairs: int, seed: int) -> tuple[Estimate, pd.DataFrame]:
    """The margin of ``a`` over ``b`` in points a match, and the deals they played."""
    deals = simulate([a, b], 2 * pairs, seed, preset).deals
    by_match = deals.groupby(["match", "mirror", "agent"], observed=True)["score"].sum()
    scores = by_match.unstack("agent")
    margin = (scores[a] - scores[b]).groupby("match").mean().to_numpy(np.float64)
    return mean_estimate(margin.sum(), np.square(margin).sum(), len(margin)), deals


def round_robin(agents: Sequence[str], preset: str, pairs: int, seed: int, jobs: int) -> Strength:
    """Play every pairing of the agents under a preset."""
    pairings = list(itertools.combinations(agents, 2))
    workers = joblib.Parallel(n_jobs=jobs, backend="threading", return_as="generator")
    outcomes = workers(joblib.delayed(play)(a, b, preset, pairs, seed) for a, b in pairings)
    adding, margins = Totals(), {}
    bar = tqdm(zip(pairings, outcomes, strict=True), total=len(pairings), desc=preset, disable=None)
    for pairing, (margin, deals) in bar:
        margins[pairing] = margin
        adding.add(deals)
    size = len(agents)
    table, halves = np.full((size, size), np.nan), np.full((size, size), np.nan)
    for (a, b), margin in margins.items():
        i, j = agents.index(a), agents.index(b)
        table[i, j], table[j, i] = margin.value, -margin.value
        halves[i, j] = halves[j, i] = margin.half_width
    order = np.argsort(-np.nanmean(table, 1))
    names = [agents[i] for i in order]
    grid = np.ix_(order, order)
    return Strength(preset, names, table[grid], halves[grid], fingerprint(adding))


def colour_limit(result: Strength) -> float:
    """The largest margin that gets a colour of its own: between agents that win now and then.

    An agent that loses to every other one would leave these all alike.
    """
    winners = np.nanmax(result.margins, 1) > 0
    return float(np.nanmax(np.abs(result.margins[np.ix_(winners, winners)])))


def draw(results: Sequence[Strength], pairs: int, seed: int) -> plt.Figure:
    """One heatmap of margins a preset."""
    size = len(results[0].agents)
    figure, panels = plt.subplots(
        len(results), 1, figsize=(9.5, 0.52 * size * len(results) + 2.2), layout="constrained"
    )
    limit = max(colour_limit(result) for result in results)
    for panel, result in zip(np.atleast_1d(panels), results, strict=True):
        image = panel.imshow(result.margins, cmap="PuOr_r", vmin=-limit, vmax=limit, aspect="auto")
        for i, j in itertools.product(range(size), repeat=2):
            if i == j:
                continue
            value = result.margins[i, j]
            ink = "white" if abs(value) > 0.65 * limit else "black"
            panel.text(j, i, f"{value:,.0f}", ha="center", va="center", fontsize=7.5, color=ink)
        panel.set_xticks(range(size), result.agents, rotation=40, ha="right", fontsize=8)
        panel.set_yticks(range(size), result.agents, fontsize=8)
        panel.set_ylabel("this agent ...")
        panel.set_xlabel("... against this one")
        half = np.nanmax(result.halves)
        panel.set_title(f"{result.preset}: every margin ± {half:.0f} points or less", fontsize=10)
        figure.colorbar(
            image, ax=panel, label="points a match", fraction=0.03, extend="both", format="{x:,.0f}"
        )
    figure.suptitle(
        f"Mean paired margin in points a match, n = {pairs:,} duplicate pairs each, seed {seed}"
    )
    return figure


def closest(frame: pd.DataFrame) -> tuple[str, str, str, float]:
    """The two agents that play most alike, the figure that tells them apart best, and by how much.

    The distance is in standard errors, from the 95 % intervals of the figures; medians are left
    out, as their intervals often have no width.
    """
    normal = student(10**6)
    means = frame[~frame["figure"].str.endswith("median")]
    value = means.pivot_table(index="agent", columns="figure", values="value")
    error = means.assign(error=(means["high"] - means["low"]) / 2 / normal)
    error = error.pivot_table(index="agent", columns="figure", values="error")
    found = []
    for a, b in itertools.combinations(value.index, 2):
        away = (value.loc[a] - value.loc[b]).abs() / np.hypot(error.loc[a], error.loc[b])
        found.append((float(away.max()), a, b, str(away.idxmax())))
    distance, a, b, figure = min(found)
    return a, b, figure, distance


def margins_table(result: Strength) -> pd.DataFrame:
    """Tidy margins of one preset."""
    rows = [
        (result.preset, a, b, result.margins[i, j], result.halves[i, j])
        for i, a in enumerate(result.agents)
        for j, b in enumerate(result.agents)
        if i != j
    ]
    return pd.DataFrame(rows, columns=["rules", "agent", "opponent", "margin", "half_width"])


def shown(row: pd.Series) -> str:
    """A figure of the fingerprint as the page shows it."""
    if pd.isna(row["value"]):
        return "-"
    if row["unit"] == "%":
        return f"{100 * row['value']:.1f} %"
    return (
        f"{row['value']:.0f}"
        if row["unit"] in ("turn", "points", "points a deal")
        else (f"{row['value']:.2f}")
    )


def page_part(result: Strength, pairs: int) -> list[str]:
    """Lines of the page about one preset: standings, then the fingerprint."""
    lines = [f"### {result.preset}", ""]
    lines += ["| agent | mean margin over the others | weakest margin | against |"]
    lines += ["| --- | --- | --- | --- |"]
    for i, agent in enumerate(result.agents):
        worst = int(np.nanargmin(result.margins[i]))
        mean, low = np.nanmean(result.margins[i]), result.margins[i, worst]
        half = result.halves[i, worst]
        against = result.agents[worst]
        lines.append(f"| {agent} | {mean:,.0f} | {low:,.0f} ± {half:.0f} | {against} |")
    frame = result.fingerprint
    deals = int(frame.loc[frame["figure"] == "points", "n"].min())
    lines += ["", f"How they play, all pairings together (n = {deals:,} deals each):", ""]
    lines += ["| figure | " + " | ".join(result.agents) + " |"]
    lines += ["| --- |" + " --- |" * len(result.agents)]
    for figure in SHOWN:
        rows = frame[frame["figure"] == figure].set_index("agent")
        unit = rows["unit"].iloc[0].replace("%", "").replace("turn", "")
        name = f"{figure}, {unit}" if unit else figure
        cells = " | ".join(shown(rows.loc[agent]) for agent in result.agents)
        lines.append(f"| {name} | {cells} |")
    a, b, figure, distance = closest(frame)
    lines += ["", f"Most alike are {a} and {b}, which differ by {distance:.0f} standard errors in "
              f"\"{figure}\".", ""]  # fmt: skip
    return lines


def page(results: Sequence[Strength], pairs: int, seed: int) -> str:
    """What the page says between its marks."""
    half = max(np.nanmax(result.halves) for result in results)
    lines = [
        f"Played by handfoot-sim {version('handfoot-sim')}, seed {seed}, {pairs:,} duplicate pairs "
        f"a pairing; every margin is in points a match and known to ± {half:.0f} or better (95 %).",
        "`python experiments/strategies.py --write` plays it again.",
        "",
        "![Margins of every pairing](round_robin.png)",
        "",
    ]
    for result in results:
        lines += page_part(result, pairs)
    return "\n".join(lines)


def write_page(text: str) -> None:
    """Put the text between the marks of ``agents/README.md``."""
    begin, end = "<!-- strength: begin -->", "<!-- strength: end -->"
    before, rest = PAGE.read_text().split(begin)
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")


def strategies() -> list[str]:
    """Every strategy once: neither twins nor files of tuned parameters."""
    named = set(agent_names()) - set(TWINS)
    return sorted(name for name in named if tuned_file(name) is None)


def main() -> None:
    """Play, and write tables and pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agents", default="", help="names with commas between; all by default")
    parser.add_argument("--pairs", type=int, default=11_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/strategies"))
    parser.add_argument("--quick", action="store_true", help="200 pairs a pairing")
    parser.add_argument("--write", action="store_true", help="update agents/README.md")
    words = parser.parse_args()
    agents = words.agents.split(",") if words.agents else strategies()
    pairs = 200 if words.quick else words.pairs
    words.out.mkdir(parents=True, exist_ok=True)
    results = [round_robin(agents, preset, pairs, words.seed, words.jobs) for preset in PRESETS]
    pd.concat(map(margins_table, results)).to_csv(words.out / "margins.csv", index=False)
    for result in results:
        result.fingerprint.to_csv(words.out / f"fingerprint-{result.preset}.csv", index=False)
    figure = draw(results, pairs, words.seed)
    figure.savefig(words.out / "round_robin.png", dpi=110)
    if words.write:
        figure.savefig(PAGE.parent / "round_robin.png", dpi=110)
        write_page(page(results, pairs, words.seed))
    print(page(results, pairs, words.seed))
    print(f"tables and heatmap are in {words.out}")


if __name__ == "__main__":
    main()
