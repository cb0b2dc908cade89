"""An independent referee: plays a transcript through by the rules alone, slowly and plainly.

It shares no code with the package, so that the two can check each other. The numbers in brackets
are those of the rule sheet. Cards are kept as the words of the transcript format: ``JK``, ``2``,
``3R``, ``3B``, ``4`` to ``A``; a meld is a list of such words under its name, a rank or ``wild``.

The rule of a breach is a number of the rule sheet, ``9`` for rules that can't be played, or
``format`` for a match that isn't written as the transcript format says.

What the rule sheet leaves to the reader is settled here as follows:

- If all cards left after dealing are of kinds that are buried (2.4), any of them may be the upcard.
  A red three that lies in the pile for this reason is laid and replaced when it is taken (7.1).
- A refused request is read but not judged (6.5): it must only be the last request of its turn, come
  from a player who has somebody to ask, and not follow the play that goes out or ends the deal.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from typing import Any

from tests.referee_stats import (
    BOOKS,
    PACK,
    RANKS,
    THREES,
    WILD,
    Breach,
    Melds,
    PileSearch,
    PlayKey,
    Rules,
    blank_stats,
    home_of,
    kind_of_book,
    meld_fault,
    need,
    score,
    settle_rules,
    total_value,
)

__all__ = ["Breach", "referee"]


def read(holder: Any, key: str, kind: type, *default: Any) -> Any:
    """Return a field of the transcript; it must have the type and, without default, be there."""
    need(type(holder) is dict, "format", f"not an object with {key!r}: {holder!r:.60}")
    need(key in holder or bool(default), "format", f"{key!r} is missing")
    if key not in holder:
        return default[0]
    need(type(holder[key]) is kind, "format", f"{key!r} can't be {holder[key]!r:.60}")
    return holder[key]


def as_cards(value: Any) -> list[str]:
    """Return a list of kinds from the transcript."""
    good = type(value) is list and all(type(card) is str and card in PACK for card in value)
    need(good, "format", f"not a list of cards: {value!r:.60}")
    return list(value)


def compare(holder: Any, key: str, rule: str, right: Any) -> None:
    """Check a result that the transcript states against the right one, types included."""
    need(key in holder, "format", f"{key!r} is missing")
    same = json.dumps(holder[key], sort_keys=True) == json.dumps(right, sort_keys=True)
    need(same, rule, f"{key} {holder[key]!r:.200}, should be {right}")


def read_lots(play: Any) -> Melds:
    """Return the cards of a play by the meld they go to [4.7]."""
    lots: Melds = {}
    for entry in read(play, "melds", list):
        name = read(entry, "to", str)
        need(name in (*RANKS, "wild"), "4.1", f"no meld is called {name!r}")
        need(name not in lots, "4.7", f"a play with two lots for the meld {name}")
        need("cards" in entry, "format", "'cards' is missing")
        lots[name] = as_cards(entry["cards"])
        need(len(lots[name]) > 0, "4.7", f"no cards for the meld {name}")
    need(len(lots) > 0, "4.7", "a play without cards")
    return lots


class Deal:
    """One deal as it lies on the table: by seat the cards held, by team the melds and books."""

    def __init__(self, rules: Rules, number: int, dealer: int, spec: Any) -> None:
        """Prepare an empty table; `play_out` does the rest."""
        players, teams = range(rules["players"]), range(rules["teams"])
        self.rules = rules
        self.number = number
        self.dealer = dealer
        self.spec = spec
        self.cards: list[Counter[str]] = [Counter() for _ in players]
        self.feet: list[Counter[str]] = [Counter() for _ in players]
        self.in_foot = [False for _ in players]
        self.foot_turns = [0 for _ in players]  # turns ended by discarding a card of the foot
        self.open: list[Melds] = [{} for _ in teams]
        self.books: list[list[list[str]]] = [[] for _ in teams]
        self.reds = [0 for _ in teams]
        self.stats = [blank_stats(rules) for _ in teams]
        self.stock: deque[str] = deque()
        self.pile: list[str] = []
        self.end: str | None = None
        self.begin_turn(None, dealer)

    def begin_turn(self, turn: int | None, seat: int) -> None:
        """Note whose turn it is and forget what was true of the turn before."""
        self.turn = turn
        self.seat = seat
        self.team = seat % int(self.rules["teams"])
        self.mine = self.stats[self.team]
        self.source = ""  # where the turn's draw comes from
        self.taken: list[str] = []  # cards taken from the pile, until the first play is made
        self.fresh: set[str] = set()  # melds started in this turn
        self.added = False  # whether cards went to a meld that was open when the turn began
        self.refused = False
        self.going_out = False

    def play_out(self) -> dict[str, Any]:
        """Check the whole deal and return its results."""
        self.set_up()
        players = int(self.rules["players"])
        first = (self.dealer + (self.rules["first_player"] == "left")) % players  # [2.6]
        for offset in range(players):
            self.lay_reds((first + offset) % players)  # [2.5]
        turns = read(self.spec, "turns", list)
        for number, turn in enumerate(turns):
            need(self.end is None, "8.1", "the deal goes on after its end")
            self.begin_turn(number, (first + number) % players)
            self.take_turn(turn)
        self.turn = None
        need(self.end is not None, "8.1", "the turns stop before the end of the deal")
        compare(self.spec, "end", "8.1", self.end)
        return self.result(len(turns))

    def set_up(self) -> None:
        """Check the cards as dealt and lay them out [1.1, 2.2 to 2.4]."""
        rules, spec = self.rules, self.spec
        dealer = read(spec, "dealer", int)
        need(read(spec, "deal", int, self.number) == self.number, "format", "wrong deal number")
        need(dealer == self.dealer, "2.2", f"seat {dealer} deals, it should be {self.dealer}")
        for key, places, size in (
            ("hands", self.cards, rules["hand_size"]),
            ("feet", self.feet, rules["foot_size"]),
        ):
            lots = read(spec, key, list)
            need(len(lots) == rules["players"], "2.3", f"not as many {key} as players")
            for place, lot in zip(places, lots, strict=True):
                place.update(as_cards(lot))
                need(place.total() == size, "2.3", f"{key} of {place.total()} cards, not {size}")
        upcard = as_cards([read(spec, "upcard", str)])[0]
        stock = as_cards(read(spec, "stock", list))
        there = sum([*self.cards, *self.feet], Counter([upcard, *stock]))
        packs = Counter({card: count * rules["decks"] for card, count in PACK.items()})
        more, fewer = dict(there - packs), dict(packs - there)
        need(there == packs, "1.1", f"not {rules['decks']} packs: {more} more, {fewer} fewer")
        buried = ["JK", *THREES, *(["2"] if rules["bury_twos"] else [])]
        forced = all(card in buried for card in stock)
        need(upcard not in buried or forced, "2.4", f"{upcard} is turned up and not buried")
        self.stock.extend(stock)
        self.pile.append(upcard)

    def draw_cards(self, seat: int, count: int) -> int:
        """Draw cards, lay and replace red threes; return how many other cards came [3.2, 7.1]."""
        got = 0
        while got < count and self.stock:
            card = self.stock.popleft()
            if card == "3R":
                self.reds[seat % self.rules["teams"]] += 1
            else:
                self.cards[seat][card] += 1
                got += 1
        return got

    def lay_reds(self, seat: int) -> None:
        """Lay the red threes among a player's cards and replace them [7.1]."""
        reds = self.cards[seat].pop("3R", 0)
        self.reds[seat % self.rules["teams"]] += reds
        self.draw_cards(seat, reds)

    def pick_up_foot(self) -> None:
        """Let the player whose turn it is pick up the foot [6.1]."""
        self.in_foot[self.seat] = True
        self.cards[self.seat], self.feet[self.seat] = self.feet[self.seat], Counter()
        self.lay_reds(self.seat)
        self.note_first("foot1_turn", "foot2_turn")

    def note_first(self, *keys: str) -> None:
        """Write this turn under the first of the keys that is still empty, if one is."""
        for key in keys:
            if self.mine[key] is None:
                self.mine[key] = self.turn
                return

    def take_turn(self, turn: Any) -> None:
        """Check one turn from the draw to the discard [3]."""
        seat = read(turn, "seat", int)
        need(seat == self.seat, "2.6", f"seat {seat} plays but it is seat {self.seat}'s turn")
        chance = self.pile_chance()
        self.mine["pile_chances"] += chance
        self.draw(read(turn, "draw", str))
        for play in read(turn, "plays", list, []):
            self.play_or_request(play)
        need(not self.taken, "5.2", "takes from the pile without melding its top card")
        if self.source == "pile" and not chance:
            raise AssertionError("the search of the referee missed a way to take the pile")
        self.finish_turn(turn)

    def pile_take(self) -> int:
        """Return how many cards a player who takes from the pile gets [5.1]."""
        return min(self.rules["pile_take"] or len(self.pile), len(self.pile))

    def pile_chance(self) -> bool:
        """Tell whether the player about to draw could take the pile by some legal play."""
        joining = Counter(self.pile[-self.pile_take() : -1])
        others_in_stock = sum(card != "3R" for card in self.stock)
        return PileSearch(
            self.rules,
            self.cards[self.seat],
            self.pile[-1],
            self.open[self.team],
            minimum=self.minimum(),
            joining=joining.total() - joining["3R"] + min(joining["3R"], others_in_stock),
            in_foot=self.in_foot[self.seat],
            missing=self.missing() if self.partners_ready() else None,
        ).can_take()

    def draw(self, source: str) -> None:
        """Check the draw and make it; the pile is set aside until the first play [3.1, 5, 8.1]."""
        need(source in ("stock", "pile", "none"), "format", f"no draw from {source!r}")
        self.source = source
        if source == "pile":
            top = self.pile[-1]
            need(top not in THREES, "5.2", f"the pile is topped by {top}")
            need(self.cards[self.seat][top] >= 2, "5.2", f"the player does not hold two {top}")
            self.taken = self.pile[-self.pile_take() :]
            del self.pile[-self.pile_take() :]
            self.mine["pile_takes"] += 1
            self.mine["pile_cards"] += len(self.taken)
            return
        got = self.draw_cards(self.seat, self.rules["draw_count"])
        if source == "stock":
            need(got > 0, "8.1", "a draw from a stock that has no card to give")
        else:
            need(got == 0, "8.1", "no draw although the stock had cards")
            self.end = "stock"

    def play_or_request(self, play: Any) -> None:
        """Check one entry of a turn's plays: a play that was made or a refused request."""
        permission = read(play, "permission", bool, None)
        lots = read_lots(play)
        need(not self.going_out, "6.4", "nothing but the discard follows the play that goes out")
        need(self.end is None or self.source == "none", "6.7", "goes on after the end of the deal")
        if permission is not None:
            need(self.must_ask(), "6.5", "there is nobody to ask for permission")
            need(not self.refused, "6.5", "a second request after one that was refused")
            self.mine["asked"] += 1
        if permission is False:
            self.refused = True
            self.mine["refused"] += 1
            return
        need(self.source != "none", "8.1", "a play without a draw")
        self.lay(lots)
        self.settle_cards_left(permitted=permission is True)

    def lay(self, lots: Melds) -> None:
        """Check a play and make it [4, 5]."""
        own, melds = self.cards[self.seat], self.open[self.team]
        if self.taken:
            self.check_taking(lots)
        self.check_start_or_add(lots)
        for name, lot in lots.items():
            fault = meld_fault(self.rules, name, melds.get(name, []), lot)
            if fault is not None:
                raise Breach(*fault)
        mine = sum((Counter(lot) for lot in lots.values()), Counter()) - Counter(self.taken[-1:])
        for card, count in mine.items():
            need(own[card] >= count, "4.7", f"plays {count} {card}, has {own[card]}")
        self.check_opening(lots)
        own.subtract(mine)
        own.update(self.taken[:-1])  # [5.4]
        self.taken = []
        self.lay_reds(self.seat)
        for name, lot in lots.items():
            self.lay_on_meld(name, lot)

    def check_taking(self, lots: Melds) -> None:
        """Check that the first play after taking melds the top card as it must [5.2, 5.3]."""
        top, size = self.taken[-1], self.rules["book_size"]
        home = home_of(top)
        before = len(self.open[self.team].get(home, []))
        three = lots.get(home, []).count(top) >= 3
        need(three, "5.2", f"the first play does not meld three {top}, the top of the pile")
        need(before <= size - 3, "5.3", f"no room for three cards on a meld {home} of {before}")

    def check_start_or_add(self, lots: Melds) -> None:
        """Check that the turn doesn't both start melds and add to older ones [4.5]."""
        started = {name for name in lots if name not in self.open[self.team]}
        self.added |= any(name not in started | self.fresh for name in lots)
        self.fresh |= started
        both = self.added and bool(self.fresh)
        need(not (both and self.rules["start_or_add"]), "4.5", "starts and adds in one turn")

    def check_opening(self, lots: Melds) -> None:
        """Check that the first melds of a team count enough [4.6]."""
        if self.mine["opened_turn"] is not None:
            return
        points = sum(total_value(self.rules, lot) for lot in lots.values())
        need(points >= self.minimum(), "4.6", f"opens with {points}, needs {self.minimum()}")
        self.mine["opened_turn"] = self.turn
        self.mine["opened_points"] = points
        self.mine["opened_seat"] = self.seat
        self.mine["opened_from_pile"] = bool(self.taken)

    def minimum(self) -> int:
        """Return what the next play of the team must count [4.6]; 0 once it has opened."""
        minimums: list[int] = self.rules["meld_minimums"]
        opened = self.mine["opened_turn"] is not None
        return 0 if opened else minimums[min(self.number, len(minimums) - 1)]

    def lay_on_meld(self, name: str, lot: list[str]) -> None:
        """Put cards that were found right on the table, and close the meld if it is a book."""
        meld = self.open[self.team].setdefault(name, [])
        meld.extend(lot)
        if len(meld) == self.rules["book_size"]:
            del self.open[self.team][name]
            self.books[self.team].append(meld)
            kind = kind_of_book(meld)
            self.mine[kind] += 1
            self.note_first(f"{kind}1_turn", f"{kind}2_turn")
            if not any(self.missing()):
                self.note_first("ready_turn")

    def settle_cards_left(self, *, permitted: bool) -> None:
        """Check how many cards a play leaves and do what follows from it [6.1 to 6.7]."""
        left = self.cards[self.seat].total()
        if not self.in_foot[self.seat] or left >= 2:
            need(not permitted, "6.5", "permission for a play that does not go out")
            if left == 0:
                self.pick_up_foot()
                if self.cards[self.seat].total() < 2:
                    self.end = "stock"  # [6.7]
            return
        right = not any(self.missing()) and self.partners_ready()
        need(right, "6.3", f"{left} cards left without the right to go out")
        need(left == 1 or not self.rules["discard_to_go_out"], "6.4", "no card left to discard")
        need(permitted or not self.must_ask(), "6.5", f"{left} cards left without permission")
        self.going_out = True
        if left == 0:
            self.go_out()

    def go_out(self) -> None:
        """End the deal by the player whose turn it is."""
        self.end = "out"
        self.mine["went_out"] = True

    def must_ask(self) -> bool:
        """Tell whether going out takes somebody's permission [6.5]."""
        return bool(self.rules["partner_permission"] and self.rules["players"] > len(self.stats))

    def missing(self) -> PlayKey:
        """Return how many clean, dirty and wild books the team still lacks to go out [6.4]."""
        return tuple(max(0, self.rules[f"{kind}_to_go_out"] - self.mine[kind]) for kind in BOOKS)

    def partners_ready(self) -> bool:
        """Tell whether all partners have played enough in the foot for going out [6.4]."""
        team = range(self.team, self.rules["players"], self.rules["teams"])
        enough = self.rules["partner_foot_turns"]
        partners = [seat for seat in team if seat != self.seat]
        return all(self.in_foot[seat] and self.foot_turns[seat] >= enough for seat in partners)

    def finish_turn(self, turn: dict[str, Any]) -> None:
        """Check the discard and do what follows from it [3.3, 6.1, 6.4]."""
        if self.end is not None:
            need("discard" not in turn, "8.1", "a discard after the end of the deal")
            return
        need("discard" in turn, "3.3", "the turn ends without a discard")
        card = as_cards([turn["discard"]])[0]
        own = self.cards[self.seat]
        need(card != "3R", "7.1", "discards a red three")
        need(own[card] > 0, "3.3", f"discards {card}, does not hold it")
        own[card] -= 1
        self.pile.append(card)
        self.mine["wilds_discarded"] += card in WILD
        self.mine["black3_discarded"] += card == "3B"
        self.foot_turns[self.seat] += self.in_foot[self.seat]
        if self.going_out:
            self.go_out()
        elif own.total() == 0:
            self.pick_up_foot()

    def result(self, turns: int) -> dict[str, Any]:
        """Score the deal, compare with what the transcript states and return it [8.2, 7.2]."""
        breakdown = [
            score(
                self.rules,
                stats,
                reds=self.reds[team],
                melds=[*self.open[team].values(), *self.books[team]],
                hands=self.cards[team :: len(self.stats)],
                feet=self.feet[team :: len(self.stats)],
            )
            for team, stats in enumerate(self.stats)
        ]
        scores = [sum(parts.values()) for parts in breakdown]
        compare(self.spec, "scores", "8.2", scores)
        if "breakdown" in self.spec:
            compare(self.spec, "breakdown", "8.2", breakdown)
        return {
            "scores": scores,
            "breakdown": breakdown,
            "end": self.end,
            "turns": turns,
            "stats": self.stats,
        }


def referee(match: dict[str, Any]) -> dict[str, Any]:
    """Check a match; return its results and statistics, or raise the first `Breach`."""
    known = read(match, "format", str) == "handfoot-transcript-1"
    need(known, "format", f"no format {match['format']!r}")
    rules = settle_rules(match.get("rules", {}))
    specs = read(match, "deals", list)
    need(len(specs) == rules["deals"], "2.2", f"{len(specs)} deals, should be {rules['deals']}")
    dealer = read(specs[0], "dealer", int)
    need(0 <= dealer < rules["players"], "2.2", f"seat {dealer} deals")
    deals = []
    for number, spec in enumerate(specs):
        deal = Deal(rules, number, (dealer + number) % rules["players"], spec)
        try:
            deals.append(deal.play_out())
        except Breach as breach:
            breach.deal, breach.turn = number, deal.turn
            breach.seat = None if deal.turn is None else deal.seat
            raise
    totals = [sum(column) for column in zip(*(deal["scores"] for deal in deals), strict=True)]
    winner = totals.index(max(totals)) if totals.count(max(totals)) == 1 else None  # [8.3]
    compare(match, "totals", "8.3", totals)
    compare(match, "winner", "8.3", winner)
    return {"totals": totals, "winner": winner, "deals": deals}
