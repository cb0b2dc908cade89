"""The rules as data: every field of section 9 of the rule sheet, the presets, and their checks."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from handfoot_sim.errors import RulesError, first_line
from handfoot_sim.game.cards import MAX_CARDS, MAX_DECKS, PACK_SIZE

TEAM_FORMS: Final = ((2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 3), (6, 6))
"""Players and teams that rule 2.1 knows."""

MAX_POINTS: Final = 1_000_000
MOST_TOTAL: Final = 2**31
"""Points of a match are held in 32 bits."""
MAX_COUNT: Final = 10_000


def _meaning(rule: str, text: str, low: int = 0, high: int = MAX_COUNT) -> Meta:
    return Meta(ge=low, le=high, description=text, extra={"rule": rule})


def _switch(rule: str, text: str) -> Meta:
    return Meta(description=text, extra={"rule": rule})


_Points = Annotated[int, Meta(ge=0, le=MAX_POINTS)]


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of a match. Immutable and checked when made; the defaults are ``standard``.

    Raises ``RulesError`` (naming field, value and what is allowed) for rules that can't be played,
    and for more packs than the engine can hold (30). Types are taken strictly (no bool, float or
    NumPy number for an int), but a list may stand for the tuple of minimums.

    Examples
    --------
    >>> Rules(pile_take=0).pile_take
    0
    """

    players: Annotated[int, _meaning("2.1", "seats", 2, 6)] = 4
    teams: Annotated[int, _meaning("2.1", "teams; seat s plays for team s mod teams", 2, 6)] = 2
    decks: Annotated[int, _meaning("1.1", "packs of 54", 1, MAX_DECKS)] = 5
    hand_size: Annotated[int, _meaning("2.3", "cards of each hand", 1, MAX_CARDS)] = 13
    foot_size: Annotated[int, _meaning("2.3", "cards of each foot", 2, MAX_CARDS)] = 13
    deals: Annotated[int, _meaning("2.2", "deals in a match", 1, 1000)] = 4
    meld_minimums: Annotated[
        tuple[_Points, ...],
        Meta(
            min_length=1,
            max_length=1000,
            description="opening minimum by deal; the last one repeats",
            extra={"rule": "4.6"},
        ),
    ] = (50, 90, 120, 150)
    draw_count: Annotated[int, _meaning("3.1", "cards drawn from the stock", 1)] = 2
    pile_take: Annotated[int, _meaning("5.1", "cards taken from the pile; 0: the whole pile")] = 7
    book_size: Annotated[int, _meaning("4.1", "cards in a book", 4, 1000)] = 7
    naturals_per_wild: Annotated[
        int, _meaning("4.2", "natural cards a meld needs for each wild one", 1)
    ] = 2
    wild_melds: Annotated[bool, _switch("4.1", "melds of wild cards only are allowed")] = True
    start_or_add: Annotated[
        bool, _switch("4.5", "a turn either starts melds or adds to old ones")
    ] = True
    clean_to_go_out: Annotated[int, _meaning("6.4", "clean books needed to go out")] = 2
    dirty_to_go_out: Annotated[int, _meaning("6.4", "dirty books needed to go out")] = 2
    wild_to_go_out: Annotated[int, _meaning("6.4", "wild books needed to go out")] = 1
    partner_foot_turns: Annotated[
        int, _meaning("6.4", "turns each partner must have ended in the foot")
    ] = 1
    partner_permission: Annotated[bool, _switch("6.5", "partners are asked before going out")] = (
        True
    )
    discard_to_go_out: Annotated[bool, _switch("6.6", "going out takes a discard")] = True
    first_player: Annotated[
        Literal["left", "dealer"], _switch("2.6", "who begins, seen from the dealer")
    ] = "left"
    bury_twos: Annotated[bool, _switch("2.4", "a two turned up is buried too")] = False
    value_joker: Annotated[int, _meaning("1.3", "points of a joker", 0, MAX_POINTS)] = 50
    value_two: Annotated[int, _meaning("1.3", "points of a two", 0, MAX_POINTS)] = 20
    value_ace: Annotated[int, _meaning("1.3", "points of an ace", 0, MAX_POINTS)] = 20
    value_high: Annotated[int, _meaning("1.3", "points of 8 to king", 0, MAX_POINTS)] = 10
    value_low: Annotated[int, _meaning("1.3", "points of 4 to 7", 0, MAX_POINTS)] = 5
    value_black_three: Annotated[int, _meaning("1.3", "points of a black three", 0, MAX_POINTS)] = 5
    bonus_clean: Annotated[int, _meaning("8.2", "points of a clean book", 0, MAX_POINTS)] = 500
    bonus_dirty: Annotated[int, _meaning("8.2", "points of a dirty book", 0, MAX_POINTS)] = 300
    bonus_wild: Annotated[int, _meaning("8.2", "points of a wild book", 0, MAX_POINTS)] = 1500
    bonus_out: Annotated[int, _meaning("8.2", "points for going out", 0, MAX_POINTS)] = 100
    bonus_red_three: Annotated[int, _meaning("7.2", "points of a red three", 0, MAX_POINTS)] = 100

    def __post_init__(self) -> None:
        """Check every field, and the fields together."""
        if isinstance(self.meld_minimums, list):
            msgspec.structs.force_setattr(self, "meld_minimums", tuple(self.meld_minimums))
        for name, kind in _field_types().items():
            _check_field(name, getattr(self, name), kind)
        if (self.players, self.teams) not in TEAM_FORMS:
            forms = ", ".join(f"{p} in {t}" for p, t in TEAM_FORMS)
            raise RulesError(
                f"rules: players = {self.players} with teams = {self.teams} is no form of the "
                f"game; allowed are (players in teams) {forms}",
                rule="2.1",
            )
        cards = self.decks * PACK_SIZE
        dealt = self.players * (self.hand_size + self.foot_size)
        if cards - dealt < 1:
            raise RulesError(
                f"rules: decks = {self.decks} gives {cards} cards, but {self.players} players "
                f"with hand_size = {self.hand_size} and foot_size = {self.foot_size} take "
                f"{dealt}; at least one must be left for the pile"
            )
        if not self.wild_melds and self.wild_to_go_out:
            raise RulesError(
                f"rules: wild_to_go_out = {self.wild_to_go_out} can't be reached with "
                "wild_melds = false; allowed is 0"
            )
        if self._most_points() >= MOST_TOTAL:
            raise RulesError(
                f"rules: with these values and bonuses a match of deals = {self.deals} could "
                f"come to {self._most_points():,} points; allowed is less than {MOST_TOTAL:,}"
            )

    def _most_points(self) -> int:
        """A bound of what a team can score, or lose, in a match."""
        values = (self.value_joker, self.value_two, self.value_ace, self.value_high)
        value = max(*values, self.value_low, self.value_black_three)
        book = max(self.bonus_clean, self.bonus_dirty, self.bonus_wild)
        cards = self.cards * value + self.cards // self.book_size * book
        return self.deals * (cards + self.bonus_out + 2 * self.decks * self.bonus_red_three)

    @property
    def seats_per_team(self) -> int:
        """Players in each team."""
        return self.players // self.teams

    @property
    def cards(self) -> int:
        """Cards in play."""
        return self.decks * PACK_SIZE

    def minimum(self, deal: int) -> int:
        """Opening minimum of the 0-based ``deal`` [4.6]."""
        return self.meld_minimums[min(deal, len(self.meld_minimums) - 1)]

    def changes(self, base: Rules | None = None) -> dict[str, Any]:
        """Fields that differ from ``base`` (``standard`` unless given), by name."""
        reference = base or PRESETS["standard"]
        pairs = ((name, getattr(self, name)) for name in FIELD_NAMES)
        return {name: value for name, value in pairs if value != getattr(reference, name)}

    def nearest_preset(self) -> str:
        """Name of the preset from which the fewest fields differ."""
        return min(PRESETS, key=lambda name: len(self.changes(PRESETS[name])))

    def as_mapping(self) -> dict[str, Any]:
        """The preset it comes nearest to, and the fields that differ from it."""
        preset = self.nearest_preset()
        fields = self.changes(PRESETS[preset])
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()}
        return {"preset": preset, **plain}


FIELD_NAMES: Final = Rules.__struct_fields__
"""Names of all fields, in order."""


def _field_types() -> dict[str, Any]:
    if not _TYPES:
        _TYPES.update(get_type_hints(Rules, include_extras=True))
    return _TYPES


_TYPES: dict[str, Any] = {}


def _check_field(name: str, value: object, kind: Any) -> None:
    if not _fits(value, kind):
        raise RulesError(f"rules: {name} = {_show(value)} is not allowed; {_allowed(kind)}")


def _fits(value: object, kind: Any) -> bool:
    """Whether a value is of an annotated type, without being converted to it."""
    try:
        return bool(msgspec.convert(value, kind) == value)
    except msgspec.ValidationError:
        return False


def _allowed(kind: Any) -> str:
    """What an annotated type takes, in words."""
    base, meta = kind.__origin__, kind.__metadata__[0]
    if base is bool:
        return "allowed is true or false"
    if base is int:
        return f"allowed is a whole number from {meta.ge} to {meta.le}"
    if get_origin(base) is Literal:
        return f"allowed are {', '.join(get_args(base))}"
    least, most = meta.min_length, meta.max_length
    points = get_args(base)[0].__metadata__[0]
    return f"allowed is a list of {least} to {most} whole numbers from {points.ge} to {points.le}"


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


PRESETS: Final[dict[str, Rules]] = {
    "standard": Rules(),
    "pagat": Rules(start_or_add=False, bury_twos=True, discard_to_go_out=False),
}
"""Rules by the name of their preset."""


def field_note(name: str) -> tuple[str, str]:
    """Rule number and meaning of a field."""
    meta = _field_types()[name].__metadata__[0]
    return meta.extra["rule"], meta.description


def preset(name: object) -> Rules:
    """The preset of that name; ``RulesError`` names those there are."""
    if isinstance(name, str) and name in PRESETS:
        return PRESETS[name]
    raise RulesError(
        f"rules: there is no preset {_show(name)}; allowed are {', '.join(sorted(PRESETS))}"
    )


def rules_from_mapping(fields: Mapping[str, Any], base: Rules | None = None) -> Rules:
    """Rules from a mapping of fields, over ``preset`` if it names one, else over ``base``.

    Raises ``RulesError`` for unknown fields, naming the nearest one.
    """
    changes = dict(fields)
    start = preset(changes.pop("preset")) if "preset" in changes else base or PRESETS["standard"]
    for name in changes:
        if name not in FIELD_NAMES:
            near = difflib.get_close_matches(str(name), FIELD_NAMES, 1)
            hint = f"did you mean {near[0]}?" if near else f"allowed are {', '.join(FIELD_NAMES)}"
            raise RulesError(f"rules: there is no field {_show(name)}; {hint}")
    return msgspec.structs.replace(start, **changes)


def rules_from_toml(path: str | Path) -> Rules:
    """Rules from a TOML file with the field names as keys (``preset`` may name the base).

    A table ``[rules]``, if there is one, is used instead of the top level.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"rules: {path} is not TOML: {error}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise RulesError(f"rules: {path} can't be read: {first_line(error)}") from None
    table = data.get("rules", data)
    if not isinstance(table, dict):
        raise RulesError(f"rules: {path}: [rules] must be a table of fields")
    try:
        return rules_from_mapping(table)
    except RulesError as error:
        raise RulesError(f"{error} (in {path})", error.rule) from None


def rules_from_words(base: str = "standard", changes: Iterable[str] = ()) -> Rules:
    """Rules as the command line gives them.

    ``base`` is a preset or the path of a TOML file; each of ``changes`` is ``field=value`` with
    the value written as in TOML, except that words need no quotes and ``meld_minimums`` is
    written ``50,90,120,150``.
    """
    if not base.endswith(".toml") and Path(base).is_file():
        raise RulesError(f"rules: {base} must have a name that ends in .toml to be read as rules")
    start = rules_from_toml(base) if base.endswith(".toml") else preset(base)
    fields: dict[str, Any] = {}
    for change in changes:
        name, mark, text = change.partition("=")
        if not mark:
            raise RulesError(f"rules: {change!r} is not of the form field=value")
        fields[name.strip()] = _value(name.strip(), text.strip())
    return rules_from_mapping(fields, start)


def _value(name: str, text: str) -> object:
    written = f"[{text}]" if name == "meld_minimums" and not text.startswith("[") else text
    try:
        return tomllib.loads(f"value = {written}")["value"]
    except ValueError:
        return text
