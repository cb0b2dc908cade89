"""Play a league: payoffs, Nash mix, tune against it, accept or not, and from the beginning.

All that a generation does depends on nothing but what came before it, and everything played is in
a book. So a league that was killed is gone on with by running it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handfoot_sim.errors import AgentFailure, RunError
from handfoot_sim.runs.engines import Engine, Play
from handfoot_sim.runs.folder import LocalFolder, RunFolder, folder_at
from handfoot_sim.simulation import worker_count
from handfoot_sim.tuning.batches import UnitResult
from handfoot_sim.tuning.best import write_best
from handfoot_sim.tuning.evaluations import Book, playing
from handfoot_sim.tuning.leagues.members import LeagueMember, add_member, strongest
from handfoot_sim.tuning.leagues.outcome import League, LeagueGeneration, Standing, standing_of
from handfoot_sim.tuning.leagues.payoffs import PAYOFFS, Payoffs, measured_rate
from handfoot_sim.tuning.leagues.plan import (
    LeaguePlan,
    Purse,
    check_purse,
    meeting_pairs,
    purse_of,
    too_small,
)
from handfoot_sim.tuning.leagues.preparing import PreparedLeague, prepare_league
from handfoot_sim.tuning.leagues.tables import write_tables
from handfoot_sim.tuning.plan import BudgetTooSmall, TunePlan, derived_seed
from handfoot_sim.tuning.pool import LEAST_SHARE
from handfoot_sim.tuning.preparing import asked_of
from handfoot_sim.tuning.records import Record, new_record, write_record
from handfoot_sim.tuning.tune import Tuned, Watching, opened, tune

GENERATIONS: Final = "generations"
"""Folder of a league in which the folders of its generations lie."""


ENDED: Final = "ended"
"""Under this name the manifest of a finished league says why it ended."""


@dataclass(frozen=True)
class LeagueWatching:
    """Who is told while a league goes on; all may be left out.

    ``budget`` is called once with the matches in all (None without a bound), ``matches`` with the
    number of matches that came in, ``stage`` with the generation (0: payoffs of the beginning) and
    what begins there, ``generation`` after each.
    """

    budget: Callable[[int | None], object] = lambda budget: None
    matches: Callable[[int], object] = lambda matches: None
    stage: Callable[[int, str], object] = lambda generation, stage: None
    generation: Callable[[LeagueGeneration], object] = lambda generation: None
    tell: Callable[[str], object] = lambda sentence: None


def league(
    plan: LeaguePlan,
    *,
    out: str | Path | RunFolder,
    jobs: int = 1,
    backend: str = "auto",
    address: str = "",
    watching: LeagueWatching | None = None,
) -> League:
    """Play a league into the folder ``out``, going on with what it holds.

    The same plan gives the same league on any number of workers, and whenever it was interrupted;
    with a time budget it depends on the speed measured in the beginning, which the folder keeps.
    ``jobs``, ``backend``, ``address`` are those of ``simulate``. Raises ``PlanError``,
    ``AgentError``, ``RulesError`` or ``RunError`` for what can't be done, ``AgentFailure`` where a
    member of the beginning fails.
    """
    prepared = prepare_league(plan)
    folder = folder_at(out)
    if not isinstance(folder, LocalFolder):
        raise RunError(
            f"{folder}: members of a league are files that agents are loaded from, so its folder "
            "must be on a disk; give a path with --out"
        )
    engine = Engine(backend, worker_count(jobs), address)
    record = new_record("league", asked_of(prepared.plan), prepared.agents)
    with opened(folder, record) as joined:
        run = _Run(prepared, folder, engine, joined, watching or LeagueWatching())
        return run.play()


class _Run:
    """A league while it is played."""

    def __init__(
        self,
        prepared: PreparedLeague,
        folder: LocalFolder,
        engine: Engine,
        record: Record,
        watch: LeagueWatching,
    ) -> None:
        self.prepared, self.plan, self.folder = prepared, prepared.plan, folder
        self.engine, self.record, self.watch = engine, record, watch
        self.mirrors = prepared.rules.teams
        pairs = meeting_pairs(self.plan, self.mirrors)
        self.payoffs = Payoffs(prepared.setting, pairs, self.plan.seed)
        self.generations: list[LeagueGeneration] = []
        self.tuned = 0

    @property
    def spent(self) -> int:
        """Matches played so far, whenever that was."""
        return self.payoffs.matches + self.tuned

    def play(self) -> League:
        """Play all generations."""
        self.watch.stage(0, PAYOFFS)
        purse = self._begin()
        beginning = standing = standing_of(self.payoffs)
        ended = ""
        while not ended:
            write_tables(self.folder, self._league(purse, beginning, ended))
            number = len(self.generations) + 1
            share = purse.share(self.spent, number, len(self.payoffs.members))
            found = self._generation(purse, number, share, standing)
            if found is None:
                ended = f"the matches left are too few for generation {number}"
                break
            self.generations.append(found)
            standing = found.after
            self.watch.generation(found)
            ended = self._ended(purse)
        played = self._league(purse, beginning, ended)
        write_tables(self.folder, played)
        if self.record.settled.get(ENDED) != ended:
            self.record.settled[ENDED] = ended
            write_record(self.folder, self.record)
        return played

    def _begin(self) -> Purse:
        """Let the members of the beginning meet; the purse of the league."""
        with playing(self.engine, self.prepared.compiled) as play:
            book = self._book(play)
            purse = self._purse(book)
            self.watch.budget(purse.total)
            for each in self.prepared.members:
                failure = self.payoffs.join(book, each)
                if failure:
                    raise AgentFailure(f"pool: {each.label} can't join: {failure}")
        return purse

    def _book(self, play: Play[list[UnitResult]]) -> Book:
        return Book(
            self.folder, play, on_matches=self.watch.matches, tell=self.watch.tell, place=PAYOFFS
        )

    def _purse(self, book: Book) -> Purse:
        """The purse; what a time budget comes to is settled once and kept in the folder."""
        total, settled = None, self.record.settled
        seconds = self.plan.seconds()
        if seconds is not None:
            if "budget" not in settled:
                rate = measured_rate(
                    book, self.prepared.setting, self.prepared.members, self.plan.seed
                )
                settled["budget"] = max(1, int(rate * seconds))
                write_record(self.folder, self.record)
            total = int(settled["budget"])
        purse = purse_of(self.plan, total, self.mirrors)
        check_purse(self.plan, purse, len(self.prepared.members), self.mirrors)
        return purse

    def _generation(
        self, purse: Purse, number: int, share: int, before: Standing
    ) -> LeagueGeneration | None:
        """Tune once and let the answer join if it is accepted; None if the matches are too few."""
        if share <= 0:
            return None
        start = strongest(self.payoffs.members, before.ratings.elo.tolist(), self.plan.params)
        try:
            tuned = self._tune(number, share, start, before)
        except BudgetTooSmall as error:
            if number > 1:
                return None
            members = len(self.payoffs.members)
            raise too_small(purse, share, error.needed, members) from None
        matches = sum(tuned.matches.values())
        self.tuned += matches
        decision, member, failure = tuned.decision, "", ""
        if decision.accepted:
            self.watch.stage(number, PAYOFFS)
            member, failure = self._join(number, tuned)
        return LeagueGeneration(
            number=number,
            start=start.label,
            budget=share,
            matches=matches,
            accepted=bool(member),
            member=member,
            decision="failed" if failure else decision.word,
            reason=failure or decision.reason,
            gain=tuned.gain.gain,
            gain_pairs=tuned.gain.pairs,
            claimed=tuned.searched.claimed,
            before=before,
            after=standing_of(self.payoffs) if member else before,
        )

    def _tune(self, number: int, share: int, start: LeagueMember, before: Standing) -> Tuned:
        """Tune in a folder of the generation's own, or go on there."""
        folder = folder_at(self.folder.place(f"{GENERATIONS}/{number:02d}"))
        tuned = tune(
            self._tune_plan(number, share, start, before),
            out=folder,
            jobs=self.engine.workers,
            backend=self.engine.backend,
            address=self.engine.address,
            watching=Watching(
                matches=self.watch.matches,
                stage=lambda stage: self.watch.stage(number, stage),
                tell=self.watch.tell,
            ),
        )
        write_best(tuned, folder)
        return tuned

    def _tune_plan(
        self, number: int, budget: int, start: LeagueMember, before: Standing
    ) -> TunePlan:
        against = [
            f"{each.specification}*{float(share)!r}"
            for each, share in zip(self.payoffs.members, before.mix, strict=True)
            if share >= LEAST_SHARE
        ]
        seed = derived_seed(self.plan.seed, f"generation {number}") >> 1
        return self.plan.generation(start.specification, against, seed, budget)

    def _join(self, number: int, tuned: Tuned) -> tuple[str, str]:
        """Write the answer's file and let it play all members: its label, or why it can't join."""
        newcomer = add_member(self.folder, self.prepared.members[0], number, tuned)
        with playing(self.engine, self.prepared.compiled) as play:
            book = self._book(play)
            failure = self.payoffs.join(book, newcomer)
        return ("" if failure else newcomer.label), failure

    def _ended(self, purse: Purse) -> str:
        """Why there is no further generation, or "" if there is one."""
        last = self.generations[-self.plan.failures :]
        if len(last) == self.plan.failures and not any(each.accepted for each in last):
            word = "generation was" if self.plan.failures == 1 else "generations in a row were"
            return f"{self.plan.failures} {word} without a gain"
        if len(self.generations) >= purse.generations:
            return "all generations are played"
        return ""

    def _league(self, purse: Purse, beginning: Standing, ended: str) -> League:
        return League(
            self.plan, self.payoffs, beginning, self.generations, ended, purse.total, self.spent
        )
