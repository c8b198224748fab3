"""The b-files of an export keep the rules of the OEIS, and count what the Parquet export holds."""

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from conftest import SQUARES, Runner

import toads

LINE = re.compile(rb"(0|[1-9][0-9]*) (0|-?[1-9][0-9]*)\n")


@pytest.fixture(scope="module")
def bfiles(run: Runner) -> dict[str, list[int]]:
    """Export the b-files; the terms of each, from n = 1 on, by name: `hop-zeros` and so on."""
    run("export", "bfile", "--all-variants", "--out", "bfiles")
    return {path.stem.removeprefix("b-"): terms(path) for path in (run.folder / "bfiles").glob("b-*.txt")}


def terms(path: Path) -> list[int]:
    """Read a b-file as strictly as can be: two columns of ASCII with one blank between them, consecutive n, no gap."""
    lines = path.read_bytes().splitlines(keepends=True)
    matches = [LINE.fullmatch(line) for line in lines]
    assert lines, path
    assert all(matches), (path, [line for line, match in zip(lines, matches, strict=True) if not match])
    rows = [tuple(map(int, line.split())) for line in lines]
    assert [n for n, _ in rows] == list(range(1, len(rows) + 1)), path
    return [term for _, term in rows]


def counted(ds: toads.Dataset, variant: toads.Variant) -> dict[str, list[int]]:
    """Count every sequence from the strips themselves, one n at a time."""
    sequences: dict[str, list[int]] = {}
    for n in range(1, SQUARES + 1):
        strips = ds.strips(n=n, variant=variant).join(ds.values().drop("value"), on="value_id")
        for name, count in figures(strips):
            sequences.setdefault(f"{variant}-{name}", [0] * SQUARES)[n - 1] = count
    return sequences


def figures(strips: pl.DataFrame) -> Iterable[tuple[str, int]]:
    """Give the name of each sequence and its term, over the strips of one n."""
    values, kinds = strips["value"].to_list(), strips["kind"].to_list()
    yield "strips", len(values)
    yield "distinct", len(set(values))
    yield "numbers", sum(kind in ("integer", "dyadic") for kind in kinds)
    yield "integers", kinds.count("integer")
    yield "zeros", values.count("0")
    yield "stars", values.count("*")
    for outcome in "PLRN":
        yield outcome, strips["outcome"].to_list().count(outcome)
    for kind in set(kinds):
        of_kind = [value for value, its in zip(values, kinds, strict=True) if its == kind]
        yield f"kind-{kind}", len(of_kind)
        yield f"kind-{kind}-distinct", len(set(of_kind))
    numbers = [value for value, kind in zip(values, kinds, strict=True) if kind in ("integer", "dyadic")]
    denominators = [Fraction(value).denominator for value in numbers]
    for denominator in set(denominators):
        yield f"denominator-{denominator}", denominators.count(denominator)


def test_bfiles_count_what_parquet_holds(bfiles: dict[str, list[int]], ds: toads.Dataset) -> None:
    assert bfiles == counted(ds, "hop") | counted(ds, "hopless")
    assert bfiles["hop-strips"] == [3**n for n in range(1, SQUARES + 1)]


@pytest.mark.parametrize(
    "text", ["", "1 3", "1 3 \n", "1\t3\n", "1 3\n\n", "1 3\r\n", "1 3\n3 9\n", "2 3\n", "1 \u0663\n"]
)
def test_what_is_no_bfile_is_found_out(text: str, tmp_path: Path) -> None:
    path = tmp_path / "b-wrong.txt"
    path.write_text(text, newline="", encoding="utf-8")
    with pytest.raises(AssertionError):
        terms(path)
