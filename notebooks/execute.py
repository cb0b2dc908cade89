"""Execute the notebooks and store them with their outputs.

    python notebooks/execute.py [NOTEBOOK...]

Each one is played in a fresh kernel of this interpreter and in an empty temporary folder, and is
written back without anything that differs from one run to the next, so that only what a change
really changed shows in a diff. ``HANDFOOT_NOTEBOOK_SCALE`` sets how much is played (1 unless
given); what is stored here is played at 1.
"""

from __future__ import annotations

import asyncio
import base64
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LONGEST = 300
"""Seconds that a cell may take."""


class ThisInterpreter(KernelSpecManager):
    """Knows one kernel: the interpreter that runs this, whatever kernels are installed."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """The kernel, under any name; it keeps no history."""
        arguments = ["-f", "{connection_file}", "--HistoryManager.enabled=False"]
        return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", *arguments], **KERNEL)


def execute(notebook: NotebookNode, scale: float = 1.0) -> NotebookNode:
    """A copy of a notebook with the outputs of a fresh run.

    The kernel imports the library from this checkout, and works in a temporary folder that is
    removed with all that the notebook wrote. Raises ``nbclient.exceptions.CellExecutionError``
    with the traceback where a cell fails.
    """
    played = nbformat.from_dict(notebook)
    # The kernel's folder is another one than that of its own files, so that a cell sees it empty.
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as folder:
        manager = AsyncKernelManager(
            kernel_spec_manager=ThisInterpreter(),
            connection_file=str(Path(own) / "kernel.json"),
            transport="ipc",  # TCP would be open to other users of this machine
            ip=str(Path(own) / "kernel"),
        )
        client = NotebookClient(
            played, km=manager, timeout=LONGEST, coalesce_streams=True, record_timing=False,
            resources={"metadata": {"path": folder}},
        )  # fmt: skip
        asyncio.run(client.async_execute(env=_environment(own, scale), cleanup_kc=True))
    return played


def _environment(own: str, scale: float) -> dict[str, str]:
    paths = [str(ROOT), str(ROOT / "agents"), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "HANDFOOT_NOTEBOOK_SCALE": str(scale),
        "IPYTHONDIR": own,
        "JUPYTER_RUNTIME_DIR": own,
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def stored(notebook: NotebookNode) -> str:
    """The text of a notebook's file: cells numbered, nothing of the machine it was played on."""
    kept = nbformat.from_dict(notebook)
    language: dict[str, Any] = {"name": "python", "file_extension": ".py"}
    kept.metadata = NotebookNode(kernelspec=NotebookNode(KERNEL), language_info=language)
    for number, cell in enumerate(kept.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = NotebookNode()
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = smaller(output.data["image/png"])
    nbformat.validate(kept)
    return str(nbformat.writes(kept)) + "\n"


def smaller(picture: str) -> str:
    """A PNG (in base64) with 256 colours at most, which takes about a third of the room."""
    file = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
        if image.mode == "P":  # it has been through here
            return picture
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        few.save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode() + "\n"


def main() -> None:
    """Execute the notebooks named, or all of them."""
    scale = float(os.environ.get("HANDFOOT_NOTEBOOK_SCALE", 1))
    for path in [Path(name) for name in sys.argv[1:]] or NOTEBOOKS:
        text = stored(execute(nbformat.read(path, as_version=4), scale))
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {len(text) / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
