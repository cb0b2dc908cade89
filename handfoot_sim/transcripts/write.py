"""From the engine's log of a match to its transcript, and from transcripts to a file."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from handfoot_sim.engine.log import Log
from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import KINDS, MELD_NAMES, N_KINDS, WILD
from handfoot_sim.game.state import DISCARD, DRAW, END_NAMES, FAULT, OVER, PERMIT
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.check import PARTS, winner_of
from handfoot_sim.transcripts.format import FORMAT, encode_match


def transcript(
    log: Log,
    rules: Rules,
    *,
    seed: int,
    match: int,
    dealer: int,
    agents: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The transcript of the match in ``log``, as a dict in the transcript format.

    A match that was broken off is written down as far as it went: results of the deal that is
    not over, and of the match, are left out. A decision that broke a rule stands last, where the
    format has words for it, so that a check of the transcript names the rule.

    Parameters
    ----------
    log
        Of one match: before the next one is logged in the same room, ``head["size"]`` and
        ``cards`` have to be set to 0.
    dealer
        Of the first deal.
    agents
        Labels by seat.
    """
    events = log.events[: int(log.head["size"][0])]
    position = Position(rules)
    deals: list[dict[str, Any]] = []
    for number, cards in enumerate(log.cards):
        if not cards.any():  # never dealt
            break
        of_deal = list(events[events["deal"] == number])
        seat = (dealer + number) % rules.players
        deals.append(_Writer(position, of_deal).write(number, seat, cards))
    result: dict[str, Any] = {"format": FORMAT, "rules": rules.as_mapping()}
    result |= {"seed": int(seed), "match": int(match)}
    if agents is not None:
        result["agents"] = list(agents)
    result["deals"] = deals
    if len(deals) == rules.deals and "scores" in deals[-1]:
        columns = zip(*(deal["scores"] for deal in deals), strict=True)
        result["totals"] = [sum(column) for column in columns]
        result["winner"] = winner_of(result["totals"])
    return result


class _Writer:
    """Writes down one deal by playing its decisions through again."""

    def __init__(self, position: Position, events: list[Any]) -> None:
        self.position = position
        self.events = iter(events)
        self.stuck = False  # no more decisions, and the deal is not over
        self.turn: dict[str, Any] = {}
        self.plays: list[dict[str, Any]] = []
        self.request: dict[str, Any] = {}  # waits for permission
        self.takes = False  # whether it takes the pile

    def write(self, number: int, dealer: int, cards: np.ndarray) -> dict[str, Any]:
        """The deal as a dict in the transcript format, from its cards as ``Log`` has them."""
        lying = self._lay(cards)
        self.position.deal(number, dealer, **lying)
        turns = []
        while int(self.position["phase"]) < OVER and not self.stuck:
            turn = self._take_turn()
            if turn:
                turns.append(turn)
        result = {"deal": number, "dealer": dealer, **lying, "turns": turns}
        if self.position.over:
            result |= self._results()
        return result

    def _lay(self, cards: np.ndarray) -> dict[str, Any]:
        """Hands, feet, upcard and stock, from cards laid out as ``deal.lay_out`` says."""
        rules = self.position.rules
        kinds = [KINDS[kind] for kind in cards.tolist()]
        feet = rules.players * rules.hand_size
        up = feet + rules.players * rules.foot_size
        hands_at = range(0, feet, rules.hand_size)
        feet_at = range(feet, up, rules.foot_size)
        return {
            "hands": [kinds[at : at + rules.hand_size] for at in hands_at],
            "feet": [kinds[at : at + rules.foot_size] for at in feet_at],
            "upcard": kinds[up],
            "stock": kinds[up + 1 :],
        }

    def _take_turn(self) -> dict[str, Any] | None:
        """The next turn; None if it was broken off before anything was drawn."""
        number = int(self.position["turn"])
        self.turn, self.plays = {"seat": self.position.seat}, []
        while (
            int(self.position["phase"]) < OVER
            and int(self.position["turn"]) == number
            and not self.stuck
        ):
            self._step()
        if "draw" not in self.turn:
            return None
        discard = self.turn.pop("discard", None)
        if self.plays:
            self.turn["plays"] = self.plays
        if discard is not None:
            self.turn["discard"] = discard
        return self.turn

    def _step(self) -> None:
        """Carry out the next decision, or the draw for which nobody is asked."""
        phase = int(self.position["phase"])
        if phase == DRAW and not self.position["can_take"]:
            self._draw()
            return
        event = next(self.events, None)
        if event is None:
            self.stuck = True
        elif int(event["phase"]) != phase:
            raise ValueError(f"the log has a decision where the table waits to {phase}")
        else:
            self._decide(phase, int(event["answer"]), event["play"])

    def _decide(self, phase: int, answer: int, play: np.void) -> None:
        if phase == PERMIT:
            self._permit(answer)
        elif phase == DISCARD:
            if 0 <= answer < N_KINDS:
                self.turn["discard"] = KINDS[answer]
            self.position.answer(answer)
        elif answer == 1:
            self._propose(play, takes=phase == DRAW)
        elif phase == DRAW and answer == 0:
            self._draw()
        else:
            self.position.answer(answer)

    def _draw(self) -> None:
        self.turn["draw"] = "none" if self.position.answer(0) == OVER else "stock"

    def _propose(self, play: np.void, *, takes: bool) -> None:
        """A play that is made, breaks a rule, or waits for permission."""
        made = np.array([play], play.dtype)
        written = _written(play)
        phase = self.position.answer(1, made)
        self.takes = takes
        if phase == PERMIT:
            self.request = written or {}
        elif written or phase != FAULT:
            self._note(written or {})

    def _permit(self, answer: int) -> None:
        phase = self.position.answer(answer)
        if phase in (PERMIT, FAULT):
            return
        allowed = answer == 1
        if allowed:
            self._note(self.request | {"permission": True})
        else:
            self.plays.append(self.request | {"permission": False})

    def _note(self, play: dict[str, Any]) -> None:
        self.plays.append(play)
        if self.takes:
            self.turn["draw"] = "pile"

    def _results(self) -> dict[str, Any]:
        rows = self.position.results()
        breakdown = [{part: int(row[part]) for part in PARTS} for row in rows]
        return {
            "end": END_NAMES[int(self.position["ended"])],
            "scores": [sum(parts.values()) for parts in breakdown],
            "breakdown": breakdown,
        }


def _written(play: np.void) -> dict[str, Any] | None:
    """A play in the transcript format; None if the format has no words for it."""
    lots = []
    counts = np.array([play["naturals"], play["twos"], play["jokers"]])
    if counts.min() < 0 or counts[0, WILD] or counts[:, N_KINDS:].any():
        return None
    for place in np.flatnonzero(counts.sum(axis=0)).tolist():
        naturals, twos, jokers = counts[:, place].tolist()
        cards = [KINDS[place]] * naturals + ["2"] * twos + ["JK"] * jokers
        lots.append({"to": MELD_NAMES[place] or KINDS[place], "cards": cards})
    return {"melds": lots}


def write_transcripts(path: str | Path, matches: Iterable[Mapping[str, Any]]) -> None:
    """Write matches, dicts in the transcript format, to a ``.jsonl.gz`` file.

    The file appears whole or not at all, and the same matches give the same bytes. Raises
    ``OSError`` if it can't be written.
    """
    target = Path(path)
    growing = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with growing.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
            for match in matches:
                packed.write(encode_match(match) + b"\n")
        growing.replace(target)
    finally:
        growing.unlink(missing_ok=True)
