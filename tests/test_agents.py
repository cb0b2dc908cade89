"""Every agent that can be named passes the same checks."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from handfoot_sim.agent.loading import agent_class, agent_names, load_agent
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine import lockstep
from handfoot_sim.engine.log import no_log
from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.engine.rows import ROW
from handfoot_sim.game.cards import RED_THREE
from handfoot_sim.game.state import PLAY, VIEW, full_deck, meld_minimums, rules_record
from handfoot_sim.playing import play
from handfoot_sim.rules import Rules

AGENTS = sorted(agent_names())


@pytest.mark.parametrize("rules", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
@pytest.mark.parametrize("name", AGENTS)
def test_plays_legally_and_finishes(name: str, rules: Rules) -> None:
    pairing = make_pairing([name, "random_legal"], rules)
    driver = "fused" if pairing.compiled else "lockstep"
    count = 4 * pairing.mirrors
    rows = play(pairing, seed=8, first_match=0, count=count, driver=driver)
    assert (rows["turns"] > 0).all()
    again = play(pairing, seed=8, first_match=0, count=count, driver=driver)
    assert np.array_equal(rows, again)


@pytest.mark.parametrize("name", AGENTS)
def test_is_documented(name: str) -> None:
    found, _ = agent_class(name)
    text = inspect.getdoc(inspect.getmodule(found)) or ""
    for part in ("Idea:", "Source:", "Known weakness:"):
        assert part in text, part
    assert inspect.getdoc(found)
    for param in found.declared.values():
        assert param.meaning
    for param_name in found.declared:
        if not found.batch:
            assert f"params.{param_name}" in inspect.getsource(found), param_name


class Waiting:
    """Tables of one pairing in the middle of play, with what each waits for."""

    def __init__(self, pairing: Pairing, rounds: int) -> None:
        rules = pairing.rules
        self.pairing = pairing
        self.rules_row = rules_record(rules)
        self.room = lockstep.Tables(64, rules.cards)
        self.seated, self.kept = pairing.seated()
        deck, minimums, log = full_deck(rules), meld_minimums(rules), no_log().head
        rows = np.zeros((4096, rules.deals, rules.teams), ROW)
        started = 0
        touched = np.arange(len(self.room.tables))
        for _ in range(rounds):
            started = lockstep.move_on(
                self.room.tables, self.room.slots, self.room.waits, touched, pairing.seat_agents,
                self.rules_row, deck, minimums, np.uint64(3), 0, 0, started, self.room.order, log,
                rows,
            )  # fmt: skip
            agent, phase, count = lockstep.most_wanted(
                self.room.waits, len(pairing.agents), self.room.chosen
            )
            self.agent, self.phase = int(agent), int(phase)
            self.chosen = touched = self.room.chosen[:count].copy()
            answers, plays = self.ask(self.room.tables)[1:]
            self.before = self.room.tables.copy()
            lockstep.carry_out(
                self.room.tables, self.rules_row, self.chosen, phase, answers, plays, log
            )

    def ask(self, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Views, answers and plays of the agent for the tables that wait for it."""
        views, plays = np.zeros(len(self.chosen), VIEW), np.zeros(len(self.chosen), PLAY)
        lockstep.show(tables, self.rules_row, self.chosen, self.phase, views, plays)
        agent = self.pairing.agents[self.agent]
        shown = views.copy()
        if agent.batch:
            answers = lockstep.batch_answers(agent, self.phase, views, plays)
        else:
            answers = np.zeros(len(views), np.int64)
            failed = lockstep.answer_all(self.seated, self.agent, self.phase, views, plays, answers)
            assert failed == -1
        assert np.array_equal(shown, views), "it wrote into a view"
        return views, answers, plays


def redeal_hidden(tables: np.ndarray, rules: Rules, generator: np.random.Generator) -> None:
    """Deal all that a seat can't see anew: unknown cards of other hands, feet, the stock."""
    for t in tables:
        seat = int(t["asking"] if t["phase"] == 2 else t["turn_seat"])
        positions = np.concatenate(
            [
                np.arange(t["stock_next"][s], t["stock_size"], t["streams"])
                for s in range(t["streams"])
            ]
        )
        slots: list[tuple[str, int]] = []
        cards: list[int] = []
        for other in range(rules.players):
            unknown = t["foot"][other].copy()
            slots += [("foot", other)] * int(unknown.sum())
            if other != seat:
                hidden = t["hand"][other] - t["known"][other]
                slots += [("hand", other)] * int(hidden.sum())
                unknown += hidden
                t["hand"][other] = t["known"][other]
            cards += list(np.repeat(np.arange(len(unknown)), unknown))
            t["foot"][other] = 0
        cards += list(t["stock"][positions])
        order = generator.permutation(cards)
        for place, (field, owner) in enumerate(slots):
            # A red three can't lie in a hand: it would have been laid.
            if field == "hand" and order[place] == RED_THREE:
                swap = next(i for i in range(len(slots), len(order)) if order[i] != RED_THREE)
                order[place], order[swap] = order[swap], order[place]
            t[field][owner, order[place]] += 1
        t["stock"][positions] = order[len(slots) :]


@pytest.mark.parametrize("rules", [Rules(), CONFIGURATIONS["pagat"], CONFIGURATIONS["6 in 3"]])
@pytest.mark.parametrize("name", AGENTS)
def test_decides_nothing_by_hidden_cards(name: str, rules: Rules) -> None:
    generator = np.random.default_rng(1)
    pairing = make_pairing([name, name], rules)
    phases = set()
    for rounds in (20, 45, 70, 71, 72, 110, 160, 161, 162):
        waiting = Waiting(pairing, rounds)
        phases.add(waiting.phase)
        views, answers, plays = waiting.ask(waiting.before)
        changed = waiting.before.copy()
        for index in waiting.chosen:
            redeal_hidden(changed[index : index + 1], rules, generator)
        assert not np.array_equal(changed["stock"], waiting.before["stock"])
        views2, answers2, plays2 = waiting.ask(changed)
        assert np.array_equal(views, views2)
        assert np.array_equal(answers, answers2)
        assert np.array_equal(plays, plays2)
    assert len(phases) >= 2


def test_views_hold_no_hidden_card() -> None:
    hidden = {"hand", "foot", "stock", "stock_next", "drawn", "pending", "match_key", "turn_key"}
    assert not hidden & set(VIEW.names or ())


def test_labels_name_what_differs() -> None:
    assert load_agent("greedy").label == "greedy"
    assert load_agent("greedy:pile_min=3,rush=3").label == "greedy:pile_min=3"
    assert load_agent("random_legal:take_chance=0.25").label == "random_legal:take_chance=0.25"
