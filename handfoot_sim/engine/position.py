"""A table to be moved from Python, one decision at a time, by the engine's own transitions.

For the transcript checker, for tests, and for whoever wants to set up a position. Playing many
matches is the drivers' work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from handfoot_sim.engine.rows import ROW, record_deal
from handfoot_sim.engine.step import apply
from handfoot_sim.game.breaches import rule_of, sentence
from handfoot_sim.game.cards import KIND_NUMBER, KINDS, MELD_NUMBER, PLACES
from handfoot_sim.game.deal import begin_match, clear_deal, is_buried, open_deal
from handfoot_sim.game.observation import observe
from handfoot_sim.game.state import (
    DISCARD,
    DRAW,
    FAULT,
    MELD,
    OVER,
    PERMIT,
    PHASES,
    PLAY,
    TABLE,
    VIEW,
    rules_record,
)
from handfoot_sim.jit import jit
from handfoot_sim.rules import Rules


@jit
def step(table: Any, rules: Any, answer: int, play: Any) -> Any:
    """Carry out an answer to the question the table waits for; the phase that follows."""
    t = table[0]
    apply(t, rules[0], t.phase, answer, play[0])
    return t.phase


@jit
def fresh_deal(table: Any, match: int, key: np.uint64, deal: int) -> None:
    """Clear the table for a deal; cards are to be put on it before ``start_deal``."""
    t = table[0]
    if deal == 0:
        begin_match(t, match, 0, key)
    t.deal = deal
    clear_deal(t)


@jit
def start_deal(table: Any, rules: Any, dealer: int, minimum: int) -> None:
    """Lay the red threes and begin the first turn of the cards that lie on the table."""
    open_deal(table[0], rules[0], dealer, minimum)


@jit
def note_results(table: Any, rules: Any, rows: Any) -> None:
    """Fill ``rows``, one a team, with the results of the deal that is over."""
    record_deal(table[0], rules[0], rows)


@jit
def goes_under(rules: Any, kind: int) -> Any:
    """Whether a card turned up for the pile is buried [2.4]."""
    return is_buried(rules[0], kind)


@jit
def look(table: Any, rules: Any, seat: int, view: Any) -> None:
    """Fill ``view`` with what ``seat`` may know."""
    t = table[0]
    observe(t, rules[0], view[0], seat, t.phase)


def counts(cards: Sequence[str]) -> np.ndarray:
    """Count array, shape (16,), int8, of cards given by the names of their kinds."""
    kinds = [KIND_NUMBER[card] for card in cards]
    return np.bincount(kinds, minlength=PLACES).astype(np.int8)


def names(cards: np.ndarray) -> list[str]:
    """Names of the kinds in a count array, one for each card."""
    return [KINDS[kind] for kind in range(len(KINDS)) for _ in range(int(cards[kind]))]


def make_play(melds: Mapping[str, Sequence[str]]) -> np.ndarray:
    """A play, dtype ``PLAY``, shape (1,), from cards by meld: ``{"9": ["9", "9", "2"]}``.

    Counts stop at 127, which is more than anybody holds. Raises ``KeyError`` for a name that is
    no meld, ``ValueError`` for a card that is neither wild nor of the meld's rank.
    """
    room = np.zeros((3, PLACES), np.int8)
    for meld, cards in melds.items():
        place = MELD_NUMBER[meld]
        each = (cards.count(meld), cards.count("2"), cards.count("JK"))
        if sum(each) != len(cards):
            wrong = next(card for card in cards if card not in (meld, "2", "JK"))
            raise ValueError(f"a {wrong} can't be laid on the meld {meld}")
        for row, count in enumerate(each):
            room[row, place] = min(count, 127)
    return room.reshape(-1).view(PLAY)


NO_PLAY: Final = np.zeros(1, PLAY)


class Position:
    """A match on one table, moved by hand.

    Attributes
    ----------
    table, rules_row : numpy.ndarray
        Record arrays of shape (1,), of the dtypes ``TABLE`` and ``RULES``: whatever is not offered
        as a method can be read, and set up, there.

    Examples
    --------
    >>> position = Position(Rules())
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rules_row = rules_record(rules)
        self.table = np.zeros(1, TABLE)

    def deal(
        self,
        deal: int,
        dealer: int,
        hands: Sequence[Sequence[str]],
        feet: Sequence[Sequence[str]],
        upcard: str,
        stock: Sequence[str],
    ) -> None:
        """Begin a deal from these cards (names of kinds); the stock's first is drawn first.

        Sizes of hands and feet are as they are given, so that small positions can be set up.
        """
        fresh_deal(self.table, 0, np.uint64(0), deal)
        table = self.table
        for seat in range(self.rules.players):
            table["hand"][0, seat] = counts(hands[seat])
            table["foot"][0, seat] = counts(feet[seat])
        table["pile"][0, 0] = KIND_NUMBER[upcard]
        table["stock"][0, : len(stock)] = [KIND_NUMBER[card] for card in stock]
        table["stock_size"] = len(stock)
        table["streams"] = 1
        start_deal(table, self.rules_row, dealer, self.rules.minimum(deal))

    def __getitem__(self, field: str) -> Any:
        """A field of the table's record."""
        return self.table[field][0]

    @property
    def phase(self) -> str:
        """What the table waits for: draw, meld, permit, discard; or over, or fault."""
        return PHASES[int(self["phase"])]

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return int(self["turn_seat"])

    @property
    def fault(self) -> tuple[str, str] | None:
        """Number of the rule the last decision broke, and what was done; None if it was legal."""
        if int(self["phase"]) != FAULT:
            return None
        code = int(self["fault"])
        return rule_of(code), sentence(code, int(self["fault_a"]), int(self["fault_b"]))

    def answer(self, answer: int, play: np.ndarray = NO_PLAY) -> int:
        """Answer the question the table waits for, whichever it is; the phase that follows."""
        phase: int = step(self.table, self.rules_row, answer, play)
        return phase

    def draw(self) -> None:
        """Draw from the stock."""
        self._expect(DRAW)
        self.answer(0)

    def take(self, melds: Mapping[str, Sequence[str]]) -> None:
        """Take from the pile with this first play, the top card among its cards."""
        self._expect(DRAW)
        self.answer(1, make_play(melds))

    def play(self, melds: Mapping[str, Sequence[str]]) -> None:
        """Make a play."""
        self._expect(MELD)
        self.answer(1, make_play(melds))

    def stop(self) -> None:
        """Meld nothing more."""
        self._expect(MELD)
        self.answer(0)

    def permit(self, allowed: bool) -> None:
        """Answer for the partner who is asked."""
        self._expect(PERMIT)
        self.answer(int(allowed))

    def discard(self, kind: str) -> None:
        """Discard a card, with melding done if it was not."""
        if int(self["phase"]) == MELD:
            self.stop()
        self._expect(DISCARD)
        self.answer(KIND_NUMBER[kind])

    def results(self) -> np.ndarray:
        """The results of a deal that is over: dtype ``ROW``, shape (teams,)."""
        rows = np.zeros(self.rules.teams, ROW)
        note_results(self.table, self.rules_row, rows)
        return rows

    def is_buried(self, kind: str) -> bool:
        """Whether a card turned up for the pile is put back into the stock [2.4]."""
        return bool(goes_under(self.rules_row, KIND_NUMBER[kind]))

    def view(self, seat: int) -> np.ndarray:
        """What a seat may know now: dtype ``VIEW``, shape (1,)."""
        view = np.zeros(1, VIEW)
        look(self.table, self.rules_row, seat, view)
        return view

    def hand(self, seat: int) -> list[str]:
        """Cards a seat has in play."""
        return names(self["hand"][seat])

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return int(self["phase"]) == OVER

    def _expect(self, phase: int) -> None:
        if int(self["phase"]) != phase:
            raise RuntimeError(f"the table waits for {self.phase}, not for {PHASES[phase]}")
