"""What a dataset says of itself: `MANIFEST.json`."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from toads.errors import FormatError, NotADatasetError
from toads.words import Variant

MANIFEST_VERSION = 1
"""The layout that this package reads."""


@dataclass(frozen=True)
class Run:
    """What was exported of one ruleset."""

    variant: Variant
    first_n: int
    last_n: int
    strips: int
    classes: int
    digest: str


@dataclass(frozen=True)
class Missing:
    """Classes that an incomplete export is without."""

    variant: Variant
    n: int
    classes_missing: int
    classes_total: int

    def __str__(self) -> str:
        """Tell it in the words of `toads export`."""
        return f"{self.variant} n = {self.n}: {self.classes_missing} of {self.classes_total} classes missing"


@dataclass(frozen=True)
class Column:
    """A column: its name, its type as Arrow calls it, what it means."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class File:
    """A data file, its path below the folder."""

    path: str
    table: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The whole of it. `max_text` is the number of characters after which texts of values were cut, if they were."""

    dataset: str
    producer: str
    license: str
    fingerprint: str
    digest: str
    format: str
    max_text: int | None
    partial: bool
    runs: tuple[Run, ...]
    missing: tuple[Missing, ...]
    tables: dict[str, tuple[Column, ...]]
    files: tuple[File, ...]

    def rows(self, table: str) -> int:
        """Rows of a table in all its files."""
        return sum(file.rows for file in self.files if file.table == table)

    def holds(self) -> str:
        """Tell what was exported, in a line."""
        runs = ", ".join(f"{run.variant} {run.first_n}..{run.last_n}" for run in self.runs)
        rows = ", ".join(f"{self.rows(table)} {table}" for table in self.tables)
        return f"{runs}; {rows}{'; incomplete' if self.partial else ''}"

    def variants(self) -> tuple[Variant, ...]:
        """Give the rulesets that were exported."""
        return tuple(run.variant for run in self.runs)

    def squares(self, variant: Variant | None) -> set[int]:
        """Give the n of which classes were exported, of one ruleset or of any."""
        none_of = {(gap.variant, gap.n) for gap in self.missing if gap.classes_missing == gap.classes_total}
        runs = (run for run in self.runs if variant in (None, run.variant))
        return {n for run in runs for n in range(run.first_n, run.last_n + 1) if (run.variant, n) not in none_of}


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a folder.

    Raises:
        NotADatasetError: there is none, or it is not one.
        FormatError: it is of a layout this package does not know.

    """
    path = folder / "MANIFEST.json"
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = document["manifest_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder} is no dataset of `toads export` ({path.name}: {error}); name the folder that it wrote"
        raise NotADatasetError(message) from error
    if version != MANIFEST_VERSION:
        raise FormatError(f"{path} has layout {version}, this package reads {MANIFEST_VERSION}; update the package")
    try:
        return _manifest(document)
    except (KeyError, TypeError) as error:
        raise NotADatasetError(f"{path} lacks {error}; export the dataset again") from error


def _manifest(document: dict[str, Any]) -> Manifest:
    tables = {
        table["name"]: tuple(Column(**_known(Column, column)) for column in table["columns"])
        for table in document["tables"]
    }
    lists = {
        "runs": tuple(Run(**_known(Run, run)) for run in document["runs"]),
        "missing": tuple(Missing(**_known(Missing, missing)) for missing in document["missing"]),
        "files": tuple(File(**_known(File, file)) for file in document["files"]),
    }
    return Manifest(**{**_known(Manifest, document), **lists, "tables": tables})


def _known(kind: type[Any], document: dict[str, Any]) -> dict[str, Any]:
    """Take the members that this package knows; a manifest of the same layout may tell more."""
    return {field.name: document[field.name] for field in fields(kind)}
