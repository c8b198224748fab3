"""A small dataset, exported by the real binary."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import toads

SQUARES = 7


def binary() -> str | None:
    """TOADS_BINARY, else what cargo built in this checkout, else `toads` on the path."""
    named = os.environ.get("TOADS_BINARY")
    if named:
        return named
    built = Path(__file__).parents[2] / "target" / "release" / "toads"
    return str(built) if built.is_file() else shutil.which("toads")


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> "Runner":
    command = binary()
    if command is None:
        pytest.skip("there is no toads binary: build it (make build), or name it in TOADS_BINARY")
    runner = Runner(command, tmp_path_factory.mktemp("census"))
    for variant in ("hop", "hopless"):
        runner("census", "run", "--squares", f"1..{SQUARES}", "--variant", variant, "--memory", "256MiB")
    return runner


class Runner:
    """Runs `toads` in a folder of its own, with a store there."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command = command
        self.folder = folder

    def __call__(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TOADS_")}
        ran = subprocess.run(
            [self.command, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, f"toads {' '.join(arguments)}\n{ran.stdout}{ran.stderr}"
        return ran.stdout


@pytest.fixture(scope="session")
def folder(run: Runner) -> Path:
    run("export", "parquet", "--out", "dataset", "--all-variants")
    return run.folder / "dataset"


@pytest.fixture(scope="session")
def ds(folder: Path) -> toads.Dataset:
    return toads.open(folder)
