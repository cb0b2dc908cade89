"""Reading and writing files of transcripts, and files that are hostile."""

from __future__ import annotations

import gzip
import json
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from handfoot_sim.cli.verify import command as verify
from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts import files
from handfoot_sim.transcripts.files import read_match, read_matches
from handfoot_sim.transcripts.format import Match, convert_match, encode_match, printable
from handfoot_sim.transcripts.write import write_transcripts

DATA = Path(__file__).parent / "data" / "matches.jsonl.gz"
GOOD, SMALL = gzip.decompress(DATA.read_bytes()).splitlines(keepends=True)

Transcript = dict[str, Any]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(verify, [str(word) for word in arguments])


def one_error(path: Path) -> str:
    """The only thing that comes of a file: an error of one sentence."""
    (error,) = read_matches(path)
    assert isinstance(error, TranscriptError)
    assert "\n" not in str(error)
    assert len(str(error)) < 600
    return str(error)


def changed(change: Callable[[Transcript], object]) -> bytes:
    match = json.loads(GOOD)
    change(match)
    return json.dumps(match).encode()


# Reading


def test_reads_every_kind_of_file(tmp_path: Path) -> None:
    pretty = json.dumps(json.loads(GOOD), indent=1).encode()
    for name, text, count in (
        ("a.json", pretty, 1),
        ("a.json.gz", gzip.compress(pretty), 1),
        ("a.jsonl", GOOD + b"\n  \r\n" + SMALL.rstrip(), 2),
        ("a.jsonl.gz", gzip.compress(GOOD) + gzip.compress(SMALL), 2),
    ):
        (tmp_path / name).write_bytes(text)
        found = list(read_matches(str(tmp_path / name)))
        assert [type(match) for match in found] == [Match] * count
        assert found[-1] == read_match(tmp_path / name, count - 1)


def test_a_line_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(b"hello\n" + GOOD + b'\n{"format": 7}\n' + SMALL + GOOD[:-100])
    kinds = [type(match).__name__ for match in read_matches(path)]
    assert kinds == ["TranscriptError", "Match", "TranscriptError", "Match", "TranscriptError"]
    assert "line 4: " in str(list(read_matches(path))[2])
    assert isinstance(read_match(path, 3), Match)
    with pytest.raises(TranscriptError, match=r"line 1: not JSON"):
        read_match(path, 0)
    for number in (5, -1, 10**30):
        with pytest.raises(TranscriptError, match=rf"has no match {number}: it holds 5"):
            read_match(path, number)


def test_results_may_be_missing_only_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "broken-off.json"
    for change in (
        lambda match: match.pop("winner"),
        lambda match: match.pop("totals"),
        lambda match: match["deals"][3].pop("end"),
        lambda match: match["deals"][3].pop("scores"),
    ):
        path.write_bytes(changed(change))
        assert "missing required field" in one_error(path)
        assert isinstance(read_match(path, unfinished=True), Match)


# Hostile text

TURN = {"seat": 1, "draw": "stock", "discard": "4"}

TEXTS: dict[str, tuple[bytes | Callable[[Transcript], object], str]] = {
    "not JSON": (b"hello", "not JSON: invalid character"),
    "half": (GOOD[:1000], "not JSON: input data was truncated"),
    "two in one": (GOOD.strip() + GOOD, "not JSON: trailing characters"),
    "NaN": (GOOD.replace(b'"winner":', b'"winner":NaN,"was":'), "not JSON"),
    "Latin-1": (b'{"x": "\xe9"}', "not UTF-8"),
    "byte order mark": (b"\xef\xbb\xbf" + GOOD, "not JSON"),
    "a list": (b"[]", "Expected 'object', got 'array'"),
    "a number": (b"7", "Expected 'object', got 'int'"),
    "nothing in it": (b"{}", "missing required field 'format'"),
    "another format": (b'{"format": "handfoot-transcript-2"}', "the format is 'handfoot-trans"),
    "format no text": (b'{"format": null}', "Expected 'str', got 'null' at format"),
    "terminal codes": (b'{"format": "\\u001b[2Jx"}', "the format is '?[2Jx'"),
    "long name": (b'{"format": "' + b"x" * 10**6 + b'"}', "xxx...', but only"),
    "deep lists": (b'{"x": ' + b"[" * 10**6, "more than 1,000,000 lists"),
    "deep": (b'{"x": ' + b"[" * 10**5, "nested too deeply"),
    "deep deals": (b'{"deals": ' + b"[" * 10**5, "Expected 'object', got 'array'"),
    "a million lists": (b'{"x": [' + b"[]," * 10**6 + b"[]]}", "more than 1,000,000 lists"),
    "rules no object": (lambda m: m.update(rules="standard"), "'rules' is not an object"),
    "huge rules": (lambda m: m.update(rules={"x": "x" * 10**5}), "'rules' is not an object"),
    "agents no list": (lambda m: m.update(agents={}), "'agents' is not a list of names"),
    "agents no names": (lambda m: m.update(agents=[1, 2]), "'agents' is not a list of names"),
    "agents too long": (lambda m: m.update(agents=["x"] * 10**5), "'agents' is not a list"),
    "huge number": (lambda m: m["totals"].insert(0, 10**400), "at totals[0]"),
    "huge seat": (lambda m: m["deals"][0]["turns"][0].update(seat=-(10**400)), "turns[0].seat"),
    "huge seed": (lambda m: m.update(seed=10**400), "'seed' is out of bounds"),
    "negative match": (lambda m: m.update(match=-1), "'match' is out of bounds"),
    "no whole number": (lambda m: m["deals"][0].update(dealer=0.0), "got 'float'"),
    "true for a number": (lambda m: m["deals"][0].update(dealer=False), "got 'bool'"),
    "number as text": (lambda m: m["deals"][0].update(dealer="0"), "got 'str'"),
    "null for nothing": (lambda m: m["deals"][0]["turns"][0].update(discard=None), "got 'null'"),
    "unknown kind": (lambda m: m["deals"][1]["stock"].append("11"), "deals[1].stock["),
    "kind in small": (lambda m: m["deals"][1]["hands"][0].append("k"), "Invalid enum value 'k'"),
    "no kind at all": (lambda m: m["deals"][0].update(upcard=9), "at deals[0].upcard"),
    "unknown draw": (lambda m: m["deals"][0]["turns"][0].update(draw="foot"), "value 'foot'"),
    "unknown end": (lambda m: m["deals"][0].update(end="bored"), "value 'bored'"),
    "unknown meld": (
        lambda m: m["deals"][0]["turns"][0].update(plays=[{"melds": [{"to": "joker"}]}]),
        "plays[0].melds[0].to",
    ),
    "no cards": (
        lambda m: m["deals"][0]["turns"][0].update(plays=[{"melds": [{"to": "9"}]}]),
        "missing required field 'cards'",
    ),
    "no turns": (lambda m: m["deals"][2].pop("turns"), "field 'turns' at deals[2]"),
    "no feet": (lambda m: m["deals"][2].pop("feet"), "field 'feet' at deals[2]"),
    "no scores": (lambda m: m["deals"][2].pop("scores"), "field 'scores' in deal 2"),
    "no winner": (lambda m: m.pop("winner"), "missing required field 'winner'"),
    "winner a name": (lambda m: m.update(winner="greedy"), "at winner"),
    "half a breakdown": (lambda m: m["deals"][0]["breakdown"][0].pop("left"), "field 'left'"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_text_is_told_in_a_sentence(name: str, tmp_path: Path) -> None:
    given, expected = TEXTS[name]
    text = given if isinstance(given, bytes) else changed(given)
    (tmp_path / "hostile.json").write_bytes(text)
    assert expected in one_error(tmp_path / "hostile.json")
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(text.replace(b"\n", b"") + b"\n" + GOOD)
    result = run(path)
    assert result.exit_code == 2
    assert result.stdout == "1 matches, 0 at fault\n"
    assert expected in result.stderr
    assert result.stderr.isprintable() or result.stderr.rstrip("\n").isprintable()


FAULTS: dict[str, tuple[Callable[[Transcript], object], str]] = {
    "many turns": (lambda m: m["deals"][0].update(turns=[TURN] * 10**5), "[2.6] deal 0, turn 1"),
    "huge play": (
        lambda m: m["deals"][0]["turns"][0].update(
            draw="stock", plays=[{"melds": [{"to": "4", "cards": ["4"] * 10**5}]}]
        ),
        "[4.1] deal 0, turn 0",
    ),
    "deep rules": (
        lambda m: m.update(rules={"players": json.loads("[" * 400 + "]" * 400)}),
        "[9] rules: players = [[[",
    ),
    "odd rules": (lambda m: m.update(rules={"preset": "\x1b[2J"}), "[9] rules: there is no"),
    "rules of huge numbers": (lambda m: m.update(rules={"decks": 10**400}), "[9] rules: decks"),
    "no players": (lambda m: m.update(rules={"players": -1}), "[9] rules: players"),
    "far seat": (
        lambda m: m["deals"][0]["turns"][0].update(seat=2**53),
        "[2.6] deal 0, turn 0, seat 9007199254740992",
    ),
    "no hands": (lambda m: m["deals"][0].update(hands=[]), "[2.3] deal 0: there are 0 hands"),
    "no cards": (lambda m: m["deals"][0].update(stock=[]), "[1.1] deal 0"),
    "no totals": (lambda m: m.update(totals=[]), "[8.3]"),
    "long totals": (lambda m: m.update(totals=[1] * 10**5), "[8.3]"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_odd_matches_are_at_fault(name: str, tmp_path: Path) -> None:
    change, expected = FAULTS[name]
    path = tmp_path / "odd.json"
    path.write_bytes(changed(change))
    result = run(path)
    assert result.exit_code == 1
    line, count = result.stdout.splitlines()
    assert line.startswith(f"{path} match 0: {expected}")
    assert len(line) < 1000
    assert line.isprintable()
    assert count == "1 matches, 1 at fault"


# Hostile files


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "match.txt").write_bytes(GOOD)
    (tmp_path / "empty.json").touch()
    (tmp_path / "empty.jsonl.gz").touch()
    (tmp_path / "blank.jsonl").write_bytes(b"\n \n\n")
    for name, expected in (
        ("folder.json", "folder.json can't be read: Is a directory"),
        ("missing.jsonl", "missing.jsonl can't be read: No such file"),
        ("match.txt", "names end in .json, .jsonl, .json.gz, .jsonl.gz"),
        ("empty.json", "holds no match"),
        ("empty.jsonl.gz", "holds no match"),
        ("blank.jsonl", "holds no match"),
        ("nul\0.json", "can't be read"),
    ):
        assert expected in one_error(tmp_path / name)
    with pytest.raises(TranscriptError, match="No such file"):
        read_match(tmp_path / "missing.jsonl", 3)


@pytest.mark.skipif(os.geteuid() == 0, reason="may read everything")
def test_a_file_one_may_not_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_bytes(GOOD)
    path.chmod(0)
    assert "Permission denied" in one_error(path)


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(GOOD * 3)
    flipped = bytearray(packed)
    flipped[-6] ^= 1
    for name, text, readable, expected in (
        ("cut", packed[:-2000], 2, "ends in the middle"),
        ("cut-late", packed[:-4], 3, "ends in the middle"),
        ("plain", GOOD, 0, "is not a gzip file"),
        ("short", b"\x1f", 0, "is not a gzip file"),
        ("crc", bytes(flipped), 3, "is damaged"),
        ("more", packed + b"more", 3, "is damaged"),
    ):
        path = tmp_path / f"{name}.jsonl.gz"
        path.write_bytes(text)
        *matches, error = read_matches(path)
        assert [type(match) for match in matches] == [Match] * readable
        assert isinstance(error, TranscriptError)
        assert expected in str(error)
        result = run(path, DATA)
        assert result.exit_code == 2
        assert result.stdout == f"{readable + 2} matches, 0 at fault\n"


def test_lines_that_are_too_long_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_LINE", len(GOOD) + 10)
    path = tmp_path / "long.jsonl"
    path.write_bytes(GOOD + b" " * 3 * len(GOOD) + b"\n" + SMALL)
    first, error, last = read_matches(path)
    assert isinstance(first, Match)
    assert isinstance(last, Match)
    assert "line 2: longer than" in str(error)
    whole = tmp_path / "long.json"
    whole.write_bytes(GOOD + b" " * 20)
    assert "no match is so long" in one_error(whole)


def test_files_that_never_end_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 10**5)
    monkeypatch.setattr(files, "MAX_BLANK", 1000)
    line = tmp_path / "line.jsonl.gz"
    line.write_bytes(gzip.compress(b" " * 10**7 + b"\n"))
    assert "no end of the line in sight" in one_error(line)
    blank = tmp_path / "blank.jsonl.gz"
    blank.write_bytes(gzip.compress(b"\n" * 10**7))
    assert "1,001 blank lines in a row" in one_error(blank)


def test_a_packed_giant_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "giant.jsonl.gz"
    with gzip.open(path, "wb", 1) as packed:
        for _ in range(40):
            packed.write(b" " * 10**7)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "no match is so long" in one_error(path)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 150_000  # kibibytes; the file unpacked has 400 megabytes


def test_only_so_many_sentences_a_file(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b"hello\n" * 250 + GOOD)
    result = run(path)
    assert result.exit_code == 2
    assert result.stdout == "1 matches, 0 at fault\n"
    assert len(result.stderr.splitlines()) == 101
    assert "150 more lines can't be read" in result.stderr


# The command


def test_verify_counts_over_all_files(tmp_path: Path) -> None:
    wrong = json.loads(SMALL)
    wrong["totals"][0] += 1
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(GOOD + encode_match(wrong) + b"\n" + SMALL)
    result = run(DATA, path)
    assert result.exit_code == 1
    line, count = result.stdout.splitlines()
    assert line.startswith(f"{path} match 1: [8.3] the totals are ")
    assert count == "5 matches, 1 at fault"
    assert result.stderr == ""
    result = run(path, tmp_path / "missing.json", DATA)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "5 matches, 1 at fault"
    assert run(DATA).stdout == "2 matches, 0 at fault\n"
    assert run(DATA).exit_code == 0
    assert run().exit_code == 2


def test_verify_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(changed(lambda m: m["deals"][1]["turns"][4].update(discard="3R")))
    seat = json.loads(GOOD)["deals"][1]["turns"][4]["seat"]
    line = run(path).stdout.splitlines()[0]
    assert line == f"{path} match 0: [7.1] deal 1, turn 4, seat {seat}: a red three is discarded"


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    assert "can't be read" in one_error(path)
    one_error(path).encode()
    path.write_bytes(changed(lambda m: m["deals"][1]["turns"][4].update(discard="3R")))
    result = run(path)
    assert result.exit_code == 1
    assert "match 0: [7.1]" in result.stdout


# Writing


def test_writes_the_same_bytes_again(tmp_path: Path) -> None:
    matches = [json.loads(GOOD), json.loads(SMALL)]
    first, second = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    write_transcripts(first, matches)
    write_transcripts(str(second), iter(matches))
    assert first.read_bytes() == second.read_bytes()
    assert list(read_matches(first)) == [convert_match(match) for match in matches]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl.gz", "b.jsonl.gz"]


def test_writes_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"old")

    def failing() -> Any:
        yield json.loads(SMALL)
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_transcripts(path, failing())
    assert [each.name for each in tmp_path.iterdir()] == ["a.jsonl.gz"]
    assert path.read_bytes() == b"old"
    with pytest.raises(FileNotFoundError):
        write_transcripts(tmp_path / "missing" / "a.jsonl.gz", [])


def test_printable() -> None:
    assert printable("a\nb\x1b[2J") == "a?b?[2J"
    assert printable("x" * 300) == "x" * 197 + "..."
