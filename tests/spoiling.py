"""Ways to spoil a transcript, or to leave it legal by luck: one small change at a random place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from handfoot_sim.game.cards import KINDS

Transcript = dict[str, Any]
Spoiler = Callable[[Random, Transcript], None]

MELDS = (*KINDS[4:], "wild")
SWITCHES = ("start_or_add", "partner_permission", "discard_to_go_out", "bury_twos", "wild_melds")
NUMBERS = (
    "pile_take", "naturals_per_wild", "draw_count", "clean_to_go_out", "book_size", "foot_size",
    "partner_foot_turns", "value_two", "players", "deals",
)  # fmt: skip


def a_turn(random: Random, match: Transcript) -> Transcript:
    """Some turn, the last ones of a deal more often."""
    turns = random.choice(match["deals"])["turns"]
    found: Transcript = random.choice(turns[-6:] if random.random() < 0.4 else turns)
    return found


def a_play(random: Random, match: Transcript) -> Transcript:
    """Some play, or one that nobody made if none is found."""
    for _ in range(20):
        plays = a_turn(random, match).get("plays")
        if plays:
            found: Transcript = random.choice(plays)
            return found
    return {"melds": [{"to": "4", "cards": ["4"]}]}


def a_lot(random: Random, match: Transcript) -> Transcript:
    """Cards laid on one meld."""
    found: Transcript = random.choice(a_play(random, match)["melds"])
    return found


def some_cards(random: Random, match: Transcript) -> list[str]:
    """A hand, a foot, or the stock."""
    deal = random.choice(match["deals"])
    places = (random.choice(deal["hands"]), random.choice(deal["feet"]), deal["stock"])
    found: list[str] = random.choice([place for place in places if place])
    return found


def swap_cards(random: Random, match: Transcript) -> None:
    """Swap two cards as they lie, of one deal or of two."""
    one, other = some_cards(random, match), some_cards(random, match)
    i, j = random.randrange(len(one)), random.randrange(len(other))
    one[i], other[j] = other[j], one[i]


def change_a_card(random: Random, match: Transcript) -> None:
    """Put another card in the place of one that lies."""
    held = some_cards(random, match)
    held[random.randrange(len(held))] = random.choice(KINDS)


def move_a_card(random: Random, match: Transcript) -> None:
    """Take a card away and lay it elsewhere."""
    some_cards(random, match).append(some_cards(random, match).pop())


def change_the_upcard(random: Random, match: Transcript) -> None:
    """Swap the upcard with a card of the stock."""
    deal = random.choice(match["deals"])
    at = random.randrange(len(deal["stock"]))
    deal["upcard"], deal["stock"][at] = deal["stock"][at], deal["upcard"]


def change_a_seat(random: Random, match: Transcript) -> None:
    """Let another seat play, or deal."""
    random.choice([a_turn(random, match), random.choice(match["deals"])])["seat"] = 1
    random.choice(match["deals"])["dealer"] = random.randrange(-1, 6)


def change_a_draw(random: Random, match: Transcript) -> None:
    """Draw from elsewhere."""
    a_turn(random, match)["draw"] = random.choice(["stock", "pile", "none"])


def change_a_discard(random: Random, match: Transcript) -> None:
    """Discard another card, or none."""
    turn = a_turn(random, match)
    turn.pop("discard", None)
    if random.random() < 0.8:
        turn["discard"] = random.choice(KINDS)


def move_a_turn(random: Random, match: Transcript) -> None:
    """Leave a turn out, or play it twice."""
    turns = random.choice(match["deals"])["turns"]
    at = random.randrange(len(turns))
    turns[at : at + 1] = [turns[at]] * random.choice([0, 2])


def move_a_play(random: Random, match: Transcript) -> None:
    """Leave a play out, play it twice, or in another turn."""
    plays = a_turn(random, match).setdefault("plays", [])
    if plays:
        other = random.choice([[], plays, a_turn(random, match).setdefault("plays", [])])
        other.append(copy.deepcopy(random.choice(plays)))
        plays.pop(random.randrange(len(plays)))


def add_a_play(random: Random, match: Transcript) -> None:
    """Lay some cards that may or may not be held."""
    kind = random.choice(KINDS[4:])
    laid = [kind] * random.choice([1, 2, 3, 3, 4]) + ["2"] * random.choice([0, 0, 1])
    play = {"melds": [{"to": kind, "cards": laid}]}
    a_turn(random, match).setdefault("plays", []).append(play)


def change_a_permission(random: Random, match: Transcript) -> None:
    """Note that a play was permitted or refused, or note nothing."""
    play = a_play(random, match)
    play.pop("permission", None)
    if random.random() < 0.7:
        play["permission"] = random.random() < 0.5


def change_a_lot(random: Random, match: Transcript) -> None:
    """Lay other cards on a meld, more of them, or fewer."""
    lot = a_lot(random, match)
    fitting = ["2", "JK"] if lot["to"] == "wild" else [lot["to"], lot["to"], "2", "JK"]
    change = random.randrange(4)
    if change == 0:
        lot["cards"] = lot["cards"][1:]
    elif change == 1:
        lot["cards"] = [*lot["cards"][1:], random.choice(KINDS)]
    elif change == 2:
        lot["cards"] = [*lot["cards"][1:], random.choice(fitting)]
    else:
        lot["cards"] = lot["cards"] + [random.choice(fitting)] * random.choice([1, 1, 2, 5])


def change_a_meld(random: Random, match: Transcript) -> None:
    """Lay cards on another meld."""
    a_lot(random, match)["to"] = random.choice(MELDS)


def change_the_melds(random: Random, match: Transcript) -> None:
    """Lay on one meld more, or one fewer."""
    melds = a_play(random, match)["melds"]
    if random.random() < 0.3:
        melds.pop()
    else:
        kind = random.choice(KINDS[4:])
        melds.append({"to": random.choice([kind, kind, "wild"]), "cards": [kind] * 3})


def change_a_result(random: Random, match: Transcript) -> None:
    """State another result."""
    deal = random.choice(match["deals"])
    change = random.randrange(5)
    if change == 0:
        deal["end"] = random.choice(["out", "stock"])
    elif change == 1:
        deal["scores"][0] += random.choice([0, 5])
    elif change == 2:
        random.choice(deal["breakdown"])["left"] -= random.choice([0, 5])
    elif change == 3:
        match["totals"][-1] += random.choice([0, 5])
    else:
        match["winner"] = random.choice([0, 1, None])


def change_the_rules(random: Random, match: Transcript) -> None:
    """Play by other rules."""
    if random.random() < 0.5:
        match["rules"][random.choice(SWITCHES)] = random.random() < 0.5
    else:
        match["rules"][random.choice(NUMBERS)] = random.randrange(9)


SPOILERS: tuple[Spoiler, ...] = (
    swap_cards, change_a_card, move_a_card, change_the_upcard, change_a_seat, change_a_draw,
    change_a_discard, move_a_turn, move_a_play, add_a_play, add_a_play, change_a_permission,
    change_a_lot, change_a_lot, change_a_lot, change_a_meld, change_the_melds, change_a_result,
    change_the_rules,
)  # fmt: skip
