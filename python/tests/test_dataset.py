"""Frames say what the store says; what cannot be opened says why."""

import csv
import io
import json
import shutil
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from conftest import SQUARES, Runner

import toads


def tsv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_it_holds_every_strip_once(ds: toads.Dataset) -> None:
    counts = ds.strips().group_by("variant", "n").agg(pl.len(), pl.col("strip").n_unique().alias("distinct"))
    assert counts.height == 2 * SQUARES
    for row in counts.iter_rows(named=True):
        assert row["len"] == row["distinct"] == 3 ** row["n"]
    assert ds.manifest.rows("strips") == ds.strips().height
    assert ds.variants == ("hop", "hopless")


def test_strips_are_those_of_the_query(ds: toads.Dataset, run: Runner) -> None:
    asked = tsv(run("query", "strips", "--value", "{1/2|0}", "--squares", "7", "--format", "tsv"))
    found = ds.strips(n=7, value="{1/2|0}", variant="hop").sort("idx")
    assert found["strip"].to_list() == [row["strip"] for row in asked]
    assert found.height > 10
    assert found.columns == ["variant", "n", "idx", "strip", "toads", "frogs", "value_id", "value"]


def test_conditions_narrow_what_is_read(ds: toads.Dataset) -> None:
    one = ds.strips(strip="TT.FF", variant="hop")
    assert one.select("strip", "n", "toads", "frogs").rows() == [("TT.FF", 5, 2, 2)]
    some = ds.strips(n=range(3, 5), toads=[2, 3], frogs=0, variant="hop")
    assert set(some["n"]) == {3, 4}
    assert set(some["toads"]) == {2, 3}
    assert set(some["frogs"]) == {0}
    by_id = ds.strips(n=5, value_id=one["value_id"][0], variant="hop")
    assert by_id.height == ds.strips(n=5, value=one["value"][0], variant="hop").height
    lazy = ds.strips(n=4, lazy=True)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect().height == 2 * 81


def test_the_summary_is_that_of_the_query(ds: toads.Dataset, run: Runner) -> None:
    for variant in ds.variants:
        asked = tsv(run("query", "summary", "--variant", variant, "--format", "tsv"))
        summary = ds.summary(variant).drop("variant")
        found = [{name: str(cell) for name, cell in row.items()} for row in summary.iter_rows(named=True)]
        assert found == asked
    assert ds.summary().height == 2 * SQUARES


def test_values_have_their_invariants(ds: toads.Dataset) -> None:
    zero = ds.values(value="0")
    assert zero.select("kind", "outcome", "birthday").rows() == [("integer", "P", 0)]
    for row in ds.values(kind="dyadic").iter_rows(named=True):
        assert Fraction(row["temperature"]) == Fraction(-1, Fraction(row["value"]).denominator)
    ids = set(ds.values()["value_id"])
    assert ids >= set(ds.values()["negative_id"])
    assert ids >= set(ds.strips()["value_id"].unique())
    assert isinstance(ds.values(lazy=True), pl.LazyFrame)


def test_tallies_count_strips(ds: toads.Dataset) -> None:
    by_class = ["variant", "n", "toads", "frogs", "value_id"]
    counted = ds.strips().group_by(by_class).agg(pl.len().alias("count").cast(pl.UInt64))
    told = ds.tallies().select(*by_class, "count")
    assert counted.sort(by_class).equals(told.sort(by_class))
    assert ds.tallies(n=5, variant="hopless")["count"].sum() == 3**5


def test_arrow_reads_the_same(ds: toads.Dataset) -> None:
    table = ds.table("strips").to_table()
    assert table.num_rows == ds.strips().height
    assert set(table.column("variant").to_pylist()) == {"hop", "hopless"}
    assert ds.table("values").to_table().num_rows == ds.values().height


def test_checksums_hold_until_something_changes(ds: toads.Dataset, tmp_path: Path) -> None:
    assert ds.verify() == len(ds.manifest.files) + 3
    copy = tmp_path / "copy"
    shutil.copytree(ds.path, copy)
    values = copy / "values.parquet"
    damaged = bytearray(values.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    values.write_bytes(damaged)
    (copy / "tallies.parquet").unlink()
    with pytest.raises(toads.DamagedError, match=r"values\.parquet") as caught:
        toads.open(copy).verify()
    assert len(caught.value.damages) == 2
    (copy / "SHA256SUMS").unlink()
    with pytest.raises(toads.DamagedError, match="SHA256SUMS"):
        toads.open(copy).verify()


def test_what_is_no_dataset_is_refused(tmp_path: Path, run: Runner) -> None:
    with pytest.raises(toads.NotADatasetError, match="name the folder"):
        toads.open(tmp_path)
    manifest = tmp_path / "MANIFEST.json"
    manifest.write_text("{}")
    with pytest.raises(toads.NotADatasetError):
        toads.open(tmp_path)
    manifest.write_text(json.dumps({"manifest_version": 1}))
    with pytest.raises(toads.NotADatasetError, match="lacks"):
        toads.open(tmp_path)
    manifest.write_text(json.dumps({"manifest_version": 99}))
    with pytest.raises(toads.FormatError, match="update the package"):
        toads.open(tmp_path)
    run("export", "csv", "--out", "csv", "--squares", "1..3")
    with pytest.raises(toads.FormatError, match="csv"):
        toads.open(run.folder / "csv")


def test_what_was_not_exported_says_so(ds: toads.Dataset, run: Runner) -> None:
    with pytest.raises(toads.MissingDataError, match="n = 9"):
        ds.strips(n=9)
    run("export", "parquet", "--out", "few", "--squares", "1..3", "--tables", "values", "--variant", "hopless")
    few = toads.open(run.folder / "few")
    with pytest.raises(toads.MissingDataError, match="--tables strips"):
        few.strips()
    with pytest.raises(toads.MissingDataError, match="not hop"):
        few.strips(variant="hop")
    assert "hopless 1..3" in repr(few)
    assert few.values().height > 3
