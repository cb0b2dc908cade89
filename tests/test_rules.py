"""The rules as data: what may be made, and what is refused in which words."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handfoot_sim.errors import HandfootError, RulesError
from handfoot_sim.rules import (
    FIELD_NAMES,
    PRESETS,
    Rules,
    field_note,
    preset,
    rules_from_mapping,
    rules_from_toml,
    rules_from_words,
)

STANDARD: dict[str, Any] = {
    "players": 4,
    "teams": 2,
    "decks": 5,
    "hand_size": 13,
    "foot_size": 13,
    "deals": 4,
    "meld_minimums": (50, 90, 120, 150),
    "draw_count": 2,
    "pile_take": 7,
    "book_size": 7,
    "naturals_per_wild": 2,
    "wild_melds": True,
    "start_or_add": True,
    "clean_to_go_out": 2,
    "dirty_to_go_out": 2,
    "wild_to_go_out": 1,
    "partner_foot_turns": 1,
    "partner_permission": True,
    "discard_to_go_out": True,
    "first_player": "left",
    "bury_twos": False,
    "value_joker": 50,
    "value_two": 20,
    "value_ace": 20,
    "value_high": 10,
    "value_low": 5,
    "value_black_three": 5,
    "bonus_clean": 500,
    "bonus_dirty": 300,
    "bonus_wild": 1500,
    "bonus_out": 100,
    "bonus_red_three": 100,
}
LOOSE: dict[str, Any] = {"start_or_add": False, "bury_twos": True, "discard_to_go_out": False}
NUMBERS = [name for name, value in STANDARD.items() if type(value) is int]
SWITCHES = [name for name, value in STANDARD.items() if type(value) is bool]
LEAST = dict.fromkeys(NUMBERS, 0) | {"players": 2, "teams": 2, "decks": 1, "book_size": 4}
LEAST |= {"hand_size": 1, "foot_size": 2, "deals": 1, "draw_count": 1, "naturals_per_wild": 1}
MOST = {"players": 6, "teams": 6, "decks": 30, "hand_size": 1620, "foot_size": 1620}
MOST |= {"deals": 1000, "book_size": 1000}
BIG_ENOUGH = {"players": 2, "teams": 2, "decks": 30}


def refusal(fields: dict[str, Any]) -> str:
    """The sentence with which these fields are refused."""
    with pytest.raises(RulesError) as caught:
        rules_from_mapping(fields)
    assert isinstance(caught.value, HandfootError)
    assert caught.value.exit_code == 2
    return str(caught.value)


# Making rules


def test_the_defaults_are_the_preset_standard() -> None:
    assert tuple(STANDARD) == FIELD_NAMES
    assert {name: getattr(Rules(), name) for name in FIELD_NAMES} == STANDARD
    assert preset("standard") == Rules() == rules_from_mapping({})


def test_pagat_is_standard_but_for_three_fields() -> None:
    pagat = preset("pagat")
    assert {name: getattr(pagat, name) for name in FIELD_NAMES} == STANDARD | LOOSE
    assert pagat.changes() == LOOSE


@pytest.mark.parametrize("name", FIELD_NAMES)
def test_every_field_can_be_set(name: str) -> None:
    new: dict[str, Any] = {
        "players": 6,
        "teams": 4,
        "meld_minimums": (10,),
        "first_player": "dealer",
        "wild_to_go_out": 2,
    }
    new |= {switch: not STANDARD[switch] for switch in SWITCHES}
    helpers: dict[str, Any] = {"players": {"decks": 7}, "wild_melds": {"wild_to_go_out": 0}}
    value = new.get(name, STANDARD[name] + 1 if name in NUMBERS else None)
    rules = rules_from_mapping({name: value} | helpers.get(name, {}))
    assert getattr(rules, name) == value


@pytest.mark.parametrize("name", FIELD_NAMES)
def test_every_field_has_a_rule_and_a_meaning(name: str) -> None:
    rule, meaning = field_note(name)
    section, _, number = rule.partition(".")
    assert 1 <= int(section) <= 8
    assert 1 <= int(number) <= 7
    assert len(meaning) > 4


@pytest.mark.parametrize("name", NUMBERS)
def test_the_least_and_the_most_of_each_number(name: str) -> None:
    least = LEAST[name]
    base = {"players": {"teams": 2}, "decks": {"players": 2, "hand_size": 1, "foot_size": 2}}
    helped = BIG_ENOUGH | base.get(name, {})
    assert getattr(rules_from_mapping(helped | {name: least}), name) == least
    sentence = refusal(helped | {name: least - 1})
    assert f"{name} = {least - 1} is not allowed" in sentence
    assert f"a whole number from {least} to " in sentence


@pytest.mark.parametrize("name", NUMBERS)
def test_both_bounds_of_a_number_are_named(name: str) -> None:
    points = name.startswith(("value_", "bonus_"))
    most = MOST.get(name, 1_000_000 if points else 10_000)
    sentence = refusal({name: most + 1})
    assert sentence == (
        f"rules: {name} = {most + 1} is not allowed; "
        f"allowed is a whole number from {LEAST[name]} to {most}"
    )


# Wrong types


@pytest.mark.parametrize("value", [True, False, 4.0, 4.5, None, "4", [4], np.int64(4), 4 + 0j])
@pytest.mark.parametrize("name", ["players", "decks", "pile_take", "value_joker", "bonus_out"])
def test_a_number_is_an_int(name: str, value: object) -> None:
    sentence = refusal({name: value})
    assert f"{name} = {value!r} is not allowed; allowed is a whole number from" in sentence


@pytest.mark.parametrize("value", [0, 1, None, "true", "yes", 1.0, np.True_, [True]])
@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_a_bool(name: str, value: object) -> None:
    sentence = refusal({name: value})
    assert sentence == f"rules: {name} = {value!r} is not allowed; allowed is true or false"


@pytest.mark.parametrize("value", ["right", "Left", "", " left", None, 0, True, ["left"]])
def test_the_first_player_is_one_of_two_words(value: object) -> None:
    sentence = refusal({"first_player": value})
    assert sentence == f"rules: first_player = {value!r} is not allowed; allowed are left, dealer"


@pytest.mark.parametrize(
    "value",
    [(), [], (-1,), (50, -90), (50.0,), (True,), ("50",), (None,), ((50,),), 50, None, "50", {50},
     {50: 90}, (1_000_001,), (1,) * 1001],
)  # fmt: skip
def test_meld_minimums_are_some_whole_numbers(value: Any) -> None:
    sentence = refusal({"meld_minimums": value})
    assert sentence.startswith("rules: meld_minimums = ")
    assert sentence.endswith(
        " is not allowed; allowed is a list of 1 to 1000 whole numbers from 0 to 1000000"
    )
    assert len(sentence) < 200


def test_a_list_stands_for_the_tuple_of_minimums() -> None:
    rules = Rules(meld_minimums=[10, 20])
    assert rules.meld_minimums == (10, 20)
    assert rules == rules_from_mapping({"meld_minimums": [10, 20]})
    assert hash(rules) == hash(Rules(meld_minimums=(10, 20)))


@pytest.mark.parametrize("value", [0, [0], (0, 0, 7)])
def test_a_minimum_may_be_zero(value: Any) -> None:
    minimums = (value,) if isinstance(value, int) else value
    assert rules_from_mapping({"meld_minimums": minimums}).minimum(0) == 0


def test_no_sentence_speaks_of_how_it_is_checked() -> None:
    for fields in ({"players": "x"}, {"meld_minimums": (1, None)}, {"first_player": 3}):
        sentence = refusal(fields)
        for word in ("Expected", "`", "$", "enum", "array", "null"):
            assert word not in sentence


# Fields that do not go together


@pytest.mark.parametrize(
    ("players", "teams"),
    [(2, 3), (3, 2), (4, 3), (5, 2), (6, 4), (6, 5), (2, 6), (5, 3)],
)
def test_forms_outside_2_1_are_refused(players: int, teams: int) -> None:
    sentence = refusal({"players": players, "teams": teams, "decks": 7})
    assert f"players = {players} with teams = {teams}" in sentence
    assert "2 in 2, 3 in 3, 4 in 2, 4 in 4, 5 in 5, 6 in 2, 6 in 3, 6 in 6" in sentence


def test_a_refused_form_names_its_rule() -> None:
    with pytest.raises(RulesError) as caught:
        Rules(players=3)
    assert caught.value.rule == "2.1"
    with pytest.raises(RulesError) as caught:
        Rules(decks=1)
    assert caught.value.rule == "9"


def test_one_card_must_be_left_for_the_pile() -> None:
    fits = {"players": 2, "teams": 2, "decks": 1, "hand_size": 20, "foot_size": 6}
    assert rules_from_mapping(fits).cards == 54
    assert rules_from_mapping(fits | {"decks": 2, "foot_size": 33}).cards == 108
    sentence = refusal(fits | {"foot_size": 7})
    for part in (
        "decks = 1",
        "54 cards",
        "2 players",
        "hand_size = 20",
        "foot_size = 7",
        "take 54",
    ):
        assert part in sentence
    assert "at least one must be left" in sentence


def test_wild_books_need_wild_melds() -> None:
    sentence = refusal({"wild_melds": False})
    assert "wild_to_go_out = 1 can't be reached with wild_melds = false; allowed is 0" in sentence
    assert not rules_from_mapping({"wild_melds": False, "wild_to_go_out": 0}).wild_melds
    assert rules_from_mapping({"wild_to_go_out": 0}).wild_melds


# Names


def test_unknown_fields_are_refused() -> None:
    sentence = refusal({"player": 4})
    assert sentence == "rules: there is no field 'player'; did you mean players?"
    sentence = refusal({"xyzzy": 4})
    assert all(name in sentence for name in ("'xyzzy'", "allowed are", *FIELD_NAMES))
    assert "no field 7" in refusal({7: 4})
    with pytest.raises(TypeError, match="xyzzy"):
        Rules(xyzzy=4)


@pytest.mark.parametrize("name", ["Standard", "", "house", None, 4, ["standard"]])
def test_unknown_presets_are_refused(name: object) -> None:
    sentence = f"rules: there is no preset {name!r}; allowed are pagat, standard"
    assert refusal({"preset": name}) == sentence
    with pytest.raises(RulesError) as caught:
        preset(name)
    assert str(caught.value) == sentence


def test_fields_are_set_over_a_preset_or_a_base() -> None:
    assert rules_from_mapping({"preset": "pagat", "decks": 6}).changes() == LOOSE | {"decks": 6}
    base = Rules(decks=6)
    assert rules_from_mapping({"deals": 2}, base).changes() == {"decks": 6, "deals": 2}
    assert rules_from_mapping({"preset": "standard"}, base) == Rules()


def test_what_fields_together_forbid_is_looked_at_after_all_are_set() -> None:
    assert rules_from_mapping({"wild_to_go_out": 0, "wild_melds": False}).wild_to_go_out == 0
    assert rules_from_mapping({"players": 3, "teams": 3}).seats_per_team == 1


# As values


def test_rules_are_equal_by_their_fields() -> None:
    assert Rules() == Rules(players=4) != Rules(decks=6)
    assert hash(Rules()) == hash(Rules(players=4))
    assert len({Rules(), Rules(), preset("pagat"), Rules(**LOOSE)}) == 2


def test_rules_are_immutable() -> None:
    rules = Rules()
    with pytest.raises(AttributeError):
        rules.players = 2
    with pytest.raises(AttributeError):
        rules.houses = 2
    assert rules.players == 4


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(meld_minimums=(1, 2), decks=9)])
def test_rules_survive_pickling(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_rules_are_written_as_what_differs_from_the_nearest_preset() -> None:
    assert Rules().as_mapping() == {"preset": "standard"}
    loose = Rules(**LOOSE, decks=6, meld_minimums=(10,))
    written = loose.as_mapping()
    assert written == {"preset": "pagat", "decks": 6, "meld_minimums": [10]}
    assert rules_from_mapping(written) == loose


def test_minimums_by_deal() -> None:
    assert [Rules().minimum(deal) for deal in range(6)] == [50, 90, 120, 150, 150, 150]


# TOML


def toml(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_toml_file(tmp_path: Path) -> None:
    text = 'preset = "pagat"\ndecks = 6\nmeld_minimums = [10, 20]\nwild_melds = true\n'
    rules = rules_from_toml(toml(tmp_path, text))
    assert rules.changes() == LOOSE | {"decks": 6, "meld_minimums": (10, 20)}
    assert rules_from_toml(str(toml(tmp_path, text))) == rules


def test_a_table_of_rules_in_a_toml_file(tmp_path: Path) -> None:
    text = 'title = "my tournament"\n[rules]\nfirst_player = "dealer"\n'
    assert rules_from_toml(toml(tmp_path, text)).changes() == {"first_player": "dealer"}


def test_an_empty_toml_file_is_standard(tmp_path: Path) -> None:
    assert rules_from_toml(toml(tmp_path, "# nothing\n")) == Rules()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players = \n", "is not TOML"),
        ("players: 4\n", "is not TOML"),
        ("rules = 5\n", "[rules] must be a table of fields"),
        ("player = 4\n", "there is no field 'player'; did you mean players?"),
        ("[rules]\nplayers = 4.0\n", "players = 4.0 is not allowed"),
        ("meld_minimums = []\n", "meld_minimums = () is not allowed"),
        ("wild_melds = 1\n", "wild_melds = 1 is not allowed; allowed is true or false"),
        ('preset = "house"\n', "there is no preset 'house'; allowed are pagat, standard"),
    ],
)
def test_a_bad_toml_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_toml(toml(tmp_path, text))
    assert words in str(caught.value)


def test_a_toml_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(RulesError, match="can't be read") as caught:
            rules_from_toml(path)
        assert str(path) in str(caught.value)
    path = tmp_path / "latin.toml"
    path.write_bytes(b"# caf\xe9\n")
    with pytest.raises(RulesError, match="can't be read"):
        rules_from_toml(path)


# Words of the command line


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ([], {}),
        (["decks=6"], {"decks": 6}),
        ([" decks = 6 "], {"decks": 6}),
        (["first_player=dealer"], {"first_player": "dealer"}),
        (['first_player="dealer"'], {"first_player": "dealer"}),
        (["wild_melds=false", "wild_to_go_out=0"], {"wild_melds": False, "wild_to_go_out": 0}),
        (["meld_minimums=10,20"], {"meld_minimums": (10, 20)}),
        (["meld_minimums=10"], {"meld_minimums": (10,)}),
        (["meld_minimums=[10, 20]"], {"meld_minimums": (10, 20)}),
        (["decks=6", "decks=7"], {"decks": 7}),
    ],
)
def test_words(words: list[str], changes: dict[str, Any]) -> None:
    assert rules_from_words("standard", words).changes() == changes


def test_words_over_a_preset_or_a_file(tmp_path: Path) -> None:
    assert rules_from_words("pagat", ["decks=6"]).changes() == LOOSE | {"decks": 6}
    path = toml(tmp_path, "decks = 6\n")
    assert rules_from_words(str(path), ["deals=2"]).changes() == {"decks": 6, "deals": 2}
    assert rules_from_words() == Rules()


@pytest.mark.parametrize(
    ("base", "words", "sentence"),
    [
        ("house", [], "there is no preset 'house'; allowed are pagat, standard"),
        ("none.toml", [], "none.toml can't be read"),
        ("standard", ["decks"], "'decks' is not of the form field=value"),
        ("standard", ["deck=6"], "there is no field 'deck'; did you mean decks?"),
        ("standard", ["decks=six"], "decks = 'six' is not allowed; allowed is a whole number from"),
        ("standard", ["decks="], "decks = '' is not allowed"),
        ("standard", ["decks=06"], "decks = '06' is not allowed"),
        ("standard", ["decks=6.0"], "decks = 6.0 is not allowed"),
        ("standard", ["decks=true"], "decks = True is not allowed"),
        ("standard", ["wild_melds=no"], "wild_melds = 'no' is not allowed; allowed is true or fa"),
        ("standard", ["first_player=right"], "'right' is not allowed; allowed are left, dealer"),
        ("standard", ["meld_minimums="], "meld_minimums = () is not allowed"),
        ("standard", ["meld_minimums=50;90"], "meld_minimums = '50;90' is not allowed"),
        ("standard", ["players=5"], "players = 5 with teams = 2"),
    ],
)
def test_words_that_are_refused(base: str, words: list[str], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_words(base, words)
    assert sentence in str(caught.value)


def test_points_that_could_overflow_are_refused() -> None:
    with pytest.raises(RulesError, match=r"could come to .* points; allowed is less than"):
        Rules(value_low=1_000_000, deals=100)
    assert Rules(value_low=1_000_000).value_low == 1_000_000
