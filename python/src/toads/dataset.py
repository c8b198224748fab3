"""A dataset folder as frames."""

import hashlib
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Literal, overload

import polars as pl
import pyarrow.dataset

from toads.errors import DamagedError, FormatError, MissingDataError
from toads.manifest import Manifest, read_manifest

Numbers = int | Iterable[int]
"""One number, or several."""

_OUTCOMES = ("P", "L", "R", "N")


def open(path: str | PathLike[str]) -> "Dataset":
    """Open a folder that `toads export parquet` wrote. Reads its manifest and nothing else.

    Raises:
        NotADatasetError: the folder holds no manifest.
        FormatError: it is CSV, JSON lines, a set of b-files or a report, or of a newer layout.

    """
    return Dataset(Path(path))


class Dataset:
    """The tables of an export. Frames are read when asked for; nothing is kept in between."""

    def __init__(self, path: Path) -> None:
        """Read the manifest; see `toads.open`."""
        self.path = path
        self.manifest: Manifest = read_manifest(path)
        if self.manifest.format != "parquet":
            raise FormatError(
                f"{path} holds {self.manifest.format}; this package reads what `toads export parquet` wrote"
            )

    def __repr__(self) -> str:
        """Tell what it holds."""
        runs = ", ".join(f"{run.variant} {run.first_n}..{run.last_n}" for run in self.manifest.runs)
        partial = ", incomplete" if self.manifest.partial else ""
        return f"Dataset({str(self.path)!r}: {runs}, {self.manifest.rows('strips')} strips{partial})"

    @property
    def variants(self) -> tuple[str, ...]:
        """The rulesets that were exported: `hop`, `hopless` or both."""
        return tuple(run.variant for run in self.manifest.runs)

    def table(self, name: str) -> pyarrow.dataset.Dataset:
        """Give a table as a pyarrow dataset; strips have their columns variant and n from the path."""
        files = [str(path) for path in self._files(name)]
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
        variant: str | None = ...,
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
        variant: str | None = ...,
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
        variant: str | None = None,
        toads: Numbers | None = None,
        frogs: Numbers | None = None,
        strip: str | None = None,
        value_id: str | None = None,
        lazy: bool = False,
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give strips and their values: `variant n idx strip toads frogs value_id value`.

        They are ordered by (variant, n, toads, frogs, idx).

        Args:
            n: squares, one number or several; files of other n are not read.
            value: as the dataset writes it, such as `"*2"`.
            variant: `hop` or `hopless`; all that was exported when absent.
            toads: toads on the strip, one number or several.
            frogs: frogs on the strip, one number or several.
            strip: this strip alone, such as `"TT.FF"`; its length gives n.
            value_id: the value's id instead of its text.
            lazy: return a lazy frame; nothing is read before it is collected.

        Raises:
            MissingDataError: nothing of this n or variant was exported.

        """
        if strip is not None and n is None:
            n = len(strip)
        frame = self._strips(variant, n)
        conditions = {"value": value, "strip": strip, "value_id": value_id, "toads": toads, "frogs": frogs}
        return _finish(frame, conditions, lazy=lazy)

    @overload
    def values(
        self, value: str | None = ..., *, kind: str | None = ..., outcome: str | None = ..., lazy: Literal[False] = ...
    ) -> pl.DataFrame: ...

    @overload
    def values(
        self, value: str | None = ..., *, kind: str | None = ..., outcome: str | None = ..., lazy: Literal[True]
    ) -> pl.LazyFrame: ...

    def values(
        self, value: str | None = None, *, kind: str | None = None, outcome: str | None = None, lazy: bool = False
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give values and what is known of them, by value_id; of one text, kind or outcome when given.

        Stops, mean and temperature are exact fractions as text, such as `"3/4"`; `fractions.Fraction` reads them.
        """
        conditions = {"value": value, "kind": kind, "outcome": outcome}
        return _finish(self._scan("values"), conditions, lazy=lazy)

    @overload
    def tallies(
        self, n: Numbers | None = ..., *, variant: str | None = ..., lazy: Literal[False] = ...
    ) -> pl.DataFrame: ...

    @overload
    def tallies(self, n: Numbers | None = ..., *, variant: str | None = ..., lazy: Literal[True]) -> pl.LazyFrame: ...

    def tallies(
        self, n: Numbers | None = None, *, variant: str | None = None, lazy: bool = False
    ) -> pl.DataFrame | pl.LazyFrame:
        """Give how often each value occurs in each class: `variant n toads frogs value_id count first_strip`."""
        if variant is not None:
            self._check_variant(variant)
        return _finish(self._scan("tallies"), {"n": n, "variant": variant}, lazy=lazy)

    def summary(self, variant: str | None = None) -> pl.DataFrame:
        """Count strips for each n: `variant n strips distinct numbers integers zeros stars P L R N`.

        The figures of `toads query summary`, from the tallies and values of this export.
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
            *(count.filter(pl.col("outcome") == outcome).sum().alias(outcome) for outcome in _OUTCOMES),
        ]
        return counts.group_by("variant", "n").agg(figures).sort("variant", "n").collect()

    def verify(self) -> int:
        """Take the SHA-256 of every file of the export; how many there are.

        Raises:
            DamagedError: names every file that is missing or changed.

        """
        sums = self.path / "SHA256SUMS"
        try:
            lines = sums.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise DamagedError([f"{sums}: {error.strerror}"]) from error
        damages = []
        for line in lines:
            expected, _, name = line.partition("  ")
            try:
                with (self.path / name).open("rb") as file:
                    found = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                damages.append(f"{name}: {error.strerror}")
                continue
            if found != expected:
                damages.append(f"{name}: its SHA-256 is not that of SHA256SUMS")
        if damages:
            raise DamagedError(damages)
        return len(lines)

    def _files(self, table: str) -> list[Path]:
        files = [self.path / file.path for file in self.manifest.files if file.table == table]
        if not files:
            raise MissingDataError(f"{self.path} was exported without {table}; export it with --tables {table}")
        return files

    def _scan(self, table: str) -> pl.LazyFrame:
        return pl.scan_parquet(self._files(table))

    def _check_variant(self, variant: str) -> None:
        if variant not in self.variants:
            has = " and ".join(self.variants)
            raise MissingDataError(f"{self.path} has {has}, not {variant}; export it with --variant {variant}")

    def _strips(self, variant: str | None, n: Numbers | None) -> pl.LazyFrame:
        """Scan the files of these n, the constants of their paths in front."""
        if variant is not None:
            self._check_variant(variant)
        wanted = None if n is None else {n} if isinstance(n, int) else set(n)
        frames = []
        for path in self._files("strips"):
            own_variant, own_n = (part.partition("=")[2] for part in path.parts[-3:-1])
            if (variant in (None, own_variant)) and (wanted is None or int(own_n) in wanted):
                constants = [pl.lit(own_variant).alias("variant"), pl.lit(int(own_n), dtype=pl.UInt8).alias("n")]
                frames.append((own_variant, int(own_n), pl.scan_parquet(path).select(*constants, pl.all())))
        if not frames:
            raise MissingDataError(f"{self.path} has no strips of n = {n}; it holds {self!r}")
        frames.sort(key=lambda frame: frame[:2])
        return pl.concat([frame for _, _, frame in frames])


def _finish(
    frame: pl.LazyFrame, conditions: Mapping[str, Numbers | str | None], *, lazy: bool
) -> pl.DataFrame | pl.LazyFrame:
    """Keep the rows that fulfil every condition that was given."""
    for column, wanted in conditions.items():
        if wanted is None:
            continue
        if isinstance(wanted, str | int):
            frame = frame.filter(pl.col(column) == wanted)
        else:
            frame = frame.filter(pl.col(column).is_in(list(wanted)))
    return frame if lazy else frame.collect()
