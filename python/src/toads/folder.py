"""Which files of a dataset hold what, and what it does not hold."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from toads.errors import DamagedError, MissingDataError
from toads.manifest import Manifest
from toads.words import TABLES, VARIANTS, TableName, Variant, check_word


@dataclass(frozen=True)
class Folder:
    """A dataset's place, and what its manifest tells."""

    path: Path
    manifest: Manifest

    def files(self, table: str) -> list[Path]:
        """Give the files of a table, which are all there."""
        check_word("table", table, TABLES)
        files = [self.path / file.path for file in self.manifest.files if file.table == table]
        if not files:
            raise MissingDataError(f"{self.path} was exported without {table}; export it with --tables {table}")
        missing = [f"{path} is missing" for path in files if not path.is_file()]
        if missing:
            raise DamagedError(missing)
        return files

    def scan(self, table: TableName) -> pl.LazyFrame:
        """Scan a table, its columns in the order of the manifest. Conditions on n and variant choose what is read."""
        files = self.files(table)
        if table != "strips":
            return pl.scan_parquet(files, glob=False)
        folder = self.path / "strips"
        strange = set(folder.glob("*/*/*.parquet")).difference(files)
        if strange:
            raise DamagedError([f"{path} is not of this export" for path in sorted(strange)])
        # A folder, not a list of files: Polars would take "x=1" of a folder further up for a column.
        path = {"variant": pl.String(), "n": pl.UInt8()}
        strips = pl.scan_parquet(folder, glob=False, hive_partitioning=True, hive_schema=path)
        places = [(run.variant, n) for run in self.manifest.runs for n in sorted(self.manifest.squares(run.variant))]
        in_order = [strips.filter(pl.col("variant") == variant, pl.col("n") == n) for variant, n in places]
        return pl.concat(in_order).select(column.name for column in self.manifest.tables[table])

    def check_held(self, variant: Variant | None, squares: list[int] | None) -> None:
        """Refuse to answer for what was not exported: a frame without rows would say that it does not occur."""
        check_word("variant", variant, VARIANTS)
        if variant is not None and variant not in self.manifest.variants():
            has = " and ".join(self.manifest.variants())
            raise MissingDataError(f"{self.path} has {has}, not {variant}; export it with --variant {variant}")
        lacking = [n for n in squares or [] if n not in self.manifest.squares(variant)]
        if lacking:
            which = ", ".join(map(str, lacking))
            raise MissingDataError(
                f"n = {which} was not exported{f' of {variant}' if variant else ''}; there is {self.manifest.holds()}"
            )

    def whole(self, value: str | None) -> str | None:
        """Refuse a text that was cut when it was exported."""
        most = self.manifest.max_text
        if value is not None and most is not None and len(value) > most:
            raise MissingDataError(
                f"{self.path} has texts of {most} characters at most, not {value!r}; ask by value_id, or export it anew"
            )
        return value
