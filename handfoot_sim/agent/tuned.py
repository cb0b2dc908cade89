"""Files of tuned parameters: an agent and values for its parameters, under a name of their own.

Such a TOML file can be named wherever an agent can be::

    agent = "greedy"          # its specification; a path is seen from this file

    [parameters]
    pile_min = 4

Parameters that it leaves out keep their defaults. The name in results is the file's name without
its ending, or what the key ``name`` says. Tables that say more (``rules``, ``evidence``) are for
readers; nothing depends on them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handfoot_sim.agent.interface import Value
from handfoot_sim.errors import AgentError, first_line

ENDING = ".toml"


@dataclass(frozen=True)
class Tuned:
    """What a file of tuned parameters says: the agent's specification, its name, its values.

    ``rules`` and ``decision`` tell what they were tuned for and whether they were accepted, as far
    as the file says so.
    """

    agent: str
    name: str
    parameters: dict[str, Value]
    rules: str = ""
    decision: str = ""


def read_tuned(path: str | Path) -> Tuned:
    """Read a file of tuned parameters; ``AgentError`` for what is none.

    Whether the agent has these parameters is seen when it is made.
    """
    place = Path(path).expanduser()
    try:
        data = tomllib.loads(place.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise AgentError(f"agent {path}: the file is not TOML: {error}") from None
    except OSError as error:
        raise AgentError(f"agent {path}: the file can't be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise AgentError(f"agent {path}: the file can't be read: {first_line(error)}") from None
    agent, name = data.get("agent"), data.get("name", place.stem)
    parameters = data.get("parameters", {})
    if not isinstance(agent, str) or not agent:
        raise AgentError(
            f'agent {path}: it has no key agent = "NAME", which says whose parameters these are'
        )
    if not isinstance(name, str) or not name or set(name) & set(",:+= "):
        raise AgentError(
            f"agent {path}: name = {name!r} must be a word without comma, colon, plus, equals sign "
            "or space"
        )
    if not isinstance(parameters, dict) or any(isinstance(v, dict) for v in parameters.values()):
        raise AgentError(f"agent {path}: [parameters] must be a table of names and values")
    rules, evidence = data.get("rules"), data.get("evidence")
    told = rules.get("preset", "") if isinstance(rules, dict) else rules or ""
    decision = evidence.get("decision", "") if isinstance(evidence, dict) else ""
    return Tuned(_seen_from(place, agent), name, parameters, str(told), str(decision))


def _seen_from(place: Path, agent: str) -> str:
    """A specification whose path, if it is one, is made whole."""
    if not agent.endswith(".py") and ".py:" not in agent:
        if agent.endswith(ENDING):
            raise AgentError(f"agent {place}: agent = {agent!r} is itself a file of parameters")
        return agent
    return str(place.resolve().parent / Path(agent).expanduser())


def toml_value(value: Any) -> str:
    """A value as TOML writes it: booleans, numbers, text, lists and tables in one line.

    Numbers come back from it as they were, bit for bit.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(float(value) if isinstance(value, float) else int(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each) for each in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml_value(v)}" for name, v in value.items()) + "}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(s if s.isprintable() else f"\\u{ord(s):04x}" for s in escaped) + '"'
