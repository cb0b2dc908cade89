"""Small tables for tests: cards written in short, and steps that say what is expected of them.

Cards are written ``"9x3 2 JK"``: three nines, a two, a joker. A play is written by meld:
``{"9": "9x3 2", "wild": "JK x3"}`` with the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from handfoot_sim.engine.position import Position, make_play
from handfoot_sim.game.cards import KIND_NUMBER, KINDS, MELD_NUMBER
from handfoot_sim.game.deal import begin_match, deal_cards
from handfoot_sim.game.state import TABLE, full_deck
from handfoot_sim.jit import jit
from handfoot_sim.rules import Rules

FREE = Rules(meld_minimums=(0,))
"""Standard rules without an opening minimum."""

ALONE = Rules(players=2, teams=2, meld_minimums=(0,))
"""Two players, so nobody to ask."""

ODDMENTS = "4 5 6"
"""Cards of players who only pass the time."""

PLENTY = "8 10 " * 20
"""A stock that lasts."""

FAULT_FIELDS = ("phase", "fault", "fault_a", "fault_b")


def cards(text: str) -> list[str]:
    """Names of kinds: ``"9x3 2"`` is ``["9", "9", "9", "2"]``."""
    result: list[str] = []
    for word in text.split():
        kind, _, count = word.partition("x")
        result += [kind] * int(count or 1)
    return result


def play_of(melds: Mapping[str, str]) -> dict[str, list[str]]:
    """A play as ``Position`` takes it."""
    return {meld: cards(text) for meld, text in melds.items()}


class Table(Position):
    """A position whose first player has its ``own`` cards and whose others pass the time.

    The player of the first turn is seat 0 (the dealer sits to the right) unless ``dealer`` says
    otherwise; ``hands`` and ``feet`` may be given for all seats.
    """

    def __init__(
        self,
        own: str = "",
        rules: Rules = FREE,
        *,
        foot: str = "Qx2 J",
        hands: Sequence[str] = (),
        feet: Sequence[str] = (),
        upcard: str = "7",
        stock: str = PLENTY,
        deal: int = 0,
        dealer: int | None = None,
    ) -> None:
        super().__init__(rules)
        others = rules.players - 1
        self.deal(
            deal,
            others if dealer is None else dealer,
            [cards(text) for text in (hands or [own] + [ODDMENTS] * others)],
            [cards(text) for text in (feet or [foot] + ["Qx2 J"] * others)],
            upcard,
            cards(stock),
        )

    def owns(self, kind: str, seat: int = 0) -> int:
        """Cards of a kind a seat has in play."""
        return int(self["hand"][seat, KIND_NUMBER[kind]])

    def open_meld(self, meld: str, team: int = 0) -> tuple[int, int, int]:
        """Naturals, twos and jokers of an open meld."""
        place = MELD_NUMBER[meld]
        naturals, twos, jokers = (
            self[name][team, place] for name in ("naturals", "twos", "jokers")
        )
        return int(naturals), int(twos), int(jokers)

    def books(self, team: int = 0) -> tuple[int, int, int]:
        """Clean, dirty and wild books of a team."""
        return int(self["clean"][team]), int(self["dirty"][team]), int(self["wild"][team])

    def points(self, team: int = 0) -> int:
        """What the deal that is over scored."""
        return int(self["totals"][team] - self["scores"][team])

    def pile(self) -> list[str]:
        """The pile from the bottom up."""
        return [KINDS[kind] for kind in self["pile"][: self["pile_size"]]]

    def put_on_pile(self, text: str) -> None:
        """Put more cards on the pile, the last one on top."""
        for card in cards(text):
            kind = KIND_NUMBER[card]
            self.table["pile"][0, self["pile_size"]] = kind
            self.table["pile_counts"][0, kind] += 1
            self.table["pile_size"] += 1

    def put_meld(self, meld: str, text: str, team: int = 0) -> None:
        """Lay an open meld for a team, which has opened then."""
        place = MELD_NUMBER[meld]
        play = make_play({meld: cards(text)})[0]
        for name in ("naturals", "twos", "jokers"):
            self.table[name][0, team, place] = play[name][place]
        self.table["open_melds"][0, team] |= 1 << place
        self.table["opened"][0, team] = 1

    def put_books(self, clean: int, dirty: int, wild: int, team: int = 0) -> None:
        """Give a team closed books."""
        for name, count in (("clean", clean), ("dirty", dirty), ("wild", wild)):
            self.table[name][0, team] = count
        self.table["opened"][0, team] = 1

    def put_in_foot(self, seat: int, turns: int = 1) -> None:
        """Let the cards a seat has be its foot, with so many turns ended in it."""
        self.table["foot"][0, seat] = 0
        self.table["foot_left"][0, seat] = 0
        self.table["in_foot"][0, seat] = 1
        self.table["foot_turns"][0, seat] = turns

    def legal(self, step: str, *what: Any) -> None:
        """Make a step that must be legal."""
        self._make(step, what)
        assert self.fault is None, self.fault

    def refuses(self, rule: str, step: str, *what: Any) -> None:
        """Make a step that must break this rule and change nothing; then undo it."""
        before = self.table.copy()
        self._make(step, what)
        assert self.fault is not None, f"{step} {what} was allowed"
        assert self.fault[0] == rule, self.fault
        assert same_table(before, self.table)
        self.table[:] = before

    def pass_turns(self, count: int = 1) -> None:
        """Let players draw and discard a card of their own."""
        for _ in range(count):
            self.legal("draw")
            self.legal("discard", self.hand(self.seat)[-1])

    def _make(self, step: str, what: Sequence[Any]) -> None:
        arguments = [play_of(each) if isinstance(each, Mapping) else each for each in what]
        getattr(self, step)(*arguments)


def same_table(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two tables are alike but for what a refused decision leaves on them."""
    names = [name for name in TABLE.names or () if name not in FAULT_FIELDS]
    return all(np.array_equal(one[name], other[name]) for name in names)


@jit
def shuffle_and_deal(table, rules, deck, order, key, deal, dealer, minimum):
    """Begin a match on the table and deal its cards."""
    t = table[0]
    begin_match(t, 0, 0, key)
    t.deal = deal
    deal_cards(t, rules[0], deck, order, dealer, minimum)


def shuffled(rules: Rules, key: int, deal: int = 0, dealer: int = 0) -> Position:
    """A position with cards shuffled and dealt by the engine."""
    position = Position(rules)
    order = np.zeros(rules.cards, np.uint8)
    shuffle_and_deal(
        position.table, position.rules_row, full_deck(rules), order, np.uint64(key),
        deal, dealer, rules.minimum(deal),
    )  # fmt: skip
    return position
