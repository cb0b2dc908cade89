"""One deal told in words: the cards, every turn, the books and the points.

The walk through the deal moves the engine's table; what is told is what the table then shows.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from handfoot_sim.engine.position import Position, names
from handfoot_sim.game.cards import KINDS, MELD_NAMES, MELD_NUMBER, RED_THREE, WILD
from handfoot_sim.game.state import OUT
from handfoot_sim.transcripts.format import Lot, Parts, Play, Turn
from handfoot_sim.transcripts.walk import BrokenRuleError, DealWalk, Fault

WIDTH: Final = 100
RED: Final = KINDS[RED_THREE]


def in_order(cards: Sequence[str]) -> str:
    """Cards as one text, in the order of their kinds; ``no card`` if there is none."""
    return " ".join(sorted(cards, key=KINDS.index)) or "no card"


def wrapped(start: str, text: str) -> list[str]:
    """``text`` after ``start``, in lines that stand below each other."""
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start)) or [
        start.rstrip()
    ]


class _Table:
    """What the table shows of the seat whose turn it is, at one moment."""

    def __init__(self, position: Position, seat: int) -> None:
        self.team = seat % position.rules.teams
        self.drawn = int(position["stock_size"]) - int(position["stock_left"])
        self.hand = names(position["hand"][seat])
        self.in_foot = bool(position["in_foot"][seat])
        self.opened = bool(position["opened"][self.team])
        self.open_melds = int(position["open_melds"][self.team])
        self.wilds = position["twos"][self.team] + position["jokers"][self.team]
        self.cards = position["naturals"][self.team] + self.wilds
        self.clean_books = position["clean_books"][self.team].copy()
        self.dirty_books = position["dirty_books"][self.team].copy()
        self.pile = int(position["pile_size"])


class DealTeller:
    """Tells one deal; afterwards ``points`` has each team's, or ``fault`` what is wrong.

    Parameters
    ----------
    walk
        The walk through the deal, not begun.
    seats
        How each seat is called, all equally long.
    before
        The points of each team before the deal; None if they are not known.
    """

    def __init__(self, walk: DealWalk, seats: Sequence[str], before: list[int] | None) -> None:
        self.walk = walk
        self.position = walk.position
        self.seats = seats
        self.before = before
        self.points: list[int] | None = None
        self.fault: Fault | None = None

    def tell(self) -> Iterator[str]:
        """The deal line by line, as far as it keeps the rules."""
        try:
            self.walk.lay_out()
            yield from self._layout_lines()
            for number, turn in enumerate(self.walk.deal.turns):
                yield from self._turn_lines(number, turn)
            parts = self.walk.finish()
        except BrokenRuleError as error:
            self.fault = error.fault
            return
        yield from self._result_lines(parts)

    def _layout_lines(self) -> Iterator[str]:
        deal, position = self.walk.deal, self.position
        minimum = int(position["minimum"])
        dealer = self.seats[self.walk.dealer].strip()
        yield f"Deal {self.walk.number}: {dealer} deals, {minimum} points are needed to open"
        for seat, called in enumerate(self.seats):
            yield from wrapped(f"  {called}  hand  ", in_order(deal.hands[seat]))
            reds = deal.hands[seat].count(RED)
            if reds:
                kept = [card for card in deal.hands[seat] if card != RED]
                drawn = _without(names(position["hand"][seat]), kept)
                text = f"lays {_red_threes(reds)}, draws {in_order(drawn)}"
                yield from wrapped(f"  {'':{len(called)}}        ", text)
            yield from wrapped(f"  {'':{len(called)}}  foot  ", in_order(deal.feet[seat]))
        left = _counted(int(position["stock_left"]), "card")
        yield f"  {deal.upcard} is turned up, {left} left in the stock"

    def _turn_lines(self, number: int, turn: Turn) -> Iterator[str]:
        """One turn; what was done of it is told even if it breaks a rule."""
        said: list[str] = []
        try:
            self._take_turn(number, turn, said)
        finally:
            called = self.seats[turn.seat] if 0 <= turn.seat < len(self.seats) else "?"
            start = f"turn {number:3}  {called}  "
            for text in said:
                yield from wrapped(start, text)
                start = " " * len(start)

    def _take_turn(self, number: int, turn: Turn, said: list[str]) -> None:
        self.walk.begin(number, turn)
        before = _Table(self.position, turn.seat)
        self.walk.draw(turn)
        if turn.draw != "pile":
            said.append(self._draw_text(before))
        taken = turn.draw == "pile"
        for play in turn.plays:
            before = _Table(self.position, turn.seat)
            try:
                self.walk.play(turn, play)
            except BrokenRuleError:
                said.append(f"tries to lay {_lots_text(play.melds)}")
                raise
            if play.permission is False:
                said.append(f"asks to go out by laying {_lots_text(play.melds)}; it is refused")
                continue
            said += self._play_texts(turn, play, before, taken)
            taken = False
        before = _Table(self.position, turn.seat)
        self.walk.discard(turn)
        said.append(self._end_text(turn, before))

    def _drawn(self, before: _Table) -> tuple[list[str], int]:
        """Cards that were drawn and kept since, and how many red threes were drawn."""
        now = int(self.position["stock_size"]) - int(self.position["stock_left"])
        kinds = [KINDS[kind] for kind in self.position["drawn"][before.drawn : now]]
        return [kind for kind in kinds if kind != RED], kinds.count(RED)

    def _draw_text(self, before: _Table) -> str:
        cards, reds = self._drawn(before)
        laid = f" and lays {_red_threes(reds)}" if reds else ""
        if not cards:
            return f"finds no card to draw{laid}"
        return f"draws {' '.join(cards)}{laid}"

    def _play_texts(self, turn: Turn, play: Play, before: _Table, taken: bool) -> list[str]:
        """A play that was made, and what came of it."""
        after = _Table(self.position, turn.seat)
        said = []
        if taken:
            pile = self.position["pile"][after.pile : before.pile]
            cards = " ".join(KINDS[kind] for kind in reversed(pile))
            count = before.pile - after.pile
            which = "the card" if count == 1 else f"{count} cards"
            said.append(f"takes {which} from the pile, top first: {cards}")
        if play.permission is True:
            said.append("asks to go out; it is permitted")
        said += [self._lot_text(lot, before, after) for lot in play.melds]
        if after.opened and not before.opened:
            points = int(self.position["opened_points"][after.team])
            said.append(f"opens with {points} points")
        if after.in_foot and not before.in_foot:
            said.append(f"picks up the foot{self._foot_text(turn.seat, before, after)}")
        return said

    def _lot_text(self, lot: Lot, before: _Table, after: _Table) -> str:
        place = MELD_NUMBER[lot.to]
        if (after.clean_books - before.clean_books)[place]:
            state = "a wild book" if place == WILD else "a clean book"
        elif (after.dirty_books - before.dirty_books)[place]:
            state = "a dirty book"
        else:
            started = not before.open_melds >> place & 1
            state = ("new, " if started else "now ") + _meld_size(after.cards, after.wilds, place)
        return f"lays {' '.join(lot.cards)} on {lot.to} ({state})"

    def _foot_text(self, seat: int, before: _Table, after: _Table) -> str:
        reds = self.walk.deal.feet[seat].count(RED)
        text = f": {in_order(after.hand)}"
        if reds:
            drawn, _ = self._drawn(before)
            text += f" ({_red_threes(reds)} laid, {in_order(drawn)} drawn)"
        return text

    def _end_text(self, turn: Turn, before: _Table) -> str:
        """How the turn ends: the discard, or the deal."""
        after = _Table(self.position, turn.seat)
        out = self.position.over and int(self.position["ended"]) == OUT
        if not isinstance(turn.discard, str):
            return "goes out without a discard" if out else "ends the deal"
        if out:
            return f"discards {turn.discard} and goes out"
        if after.in_foot and not before.in_foot:
            foot = self._foot_text(turn.seat, before, after)
            return f"discards {turn.discard}, picks up the foot{foot}"
        where = "foot" if after.in_foot else "hand"
        return f"discards {turn.discard}, {where} of {len(after.hand)}: {in_order(after.hand)}"

    def _result_lines(self, parts: list[Parts]) -> Iterator[str]:
        position = self.position
        out = int(position["out_team"])
        how = f"team {out} is out" if out >= 0 else "the stock is used up"
        turns = _counted(len(self.walk.deal.turns), "turn")
        yield f"End of deal {self.walk.number} after {turns}: {how}"
        for team in range(position.rules.teams):
            yield from wrapped(f"  team {team}  ", self._books_text(team))
        yield from self._points_lines(parts)

    def _books_text(self, team: int) -> str:
        """The books and the open melds of a team."""
        position = self.position
        clean, dirty = position["clean_books"][team], position["dirty_books"][team]
        wilds = position["twos"][team] + position["jokers"][team]
        cards = position["naturals"][team] + wilds
        held = [
            ("clean books", _listed(clean, skip_wild=True)),
            ("dirty books", _listed(dirty)),
            ("wild books", str(clean[WILD]) if clean[WILD] else ""),
            (
                "open melds",
                ", ".join(
                    f"{MELD_NAMES[place]} ({_meld_size(cards, wilds, place)})"
                    for place in np.flatnonzero(cards).tolist()
                ),
            ),
        ]
        return "; ".join(f"{what}: {text}" for what, text in held if text) or "nothing melded"

    def _points_lines(self, parts: list[Parts]) -> Iterator[str]:
        heads = ["melded", "books", "red threes", "going out", "left", "score"]
        table = [list(part.values()) for part in map(_as_numbers, parts)]
        self.points = [sum(row) for row in table]
        rows = [[*row, sum(row)] for row in table]
        if self.before is not None:
            heads.append("match")
            for row, before in zip(rows, self.before, strict=True):
                row.append(before + row[-1])
        yield "  " + " " * 6 + "".join(f"{head:>12}" for head in heads)
        for team, row in enumerate(rows):
            yield f"  team {team}" + "".join(f"{value:>12}" for value in row)


def _as_numbers(parts: Parts) -> dict[str, int]:
    return {part: getattr(parts, part) for part in Parts.__struct_fields__}


def _without(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _red_threes(count: int) -> str:
    return "a red three" if count == 1 else f"{count} red threes"


def _lots_text(lots: list[Lot]) -> str:
    return ", ".join(f"{' '.join(lot.cards)} on {lot.to}" for lot in lots) or "nothing"


def _meld_size(cards: np.ndarray, wilds: np.ndarray, place: int) -> str:
    wild = f", {wilds[place]} wild" if wilds[place] and place != WILD else ""
    return f"{cards[place]} cards{wild}"


def _listed(books: np.ndarray, *, skip_wild: bool = False) -> str:
    """Ranks of books, each as often as there are books of it."""
    places = np.repeat(np.arange(len(MELD_NAMES)), books[: len(MELD_NAMES)]).tolist()
    return " ".join(str(MELD_NAMES[place]) for place in places if place != WILD or not skip_wild)
