"""The notebook runs, and what it shows is what is stored."""

from pathlib import Path

import execute
import pytest
from conftest import Runner
from nbformat import NotebookNode


@pytest.fixture(scope="module")
def twelve(run: Runner) -> Path:
    """Export 1..12 squares of both variants, which the notebook speaks of."""
    for variant in ("hop", "hopless"):
        run("census", "run", "--squares", "1..12", "--variant", variant, "--memory", "256MiB", "--store", "twelve.db")
    run("export", "parquet", "--all-variants", "--store", "twelve.db", "--out", "twelve")
    return run.folder / "twelve"


def shown(notebook: NotebookNode) -> list[list[tuple[str, str]]]:
    """Tell what each cell shows: the text, or that there is a picture. Its dots are not compared."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [[_output(output) for output in cell.outputs] for cell in cells]


def _output(output: NotebookNode) -> tuple[str, str]:
    if output.output_type not in ("display_data", "execute_result"):
        return output.output_type, str(output)
    return output.output_type, "a picture" if "image/png" in output.data else output.data["text/plain"]


def test_the_notebook_shows_what_is_stored(twelve: Path) -> None:
    stored = execute.read()
    assert shown(execute.executed(twelve)) == shown(stored)
    pictures = [output for cell in shown(stored) for output in cell if output[0] == "display_data"]
    assert len(pictures) == 3


def test_the_stored_notebook_tells_nothing_of_the_machine_that_ran_it() -> None:
    text = execute.NOTEBOOK.read_text()
    assert str(Path.home()) not in text
    for cell in execute.read().cells:
        assert cell.metadata == {}
    assert "image/png" in text
    assert len(text) < 300_000
