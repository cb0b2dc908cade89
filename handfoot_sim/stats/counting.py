"""What is counted of a block of matches: sums by agent, deal and bucket of match numbers.

All that is played with the same cards hangs together: mirrors, and pairings of a tournament, which
share their cards. So the match number is the unit that is independent of others, and sums are kept
by *bucket*, its remainder modulo ``BUCKETS``: random groups of match numbers, between which the
variance of whatever is made from the sums can be seen (Wolter, Introduction to Variance
Estimation, 2nd ed. 2007, chapters 2 and 4). Memory does not grow with the number of matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse

from handfoot_sim.game.state import FORFEIT, OUT, STOCK
from handfoot_sim.stats.blocks import Block

BUCKETS: Final = 251
"""Buckets of match numbers for sums: a prime, so that nothing that changes with the match number
in a short cycle, such as the dealer, falls to the same buckets."""
GROUPS: Final = 61
"""Buckets of match numbers for waiting times; a prime too."""
MOST_TURNS: Final = 1024
"""Turns of a deal that are told apart; later ones count as the last of these."""

PARTS: Final = ("melded", "books", "red_threes", "going_out", "left", "score")
EVENTS: Final = (
    "opened_turn", "foot1_turn", "foot2_turn", "clean1_turn", "clean2_turn", "dirty1_turn",
    "dirty2_turn", "wild1_turn", "ready_turn", "out_turn",
)  # fmt: skip
"""What is waited for, by the column that says in which turn it happened."""
ENDS: Final = ("own_out", "other_out", "stock")
"""How a deal can end before that: own team out, another team out, stock used up."""

COUNTED: Final = (
    "deals", *PARTS,
    "went_out", "other_out", "stock_out", "caught_first", "caught_second",
    "opened", "from_pile", "surplus", "opened_first_turn", "turns_to_open", "minimum",
    "own_turns", "pile_chances", "pile_takes", "pile_cards",
    "black3_discarded", "wilds_discarded", "clean", "dirty", "wild",
    *(name for name in EVENTS if name not in ("opened_turn", "out_turn")),
    "asked", "refused", "ready_and_out", "ready_to_out",
)  # fmt: skip
"""Sums over an agent's team-deals; those named by an event count how often it happened."""
PLACE: Final = {name: place for place, name in enumerate(COUNTED)}

FIXED_LEVELS: Final = (
    "out", "not_out", "opened", "not_opened", "first", "later", "own_dealer", "other_dealer",
)  # fmt: skip
"""Levels by which margins are kept; after them one a team."""


def levels_of(teams: int) -> tuple[str, ...]:
    """Names of all levels with so many teams."""
    return (*FIXED_LEVELS, *(f"team {team}" for team in range(teams)))


@dataclass(frozen=True)
class Counts:
    """Sums over a block for its agents; the first axis goes by place in ``agents``.

    Attributes
    ----------
    agents : different labels of the block
    sums : float64, shape (agents, deals, BUCKETS, COUNTED)
    levels : float64, shape (agents, deals, BUCKETS, levels, 2): deals and sum of margins (own
        score less the others' mean) by level
    waits : int64, shape (agents, deals, events, GROUPS, 1 + ENDS, turns): team-deals in which it
        happened in a turn, or which ended with that turn before it did
    """

    agents: tuple[str, ...]
    sums: np.ndarray
    levels: np.ndarray
    waits: np.ndarray


def without_forfeits(block: Block) -> Block:
    """The sets of a block in which no match was forfeited."""
    forfeited = (block.columns["end"][:, :, 0, 0] == FORFEIT).any(1)
    return block.chosen(~forfeited) if forfeited.any() else block


ROWS_AT_A_TIME: Final = 8_192
"""Rows whose figures are summed at a time, so that they stay in the processor's cache."""


def count(block: Block) -> Counts:
    """Count a block of matches that were played out."""
    agents = tuple(dict.fromkeys(block.labels))
    sets, mirrors, deals, teams = block.shape
    parts = max(1, min(sets, sets * mirrors * deals * teams // ROWS_AT_A_TIME))
    sums = np.zeros((len(agents) * deals * BUCKETS, len(COUNTED) + 2 * len(levels_of(teams))))
    for chosen in np.array_split(np.arange(sets), parts):
        _sum_up(block.chosen(slice(int(chosen[0]), int(chosen[-1]) + 1)), agents, sums)
    shaped = sums.reshape(len(agents), deals, BUCKETS, -1)
    return Counts(
        agents,
        shaped[..., : len(COUNTED)],
        shaped[..., len(COUNTED) :].reshape(len(agents), deals, BUCKETS, -1, 2),
        _waits(block, *_cells(block, agents), (len(agents), deals)),
    )


def _cells(block: Block, agents: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Of every row agent times deals plus deal, and the match number."""
    deals = block.shape[2]
    deal = np.broadcast_to(np.arange(deals)[:, None], block.shape).ravel()
    match = np.broadcast_to(block.match[:, None, None, None], block.shape).ravel()
    return _agent_codes(block, agents) * deals + deal, match


def _sum_up(block: Block, agents: tuple[str, ...], sums: np.ndarray) -> None:
    """Add the figures of every row to the line of its agent, deal and bucket in ``sums``."""
    cell, match = _cells(block, agents)
    rows = len(cell)
    lines, line = np.unique(cell * BUCKETS + match % BUCKETS, return_inverse=True)
    places = (line, np.arange(rows))
    adding = sparse.csr_array((np.ones(rows), places), shape=(len(lines), rows))
    figures = np.concatenate([_figures(block), _levels(block)])
    sums[lines] += adding @ np.ascontiguousarray(figures.T)


def _agent_codes(block: Block, agents: tuple[str, ...]) -> np.ndarray:
    _, mirrors, _, teams = block.shape
    lineup = (np.arange(teams) - np.arange(mirrors)[:, None]) % teams
    code = np.array([agents.index(label) for label in block.labels])[lineup]
    return np.broadcast_to(code[None, :, None, :], block.shape).ravel()


def _own_turns(turns: np.ndarray, first: np.ndarray) -> np.ndarray:
    """How many of the first ``turns`` turns of a deal are a team's own (teams take turns)."""
    teams = first.shape[-1]
    away = (np.arange(teams) - first.argmax(-1)[..., None]) % teams
    return np.asarray(np.maximum(0, (turns - 1 - away) // teams + 1))


def _figures(block: Block) -> np.ndarray:
    """``COUNTED`` of every row, shape (COUNTED, rows)."""
    c = block.columns
    opened, ready, out = c["opened_turn"] >= 0, c["ready_turn"] >= 0, c["went_out"] > 0
    other_out = (c["end"] == OUT) & ~out
    waited = np.where(opened, c["opened_turn"] + 1, c["turns"])
    made = {
        "deals": np.ones(block.shape),
        "other_out": other_out,
        "stock_out": c["end"] == STOCK,
        "caught_first": other_out & (c["foot1_turn"] < 0),
        "caught_second": other_out & (c["foot2_turn"] < 0),
        "opened": opened,
        "from_pile": c["opened_from_pile"] > 0,
        "surplus": np.where(opened, c["opened_points"] - c["minimum"], 0),
        "opened_first_turn": opened & (c["opened_turn"] < block.shape[-1]),
        "turns_to_open": _own_turns(waited, c["first"]),
        "own_turns": _own_turns(c["turns"], c["first"]),
        "ready_and_out": ready & out,
        "ready_to_out": np.where(ready & out, c["turns"] - 1 - c["ready_turn"], 0),
    } | {name: c[name] >= 0 for name in EVENTS if name in c and name != "opened_turn"}
    figures = np.empty((len(COUNTED), c["team"].size))
    for place, name in enumerate(COUNTED):
        figures[place] = (made[name] if name in made else c[name]).ravel()
    return figures


def deal_margins(score: np.ndarray) -> np.ndarray:
    """Own score less the mean of the others', along the last axis."""
    teams = score.shape[-1]
    total = score.sum(-1, dtype=np.float64)[..., None]
    return np.asarray(score - (total - score) / (teams - 1))


def _levels(block: Block) -> np.ndarray:
    """Whether each row is of a level, and its margin if so, shape (2 * levels, rows)."""
    c = block.columns
    teams = block.shape[-1]
    margin = deal_margins(c["score"]).ravel()
    out, opened, first = c["went_out"] > 0, c["opened_turn"] >= 0, c["first"] > 0
    dealing = c["dealer"] % teams == c["team"]
    masks = [out, ~out, opened, ~opened, first, ~first, dealing, ~dealing]
    masks += [c["team"] == team for team in range(teams)]
    levels = np.empty((2 * len(masks), margin.size))
    for place, mask in enumerate(masks):
        levels[2 * place] = mask.ravel()
        levels[2 * place + 1] = levels[2 * place] * margin
    return levels


def _waits(block: Block, cell: np.ndarray, match: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Waiting times; the last turn of a deal is the last in which something could happen."""
    c = block.columns
    last = np.clip(c["turns"].ravel() - 1, 0, MOST_TURNS - 1)
    width = int(last.max(initial=0)) + 1
    out = c["went_out"].ravel() > 0
    ended = np.where(out, 1, np.where(c["end"].ravel() == OUT, 2, 3))
    kinds = 1 + len(ENDS)
    shape = (size[0] * size[1], GROUPS, kinds, width)
    waits = np.empty((size[0] * size[1], len(EVENTS), *shape[1:]), np.int64)
    stem = (cell * GROUPS + match % GROUPS) * kinds
    for place, name in enumerate(EVENTS):
        turn = np.where(out, last, -1) if name == "out_turn" else c[name].ravel()
        happened = turn >= 0
        key = (stem + np.where(happened, 0, ended)) * width
        key += np.where(happened, np.minimum(turn, last), last)
        waits[:, place] = np.bincount(key, minlength=int(np.prod(shape))).reshape(shape)
    return waits.reshape(*size, *waits.shape[1:])
