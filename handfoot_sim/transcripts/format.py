"""The transcript format ``handfoot-transcript-1`` as typed records.

A match is decoded straight into these records, so that whatever is there has the right type.
Types are strict (``1.0`` is no int), keys nobody knows are ignored, and what may be absent is
``UNSET`` or empty then. Kinds of cards are the words of ``cards.KINDS``.

Nothing here knows the rules of play; ``check`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from handfoot_sim.errors import RulesError, TranscriptError
from handfoot_sim.rules import Rules, rules_from_mapping

FORMAT: Final = "handfoot-transcript-1"

MAX_CONTAINERS: Final = 1_000_000
"""Lists and objects one match may hold: a match of 1,000 deals has about half as many."""

MAX_RAW: Final = 64 * 1024
"""Bytes of the rules, and of the agents' names, of one match."""

Kind = Literal["JK", "2", "3R", "3B", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

MeldName = Literal[Kind, "wild"]
"""Wider than the format, so that a meld of threes, say, is a breach of the rules of play."""

Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Lot(Struct, gc=False):
    """Cards that a play lays on one meld."""

    to: MeldName
    cards: list[Kind]


class Play(Struct, gc=False):
    """A play, or a request to make it that was refused (``permission`` false)."""

    melds: list[Lot]
    permission: bool | UnsetType = UNSET


class Turn(Struct, gc=False):
    """One turn: the draw, the plays in order, the discard."""

    seat: Number
    draw: Literal["stock", "pile", "none"]
    plays: list[Play] = []
    discard: Kind | UnsetType = UNSET


class Parts(Struct, gc=False):
    """What a team scores in a deal, by part."""

    melded: Number
    books: Number
    red_threes: Number
    going_out: Number
    left: Number


class Deal(Struct, gc=False):
    """One deal: the cards as they lay, the turns, the results."""

    dealer: Number
    hands: list[list[Kind]]
    feet: list[list[Kind]]
    upcard: Kind
    stock: list[Kind]
    turns: list[Turn]
    deal: Number | UnsetType = UNSET
    end: Literal["out", "stock"] | UnsetType = UNSET
    scores: list[Number] | UnsetType = UNSET
    breakdown: list[Parts] | UnsetType = UNSET


class Match(Struct, gc=False):
    """One match. ``rules_of`` and ``agents_of`` read what is left as text here."""

    format: str
    deals: list[Deal]
    rules: msgspec.Raw = msgspec.Raw(b"{}")
    seed: int | None = None
    match: int | None = None
    agents: msgspec.Raw = msgspec.Raw(b"[]")
    totals: list[Number] | UnsetType = UNSET
    winner: Number | UnsetType | None = UNSET


class _Header(Struct):
    format: str


_MATCH: Final = msgspec.json.Decoder(Match)
_HEADER: Final = msgspec.json.Decoder(_Header)
_ENCODER: Final = msgspec.json.Encoder()


def decode_match(text: bytes, *, unfinished: bool = False) -> Match:
    """A match from its JSON text.

    ``unfinished`` lets the results be missing, as they are where a match was broken off. Raises
    ``TranscriptError`` (one sentence without the file's name) for anything that is not a match
    in this format.
    """
    match = _decoded(text)
    if match.format != FORMAT:
        raise TranscriptError(_wrong_format(match.format))
    if len(bytes(match.rules)) > MAX_RAW or bytes(match.rules)[:1] != b"{":
        raise TranscriptError(f"not in the format {FORMAT}: 'rules' is not an object of fields")
    agents_of(match)
    if not unfinished:
        _require_results(match)
    for field in ("seed", "match"):
        if not 0 <= (getattr(match, field) or 0) < 2**64:
            raise TranscriptError(f"not in the format {FORMAT}: '{field}' is out of bounds")
    return match


def encode_match(match: Mapping[str, Any]) -> bytes:
    """The JSON text of a match given as a dict in the transcript format, on one line."""
    return _ENCODER.encode(match)


def convert_match(match: Mapping[str, Any], *, unfinished: bool = False) -> Match:
    """A match given as a dict in the transcript format; raises as ``decode_match``."""
    return decode_match(encode_match(match), unfinished=unfinished)


def rules_of(match: Match) -> Rules:
    """The rules of a match; raises ``RulesError`` where they can't be played."""
    try:
        return rules_from_mapping(msgspec.json.decode(match.rules, type=dict[str, Any]))
    except (msgspec.MsgspecError, RecursionError):
        raise RulesError("rules: a value is nested too deeply or too large") from None


def agents_of(match: Match) -> list[str]:
    """The names of the agents, by seat as far as there are any."""
    try:
        if len(bytes(match.agents)) <= MAX_RAW:
            return msgspec.json.decode(match.agents, type=list[str])
    except (msgspec.MsgspecError, RecursionError):
        pass
    raise TranscriptError(f"not in the format {FORMAT}: 'agents' is not a list of names")


def printable(text: str, length: int = 200) -> str:
    """Text from a file made fit for a terminal: no control characters, and not too long."""
    shown = text if len(text) <= length else text[: length - 3] + "..."
    return "".join(sign if sign.isprintable() else "?" for sign in shown)


def _decoded(text: bytes) -> Match:
    if text.count(b"{") + text.count(b"[") > MAX_CONTAINERS:
        raise TranscriptError(
            f"more than {MAX_CONTAINERS:,} lists and objects: no match has so many"
        )
    try:
        str(text, "utf-8")
        return _MATCH.decode(text)
    except UnicodeDecodeError as error:
        raise TranscriptError(f"not UTF-8: byte {error.start} can't be read") from None
    except RecursionError:
        raise TranscriptError("nested too deeply to be a match") from None
    except msgspec.ValidationError as error:
        raise TranscriptError(_explain(text, str(error))) from None
    except msgspec.DecodeError as error:
        reason = str(error).removeprefix("JSON is malformed: ").lower()
        raise TranscriptError(f"not JSON: {printable(reason)}") from None


def _explain(text: bytes, reason: str) -> str:
    """Say what is wrong with JSON that is not a match, the format's name first of all."""
    try:
        name = _HEADER.decode(text).format
    except (msgspec.MsgspecError, RecursionError):
        name = FORMAT
    if name != FORMAT:
        return _wrong_format(name)
    what, _, place = reason.rpartition(" - at `$.")
    shown = f"{what} at {place.rstrip('`')}" if what else reason
    return f"not in the format {FORMAT}: {printable(shown.replace('`', chr(39)))}"


def _wrong_format(name: str) -> str:
    return f"the format is '{printable(name, 40)}', but only '{FORMAT}' can be read"


def _require_results(match: Match) -> None:
    for number, deal in enumerate(match.deals):
        for field in ("end", "scores"):
            if getattr(deal, field) is UNSET:
                raise TranscriptError(_missing(field, f" in deal {number}"))
    for field in ("totals", "winner"):
        if getattr(match, field) is UNSET:
            raise TranscriptError(_missing(field, ""))


def _missing(field: str, where: str) -> str:
    return (
        f"not in the format {FORMAT}: Object missing required field '{field}'{where} "
        "(a match that was broken off can be replayed, but not verified)"
    )
