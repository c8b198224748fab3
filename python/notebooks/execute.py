"""Executes `figures.ipynb` over a dataset, in a copy; `python notebooks/execute.py DATASET` writes the copy back.

What is written is the same wherever and whenever it is done: no times, no paths, no versions.
"""

import os
import sys
from pathlib import Path

import matplotlib.font_manager  # noqa: F401 (makes its cache here, so that the kernel has nothing to tell about it)
import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).with_name("figures.ipynb")
SOURCES = Path(__file__).parents[1] / "src"


def read() -> nbformat.NotebookNode:
    """Read the notebook as it is stored."""
    notebook: nbformat.NotebookNode = nbformat.read(NOTEBOOK, as_version=4)
    return notebook


def executed(dataset: Path) -> nbformat.NotebookNode:
    """Execute a copy of the notebook over this export, with the package of this checkout.

    Raises:
        CellExecutionError: a cell failed; the message shows it.

    """
    notebook = read()
    environment = os.environ | {"TOADS_DATASET": str(dataset.resolve()), "PYTHONPATH": str(SOURCES)}
    NotebookClient(notebook, kernel_name="python3", record_timing=False).execute(env=environment)
    notebook.metadata = read().metadata
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python notebooks/execute.py DATASET")
    nbformat.write(executed(Path(sys.argv[1])), NOTEBOOK)
