"""What cannot be opened, is not there or is damaged says so and what to do."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import Runner

import toads


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
    sums = copy / "SHA256SUMS"
    sums.write_text("".join(line for line in sums.read_text().splitlines(keepends=True) if "hopless" not in line))
    with pytest.raises(toads.DamagedError, match=r"variant=hopless/n=3/part-0\.parquet: not in SHA256SUMS"):
        toads.open(copy).verify()
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
    with pytest.raises(toads.MissingDataError, match="n = 8, 9 was not exported"):
        ds.strips(n=range(6, 10))
    with pytest.raises(toads.MissingDataError, match="n = 9 was not exported of hop;"):
        ds.strips(strip="TT.FF.TT.", variant="hop")
    with pytest.raises(toads.MissingDataError, match="n = 0"):
        ds.tallies(n=0)
    run("export", "parquet", "--out", "few", "--squares", "1..3", "--tables", "values", "--variant", "hopless")
    few = toads.open(run.folder / "few")
    with pytest.raises(toads.MissingDataError, match="--tables strips"):
        few.strips()
    with pytest.raises(toads.MissingDataError, match="not hop"):
        few.strips(variant="hop")
    with pytest.raises(toads.MissingDataError, match="--tables tallies"):
        few.summary()
    assert "hopless 1..3; 6 values" in repr(few)
    assert few.values().height == 6
    assert few.values(lazy=True).collect().equals(few.values())


def test_damage_is_told_when_it_is_read(ds: toads.Dataset, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ds.path, copy)
    (copy / "values.parquet").write_bytes(b"no table")
    with pytest.raises(toads.DamagedError, match="verify"):
        toads.open(copy).values()
    with pytest.raises(toads.DamagedError, match="verify"):
        toads.open(copy).summary()
    (copy / "tallies.parquet").unlink()
    with pytest.raises(toads.DamagedError, match=r"tallies\.parquet is missing; copy the dataset again"):
        toads.open(copy).tallies()


def test_a_file_too_many_is_not_read_silently(ds: toads.Dataset, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ds.path, copy)
    strips = copy / "strips" / "variant=hop" / "n=3"
    shutil.copy(strips / "part-0.parquet", strips / "part-0 (1).parquet")
    (copy / "strips" / ".DS_Store").touch()
    with pytest.raises(toads.DamagedError, match=r"part-0 \(1\)\.parquet is not of this export"):
        toads.open(copy).strips(n=3)
    (strips / "part-0 (1).parquet").unlink()
    assert toads.open(copy).strips(n=3, variant="hop").height == 3**3


def test_words_that_no_dataset_has_are_refused(ds: toads.Dataset) -> None:
    with pytest.raises(ValueError, match=r"no kind 'hott'.* switch, hot"):
        ds.values(kind="hott")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="no outcome 'p'"):
        ds.values(outcome="p")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="no variant 'Hop'"):
        ds.strips(variant="Hop")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="no table 'strip'"):
        ds.table("strip")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'TTxFF' is no strip"):
        ds.strips(strip="TTxFF")


def test_every_kind_that_occurs_is_known(ds: toads.Dataset) -> None:
    for kind in ds.values()["kind"].unique():
        assert ds.values(kind=kind).height > 0


def test_an_incomplete_dataset_warns(run: Runner, ds: toads.Dataset, tmp_path: Path) -> None:
    run("export", "csv", "--out", "whole", "--squares", "1..2", "--partial")
    part = tmp_path / "part.toads"
    run("census", "shard", "--squares", "1..4", "--shard", "1/3", "--out", str(part), "--memory", "256MiB")
    run("census", "import", str(part), "--store", "part.db")
    run("export", "parquet", "--store", "part.db", "--out", "part", "--partial")
    with pytest.warns(toads.IncompleteWarning, match=r"hop n = 4: \d of 9 classes missing"):
        part_of_it = toads.open(run.folder / "part")
    assert "incomplete" in repr(part_of_it)
    assert part_of_it.manifest.partial
    assert not ds.manifest.partial


def test_texts_that_were_cut_are_not_looked_for(run: Runner) -> None:
    run("export", "parquet", "--out", "cut", "--squares", "1..6", "--max-text", "5")
    cut = toads.open(run.folder / "cut")
    assert cut.strips(n=6, value="{2|1}").height > 0
    with pytest.raises(toads.MissingDataError, match="ask by value_id"):
        cut.strips(value="{1/2|0}")
    with pytest.raises(toads.MissingDataError, match="5 characters"):
        cut.values(value="{1/2|0}")


def test_a_manifest_may_tell_more(ds: toads.Dataset, tmp_path: Path) -> None:
    document = json.loads((ds.path / "MANIFEST.json").read_text())
    document["runs"][0]["more"] = document["more"] = 1
    (tmp_path / "MANIFEST.json").write_text(json.dumps(document))
    assert toads.open(tmp_path).manifest == ds.manifest
