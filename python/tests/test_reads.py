"""Only what a question needs is read."""

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from conftest import SQUARES

import toads

ALONE = 5
"""The one n whose files are whole in `lone`."""


@pytest.fixture
def lone(ds: toads.Dataset, tmp_path: Path) -> toads.Dataset:
    """Copy the dataset, and spoil the strips of every n but one."""
    # A name that means something to those who look for patterns and partitions in paths.
    copy = tmp_path / "more=1" / "[copy]*"
    shutil.copytree(ds.path, copy)
    for path in copy.glob("strips/*/*/*.parquet"):
        if path.parent.name not in ("n=1", f"n={ALONE}"):
            path.write_bytes(b"no table")
    return toads.open(copy)


@pytest.mark.parametrize(
    "ask",
    [
        lambda ds: ds.strips(n=ALONE, value="{1/2|0}"),
        lambda ds: ds.strips(ALONE, "{1/2|0}", lazy=True).collect(),
        lambda ds: ds.strips(value="{1/2|0}", lazy=True).filter(pl.col("n") == ALONE).collect(),
        lambda ds: ds.strips(lazy=True).filter(pl.col("n") == ALONE, pl.col("value") == "{1/2|0}").collect(),
    ],
)
def test_a_condition_on_n_reads_the_files_of_that_n_alone(
    lone: toads.Dataset, ds: toads.Dataset, ask: Callable[[toads.Dataset], pl.DataFrame]
) -> None:
    found = ask(lone)
    assert found.equals(ask(ds))
    assert found.height > 0
    assert set(found["n"]) == {ALONE}
    with pytest.raises(toads.DamagedError):
        lone.strips(n=ALONE + 1)


def test_a_strip_is_looked_for_in_one_file(lone: toads.Dataset) -> None:
    assert lone.strips(strip="TT.FF", variant="hop")["strip"].to_list() == ["TT.FF"]


def test_conditions_and_columns_reach_the_parquet_reader(ds: toads.Dataset) -> None:
    plan = ds.strips(value="*", toads=2, lazy=True).select("strip").explain()
    scans = plan.split("Parquet SCAN")[1:]
    assert len(scans) == 2 * SQUARES
    for scan in scans:
        assert "PROJECT 5/8 COLUMNS" in scan
        assert 'col("value") == "*"' in scan.partition("SELECTION:")[2]
        assert 'col("toads")' in scan.partition("SELECTION:")[2]
    assert "FILTER" not in plan
    plan = ds.values(kind="hot", lazy=True).select("value", "mean").explain()
    assert 'col("kind") == "hot"' in plan.partition("SELECTION:")[2]


def test_strips_come_in_their_order(ds: toads.Dataset) -> None:
    order = ["variant", "n", "toads", "frogs", "idx"]
    strips = ds.strips()
    assert strips.equals(strips.sort(order))
