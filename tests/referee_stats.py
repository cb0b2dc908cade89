"""The lower half of the referee: whatever needs no transcript and no turn.

The tables, the rules of a match, what may lie on a meld, the statistics and the score of a team,
and the search that tells whether the pile could be taken. `referee` plays the matches with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

RANKS = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
WILD = ("2", "JK")
THREES = ("3R", "3B")
PACK = {"JK": 2, "2": 4, "3R": 2, "3B": 2} | dict.fromkeys(RANKS, 4)  # [1.1]
BOOKS = ("clean", "dirty", "wild")  # [4.3]

Rules = dict[str, Any]
Melds = dict[str, list[str]]  # the open melds of a team by name
PlayKey = tuple[int, ...]  # twos, jokers and cards used, clean, dirty and wild books closed

STANDARD: Rules = {
    "players": 4, "teams": 2, "decks": 5, "hand_size": 13, "foot_size": 13, "deals": 4,
    "meld_minimums": [50, 90, 120, 150], "draw_count": 2, "pile_take": 7, "book_size": 7,
    "naturals_per_wild": 2, "wild_melds": True, "start_or_add": True,
    "clean_to_go_out": 2, "dirty_to_go_out": 2, "wild_to_go_out": 1, "partner_foot_turns": 1,
    "partner_permission": True, "discard_to_go_out": True, "first_player": "left",
    "bury_twos": False, "value_joker": 50, "value_two": 20, "value_ace": 20, "value_high": 10,
    "value_low": 5, "value_black_three": 5, "bonus_clean": 500, "bonus_dirty": 300,
    "bonus_wild": 1500, "bonus_out": 100, "bonus_red_three": 100,
}  # fmt: skip
PAGAT: Rules = {"start_or_add": False, "bury_twos": True, "discard_to_go_out": False}
PRESETS: dict[str, Rules] = {"standard": {}, "pagat": PAGAT}
LEAST = dict.fromkeys(("draw_count", "deals", "hand_size", "naturals_per_wild"), 1)
LEAST |= {"foot_size": 2, "book_size": 4}
FORMS = {(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 3), (6, 6)}  # [2.1] players, teams


class Breach(Exception):
    """A step that breaks a rule, with the place where it happened (None: not within one)."""

    def __init__(self, rule: str, sentence: str) -> None:
        """Name the rule broken and say how; the place is filled in by whoever knows it."""
        super().__init__(rule, sentence)
        self.rule = rule
        self.sentence = sentence
        self.deal: int | None = None
        self.turn: int | None = None
        self.seat: int | None = None

    def __str__(self) -> str:
        """Write the breach on one line."""
        places = {"deal": self.deal, "turn": self.turn, "seat": self.seat}
        where = ", ".join(f"{name} {value}" for name, value in places.items() if value is not None)
        return f"[{self.rule}] {where or 'match'}: {self.sentence}"


def need(condition: bool, rule: str, sentence: str) -> None:
    """Raise a breach of the rule unless the condition holds."""
    if not condition:
        raise Breach(rule, sentence)


def settle_rules(given: Any) -> Rules:
    """Return the full rules for the fields a match gives; raise where they can't be played [9]."""
    need(type(given) is dict, "9", "the rules are not an object")
    preset = given.get("preset", "standard")
    need(type(preset) is str and preset in PRESETS, "9", f"no preset {preset!r}")
    rules = STANDARD | PRESETS[preset]
    for field, value in given.items():
        if field != "preset":
            need(field in STANDARD, "9", f"no field {field!r}")
            need(type(value) is type(STANDARD[field]), "9", f"{field} can't be {value!r}")
            rules[field] = value
    minimums = rules["meld_minimums"]
    need(len(minimums) > 0, "9", "no opening minimum")
    need(all(type(m) is int and m >= 0 for m in minimums), "9", "bad opening minimums")
    for field, value in rules.items():
        if type(value) is int:
            need(value >= LEAST.get(field, 0), "9", f"{field} can't be {value}")
    need((rules["players"], rules["teams"]) in FORMS, "9", "no such form of players and teams")
    need(rules["first_player"] in ("left", "dealer"), "9", "first_player is left or dealer")
    need(rules["wild_melds"] or rules["wild_to_go_out"] == 0, "9", "wild books without wild melds")
    dealt = rules["players"] * (rules["hand_size"] + rules["foot_size"])
    need(sum(PACK.values()) * rules["decks"] > dealt, "9", "no card is left for the pile")
    return rules


def blank_stats(rules: Rules) -> dict[str, Any]:
    """Return the statistics of a team before the first turn."""
    once = ["opened_turn", "opened_points", "opened_seat", "opened_from_pile", "foot1_turn"]
    once += ["foot2_turn", "ready_turn", *(f"{book}{n}_turn" for book in BOOKS for n in (1, 2))]
    counts = ["pile_chances", "pile_takes", "pile_cards", "wilds_discarded", "black3_discarded"]
    stats: dict[str, Any] = dict.fromkeys(once)
    stats |= dict.fromkeys([*BOOKS, *counts, "asked", "refused"], 0)
    if not any(rules[f"{book}_to_go_out"] for book in BOOKS):
        stats["ready_turn"] = 0
    return stats | {"went_out": False}


def value_of(rules: Rules, card: str) -> int:
    """Return what a card counts [1.3]; red threes count by 7.2 and are 0 here."""
    if card == "3R":
        return 0
    named = {"JK": "joker", "2": "two", "A": "ace", "3B": "black_three"}
    low = card in ("4", "5", "6", "7")
    return int(rules["value_" + named.get(card, "low" if low else "high")])


def total_value(rules: Rules, cards: Iterable[str]) -> int:
    """Return what cards count together."""
    return sum(value_of(rules, card) for card in cards)


def kind_of_book(cards: list[str]) -> str:
    """Return which kind of book the cards of a closed meld make [4.3]."""
    wilds = sum(card in WILD for card in cards)
    return "wild" if wilds == len(cards) else "dirty" if wilds else "clean"


def home_of(card: str) -> str:
    """Return the name of the meld that a pile topped by this card must be melded to [5.2]."""
    return "wild" if card in WILD else card


def meld_fault(
    rules: Rules, name: str, before: list[str], added: list[str]
) -> tuple[str, str] | None:
    """Say which rule, and how, a meld breaks once cards are added to it [4.1, 4.2], if it does."""
    for card in added:
        if card in THREES:
            return "7.1" if card == "3R" else "7.3", f"{card} on the meld {name}"
        if card != name and card not in WILD:
            return "4.1", f"{card} on the meld {name}"
    cards = before + added
    if not 3 <= len(cards) <= rules["book_size"]:
        return "4.1", f"a meld {name} of {len(cards)} cards"
    wilds = sum(card in WILD for card in cards)
    naturals = len(cards) - wilds
    if name == "wild":
        return None if rules["wild_melds"] else ("4.1", "no melds of wild cards only are played")
    if naturals == 0:
        return "4.1", f"a meld {name} without a natural card"
    if naturals < wilds * rules["naturals_per_wild"]:
        return ("4.2", f"{wilds} wild cards with {naturals} natural ones on the meld {name}")
    return None


def score(
    rules: Rules,
    stats: dict[str, Any],
    reds: int,
    melds: Iterable[list[str]],
    hands: list[Counter[str]],
    feet: list[Counter[str]],
) -> dict[str, int]:
    """Count what a team scores, by parts, from its red threes, melds and all that it holds [8.2].

    A foot that is picked up is in the place of the hand, and its own place is empty.
    """
    net_reds = reds - sum(foot["3R"] for foot in feet)  # [7.2]
    return {
        "melded": sum(total_value(rules, meld) for meld in melds),
        "books": sum(stats[kind] * rules[f"bonus_{kind}"] for kind in BOOKS),
        "red_threes": net_reds * rules["bonus_red_three"],
        "going_out": stats["went_out"] * rules["bonus_out"],
        "left": -sum(total_value(rules, lot.elements()) for lot in [*hands, *feet]),
    }


@dataclass
class PileSearch:
    """The question whether a player about to draw has a play that takes the pile [5]."""

    rules: Rules
    own: Counter[str]
    top: str
    melds: Melds
    minimum: int  # points the play must reach: the opening minimum, or 0 once the team has opened
    joining: int  # cards that join the player's own after the play [5.4]
    in_foot: bool
    missing: PlayKey | None  # clean, dirty and wild books missing to go out; None: may not anyway

    def can_take(self) -> bool:
        """Answer the question, by trying all plays."""
        if self.top in THREES or self.own[self.top] < 2:
            return False
        for key, points in self.plays().items():
            left = self.own.total() - key[2] + self.joining  # [5.5]
            if points >= self.minimum and self.may_leave(left, key[3:]):
                return True
        return False

    def may_leave(self, left: int, closed: PlayKey) -> bool:
        """Tell whether a play that closes these books may leave so many cards [6.2 to 6.6]."""
        if not self.in_foot or left >= 2:
            return True
        if self.missing is None or (left == 0 and self.rules["discard_to_go_out"]):
            return False
        return all(have >= lacks for have, lacks in zip(closed, self.missing, strict=True))

    def plays(self) -> dict[PlayKey, int]:
        """Return all plays that hold to 4.1 to 4.5, 4.7 and 5.2, the alike ones as one.

        The key tells how many twos, jokers and own cards a play uses and how many clean, dirty and
        wild books it closes; the value is the most points of all plays that are alike in this.
        """
        home = home_of(self.top)
        found: dict[PlayKey, int] = {(0, 0, 0, 0, 0, 0): 0}
        for name in (*RANKS, "wild"):
            grown = {} if name == home else dict(found)
            for lot in self.lots(name):
                step = self.key_of(name, lot)
                worth = total_value(self.rules, lot)
                for before, points in found.items():
                    key = tuple(a + b for a, b in zip(before, step, strict=True))
                    if key[0] <= self.own["2"] and key[1] <= self.own["JK"]:
                        grown[key] = max(points + worth, grown.get(key, 0))
            found = grown
        return found

    def lots(self, name: str) -> Iterator[list[str]]:
        """List the lots of cards that can be laid on one meld; the top card lies in its own."""
        home = home_of(self.top)
        if self.rules["start_or_add"] and (name in self.melds) != (home in self.melds):  # [4.5]
            return
        taken = [self.top] if name == home else []
        for naturals in range(self.own[name] + 1):
            for twos in range(self.own["2"] + 1):
                for jokers in range(self.own["JK"] + 1):
                    lot = [name] * naturals + ["2"] * twos + ["JK"] * jokers + taken
                    three = name != home or lot.count(self.top) >= 3  # [5.2]
                    fault = meld_fault(self.rules, name, self.melds.get(name, []), lot)
                    if lot and three and fault is None:
                        yield lot

    def key_of(self, name: str, lot: list[str]) -> PlayKey:
        """Return the key of the play that lays only this lot."""
        own = Counter(lot)
        if name == home_of(self.top):
            own[self.top] -= 1
        meld = self.melds.get(name, []) + lot
        book = kind_of_book(meld) if len(meld) == self.rules["book_size"] else ""
        return (own["2"], own["JK"], own.total(), *(int(book == kind) for kind in BOOKS))
