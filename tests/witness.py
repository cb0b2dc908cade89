"""A witness who keeps count of a deal apart from the table, and checks what always holds."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np

from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import JOKER, PER_PACK, RED_THREE, TWO, WILD
from handfoot_sim.game.state import DRAW, END_NAMES, MELD, PERMIT, PHASES
from handfoot_sim.rules import Rules
from tests.random_play import PARTS, decision
from tests.tables import same_table


class Witness:
    """Keeps, apart from the table, what lies on it and what each turn has done."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules = position.rules
        teams = self.rules.teams
        self.open = np.zeros((teams, 3, 16), int)  # naturals, twos and jokers of open melds
        self.books: list[list[tuple[int, int, int, int]]] = [[] for _ in range(teams)]
        self.laid = np.zeros((teams, 16), int)  # all cards melded, by kind
        self.waiting: np.ndarray | None = None  # the play that waits for permission
        self.streams = [
            position["stock"][start : position["stock_size"] : position["streams"]].tolist()
            for start in position["stock_next"][: position["streams"]]
        ]
        self.events: Counter[str] = Counter()
        self.begin_turn()

    def begin_turn(self) -> None:
        self.turn = int(self.position["turn"])
        self.fresh: set[int] = set()
        self.added = False

    def follow(self, before: np.ndarray, answer: int, play: np.ndarray) -> None:
        """Note a legal step: what was asked before it, and how it was answered."""
        phase, old = int(before["phase"][0]), before[0]
        self.follow_stock(old)
        if phase in (DRAW, MELD) and answer == 1:
            self.waiting = play
        if phase == PERMIT and not answer:
            self.waiting = None
        if self.waiting is not None and self.position.phase != "permit":
            self.lay(old, self.waiting)
            self.waiting = None
        self.note_events(old)
        if self.position["turn"] != self.turn:
            self.begin_turn()

    def follow_stock(self, old: np.ndarray) -> None:
        """Draw from the streams as many cards as left the stock, and compare them."""
        position = self.position
        seat = int(old["turn_seat"]) if position["streams"] > 1 else 0
        size = int(position["stock_size"])
        for place in range(size - old["stock_left"], size - position["stock_left"]):
            order = [*range(seat, len(self.streams)), *range(seat)]
            stream = next(each for each in order if self.streams[each])
            assert position["drawn"][place] == self.streams[stream].pop(0)

    def lay(self, old: np.ndarray, play: np.ndarray) -> None:
        """Note a play that was made."""
        team = int(old["turn_seat"]) % self.rules.teams
        cards = np.array([play[part][0] for part in PARTS], int)
        places = set(np.flatnonzero(cards.sum(0)).tolist())
        new = {place for place in places if not self.open[team, :, place].any()}
        self.added |= bool(places - new - self.fresh)
        self.fresh |= new
        assert not (self.rules.start_or_add and self.added and self.fresh), "4.5"
        if not self.laid[team].any():
            assert self.value(self.kinds(cards)) >= old["minimum"], "4.6"
        self.open[team] += cards
        self.laid[team] += self.kinds(cards)
        for place in places:
            self.close_if_book(team, place)

    def close_if_book(self, team: int, place: int) -> None:
        """Put a meld that is full among the books."""
        naturals, twos, jokers = self.open[team, :, place].tolist()
        if naturals + twos + jokers == self.rules.book_size:
            self.books[team].append((place, naturals, twos, jokers))
            self.open[team, :, place] = 0

    @staticmethod
    def kinds(cards: np.ndarray) -> np.ndarray:
        """Cards by kind out of naturals, twos and jokers by meld."""
        result = cards[0].copy()
        result[TWO] += cards[1].sum()
        result[JOKER] += cards[2].sum()
        return result

    def value(self, kinds: np.ndarray) -> int:
        """What cards count by 1.3; red threes nothing."""
        rules = self.rules
        low, high = kinds[4:8].sum(), kinds[8:14].sum()
        return int(
            kinds[0] * rules.value_joker
            + kinds[1] * rules.value_two
            + kinds[3] * rules.value_black_three
            + low * rules.value_low
            + high * rules.value_high
            + kinds[14] * rules.value_ace
        )

    def count_books(self, team: int) -> tuple[int, int, int]:
        """Clean, dirty and wild books."""
        clean = sum(
            place != WILD and not twos + jokers for place, _, twos, jokers in self.books[team]
        )
        wild = sum(book[0] == WILD for book in self.books[team])
        return clean, len(self.books[team]) - clean - wild, wild

    def note_events(self, old: np.ndarray) -> None:
        """Count what happened, so that a test can tell whether everything does."""
        position = self.position
        for name in ("pile_takes", "asked", "refusals", "red_threes", "clean", "dirty", "wild"):
            self.events[name] += int(position[name].sum() - old[name].sum())
        self.events[f"foot after {PHASES[old['phase']]}"] += int(
            position["in_foot"].sum() - old["in_foot"].sum()
        )
        self.events[f"ended: {END_NAMES[position['ended']]}"] += position.over


def play_deal(position: Position, random: Random) -> Witness:
    """Play a deal to its end, with everything checked after every step."""
    rules = position.rules
    witness = Witness(position)
    check(position, witness)
    most_turns = rules.cards + rules.cards // 3 + 2
    while not position.over:
        step(position, witness, random)
        assert position["turn"] <= most_turns
    check_score(position, witness)
    return witness


def step(position: Position, witness: Witness, random: Random) -> None:
    """One decision: an illegal one changes nothing, a legal one keeps everything in order."""
    before = position.table.copy()
    answer, play = decision(position, random)
    position.answer(answer, play)
    if position.fault is not None:
        assert same_table(before, position.table)
        witness.events[f"broke {position.fault[0]}"] += 1
        position.table[:] = before
        return
    witness.follow(before, answer, play)
    check(position, witness)


# What always holds


def check(position: Position, witness: Witness) -> None:
    check_cards(position, witness)
    check_counts(position)
    check_melds(position, witness)
    check_cards_kept(position)


def check_cards(position: Position, witness: Witness) -> None:
    """All cards of the packs are somewhere [1.1]."""
    stock = [card for stream in witness.streams for card in stream]
    assert len(stock) == position["stock_left"]
    pile = position["pile"][: position["pile_size"]]
    there = witness.laid.sum(0) + np.bincount(stock, minlength=16)
    there += position["hand"].sum(0, dtype=int) + position["foot"].sum(0, dtype=int)
    there += np.bincount(pile, minlength=16)
    there[RED_THREE] += position["red_threes"].sum()
    assert there.tolist() == [count * position.rules.decks for count in PER_PACK] + [0]
    assert np.array_equal(np.bincount(pile, minlength=16), position["pile_counts"])


def check_counts(position: Position) -> None:
    """Counts are what they count, never negative; red threes never stay in a hand [7.1]."""
    hand, foot, known = position["hand"], position["foot"], position["known"]
    for counts in (hand, foot, known, position["discarded"], position["red_threes"]):
        assert counts.min() >= 0
    assert np.array_equal(hand.sum(1, dtype=int), position["held"])
    assert np.array_equal(foot.sum(1, dtype=int), position["foot_left"])
    assert (known <= hand).all()
    assert not hand[:, RED_THREE].any()
    assert not hand[position.rules.players :].any()
    assert not foot[position["in_foot"] == 1].any()


def check_melds(position: Position, witness: Witness) -> None:
    """The melds are those that were laid, and they are legal [4.1 to 4.4]."""
    rules = position.rules
    for team in range(rules.teams):
        lying = np.array([position[part][team] for part in PARTS], int)
        assert np.array_equal(lying, witness.open[team])
        sizes = lying.sum(0)
        bits = sum(1 << place for place in np.flatnonzero(sizes).tolist())
        assert position["open_melds"][team] == bits
        for place in np.flatnonzero(sizes).tolist():
            check_meld(rules, place, *lying[:, place].tolist())
        for book in witness.books[team]:
            check_meld(rules, *book, size=rules.book_size)
        books = tuple(int(position[name][team]) for name in ("clean", "dirty", "wild"))
        assert books == witness.count_books(team)
        assert position["melded"][team] == witness.value(witness.laid[team])


def check_meld(
    rules: Rules, place: int, naturals: int, twos: int, jokers: int, size: int | None = None
) -> None:
    cards, wilds = naturals + twos + jokers, twos + jokers
    assert cards == size if size else 3 <= cards < rules.book_size
    if place == WILD:
        assert rules.wild_melds
        assert not naturals
    else:
        assert naturals >= max(1, wilds * rules.naturals_per_wild)


def check_cards_kept(position: Position) -> None:
    """A player who may still play on in the foot has two cards [6.3]."""
    seat = position.seat
    if position.phase == "meld" and position["plays"] and position["in_foot"][seat]:
        assert position["held"][seat] >= 2


def check_score(position: Position, witness: Witness) -> None:
    """The score of the deal equals a recount [8.2, 7.2]."""
    rules = position.rules
    for team in range(rules.teams):
        left = position["hand"][team :: rules.teams].sum(0, dtype=int)
        foot = position["foot"][team :: rules.teams].sum(0, dtype=int)
        clean, dirty, wild = witness.count_books(team)
        points = witness.value(witness.laid[team]) - witness.value(left) - witness.value(foot)
        points += clean * rules.bonus_clean + dirty * rules.bonus_dirty + wild * rules.bonus_wild
        points += (int(position["red_threes"][team]) - int(foot[RED_THREE])) * rules.bonus_red_three
        points += rules.bonus_out * (position["out_team"] == team)
        assert position["totals"][team] - position["scores"][team] == points
