"""Find agents: by name, as ``module:Class``, or in a file.

A *specification* is ``NAME``, ``package.module:Class`` or ``path/to/file.py`` (``:Class`` after it
where the file has several), with parameters after a further colon: ``greedy:pile_min=3,rush=2``.
``path/to/file.toml`` stands for an agent with tuned parameters (see ``tuned``). Names are those of
the modules and of the files of tuned parameters in ``handfoot_agents``, and of the entry points in
the group ``handfoot_sim.agents`` of installed packages.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import importlib.util
import inspect
import marshal
import pkgutil
import re
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from handfoot_sim.agent.interface import Agent, BatchAgent, Value
from handfoot_sim.agent.tuned import ENDING, read_tuned
from handfoot_sim.errors import AgentError, first_line

GROUP = "handfoot_sim.agents"


@functools.cache
def agent_names() -> dict[str, str]:
    """Every known name and the ``module:Class``, module or TOML file it stands for."""
    names = {point.name: point.value for point in entry_points(group=GROUP)}
    try:
        package = importlib.import_module("handfoot_agents")
    except ImportError:
        return names
    for info in pkgutil.iter_modules(package.__path__):
        names.setdefault(info.name, f"handfoot_agents.{info.name}")
    for folder in package.__path__:
        for file in sorted(Path(folder).glob(f"*{ENDING}")):
            names.setdefault(file.stem, str(file))
    return names


def tuned_file(target: str) -> str | None:
    """The file of tuned parameters that a specification's target stands for, or None."""
    place = target if target.endswith(ENDING) else agent_names().get(target, "")
    return place if place.endswith(ENDING) else None


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
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {where}: importing {name} failed: {first_line(error)}") from error


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
    except AgentError as error:
        del sys.modules[name]
        raise AgentError(f"agent {path}: {error}") from None
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"agent {path}: running the file failed: {first_line(error)}") from error
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


def file_named(text: str) -> str | None:
    """The Python or TOML file that a specification names; its path may hold any sign."""
    found = re.match(r".+?\.(py|toml)(?=:|$)", text, re.DOTALL)
    return found[0] if found else None


def split_specification(text: str) -> tuple[str, str | None, dict[str, str]]:
    """Split a specification into what to load, the class (or None), and the parameters."""
    target = file_named(text) or text.partition(":")[0]
    parts = text[len(target) :].split(":")[1:]
    params = _split_params(text, parts.pop()) if parts and "=" in parts[-1] else {}
    if not target or len(parts) > 1:
        raise AgentError(
            f"agent {text!r} is not NAME, module:Class or path/to/file.py, with parameters as "
            "NAME:parameter=value,..."
        )
    return target, parts[0] if parts else None, params


def _split_params(text: str, words: str) -> dict[str, str]:
    params: dict[str, str] = {}
    for pair in words.split(","):
        name, mark, value = (word.strip() for word in pair.partition("="))
        if not mark or not name:
            raise AgentError(f"agent {text}: {pair!r} is not of the form parameter=value")
        if name in params:
            raise AgentError(f"agent {text}: parameter {name} is given twice; give it once")
        params[name] = value
    return params


def agent_class(target: str, wanted: str | None = None) -> tuple[type[Agent], str]:
    """The agent class for what a specification names, and its name in results."""
    file = tuned_file(target)
    if file is not None:
        tuned = read_tuned(file)
        if wanted is not None:
            raise AgentError(f"agent {target}:{wanted}: {wanted!r} is not of the form name=value")
        inner, chosen, params = split_specification(tuned.agent)
        if params:
            raise AgentError(f"agent {target}: its parameters belong under [parameters]")
        return agent_class(inner, chosen)[0], tuned.name
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
    file = tuned_file(target)
    if file is None:
        loaded = _made(found, name, params)
    else:
        usual = _usual(found, name, file)
        loaded = _made(found, name, usual | params)
        loaded.usual = usual
    is_path = target.endswith((".py", ENDING))
    loaded.specification = _absolute(agent, target) if is_path else agent
    return loaded


def _usual(found: type[Agent], name: str, file: str) -> dict[str, Value]:
    """All parameters of a class, with the values of a file of tuned ones."""
    try:
        return _made(found, name, read_tuned(file).parameters).params
    except AgentError as error:
        raise AgentError(f"{error} (in {file})") from None


def _made(found: type[Agent], name: str, params: dict[str, Any]) -> Agent:
    try:
        made = found(**params)
    except AgentError:
        raise
    except Exception as error:
        raise AgentError(f"agent {name}: making it failed: {first_line(error)}") from error
    if not hasattr(made, "params"):
        raise AgentError(
            f"agent {name}: its __init__ sets no parameters; call super().__init__(**values) in it"
        )
    made.name = name
    return made


def _absolute(specification: str, target: str) -> str:
    """The specification with the file's full path, so that workers elsewhere find it."""
    return str(Path(target).expanduser().resolve()) + specification[len(target) :]


def source_hash(agent: Agent) -> str:
    """Hash of the files that define an agent's class and the classes it is made from.

    16 hex digits; of the code itself where a class has no file, as in a notebook. Tuned parameters
    of a file count as source too.
    """
    digest = hashlib.sha256()
    seen: set[str] = set()
    for each in type(agent).__mro__:
        if issubclass(each, Agent) and each not in (Agent, BatchAgent):
            path = _source_file(each)
            if path is None:
                digest.update(_code_of(each))
            elif path not in seen:
                seen.add(path)
                digest.update(Path(path).read_bytes())
    if any(agent.usual[name] != param.default for name, param in agent.declared.items()):
        digest.update(repr(sorted(agent.usual.items())).encode())
    return digest.hexdigest()[:16]


def _source_file(agent: type[Agent]) -> str | None:
    try:
        path = inspect.getsourcefile(agent)
    except (OSError, TypeError):
        return None
    return path if path and Path(path).is_file() else None


def _code_of(agent: type[Agent]) -> bytes:
    """Names and code of what a class defines."""
    parts = [repr(sorted(vars(agent))).encode()]
    for value in vars(agent).values():
        code = getattr(getattr(value, "__func__", value), "__code__", None)
        if code is not None:
            parts.append(marshal.dumps(code))
    return b"".join(parts)
