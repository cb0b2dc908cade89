"""Transcripts made by hand: one deal from the cards that matter and the turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import KINDS, PER_PACK
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.check import PARTS, check_match, points_of, winner_of
from handfoot_sim.transcripts.format import convert_match, rules_of
from handfoot_sim.transcripts.walk import DealWalk
from tests.tables import cards, play_of

Transcript = dict[str, Any]


def play(permission: bool | None = None, **melds: str) -> Transcript:
    """A play: ``play(m9="9x3 2", wild="JK 2x2")``; a rank is written with an m before it."""
    lots = play_of({name.removeprefix("m"): text for name, text in melds.items()})
    result: Transcript = {"melds": [{"to": to, "cards": held} for to, held in lots.items()]}
    return result if permission is None else result | {"permission": permission}


def turn(
    seat: int, *plays: Transcript, discard: str | None = None, draw: str = "stock"
) -> Transcript:
    """A turn."""
    result: Transcript = {"seat": seat, "draw": draw, "plays": list(plays)}
    return result if discard is None else result | {"discard": discard}


def match(
    rules: Rules,
    hands: Sequence[str],
    feet: Sequence[str],
    stock: str,
    turns: Sequence[Transcript],
    *,
    upcard: str = "K",
    dealer: int = 0,
) -> Transcript:
    """A match of one deal with no results; the packs' other cards lie under ``stock``.

    Hands and feet are filled up with the cards that are left over, no threes among them as long
    as there are others; so a hand may be given by what matters in it, or not at all.
    """
    there = {"hands": [cards(text) for text in hands], "feet": [cards(text) for text in feet]}
    top = cards(stock)
    packs = Counter({kind: n * rules.decks for kind, n in zip(KINDS, PER_PACK, strict=True)})
    named = Counter(chain([upcard], top, *there["hands"], *there["feet"]))
    assert named <= packs, named - packs
    rest = sorted((packs - named).elements(), key=lambda kind: (kind in ("3R", "3B"), kind))
    for name, size in (("hands", rules.hand_size), ("feet", rules.foot_size)):
        for held in there[name]:
            while len(held) < size:
                held.append(rest.pop(0))
    deal = {"dealer": dealer, **there, "upcard": upcard, "stock": top + rest, "turns": list(turns)}
    return {"format": "handfoot-transcript-1", "rules": rules.as_mapping(), "deals": [deal]}


def settled(transcript: Transcript) -> Transcript:
    """The match with the results that the engine gives it; it must be legal."""
    found = convert_match(transcript, unfinished=True)
    walk = DealWalk(Position(rules_of(found)), found.deals[0], 0, found.deals[0].dealer)
    parts = walk.go()
    scores = [points_of(each) for each in parts]
    breakdown = [{part: getattr(each, part) for part in PARTS} for each in parts]
    deal = transcript["deals"][0] | {"end": walk.end, "scores": scores, "breakdown": breakdown}
    return transcript | {"deals": [deal], "totals": scores, "winner": winner_of(scores)}


def broken_rule(transcript: Transcript) -> str | None:
    """The rule a match breaks, results that are missing apart; None if it breaks none."""
    fault = check_match(convert_match(transcript, unfinished=True))
    return None if fault is None else fault.rule
