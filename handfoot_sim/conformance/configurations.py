"""A sample of rule configurations that between them use every field and every form of the game."""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.rules import PRESETS, Rules

EASY: Final[dict[str, Any]] = {"clean_to_go_out": 1, "dirty_to_go_out": 1, "wild_to_go_out": 0}

CONFIGURATIONS: Final[dict[str, Rules]] = {
    "standard": Rules(),
    "pagat": PRESETS["pagat"],
    "2 players": Rules(players=2, teams=2),
    "3 players": Rules(players=3, teams=3, **EASY),
    "4 alone": Rules(players=4, teams=4, decks=6),
    "5 players": Rules(players=5, teams=5, decks=6, **EASY),
    "6 in 2": Rules(players=6, teams=2, decks=7, start_or_add=False, bury_twos=True),
    "6 in 3": Rules(players=6, teams=3, decks=7, partner_foot_turns=2),
    "6 alone": Rules(players=6, teams=6, decks=7, **EASY),
    "whole pile": Rules(pile_take=0, start_or_add=False, discard_to_go_out=False, **EASY),
    "no wild melds": Rules(wild_melds=False, wild_to_go_out=0, first_player="dealer"),
    "easy out": Rules(discard_to_go_out=False, partner_foot_turns=0, **EASY),
    "no permission": Rules(partner_permission=False, partner_foot_turns=3, **EASY),
    "small": Rules(
        players=2, teams=2, decks=1, hand_size=4, foot_size=4, book_size=4, meld_minimums=(15, 30),
        deals=6, naturals_per_wild=1, clean_to_go_out=1, dirty_to_go_out=0, wild_to_go_out=0,
    ),
    "nothing needed": Rules(
        hand_size=5, foot_size=5, clean_to_go_out=0, dirty_to_go_out=0, wild_to_go_out=0,
        discard_to_go_out=False, meld_minimums=(0,),
    ),
    "tight stock": Rules(decks=2, hand_size=13, foot_size=13, deals=3, meld_minimums=(30,)),
    "odd values": Rules(
        book_size=5, naturals_per_wild=3, draw_count=3, pile_take=4, value_joker=5, value_two=60,
        value_ace=1, value_high=25, value_low=0, bonus_clean=0, bonus_dirty=700, **EASY,
    ),
    "one card drawn": Rules(draw_count=1, hand_size=7, foot_size=9, **EASY),
}  # fmt: skip
"""All player counts and team forms, and every field of the rules away from its standard value."""
