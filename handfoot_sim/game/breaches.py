"""Codes of broken rules, the rule's number, and the sentence that says what was done.

``{a}`` and ``{b}`` in a sentence are numbers the checker noted; ``{A}`` and ``{B}`` are the same
numbers as names of kinds or melds. Compiled code sees the plain integers.
"""

from __future__ import annotations

from typing import Final

from handfoot_sim.game.cards import KINDS, WILD

NEGATIVE: Final = 1
NOT_HELD: Final = 2
NO_CARDS: Final = 3
THREE_MELDED: Final = 4
FOREIGN_CARD: Final = 5
WILD_MELD_FORBIDDEN: Final = 6
TOO_FEW_CARDS: Final = 7
TOO_MANY_CARDS: Final = 8
NO_NATURALS: Final = 9
TOO_MANY_WILDS: Final = 10
START_AND_ADD: Final = 11
MINIMUM: Final = 12
TAKE_THREE: Final = 13
TAKE_NOT_HELD: Final = 14
TAKE_NOT_MELDED: Final = 15
TAKE_NO_ROOM: Final = 16
TAKE_UNDER: Final = 17
TAKE_NO_PILE: Final = 18
TAKE_WILD_FORBIDDEN: Final = 19
KEEP_TWO: Final = 20
NO_RIGHT_TO_GO_OUT: Final = 21
NO_CARD_TO_DISCARD: Final = 22
ASKED_TWICE: Final = 23
DISCARD_NOT_A_KIND: Final = 24
DISCARD_RED_THREE: Final = 25
DISCARD_NOT_HELD: Final = 26
NOT_AN_ANSWER: Final = 27
PLAY_AFTER_GOING_OUT: Final = 28
NO_PERMISSION: Final = 29
NOBODY_TO_ASK: Final = 30
NO_DRAW: Final = 31
WRONG_SEAT: Final = 32
NO_DISCARD: Final = 33
TURN_AFTER_END: Final = 34
DRAW_NONE: Final = 35
PLAY_AT_NO_DRAW: Final = 36
DISCARD_AT_END: Final = 37
PERMISSION_ELSEWHERE: Final = 38
TAKE_WITHOUT_PLAY: Final = 39
DEAL_NOT_OVER: Final = 40
PLAY_AT_END: Final = 41
SAME_MELD_TWICE: Final = 42
NO_CARDS_ON_MELD: Final = 43
NO_SUCH_MELD: Final = 44
NATURALS_ON_WILD: Final = 45
RED_THREE_MELDED: Final = 46

SENTENCES: Final[dict[int, tuple[str, str]]] = {
    NEGATIVE: ("4.7", "a play lays a negative number of cards on the meld {A}"),
    NOT_HELD: ("4.7", "a play lays {b} x {A}, more than the player holds"),
    NO_CARDS: ("4.7", "a play lays no card"),
    THREE_MELDED: ("7.3", "a three is melded"),
    FOREIGN_CARD: ("4.1", "a {B} is laid on the meld {A}"),
    WILD_MELD_FORBIDDEN: ("4.1", "a meld of wild cards only is not allowed by these rules"),
    TOO_FEW_CARDS: ("4.1", "the meld {A} would have fewer than three cards ({b})"),
    TOO_MANY_CARDS: ("4.1", "the meld {A} would have {b} cards, more than a book has"),
    NO_NATURALS: ("4.1", "the meld {A} would have no natural card"),
    TOO_MANY_WILDS: ("4.2", "the meld {A} would have too many wild cards ({b}) for its naturals"),
    START_AND_ADD: ("4.5", "the turn both starts a meld and adds to one that was open"),
    MINIMUM: ("4.6", "the team opens with {a} points but needs {b}"),
    TAKE_THREE: ("5.2", "the pile is taken although a {A} lies on top"),
    TAKE_NOT_HELD: ("5.2", "the pile is taken but the player does not hold two of {A}"),
    TAKE_NOT_MELDED: (
        "5.2",
        "the pile is taken but the first play does not meld its top card with two of {A}",
    ),
    TAKE_NO_ROOM: ("5.3", "the pile is taken but the meld {A} has no room for three cards"),
    TAKE_UNDER: ("5.4", "the first play lays {A} from under the top card of the pile taken"),
    TAKE_NO_PILE: ("5.1", "the pile is taken but there is none"),
    TAKE_WILD_FORBIDDEN: (
        "5.2",
        "the pile is taken with a wild card on top although wild melds are not allowed",
    ),
    KEEP_TWO: (
        "6.5",
        "a play leaves fewer than two cards ({a}) though permission was refused in this turn",
    ),
    NO_RIGHT_TO_GO_OUT: (
        "6.3",
        "a play leaves fewer than two cards ({a}) of the foot without the right to go out",
    ),
    NO_CARD_TO_DISCARD: ("6.4", "a play leaves no card, but going out takes a discard"),
    ASKED_TWICE: ("6.5", "permission is asked again after it was refused in this turn"),
    DISCARD_NOT_A_KIND: ("3.3", "the discard {a} is not a kind of card"),
    DISCARD_RED_THREE: ("7.1", "a red three is discarded"),
    DISCARD_NOT_HELD: ("3.3", "a {A} is discarded but the player does not hold one"),
    NOT_AN_ANSWER: ("3.1", "{a} is not an answer to this question"),
    PLAY_AFTER_GOING_OUT: ("6.4", "a play follows the one that goes out"),
    NO_PERMISSION: ("6.5", "a play that goes out is made without permission"),
    NOBODY_TO_ASK: ("6.5", "permission is asked though nobody has to be asked"),
    NO_DRAW: ("8.1", "nothing is drawn although the stock has cards"),
    WRONG_SEAT: ("2.6", "seat {a} plays but it is the turn of seat {b}"),
    NO_DISCARD: ("3.3", "the turn ends without a discard"),
    TURN_AFTER_END: ("8.1", "a turn is played after the deal was over"),
    DRAW_NONE: ("8.1", "the stock brings no card, so the draw must be none"),
    PLAY_AT_NO_DRAW: ("8.1", "a play is made although no card was drawn"),
    DISCARD_AT_END: ("8.1", "a discard is made although the deal was over"),
    PERMISSION_ELSEWHERE: ("6.5", "permission is noted on a play that does not go out"),
    TAKE_WITHOUT_PLAY: ("5.2", "the pile is taken without a play"),
    DEAL_NOT_OVER: ("8.1", "the turns stop before the deal is over"),
    PLAY_AT_END: ("6.7", "a play is made after the foot picked up ended the deal"),
    SAME_MELD_TWICE: ("4.7", "a play names the meld {A} twice"),
    NO_CARDS_ON_MELD: ("4.7", "a play names the meld {A} but lays no card on it"),
    NO_SUCH_MELD: ("4.1", "cards are laid on a meld of {A}, which there is not"),
    RED_THREE_MELDED: ("7.1", "a red three is melded"),
    NATURALS_ON_WILD: ("4.1", "natural cards are laid on the wild meld"),
}


def rule_of(code: int) -> str:
    """Number of the rule that ``code`` breaks."""
    return SENTENCES[code][0]


def sentence(code: int, a: int = 0, b: int = 0) -> str:
    """What was done, in words, without the rule's number."""
    return SENTENCES[code][1].format(a=a, b=b, A=_name(a), B=_name(b))


def _name(number: int) -> str:
    """Name of a kind; the wild meld shares its place with the joker and is told by ``-1``."""
    if number == WILD - 1:
        return "wild"
    return KINDS[number] if 0 <= number < len(KINDS) else str(number)
