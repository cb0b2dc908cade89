"""Ratings that a tournament left in its run folder."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from handfoot_sim.rules import rules_from_mapping
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tournament.entrants import rules_text
from handfoot_sim.tournament.playing import RATINGS

COLUMNS: Final = {
    "lineup": "agent", "elo": "rating", "elo_low": "low", "elo_high": "high",
    "elo_is_bound": "bound",
}  # fmt: skip


def ratings_in(run: RunFolder, rules: Mapping[str, Any]) -> pd.DataFrame | None:
    """Ratings by some rules as the tournament last wrote them; None where there are none.

    Columns ``agent``, ``rating``, ``low``, ``high`` (Elo, 95 %; NaN where they have no end) and
    ``bound``: the rating is only a bound. The best first.
    """
    try:
        table = pd.read_csv(io.BytesIO(run.read(RATINGS)), dtype={"lineup": str, "rules": str})
    except (OSError, ValueError):
        return None
    if not {"rules", *COLUMNS} <= set(table.columns):
        return None
    own = table[table["rules"] == rules_text(rules_from_mapping(dict(rules)))]
    rated = own[list(COLUMNS)].rename(columns=COLUMNS).replace([np.inf, -np.inf], np.nan)
    return rated.dropna(subset=["rating"]).reset_index(drop=True)
