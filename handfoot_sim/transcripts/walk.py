"""One deal of a transcript, walked through the engine step by step.

The engine judges every play, taking and discard. What it has no words for is judged here: whose
turn it is, what a turn must and must not hold, and where permission is noted [6.5].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

import numpy as np
from msgspec import UNSET

from handfoot_sim.engine.position import NO_PLAY, Position, make_play
from handfoot_sim.game import breaches as b
from handfoot_sim.game.cards import BLACK_THREE, KIND_NUMBER, KINDS, MELD_NUMBER, RED_THREE, WILD
from handfoot_sim.game.state import (
    DISCARD,
    DRAW,
    END_NAMES,
    FAULT,
    MELD,
    OUT,
    OVER,
    PERMIT,
)
from handfoot_sim.transcripts.format import Deal, Lot, Parts, Play, Turn
from handfoot_sim.transcripts.layout import layout_fault

THREES: Final = {
    KINDS[RED_THREE]: b.RED_THREE_MELDED,
    KINDS[BLACK_THREE]: b.THREE_MELDED,
}
"""Threes, and what it breaks to meld them."""


class Fault(NamedTuple):
    """What is wrong with a match.

    Attributes
    ----------
    rule : str
        The rule's number.
    sentence : str
        What is wrong, in words.
    deal, turn, seat : int or None
        Where it is, if anywhere, counted from 0.
    """

    rule: str
    sentence: str
    deal: int | None = None
    turn: int | None = None
    seat: int | None = None

    def __str__(self) -> str:
        """``[rule] deal D, turn T, seat S: sentence``."""
        places = (("deal", self.deal), ("turn", self.turn), ("seat", self.seat))
        where = ", ".join(f"{name} {at}" for name, at in places if at is not None)
        return (
            f"[{self.rule}] {where}: {self.sentence}" if where else f"[{self.rule}] {self.sentence}"
        )


class BrokenRuleError(Exception):
    """A step of a walk that breaks a rule; ``fault`` says which."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class DealWalk:
    """A walk through one deal.

    The steps are ``lay_out``, then for each turn ``begin``, ``draw``, ``play`` for each of its
    plays and ``discard``, and ``finish`` at the end; ``go`` takes all of them. Each raises
    ``BrokenRuleError`` if it breaks a rule, and the walk is over.

    Parameters
    ----------
    position
        The table to walk on; one can serve any number of deals, by the same rules.
    deal
        The deal as it is written.
    number, dealer
        What its number and its dealer have to be.
    """

    def __init__(self, position: Position, deal: Deal, number: int, dealer: int) -> None:
        self.position = position
        self.deal = deal
        self.number = number
        self.dealer = dealer
        self.turn: int | None = None
        self.seat: int | None = None
        self._phase = OVER
        self._refused = False
        rules = position.rules
        self._somebody_to_ask = rules.partner_permission and rules.seats_per_team > 1
        self._turn_seat = position.table["turn_seat"]

    def go(self) -> list[Parts]:
        """Walk through the whole deal; the points of each team by part."""
        self.lay_out()
        for number, turn in enumerate(self.deal.turns):
            self.begin(number, turn)
            self.draw(turn)
            for play in turn.plays:
                self.play(turn, play)
            self.discard(turn)
        return self.finish()

    def lay_out(self) -> None:
        """Lay the cards on the table and the red threes of the hands [1.1, 2.2 to 2.5]."""
        deal, position = self.deal, self.position
        found = layout_fault(deal, position, self.number, self.dealer)
        if found:
            self._break(*found)
        position.deal(self.number, self.dealer, deal.hands, deal.feet, deal.upcard, deal.stock)
        self._phase = int(position["phase"])

    def begin(self, number: int, turn: Turn) -> None:
        """Begin a turn: it must be the seat's, and the deal not over [2.6, 8.1]."""
        self.turn, self.seat = number, turn.seat
        self._refused = False
        if self._phase == OVER:
            self._break_code(b.TURN_AFTER_END)
        seat = int(self._turn_seat[0])
        if turn.seat != seat:
            self._break_code(b.WRONG_SEAT, turn.seat, seat)

    def draw(self, turn: Turn) -> None:
        """Draw from the stock; a taking from the pile waits for its first play [3.1, 8.1]."""
        if turn.draw == "pile":
            return
        self._answer(0)
        if turn.draw == "stock" and self._phase == OVER:
            self._break_code(b.DRAW_NONE)
        if turn.draw == "none" and self._phase != OVER:
            self._break_code(b.NO_DRAW)

    def play(self, turn: Turn, play: Play) -> None:
        """Make a play, or note that the request to make it was refused [4, 5, 6.5]."""
        self._check_time(turn, play)
        if play.permission is False and not self._somebody_to_ask:
            self._break_code(b.NOBODY_TO_ASK)
        if play.permission is not UNSET and self._refused:
            self._break_code(b.ASKED_TWICE)
        if play.permission is False:
            self._check_lots(play.melds)
            self._refused = True
            self.position.table["refused"] = 1
        else:
            self._make(play)

    def discard(self, turn: Turn) -> None:
        """Discard a card, if the turn did not end the deal already [3.3, 6.4, 8.1]."""
        if self._phase == DRAW:
            self._break_code(b.TAKE_WITHOUT_PLAY)
        if self._phase == OVER:
            if turn.discard is not UNSET:
                self._break_code(b.DISCARD_AT_END)
            return
        if turn.discard is UNSET:
            self._break_code(b.DEAL_NOT_OVER if self._broken_off() else b.NO_DISCARD)
        if self._phase == MELD:
            self._answer(0)
        self._answer(KIND_NUMBER[turn.discard])

    def finish(self) -> list[Parts]:
        """The deal must be over [8.1]; the points of each team by part [7.2, 8.2]."""
        self.turn = self.seat = None
        if self._phase != OVER:
            self._break_code(b.DEAL_NOT_OVER)
        return [
            Parts(*(int(row[part]) for part in Parts.__struct_fields__))
            for row in self.position.results()
        ]

    @property
    def end(self) -> str:
        """How the deal ended: ``out`` or ``stock``."""
        return END_NAMES[int(self.position["ended"])]

    def _check_time(self, turn: Turn, play: Play) -> None:
        """Whether this is a time for a play at all [6.4, 6.7, 8.1]."""
        if self._phase == DISCARD:
            self._break_code(b.PLAY_AFTER_GOING_OUT)
        if self._phase != OVER:
            return
        if turn.draw != "none":
            out = int(self.position["ended"]) == OUT
            self._break_code(b.PLAY_AFTER_GOING_OUT if out else b.PLAY_AT_END)
        if play.permission is not False:
            self._break_code(b.PLAY_AT_NO_DRAW)

    def _check_lots(self, lots: list[Lot]) -> None:
        """Whether a play names melds as it must [4.1, 4.7, 7.3]."""
        if not lots:
            self._break_code(b.NO_CARDS)
        seen = set()
        for lot in lots:
            kind = KIND_NUMBER.get(lot.to, WILD - 1)
            if lot.to in THREES:
                self._break_code(THREES[lot.to])
            if lot.to not in MELD_NUMBER:
                self._break_code(b.NO_SUCH_MELD, kind)
            if lot.to in seen:
                self._break_code(b.SAME_MELD_TWICE, kind)
            if not lot.cards:
                self._break_code(b.NO_CARDS_ON_MELD, kind)
            seen.add(lot.to)

    def _make(self, play: Play) -> None:
        """Let the engine make a play, permission included."""
        self._check_lots(play.melds)
        melds: dict[str, Sequence[str]] = {lot.to: lot.cards for lot in play.melds}
        try:
            made = make_play(melds)
        except ValueError:
            self._foreign_card(play.melds)
        self._answer(1, made)
        if self._phase == PERMIT:
            if play.permission is UNSET:
                self._break_code(b.NO_PERMISSION)
            while self._phase == PERMIT:
                self._answer(1)
        elif play.permission is not UNSET:
            elsewhere = self._somebody_to_ask
            self._break_code(b.PERMISSION_ELSEWHERE if elsewhere else b.NOBODY_TO_ASK)

    def _foreign_card(self, lots: list[Lot]) -> NoReturn:
        """Say which card does not belong on its meld; a three tells the most."""
        laid = [(lot.to, card) for lot in lots for card in lot.cards]
        for _, card in laid:
            if card in THREES:
                self._break_code(THREES[card])
        meld, card = next(each for each in laid if each[1] not in (each[0], "2", "JK"))
        place = MELD_NUMBER[meld]
        self._break_code(b.FOREIGN_CARD, place if place != WILD else WILD - 1, KIND_NUMBER[card])

    def _broken_off(self) -> bool:
        """Whether the deal was broken off in this turn: the last one, and no results."""
        return self.deal.end is UNSET and self.turn == len(self.deal.turns) - 1

    def _answer(self, answer: int, play: np.ndarray = NO_PLAY) -> None:
        self._phase = self.position.answer(answer, play)
        if self._phase == FAULT:
            rule, sentence = self.position.fault or ("", "")
            self._break(rule, sentence)

    def _break_code(self, code: int, first: int = 0, second: int = 0) -> NoReturn:
        self._break(b.rule_of(code), b.sentence(code, first, second))

    def _break(self, rule: str, sentence: str) -> NoReturn:
        raise BrokenRuleError(Fault(rule, sentence, self.number, self.turn, self.seat))
