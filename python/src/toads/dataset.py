"""A dataset folder as frames."""

import warnings
from os import PathLike
from pathlib import Path
from typing import Literal, overload

import polars as pl
import pyarrow.dataset

from toads.checksums import verify_checksums
from toads.conditions import Numbers, among, equal, numbers, this_strip
from toads.errors import DamagedError, FormatError, IncompleteWarning
from toads.folder import Folder
from toads.manifest import Manifest, read_manifest
from toads.words import KINDS, OUTCOMES, Kind, Outcome, TableName, Variant, check_word


def open(path: str | PathLike[str]) -> "Dataset":
    """Open a folder that `toads export parquet` wrote. Reads its manifest and nothing else.

    Warns:
        IncompleteWarning: it was exported with `--partial`, and classes are missing.

    Raises:
        NotADatasetError: the folder holds no manifest.
        FormatError: it is CSV, JSON lines, a set of b-files or a report, or of a newer layout.

    """
    dataset = Dataset(Path(path))
    if dataset.manifest.partial:
        gaps = "; ".join(map(str, dataset.manifest.missing))
        warnings.warn(f"{path} is incomplete, counts are over what there is: {gaps}", IncompleteWarning, stacklevel=2)
    return dataset


class Dataset:
    """The tables of an export. Frames are read when asked for; no file stays open, nothing is kept in between."""

    def __init__(self, path: Path) -> None:
        """Read the manifest; see `toads.open`."""
        self.path = path
        self.manifest: Manifest = read_manifest(path)
        self._folder = Folder(path, self.manifest)
        if self.manifest.format != "parquet":
            raise FormatError(
                f"{path} holds {self.manifest.format}; this package reads what `toads export parquet` wrote"
            )

    def __repr__(self) -> str:
        """Tell what it holds."""
        return f"Dataset({str(self.path)!r}: {self.manifest.holds()})"

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The rulesets that were exported: `hop`, `hopless` or both."""
        return self.manifest.variants()

    def table(self, name: TableName) -> pyarrow.dataset.Dataset:
        """Give a table as a pyarrow dataset; strips have their columns variant and n from the path."""
        files = [str(path) for path in self._folder.files(name)]
        if name != "strips":
            return pyarrow.dataset.dataset(files, format="parquet")
        schema = pyarrow.schema([("variant", pyarrow.string()), ("n", pyarrow.uint8())])
        partitioning = pyarrow.dataset.partitioning(schema, flavor="hive")
        base = str(self.path / "strips")
        return pyarrow.dataset.dataset(files, format="parquet", partitioning=partitioning, partition_base_dir=base)

    @overload
    def strips(
        self,
        n: Numbers | None = ...,
        value: str | None = ...,
        *,
        variant: Variant | None = ...,
        toads: Numbers | None = ...,
        frogs: Numbers | None = ...,
        strip: str | None = ...,
        value_id: str | None = ...,
        lazy: Literal[False] = ...,
    ) -> pl.DataFrame: ...

    @overload
    def strips(
        self,
        n: Numbers | None = ...,
        value: str | None = ...,
        *,
        variant: Variant | None = ...,
        toads: Numbers | None = ...,
        frogs: Numbers | None = ...,
        strip: str | None = ...,
        value_id: str | None = ...,
        lazy: Literal[True],
    ) -> pl.LazyFrame: ...

    def strips(
        self,
        n: Numbers | None = None,
        value: str | None = None,
        *,
        variant: Variant | None = None,
        toads: Numbers | None = None,
        frogs: Numbers | None = None,
        strip: str | None = None,
        value_id: str | None = None,
        lazy: bool = False,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give strips and their values: `variant n idx strip toads frogs value_id value`.

        They are ordered by (variant, n, toads, frogs, idx). All of 16 squares are 43 million rows: narrow the question,
        or take a lazy frame. A value that does not occur gives a frame without rows.

        Args:
            n: squares, one number or several; files of other n are not read.
            value: as the dataset (and `toads value`) writes it, such as `"{1/2|0}"`.
            variant: `hop` or `hopless`; all that was exported when absent.
            toads: toads on the strip, one number or several.
            frogs: frogs on the strip, one number or several.
            strip: this strip alone, such as `"TT.FF"`; its length gives n.
            value_id: the value's id instead of its text.
            lazy: return a lazy frame; nothing is read before it is collected, and then only the columns, the n and the
                row groups that it needs.

        Raises:
            MissingDataError: a variant or an n that was not exported, or a text longer than those of this dataset.
            DamagedError: a file is missing or cannot be read.
            ValueError: no such variant, no strip.

        """
        place = [] if strip is None else this_strip(strip)
        squares = numbers(len(strip) if n is None and strip is not None else n)
        self._folder.check_held(variant, squares)
        conditions = [
            *among("n", squares),
            *equal(variant=variant, value=self._folder.whole(value), value_id=value_id),
            *among("toads", toads),
            *among("frogs", frogs),
            *place,
        ]
        return self._finish(self._folder.scan("strips"), conditions, lazy=lazy)

    @overload
    def values(
        self,
        value: str | None = ...,
        *,
        kind: Kind | None = ...,
        outcome: Outcome | None = ...,
        lazy: Literal[False] = ...,
    ) -> pl.DataFrame: ...

    @overload
    def values(
        self, value: str | None = ..., *, kind: Kind | None = ..., outcome: Outcome | None = ..., lazy: Literal[True]
    ) -> pl.LazyFrame: ...

    def values(
        self,
        value: str | None = None,
        *,
        kind: Kind | None = None,
        outcome: Outcome | None = None,
        lazy: bool = False,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give values and what is known of them, by value_id; of one text, kind or outcome when given.

        Stops, mean and temperature are exact fractions as text, such as `"3/4"`: `fractions.Fraction` reads one of
        them, `toads.num` makes floating-point numbers of a column. `manifest.tables["values"]` tells the columns.

        Raises:
            MissingDataError: exported without values, or a text longer than those of this dataset.
            DamagedError: the file is missing or cannot be read.
            ValueError: no such kind or outcome.

        """
        check_word("kind", kind, KINDS)
        check_word("outcome", outcome, OUTCOMES)
        conditions = equal(value=self._folder.whole(value), kind=kind, outcome=outcome)
        return self._finish(self._folder.scan("values"), conditions, lazy=lazy)

    @overload
    def tallies(
        self,
        n: Numbers | None = ...,
        *,
        variant: Variant | None = ...,
        toads: Numbers | None = ...,
        frogs: Numbers | None = ...,
        value_id: str | None = ...,
        lazy: Literal[False] = ...,
    ) -> pl.DataFrame: ...

    @overload
    def tallies(
        self,
        n: Numbers | None = ...,
        *,
        variant: Variant | None = ...,
        toads: Numbers | None = ...,
        frogs: Numbers | None = ...,
        value_id: str | None = ...,
        lazy: Literal[True],
    ) -> pl.LazyFrame: ...

    def tallies(
        self,
        n: Numbers | None = None,
        *,
        variant: Variant | None = None,
        toads: Numbers | None = None,
        frogs: Numbers | None = None,
        value_id: str | None = None,
        lazy: bool = False,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give how often each value occurs in each class: `variant n toads frogs value_id count first_strip`.

        Raises:
            MissingDataError: exported without tallies, or without this variant or n.
            DamagedError: the file is missing or cannot be read.
            ValueError: no such variant.

        """
        squares = numbers(n)
        self._folder.check_held(variant, squares)
        conditions = [
            *equal(variant=variant, value_id=value_id),
            *among("n", squares),
            *among("toads", toads),
            *among("frogs", frogs),
        ]
        return self._finish(self._folder.scan("tallies"), conditions, lazy=lazy)

    def summary(self, variant: Variant | None = None) -> pl.DataFrame:
        """Count strips for each n: `variant n strips distinct numbers integers zeros stars P L R N`.

        The figures of `toads query summary`, from the tallies and values of this export; the strips are not read.

        Raises:
            MissingDataError: exported without tallies or values, or without this variant.

        """
        facts = self.values(lazy=True).select("value_id", "value", "kind", "outcome")
        counts = self.tallies(variant=variant, lazy=True).join(facts, on="value_id", how="left")
        count = pl.col("count")
        figures = [
            count.sum().alias("strips"),
            pl.col("value_id").n_unique().alias("distinct"),
            count.filter(pl.col("kind").is_in(["integer", "dyadic"])).sum().alias("numbers"),
            count.filter(pl.col("kind") == "integer").sum().alias("integers"),
            count.filter(pl.col("value") == "0").sum().alias("zeros"),
            count.filter(pl.col("value") == "*").sum().alias("stars"),
            *(count.filter(pl.col("outcome") == outcome).sum().alias(outcome) for outcome in OUTCOMES),
        ]
        return self._collect(counts.group_by("variant", "n").agg(figures).sort("variant", "n"))

    def verify(self) -> int:
        """Take the SHA-256 of every file of the export; how many there are.

        Raises:
            DamagedError: names every file that is missing or changed.

        """
        return verify_checksums(self.path, self.manifest)

    def _finish(self, frame: pl.LazyFrame, conditions: list[pl.Expr], *, lazy: bool) -> pl.DataFrame | pl.LazyFrame:
        """Keep the rows that fulfil every condition."""
        frame = frame.filter(*conditions) if conditions else frame
        return frame if lazy else self._collect(frame)

    def _collect(self, frame: pl.LazyFrame) -> pl.DataFrame:
        try:
            return frame.collect()
        except (OSError, pl.exceptions.ComputeError) as error:
            raise DamagedError([f"{self.path} cannot be read ({error}); verify() names the files"]) from error
