"""Random rules and random players for property tests.

The players mostly try sensible things, so that deals get on, and now and then forbidden ones.
"""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import strategies as st

from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import FIRST_RANK, JOKER, N_KINDS, TWO, WILD
from handfoot_sim.game.state import NOTHING, PLAY, STARTING
from handfoot_sim.rules import TEAM_FORMS, Rules, rules_from_mapping

RANKS = range(FIRST_RANK, N_KINDS)
MELDS = (WILD, *RANKS)
PARTS = ("naturals", "twos", "jokers")


# Rules


@st.composite
def random_rules(draw: st.DrawFn) -> Rules:
    """Rules of any form that leave at least a few cards in the stock."""
    players, teams = draw(st.sampled_from(TEAM_FORMS))
    decks = draw(st.integers(-(-players // 3), 7))
    each = (54 * decks - 8) // players
    hand_size = draw(st.integers(1, min(13, each - 2)))
    number, points, switch = st.integers, st.integers(0, 60), st.booleans()
    wild_melds = draw(switch)
    fields = {
        "foot_size": number(2, min(13, each - hand_size)),
        "meld_minimums": st.lists(st.integers(0, 90), min_size=1, max_size=3),
        "draw_count": number(1, 4),
        "pile_take": number(0, 10),
        "book_size": number(4, 8),
        "naturals_per_wild": number(1, 3),
        "clean_to_go_out": number(0, 2),
        "dirty_to_go_out": number(0, 1),
        "wild_to_go_out": number(0, 1) if wild_melds else st.just(0),
        "partner_foot_turns": number(0, 2),
        "first_player": st.sampled_from(["left", "dealer"]),
    }
    for name in ("start_or_add", "partner_permission", "discard_to_go_out", "bury_twos"):
        fields[name] = switch
    for name in ("joker", "two", "ace", "high", "low", "black_three"):
        fields[f"value_{name}"] = points
    for name in ("clean", "dirty", "wild", "out", "red_three"):
        fields[f"bonus_{name}"] = points
    form = {"players": players, "teams": teams, "decks": decks, "hand_size": hand_size}
    return rules_from_mapping(
        form | {"wild_melds": wild_melds} | draw(st.fixed_dictionaries(fields))
    )


# Decisions


def decision(position: Position, random: Random) -> tuple[int, np.ndarray]:
    """What a random player answers to the question the table waits for, and its play."""
    phase = position.phase
    if random.random() < 0.02:
        return random.randint(-3, 20), random_cards(random)
    if phase == "draw":
        takes = random.random() < (0.7 if position["can_take"] else 0.05)
        return (1, taking_play(position, random)) if takes else (0, no_play())
    if phase == "meld":
        play = melding_play(position, random)
        return int(play_cards(play) > 0), play
    if phase == "permit":
        return int(random.random() < 0.6), no_play()
    hand = position["hand"][position.seat].tolist()
    held = [kind for kind, count in enumerate(hand) if count]
    fewest = min(held, key=lambda kind: (kind in (TWO, JOKER), hand[kind], random.random()))
    return fewest if random.random() < 0.8 else random.choice(held), no_play()


def no_play() -> np.ndarray:
    return np.zeros(1, PLAY)


def random_cards(random: Random) -> np.ndarray:
    """A play of cards that hardly ever fit."""
    play = no_play()
    for _ in range(random.randint(0, 3)):
        play[random.choice(PARTS)][0, random.randrange(16)] = random.choice((-1, 1, 2, 3, 4, 9))
    return play


def taking_play(position: Position, random: Random) -> np.ndarray:
    """A play that melds the top card of the pile with two of its kind, and perhaps more."""
    own = position["hand"][position.seat].tolist()
    play = no_play()
    top = int(position["pile"][position["pile_size"] - 1])
    lay_top(play, own, top)
    place = top if top >= FIRST_RANK else WILD
    if random.random() < 0.5:
        starts = not open_melds(position) >> place & 1
        lay_on_melds(position, play, own, starts, random)
    return play


def melding_play(position: Position, random: Random) -> np.ndarray:
    """A play that starts melds or adds to them; empty where nothing fits, and at times so."""
    starts = position["mode"] == STARTING or (position["mode"] == NOTHING and random.random() < 0.5)
    play = no_play()
    for way in (starts, not starts):
        undecided = way == starts or position["mode"] == NOTHING or random.random() < 0.1
        if undecided and not play_cards(play) and random.random() < 0.9:
            own = position["hand"][position.seat].tolist()
            lay_on_melds(position, play, own, way, random)
    return play


def play_cards(play: np.ndarray) -> int:
    """Cards that a play lays."""
    return sum(int(play[part].sum()) for part in PARTS)


def open_melds(position: Position) -> int:
    """The bits of the melds that lie open for the team of the player."""
    return int(position["open_melds"][position.seat % position.rules.teams])


def lay_on_melds(
    position: Position, play: np.ndarray, own: list[int], starts: bool, random: Random
) -> None:
    """Lay a random part of the cards held, on new melds or on those that are open."""
    bits, started = open_melds(position), int(position["started"])
    eager = random.choice((0.3, 0.8, 1.0))
    for place in random.sample(MELDS, len(MELDS)):
        is_open = bool(bits >> place & 1)
        fits = is_open != starts or bool(started >> place & 1)
        if random.random() < eager and (fits or random.random() < 0.03):
            already = bool(play[0]["naturals"][place])
            lay_some(play, own, place, is_open or already, random)


def lay_top(play: np.ndarray, own: list[int], top: int) -> None:
    """Lay the top card of the pile with two of its kind."""
    part = {TWO: "twos", JOKER: "jokers"}.get(top, "naturals")
    play[part][0, top if part == "naturals" else WILD] += 3
    own[top] = max(0, own[top] - 2)


def lay_some(play: np.ndarray, own: list[int], place: int, is_open: bool, random: Random) -> None:
    """Lay some of the cards left on one meld: three or more, or any number on an open one."""
    naturals = own[place] if place != WILD else 0
    wilds = own[TWO] + own[JOKER]
    if place == WILD:
        helpers = wilds
    elif naturals == 2:
        helpers = min(wilds, 1)
    else:
        helpers = random.randint(0, min(wilds, 2)) if random.random() < 0.3 else 0
    if naturals + helpers < (1 if is_open else 3):
        return
    least = min(naturals, 0 if is_open else 3)
    if random.random() < 0.3:
        naturals = random.randint(least, naturals)
    twos = random.randint(max(0, helpers - own[JOKER]), min(own[TWO], helpers))
    for part, kind, count in (
        ("naturals", place, naturals),
        ("twos", TWO, twos),
        ("jokers", JOKER, helpers - twos),
    ):
        play[part][0, place] += count
        own[kind] -= count
