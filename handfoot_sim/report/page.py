"""The page itself: the template filled in. Everything from runs is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

from handfoot_sim.report.glossary import METHOD, WORDS
from handfoot_sim.report.manifest import RuleRow
from handfoot_sim.report.samples import Sample
from handfoot_sim.report.sections import Section


@dataclass(frozen=True)
class Page:
    """All that a report's page says.

    Attributes
    ----------
    title : who plays
    lead : the result, in sentences
    facts : what was played, as name and value
    warnings : what the reader has to know first: unfinished, shards left out, forfeits
    key_facts : figures of the first line-ups: name, then agent and value
    sections : the statistics
    samples : matches told
    preset, rules : the preset the rules are nearest to, and all fields
    agents : label, class, parameters, hash of the source
    provenance : name and value
    tables_at, pictures_at : folders beside the page; the latter empty without pictures
    """

    title: str
    lead: Sequence[str]
    facts: Sequence[tuple[str, str]]
    warnings: Sequence[str]
    key_facts: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    sections: Sequence[Section]
    samples: Sequence[Sample]
    preset: str
    rules: Sequence[RuleRow]
    agents: Sequence[tuple[str, str, str, str]]
    provenance: Sequence[tuple[str, str]]
    tables_at: str
    pictures_at: str


def rendered_page(page: Page) -> str:
    """The HTML text of a report, which needs no other file and no network."""
    return rendered("report.html.j2", page=page, words=WORDS, method=METHOD)


def rendered(template: str, **values: object) -> str:
    """The HTML text of a template, with the style sheet that all pages share."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("handfoot_sim.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = environment.get_template("report.css").render()
    return environment.get_template(template).render(style=style, **values)
