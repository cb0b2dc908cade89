"""Search by Optuna: for few parameters, or booleans and whole numbers of which each is its own.

The tree-structured Parzen estimator proposes trials; what it found is kept in a journal, so that
Optuna's own tools can show it. Of the trials that seemed best the answer is chosen on fresh cards,
because the best one seen is the luckiest one.
"""

from __future__ import annotations

import glob
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np

from handfoot_sim.errors import PlanError
from handfoot_sim.tuning.space import Space

MOST_DIMENSIONS: Final = 10
"""Fractions and whole numbers for which it is any good within what matches can be played."""

FINALISTS: Final = 20
"""Trials between which fresh cards choose."""

STUDY: Final = "handfoot"


class OptunaSearch:
    """A search by Optuna's TPE; ``journal`` is the file of its storage, written anew, or None."""

    def __init__(self, space: Space, seed: int, size: int, journal: Path | None = None) -> None:
        self._space, self._size = space, size
        check_dimensions(space)
        optuna = _optuna()
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # experimental options
            sampler = optuna.samplers.TPESampler(
                seed=seed % 2**32, multivariate=True, constant_liar=True
            )
            self._study = optuna.create_study(
                study_name=STUDY, direction="maximize", sampler=sampler, storage=_storage(journal)
            )
        self._failed = optuna.trial.TrialState.FAIL
        self._study.enqueue_trial({name: space.base[name] for name in space.names})
        self._asked: list[Any] = []
        self._seen: list[tuple[float, np.ndarray]] = []

    @property
    def size(self) -> int:
        """Trials of a round."""
        return self._size

    @property
    def centre(self) -> np.ndarray | None:
        """None: what seems best is not known until the end."""
        return None

    @property
    def spread(self) -> np.ndarray | None:
        """None: it has no distribution around a point."""
        return None

    def ask(self) -> list[np.ndarray]:
        """The trials of a round."""
        self._asked = [self._study.ask() for _ in range(self._size)]
        return [self._space.point(self._suggested(trial)) for trial in self._asked]

    def _suggested(self, trial: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in self._space.dimensions:
            if each.kind is bool:
                found[each.name] = trial.suggest_categorical(each.name, [False, True])
            elif each.kind is int:
                low, high = int(each.low), int(each.high)
                found[each.name] = trial.suggest_int(each.name, low, high, log=each.log)
            else:
                found[each.name] = trial.suggest_float(each.name, each.low, each.high, log=each.log)
        return found

    def tell(self, values: np.ndarray) -> None:
        """Tell the study; failed trials as such."""
        points = [self._space.point(trial.params) for trial in self._asked]
        for trial, value, point in zip(self._asked, values.tolist(), points, strict=True):
            if np.isfinite(value):
                self._study.tell(trial, value)
                self._seen.append((value, point))
            else:
                self._study.tell(trial, state=self._failed)

    def finalists(self) -> list[np.ndarray]:
        """The trials that seemed best, each point once."""
        found: list[np.ndarray] = []
        for _, point in sorted(self._seen, key=lambda each: -each[0]):
            if len(found) < FINALISTS and not any(np.array_equal(point, each) for each in found):
                found.append(point)
        return found

    def answer(self) -> np.ndarray:
        """The start, if no trial came through."""
        return self._space.start


def check_dimensions(space: Space) -> None:
    """Refuse more parameters than this method can search; raises ``PlanError``."""
    numbers = [each for each in space.dimensions if each.kind is not bool]
    if len(numbers) > MOST_DIMENSIONS:
        raise PlanError(
            f"method: optuna is for up to {MOST_DIMENSIONS} parameters besides booleans, but "
            f"{len(numbers)} are to be tuned; name fewer with --params, or use cma"
        )


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise PlanError("method: optuna needs Optuna: pip install 'handfoot-sim[optuna]'") from None
    return optuna


def _storage(journal: Path | None) -> Any:
    """The journal's storage, begun anew: what was told before is told again in a resumed run."""
    if journal is None:
        return None
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    # A process that was killed while it wrote leaves its lock, for which Optuna would wait for
    # ever. Whoever is here holds the lock of the run folder, so nobody else writes.
    for left in (journal, *journal.parent.glob(f"{glob.escape(journal.name)}.lock*")):
        left.unlink(missing_ok=True)
    return JournalStorage(JournalFileBackend(str(journal)))
