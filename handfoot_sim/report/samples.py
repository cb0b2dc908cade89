"""Two matches to read: a typical one and the closest one, played again and told in words.

Nothing of how a match went is kept in a run folder but its figures; since everything follows from
seed and agents, the match is played again. It is told only if the replayed points of every deal
are those of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.errors import AgentError, HandfootError, RunError
from handfoot_sim.game.state import END_NAMES, FORFEIT
from handfoot_sim.playing import choose_driver, log_match
from handfoot_sim.report.manifest import Meeting, meetings_of, sequence_text
from handfoot_sim.stats.reading import Shard
from handfoot_sim.transcripts.format import convert_match
from handfoot_sim.transcripts.replay import tell_match
from handfoot_sim.transcripts.write import transcript

COLUMNS: Final = ("pairing", "match", "mirror", "deal", "team", "end", "score")


@dataclass(frozen=True)
class Matches:
    """Points of matches of one pairing that were played out.

    Attributes
    ----------
    match, mirror : int64, shape (matches,)
    scores : int64, shape (matches, deals, teams)
    """

    match: np.ndarray
    mirror: np.ndarray
    scores: np.ndarray

    @property
    def margins(self) -> np.ndarray:
        """Points of the first line-up less the mean of the others', shape (matches,)."""
        totals = self.scores.sum(1)
        teams = totals.shape[1]
        own = totals[np.arange(len(totals)), self.mirror % teams]
        return np.asarray(own - (totals.sum(1) - own) / (teams - 1))

    @property
    def gaps(self) -> np.ndarray:
        """Points of the best team less those of the second, shape (matches,)."""
        totals = np.sort(self.scores.sum(1), axis=1)
        return np.asarray(totals[:, -1] - totals[:, -2])


@dataclass(frozen=True)
class ToldDeal:
    """A deal in words: a line that sums it up, and the text."""

    summary: str
    text: str


@dataclass(frozen=True)
class Sample:
    """A match of a run, told.

    Attributes
    ----------
    title, place : what kind of match it is; its match and mirror
    result : the points of each team in words
    deals : what happened, deal by deal; empty if it could not be told
    untold : why not, else empty
    """

    title: str
    place: str
    result: str
    deals: tuple[ToldDeal, ...]
    untold: str


def matches_in(shards: Iterable[Shard], pairing: int) -> Matches | None:
    """The matches of a pairing in shards, without forfeited ones; None if there are none.

    Shards that can't be read are passed over: who counted them has said so.
    """
    parts = []
    for shard in shards:
        try:
            with shard.folder.open(shard.name) as file:
                table = pq.read_table(file, columns=list(COLUMNS), pre_buffer=False)
        except (OSError, pa.ArrowException):
            continue
        part = _matches(table, pairing)
        if part is not None:
            parts.append(part)
    if not parts:
        return None
    names = ("match", "mirror", "scores")
    return Matches(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _matches(table: pa.Table, pairing: int) -> Matches | None:
    columns = {
        name: table.column(name).to_numpy()
        for name in ("pairing", "match", "mirror", "deal", "team", "score")
    }
    end = table.column("end").combine_chunks()
    words = [*end.dictionary.to_pylist(), None]
    forfeit = np.array([word == END_NAMES[FORFEIT] for word in words])
    forfeited = forfeit[end.indices.fill_null(len(forfeit) - 1).to_numpy(zero_copy_only=False)]
    wanted = (columns["pairing"] == pairing) & ~forfeited
    own = {name: values[wanted].astype(np.int64) for name, values in columns.items()}
    if not len(own["match"]):
        return None
    deals, teams = int(own["deal"].max()) + 1, int(own["team"].max()) + 1
    order = np.lexsort((own["team"], own["deal"], own["mirror"], own["match"]))
    if len(order) % (deals * teams):
        return None
    shaped = {name: values[order].reshape(-1, deals, teams) for name, values in own.items()}
    return Matches(shaped["match"][:, 0, 0], shaped["mirror"][:, 0, 0], shaped["score"])


def samples(manifest: Mapping[str, Any], shards: Iterable[Shard], pairing: int) -> list[Sample]:
    """The typical and the closest match of a pairing; fewer where it has fewer matches.

    The typical match is the first of those closest to the median margin; the closest is the first
    of those in which the least points lay between the best team and the second.
    """
    found = matches_in(shards, pairing)
    if found is None:
        return []
    margins, gaps = found.margins, found.gaps
    typical = int(np.argmin(np.abs(margins - np.median(margins))))
    closest = int(np.argmin(gaps))
    chosen = [(typical, "A typical match", "its margin is closest to the median")]
    if closest != typical:
        chosen.append((closest, "The closest match", "the fewest points between the best teams"))
    meeting = meetings_of(manifest)[pairing]
    return [
        _sample(manifest, meeting, found, number, f"{name}: {why}") for number, name, why in chosen
    ]


def _sample(
    manifest: Mapping[str, Any], meeting: Meeting, found: Matches, number: int, title: str
) -> Sample:
    match, mirror = int(found.match[number]), int(found.mirror[number])
    scores = found.scores[number]
    teams = scores.shape[1]
    names = [meeting.labels[(team - mirror) % teams] for team in range(teams)]
    totals = [f"team {n} ({name}) {scores[:, n].sum():,}" for n, name in enumerate(names)]
    place = f"match {match}, mirror {mirror}"
    deals: tuple[ToldDeal, ...] = ()
    untold = ""
    try:
        deals = told(manifest, meeting, match, mirror, scores)
    except HandfootError as error:
        untold = str(error)
    return Sample(title, place, ", ".join(totals), deals, untold)


def told(
    manifest: Mapping[str, Any], meeting: Meeting, match: int, mirror: int, scores: np.ndarray
) -> tuple[ToldDeal, ...]:
    """A match told deal by deal; ``RunError`` if it can't be played again as it was.

    ``scores``: points in the run, shape (deals, teams).
    """
    pairing = replayable(meeting)
    seed, dealer = int(manifest["seed"]), int(manifest["dealer"])
    driver = choose_driver(pairing, None)
    log, rows = log_match(
        pairing, seed=seed, match=match, mirror=mirror, dealer=dealer, driver=driver
    )
    if not np.array_equal(rows["score"].reshape(scores.shape), scores):
        raise RunError(
            "played again it has other points than in the run: an agent or the engine has changed "
            "since, so it is not told"
        )
    written = convert_match(
        transcript(
            log, pairing.rules, seed=seed, match=match, dealer=dealer,
            agents=pairing.seat_labels(mirror),
        )
    )  # fmt: skip
    parts = []
    for number in range(len(scores)):
        lines = [line for line in tell_match(written, number) if line]
        end = next((line for line in lines if line.startswith("End of deal")), "")
        points = " to ".join(f"{value:,}" for value in scores[number])
        start = next(n for n, line in enumerate(lines) if line.startswith("Deal "))
        summary = f"Deal {number}: {end.partition(': ')[2]}, {points} points"
        parts.append(ToldDeal(summary, "\n".join(lines[start:])))
    return tuple(parts)


def replayable(meeting: Meeting) -> Pairing:
    """The pairing of a meeting with its agents loaded; ``RunError`` if one can't be named."""
    if not all(all(lineup) for lineup in meeting.lineups):
        raise RunError(
            "an agent of this match was made in Python and can't be found by a name, so the match "
            "is not told"
        )
    try:
        return make_pairing(meeting.lineups, meeting.rules, meeting.mirrors > 1)
    except AgentError:
        names = sequence_text(sorted({name for lineup in meeting.lineups for name in lineup}))
        raise RunError(
            f"an agent of this match can't be loaded here by its name ({names}), so the match is "
            "not told"
        ) from None
