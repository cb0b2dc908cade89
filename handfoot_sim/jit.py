"""The one place that says how code is compiled, and where the results are kept.

The policy
----------
``nogil``
    so that threads can play side by side.
``error_model="numpy"``
    no zero-division branches in hot loops; nothing in the engine divides by data. In agents that
    are not part of this distribution "python", so that a division by zero raises.
``cache``
    compile once a machine. Numba's disk cache does not notice that a callee in another file
    changed, so a folder is named by a hash of every source that can end up in the code it holds.
    There are two: of the engine, which calls agents by address only (the packages ``game`` and
    ``engine``, ``agent/calling.py`` and this file), and of the agents of this distribution and
    their building blocks. So an agent can be changed without the engine being compiled anew.
``boundscheck``
    off in the engine, whose indices come from checked data; on in agents that are not part of
    this distribution and the functions they declare ``inline``, so that no agent reads beyond its
    view.

Set ``HANDFOOT_CACHE_DIR`` to keep the compiled code elsewhere than in the user's cache folder.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
import numba.extending
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher

from handfoot_sim.errors import HandfootError

ROOM: Final = 16 * 2**20
"""Bytes that must be free for compiled code (measured: 4 MB)."""

HERE: Final = Path(__file__).resolve().parent
OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "cache": True}

FOREIGN: Final[dict[str, Any]] = {"boundscheck": True, "error_model": "python", "cache": False}
"""What is otherwise for functions that are not part of this distribution."""


def agents_folder() -> Path | None:
    """Folder of the agents that come with this distribution, or None if they are not there."""
    for parent in (HERE.parent / "agents", HERE.parent):
        if (parent / "handfoot_agents").is_dir():
            return parent / "handfoot_agents"
    return None


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function comes with this distribution, so that it is trusted and may be cached."""
    return _lies_here(function.__code__.co_filename)


@functools.cache
def _lies_here(filename: str) -> bool:
    folders = Path(filename).resolve().parents
    return HERE in folders or agents_folder() in folders


def engine_sources() -> list[Path]:
    """Every file whose code may end up in a compiled function of the engine, sorted."""
    folders = (HERE / "game", HERE / "engine")
    files = sorted(path for each in folders for path in each.glob("**/*.py"))
    return [Path(__file__), HERE / "agent" / "calling.py", *files]


def library_sources() -> list[Path]:
    """The engine's sources, and those of the agents' interface and building blocks."""
    return sorted({*engine_sources(), *(HERE / "agent").glob("**/*.py")})


def compiled_sources() -> list[Path]:
    """Every file whose code may end up in any compiled function."""
    agents = agents_folder()
    return [*library_sources(), *(sorted(agents.glob("**/*.py")) if agents else ())]


def _hash_of(paths: list[Path]) -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for path in paths:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def source_hash() -> str:
    """Hash of the library's compiled sources, 16 hex digits; agents have hashes of their own."""
    return _hash_of(library_sources())


def wanted_folder() -> Path:
    """Where compiled code is to be kept."""
    named = os.environ.get("HANDFOOT_CACHE_DIR")
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "handfoot-sim"


def is_engine(function: Callable[..., Any]) -> bool:
    """Whether a function is of the engine, so that only the engine's sources are in its code."""
    path = Path(function.__code__.co_filename).resolve()
    return HERE / "game" in path.parents or HERE / "engine" in path.parents


@functools.cache
def cache_folder(engine: bool = True) -> Path:
    """Folder of the code compiled from the sources as they are now; made if it is not there.

    One for the ``engine``, another one for agents. Falls back to the system's folder for
    temporary files where the wanted one can't be written or has no room.
    """
    sources = engine_sources() if engine else compiled_sources()
    # Numba keeps the code of each checkout apart, so the place is part of the name.
    place = hashlib.sha256(str(HERE).encode()).hexdigest()[:6]
    part = f"{'engine' if engine else 'agents'}-{_hash_of(sources)}-{place}"
    name = f"{part}-py{sys.version_info.major}{sys.version_info.minor}"
    try:
        root = wanted_folder()
        (root / name).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root / name):
            pass
        if not any((root / name).iterdir()) and shutil.disk_usage(root).free < ROOM:
            raise OSError(errno.ENOSPC, "no room for compiled code")
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        root = Path(tempfile.gettempdir()) / f"handfoot-sim-{os.getuid()}"
        (root / name).mkdir(parents=True, exist_ok=True)
    return root / name


def declare(function: Callable[..., Any], signature: Any = None, **changes: Any) -> Any:
    """A Numba dispatcher for ``function`` under our policy, with ``changes`` to its options.

    With a ``signature`` the code is compiled (or loaded from the cache) here and now.
    """
    if numba.config.DISABLE_JIT:
        raise HandfootError("NUMBA_DISABLE_JIT is set, but the engine runs only compiled; unset it")
    keep = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(is_engine(function)))
    try:
        options = OPTIONS | changes
        decorate = numba.njit(signature, **options) if signature else numba.njit(**options)
        return decorate(function)
    finally:
        numba.config.CACHE_DIR = keep


def jit(function: Callable[..., Any]) -> Any:
    """Compile a function of the Numba subset by the one policy (on its first call)."""
    return declare(function)


class InlineFunction(numba.types.Dispatcher):  # type: ignore[misc]
    """Type of an ``inline`` function, which says all that compiled code needs to call it.

    So it may be handed to another function, and the code is still cached: Numba would put the
    address of the Python object into it, which is another one in each process.
    """


numba.extending.register_model(InlineFunction)(numba.extending.models.OpaqueModel)


@lower_constant(InlineFunction)  # type: ignore[untyped-decorator]
def _no_value(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


class InlineDispatcher(CPUDispatcher):  # type: ignore[misc]
    """An ``inline`` function."""

    @property
    def _numba_type_(self) -> Any:
        return InlineFunction(self)


def inline(function: Callable[..., Any]) -> Any:
    """Like ``jit``, for small functions that only compiled code calls: nothing is cached.

    Integer arguments of any width arrive as 64-bit ones and literal ones as plain values.
    Without that Numba would compile a function anew for each mixture of widths and constants it
    is called with: measured here, 30 s instead of 10 s for the engine.
    """
    dispatcher = declare(function, **({"cache": False} if is_own(function) else FOREIGN))
    dispatcher.__class__ = InlineDispatcher
    choose = dispatcher.get_call_template

    def choose_widened(args: Any, keywords: Any) -> Any:
        return choose(tuple(_widened(each) for each in args), keywords)

    dispatcher.get_call_template = choose_widened
    return dispatcher


def _widened(kind: Any) -> Any:
    plain = numba.types.unliteral(kind)
    if isinstance(plain, numba.types.Integer) and plain != numba.types.uint64:
        return numba.types.int64
    return plain


def intrinsic(function: Callable[..., Any]) -> Any:
    """Declare an operation of compiled code by the machine code it becomes."""
    return numba.extending.intrinsic(function)


def is_compiled(function: str) -> bool:
    """Whether a function of this name lies compiled on disk."""
    return any(cache_folder().glob(f"**/*.{function}-*.nbi"))
