"""Frames say what the store says."""

import csv
import io
from fractions import Fraction

import polars as pl
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
    assert ds.strips(n=[4], strip="TT.FF").is_empty()
    assert ds.strips(n=(n for n in (3, 4))).height == 2 * (3**3 + 3**4)
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


def test_fractions_are_floats_where_asked(ds: toads.Dataset) -> None:
    names = ["left_stop", "right_stop", "mean", "temperature"]
    values = ds.values().with_columns(toads.num(name).alias(f"num_{name}") for name in names)
    for row in values.iter_rows(named=True):
        for name in names:
            assert row[f"num_{name}"] == float(Fraction(row[name])), row
    lone = pl.DataFrame({"mean": ["3/4", None, "-2"]})
    assert lone.select(toads.num("mean"), toads.num(pl.col("mean")).alias("same")).rows() == [
        (0.75, 0.75),
        (None, None),
        (-2.0, -2.0),
    ]


def test_values_have_their_invariants(ds: toads.Dataset) -> None:
    zero = ds.values(value="0")
    assert zero.select("kind", "outcome", "birthday").rows() == [("integer", "P", 0)]
    for row in ds.values(kind="dyadic").iter_rows(named=True):
        assert Fraction(row["temperature"]) == Fraction(-1, Fraction(row["value"]).denominator)
    assert ds.values().columns == [column.name for column in ds.manifest.tables["values"]]
    for row in ds.values().iter_rows(named=True):
        is_number = row["kind"] in ("integer", "dyadic")
        assert row["denominator"] == (Fraction(row["value"]).denominator if is_number else None)
        assert (row["depth"] == 0) == is_number
        assert row["subpositions"] > max(row["left_options"], row["right_options"])
        assert row["atomic_weight"] is None or row["left_stop"] == row["right_stop"] == "0"
    assert ds.values(value="^")["atomic_weight"].to_list() == ["1"]
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
    zero = ds.values(value="0")["value_id"][0]
    few = ds.tallies(n=[4, 5], toads=2, frogs=range(3), value_id=zero)
    assert set(few["n"]) == {4, 5}
    assert set(few["frogs"]) <= {0, 1, 2}
    assert few["count"].sum() == ds.strips(n=[4, 5], toads=2, frogs=range(3), value="0").height > 0


def test_arrow_reads_the_same(ds: toads.Dataset) -> None:
    table = ds.table("strips").to_table()
    assert table.num_rows == ds.strips().height
    assert set(table.column("variant").to_pylist()) == {"hop", "hopless"}
    assert ds.table("values").to_table().num_rows == ds.values().height
