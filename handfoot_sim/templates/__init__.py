"""The files that ``handfoot new-agent`` writes, kept as modules that run."""

from __future__ import annotations

from importlib.resources import files


def agent_text(class_name: str, *, batch: bool) -> str:
    """The text of a new agent's file, with its class called ``class_name``."""
    name, written = ("batch.py", "MyBatchAgent") if batch else ("compiled.py", "MyAgent")
    text = files(__name__).joinpath(name).read_text(encoding="utf-8")
    return text.replace(written, class_name)
