"""Find agents: by name, as ``module:Class``, or in a file.

A *specification* is ``NAME``, ``package.module:Class`` or ``path/to/file.py`` (``:Class`` after it
where the file has several), with parameters after a further colon: ``greedy:pile_min=3,rush=2``.
Names are those of the modules of ``handfoot_agents`` and of the entry points in the group
``handfoot_sim.agents`` of installed packages.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from handfoot_sim.agent.interface import Agent, BatchAgent
from handfoot_sim.errors import AgentError

GROUP = "handfoot_sim.agents"


@functools.cache
def agent_names() -> dict[str, str]:
    """Every known name and the ``module:Class`` or module it stands for."""
    names = {point.name: point.value for point in entry_points(group=GROUP)}
    try:
        package = importlib.import_module("handfoot_agents")
    except ImportError:
        return names
    for info in pkgutil.iter_modules(package.__path__):
        names.setdefault(info.name, f"handfoot_agents.{info.name}")
    return names


def agents_in(module: ModuleType) -> list[type[Agent]]:
    """Agent classes that a module defines itself."""
    return [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Agent)
        and value.__module__ == module.__name__
    ]


def _pick(module: ModuleType, wanted: str | None, where: str) -> type[Agent]:
    found = agents_in(module)
    if wanted is not None:
        chosen = getattr(module, wanted, None)
        if inspect.isclass(chosen) and issubclass(chosen, Agent):
            return chosen
        names = ", ".join(each.__name__ for each in found) or "none"
        raise AgentError(f"agent {where}: there is no agent class {wanted}; it defines: {names}")
    if len(found) == 1:
        return found[0]
    if not found:
        raise AgentError(f"agent {where}: it defines no subclass of Agent or BatchAgent")
    names = ", ".join(each.__name__ for each in found)
    raise AgentError(f"agent {where}: it defines several agents ({names}); add :CLASS to choose")


def _import(name: str, where: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise AgentError(f"agent {where}: importing {name} failed: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


@functools.cache
def _module_from_file(path: Path, digest: str) -> ModuleType:
    """The module in a file; imported anew when its text (``digest``) has changed."""
    name = f"handfoot_agent_{path.stem}_{digest[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"agent {path}: it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except AgentError:
        del sys.modules[name]
        raise
    except Exception as error:
        del sys.modules[name]
        raise AgentError(f"agent {path}: running the file failed: {_reason(error)}") from error
    return module


def _from_file(text: str, wanted: str | None) -> type[Agent]:
    path = Path(text).expanduser().resolve()
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise AgentError(f"agent {text}: the file can't be read: {error.strerror}") from None
    return _pick(_module_from_file(path, digest), wanted, text)


def _unknown(name: str) -> AgentError:
    near = difflib.get_close_matches(name, agent_names(), 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return AgentError(
        f"there is no agent {name!r}; {hint}known are {', '.join(sorted(agent_names()))}, "
        "or give module:Class or path/to/file.py"
    )


def split_specification(text: str) -> tuple[str, str | None, dict[str, str]]:
    """Split a specification into what to load, the class (or None), and the parameters."""
    parts = text.split(":")
    params: dict[str, str] = {}
    if "=" in parts[-1]:
        for pair in parts.pop().split(","):
            name, mark, value = pair.partition("=")
            if not mark or not name.strip():
                raise AgentError(f"agent {text}: {pair!r} is not of the form parameter=value")
            params[name.strip()] = value.strip()
    if not parts or not parts[0] or len(parts) > 2:
        raise AgentError(
            f"agent {text!r} is not NAME, module:Class or path/to/file.py, with parameters as "
            "NAME:parameter=value,..."
        )
    return parts[0], parts[1] if len(parts) == 2 else None, params


def agent_class(target: str, wanted: str | None = None) -> tuple[type[Agent], str]:
    """The agent class for what a specification names, and its name in results."""
    if target.endswith(".py"):
        return _from_file(target, wanted), Path(target).stem
    if wanted is not None and target in agent_names():
        raise AgentError(f"agent {target}:{wanted}: {wanted!r} is not of the form parameter=value")
    if wanted is not None:
        return _pick(_import(target, f"{target}:{wanted}"), wanted, target), wanted
    if target not in agent_names():
        raise _unknown(target)
    module, _, name = agent_names()[target].partition(":")
    return _pick(_import(module, target), name or None, target), target


def load_agent(agent: str | Agent | type[Agent]) -> Agent:
    """An agent from a specification, a class (made with its defaults), or an agent as it is.

    Raises ``AgentError`` in one sentence where there is none.
    """
    if isinstance(agent, Agent):
        return agent
    if inspect.isclass(agent) and issubclass(agent, Agent):
        return agent()
    if not isinstance(agent, str):
        raise AgentError(f"{agent!r} is neither the name of an agent nor an agent")
    target, wanted, params = split_specification(agent)
    found, name = agent_class(target, wanted)
    if found in (Agent, BatchAgent):
        raise AgentError(f"agent {agent}: {found.__name__} is a base class, not a strategy")
    loaded = _made(found, name, params)
    loaded.specification = agent if not target.endswith(".py") else _absolute(agent, target)
    return loaded


def _made(found: type[Agent], name: str, params: dict[str, Any]) -> Agent:
    try:
        made = found(**params)
    except AgentError:
        raise
    except Exception as error:
        raise AgentError(f"agent {name}: making it failed: {_reason(error)}") from error
    made.name = name
    return made


def _absolute(specification: str, target: str) -> str:
    """The specification with the file's full path, so that workers elsewhere find it."""
    return str(Path(target).expanduser().resolve()) + specification[len(target) :]


def source_hash(agent: Agent) -> str:
    """Hash of the file that defines an agent's class, 16 hex digits; of its code if it has none."""
    path = inspect.getsourcefile(type(agent))
    try:
        content = Path(path or "").read_bytes()
    except OSError:
        content = repr(sorted(vars(type(agent)))).encode()
    return hashlib.sha256(content).hexdigest()[:16]
