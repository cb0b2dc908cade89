"""Tables ``deals`` made up, with any figures in them, for tests of statistics."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from handfoot_sim.engine.rows import NULLABLE, ROW
from handfoot_sim.game.state import OUT, STOCK
from handfoot_sim.results import deals_table


def blank_rows(sets: int, deals: int = 1, teams: int = 2, turns: int = 60) -> np.ndarray:
    """Rows of matches in all mirrors in which nothing happens, shape (matches, deals, teams)."""
    rows = np.zeros((sets * teams, deals, teams), ROW)
    for name in NULLABLE:
        rows[name] = -1
    rows["end"], rows["turns"] = STOCK, turns
    rows["dealer"] = (np.arange(deals) % teams)[None, :, None]
    rows["first"] = np.arange(teams) == (rows["dealer"] + 1) % teams
    rows["minimum"] = np.array([50, 90, 120, 150])[np.minimum(np.arange(deals), 3)][None, :, None]
    return rows


def table_of(
    rows: np.ndarray, labels: tuple[str, ...] = ("a", "b"), first: int = 0, number: int = 0
) -> pa.Table:
    """The table of rows that hold every mirror of each match."""
    pairing: Any = SimpleNamespace(mirrors=len(labels), labels=labels)
    return deals_table(pairing, rows, first, number)


def by_line_up(rows: np.ndarray, name: str) -> np.ndarray:
    """A column by line-up instead of by team: shape (sets, mirrors, deals, line-ups)."""
    _, deals, teams = rows.shape
    shaped = rows[name].reshape(-1, teams, deals, teams)
    return np.stack([np.roll(shaped[:, k], -k, -1) for k in range(teams)], 1)


def set_by_line_up(rows: np.ndarray, name: str, values: np.ndarray) -> None:
    """Write a column given by line-up, shape (sets, mirrors, deals, line-ups)."""
    _, deals, teams = rows.shape
    shaped = rows[name].reshape(-1, teams, deals, teams)
    for k in range(teams):
        shaped[:, k] = np.roll(values[:, k], k, -1)


def go_out(rows: np.ndarray, out: np.ndarray) -> None:
    """Let line-up ``out`` (-1: nobody) go out; int, shape (sets, mirrors, deals)."""
    teams = rows.shape[2]
    went = out[..., None] == np.arange(teams)
    set_by_line_up(rows, "went_out", went)
    rows["end"] = np.where(rows["went_out"].any(-1, keepdims=True), OUT, STOCK)
