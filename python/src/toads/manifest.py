"""What a dataset says of itself: `MANIFEST.json`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toads.errors import FormatError, NotADatasetError

MANIFEST_VERSION = 1
"""The layout that this package reads."""


@dataclass(frozen=True)
class Run:
    """What was exported of one ruleset."""

    variant: str
    first_n: int
    last_n: int
    strips: int
    classes: int
    digest: str


@dataclass(frozen=True)
class Missing:
    """Classes that an incomplete export is without."""

    variant: str
    n: int
    classes_missing: int
    classes_total: int


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
    """The whole of it."""

    dataset: str
    producer: str
    license: str
    fingerprint: str
    digest: str
    format: str
    partial: bool
    runs: tuple[Run, ...]
    missing: tuple[Missing, ...]
    tables: dict[str, tuple[Column, ...]]
    files: tuple[File, ...]

    def rows(self, table: str) -> int:
        """Rows of a table in all its files."""
        return sum(file.rows for file in self.files if file.table == table)


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
    tables = {table["name"]: tuple(Column(**column) for column in table["columns"]) for table in document["tables"]}
    names = ("dataset", "producer", "license", "fingerprint", "digest", "format", "partial")
    return Manifest(
        **{name: document[name] for name in names},
        runs=tuple(Run(**run) for run in document["runs"]),
        missing=tuple(Missing(**missing) for missing in document["missing"]),
        tables=tables,
        files=tuple(File(**file) for file in document["files"]),
    )
