"""Planted frames of a search, as ``handfoot_sim.tuning.tables`` makes them."""

from __future__ import annotations

import numpy as np
import pandas as pd

KINDS = ("int", "float", "bool", "log")


def history(generations: int = 30, *, centre: bool = True) -> pd.DataFrame:
    random = np.random.default_rng(1)
    start = random.normal(500.0, 300.0, generations)
    gain = np.linspace(0.0, 200.0, generations) + random.normal(0.0, 200.0, generations)
    mean = start + gain if centre else np.full(generations, np.nan)
    return pd.DataFrame(
        {
            "generation": range(generations),
            "matches": 1000 * np.arange(1, generations + 1),
            "start": start,
            "mean": mean,
            "best": start + gain + 900.0,
            "gain": mean - start,
            "failed": 0,
        }
    )


def bounds(kind: str) -> tuple[float, float]:
    return {"int": (0.0, 10.0), "float": (-1.0, 1.0), "bool": (0.0, 1.0), "log": (0.1, 1000.0)}[
        kind
    ]


def answer(count: int = 4) -> pd.DataFrame:
    """Parameters ``p0``, ``p1``..., the later ones moved further; their types take turns."""
    rows = []
    for number in range(count):
        kind = KINDS[number % 4]
        low, high = bounds(kind)
        moved = 0.5 * (number + 1) / count
        start, tuned = low, low + moved * (high - low)
        if kind in ("int", "bool"):
            start, tuned = float(round(start)), float(round(tuned))
        rows.append(
            {
                "parameter": f"p{number}", "type": "float" if kind == "log" else kind,
                "log": kind == "log", "low": low, "high": high, "start": start, "tuned": tuned,
                "spread_low": low, "spread_high": high, "moved": moved,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def parameters(count: int = 4, generations: int = 30) -> pd.DataFrame:
    rows = []
    for _, about in answer(count).iterrows():
        for n in range(generations + 1):
            value = about["start"] + (about["tuned"] - about["start"]) * n / generations
            width = 0.1 * (about["high"] - about["low"]) * (1 - n / (generations + 1))
            rows.append(
                {
                    "generation": n, "matches": 1000 * n, "parameter": about["parameter"],
                    "value": value, "low": max(about["low"], value - width),
                    "high": min(about["high"], value + width),
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def reevaluation() -> pd.DataFrame:
    figures = {
        "start": 510.0, "start_low": 450.0, "start_high": 570.0,
        "answer": 640.0, "answer_low": 580.0, "answer_high": 700.0,
        "gain": 130.0, "gain_low": 80.0, "gain_high": 180.0,
    }  # fmt: skip
    first = {"rules": "standard", "group": "pool", "opponent": "closer", "pairs": 4000}
    return pd.DataFrame([first | figures, first | figures | {"opponent": "greedy"}])


def curves(count: int = 4) -> pd.DataFrame:
    """Later parameters matter more."""
    rows = []
    for number, about in answer(count).iterrows():
        steps = (
            [0.0, 1.0] if about["type"] == "bool" else np.linspace(about["low"], about["high"], 7)
        )
        for value in steps:
            loss = 100.0 * (int(number) + 1) * abs(value - about["tuned"])
            rows.append(
                {
                    "parameter": about["parameter"], "type": about["type"], "log": about["log"],
                    "value": float(value),
                    "gain": -loss, "gain_low": -loss - 40.0, "gain_high": -loss + 40.0,
                    "pairs": 200, "answer": False, "start": about["start"], "failure": "",
                }
            )  # fmt: skip
        rows.append(
            rows[-1]
            | {"value": about["tuned"], "gain": 0.0, "gain_low": 0.0, "gain_high": 0.0}
            | {"answer": True}
        )
    return pd.DataFrame(rows).drop_duplicates(["parameter", "value"], keep="last")


def grid(first: str = "p0", second: str = "p1") -> pd.DataFrame:
    rows = [
        {
            f"params.{first}": a, f"params.{second}": b, "gain": -50.0 * a - 200.0 * abs(b),
            "gain_low": -50.0 * a - 200.0 * abs(b) - 30.0, "gain_high": -50.0 * a + 30.0,
            "pairs": 120, "answer": a == 1 and b == 0.0, "failure": "",
        }
        for a in (0, 1, 4, 10)
        for b in (-1.0, -0.5, 0.0, 0.5, 1.0)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def sweep(axes: dict[str, list[object]], own: dict[str, object]) -> pd.DataFrame:
    """A sweep's frame over the product of axes; ``own`` is the reference's place."""
    index = pd.MultiIndex.from_product(axes.values(), names=axes)
    frame = index.to_frame(index=False)
    here = (frame[list(own)] == pd.Series(own)).all(axis=1)
    margin = 100.0 * np.arange(len(frame))
    gain = margin - margin[int(np.argmax(here))]
    return frame.assign(
        asked=True, reference=here,
        margin=margin, margin_low=margin - 70.0, margin_high=margin + 70.0,
        gain=gain, gain_low=gain - 30.0, gain_high=gain + 30.0,
        p_best=1.0, maybe_best=margin > margin.max() - 150.0, pairs=500, blocks=40, failure="",
    )  # fmt: skip
