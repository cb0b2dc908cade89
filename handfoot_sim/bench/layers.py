"""Where the time of the fused driver goes, measured layer by layer.

Matches are played once with a log. Their decisions are then carried out again without agents, in
kernels that do a little more each: the deals only, the transitions with their checks, the views,
the recording. What a layer costs is the difference of two times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.engine.rows import ROW, record_deal
from handfoot_sim.engine.step import apply
from handfoot_sim.game.deal import begin_match, deal_cards
from handfoot_sim.game.observation import prepare_view
from handfoot_sim.game.randomness import match_key
from handfoot_sim.game.state import DRAW, OVER, TABLE, full_deck, meld_minimums, rules_record
from handfoot_sim.game.turn import draw_stock
from handfoot_sim.jit import jit
from handfoot_sim.playing import log_match, play
from handfoot_sim.results import deals_table
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.runs.shards import Figures, ShardKey, shard_bytes
from handfoot_sim.tally import block_sums, tally_rows

DEALS: Final = 0
TRANSITIONS: Final = 1
VIEWS: Final = 2
RECORDING: Final = 3
BLOCK_SETS: Final = 20
_DEALS, _VIEWS, _RECORDING = DEALS, VIEWS, RECORDING


@jit
def carry_out_again(
    rules: Any, deck: Any, minimums: Any, table: Any, order: Any, events: Any, rows: Any, layer: int
) -> Any:
    """Carry out logged decisions again, up to a layer; returns the number of turns.

    ``rows``: ROW, shape (matches, deals, teams); the matches are cards 0, 1, ... of seed 0.
    """
    t, r = table[0], rules[0]
    turns = position = 0
    for match in range(rows.shape[0]):
        begin_match(t, match, 0, match_key(np.uint64(0), match))
        for deal in range(r.deals):
            t.deal = deal
            deal_cards(t, r, deck, order, deal % r.players, minimums[deal])
            while layer > _DEALS and t.phase < OVER:
                if t.phase == DRAW and not t.can_take:
                    draw_stock(t, r)
                    continue
                event = events[position]
                position += 1
                if layer >= _VIEWS:
                    prepare_view(t, r, event.seat, event.phase)
                apply(t, r, event.phase, event.answer, event.play)
            turns += t.turn + 1
            if layer >= _RECORDING:
                record_deal(t, r, rows[match, deal])
    return turns


def seconds_of(task: Callable[[], object], rounds: int) -> float:
    """Median time of a task over rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def layer_times(pairing: Pairing, matches: int, rounds: int) -> dict[str, float]:
    """Nanoseconds a turn of each layer of the fused driver, and of what follows it.

    Keys: deals, transitions, views, recording, agents (what the whole takes beyond these),
    fused (the whole), and then, outside of it, tables (building frames and figures) and writing
    (Parquet).
    """
    rules = pairing.rules
    logs = [
        log_match(pairing, seed=0, match=match, mirror=0, dealer=0, driver="fused")[0]
        for match in range(matches)
    ]
    events = np.concatenate([log.events[: log.head["size"][0]] for log in logs])
    rows = np.zeros((matches, rules.deals, rules.teams), ROW)
    room = (
        rules_record(rules),
        full_deck(rules),
        meld_minimums(rules),
        np.zeros(1, TABLE),
        np.zeros(rules.cards, np.uint8),
        events,
        rows,
    )
    turns = int(carry_out_again(*room, RECORDING))

    def replay(layer: int) -> float:
        return seconds_of(lambda: carry_out_again(*room, layer), rounds)

    totals = [replay(layer) for layer in (DEALS, TRANSITIONS, VIEWS, RECORDING)]

    def whole() -> np.ndarray:
        return play(pairing, seed=0, first_match=0, count=matches * pairing.mirrors)

    fused = seconds_of(whole, rounds) / pairing.mirrors
    times = {
        "deals": totals[0],
        "transitions": totals[1] - totals[0],
        "views": totals[2] - totals[1],
        "recording": totals[3] - totals[2],
        "agents": fused - totals[3],
        "fused": fused,
    } | after_play(pairing, whole(), rounds)
    return {name: 1e9 * seconds / turns for name, seconds in times.items()}


def after_play(pairing: Pairing, rows: np.ndarray, rounds: int) -> dict[str, float]:
    """Seconds, for one mirror's share of the rows, of what a run does once they are played."""
    key = ShardKey(0, 0, len(rows))

    def build() -> Any:
        table = deals_table(pairing, rows, 0)
        blocks = block_sums(rows, pairing.mirrors, 0, BLOCK_SETS)
        return table, Figures(key, tally_rows(rows, pairing.mirrors), *blocks)

    table, figures = build()
    with TemporaryDirectory() as place:
        folder = folder_at(place)
        folder.prepare()
        writing = seconds_of(lambda: folder.write(key.name, shard_bytes(table, figures)), rounds)
    share = pairing.mirrors
    return {"tables": seconds_of(build, rounds) / share, "writing": writing / share}
