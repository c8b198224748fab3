"""Opens the exported census of the combinatorial game Toads and Frogs.

>>> import toads
>>> ds = toads.open("toads-dataset")  # doctest: +SKIP
>>> ds.strips(n=9, value="{1/2|0}")  # doctest: +SKIP
"""

from toads.conditions import Numbers, num
from toads.dataset import Dataset, open
from toads.errors import (
    DamagedError,
    DatasetError,
    FormatError,
    IncompleteWarning,
    MissingDataError,
    NotADatasetError,
)
from toads.manifest import Column, File, Manifest, Missing, Run
from toads.words import Kind, Outcome, TableName, Variant

__all__ = [
    "Column",
    "DamagedError",
    "Dataset",
    "DatasetError",
    "File",
    "FormatError",
    "IncompleteWarning",
    "Kind",
    "Manifest",
    "Missing",
    "MissingDataError",
    "NotADatasetError",
    "Numbers",
    "Outcome",
    "Run",
    "TableName",
    "Variant",
    "num",
    "open",
]
__version__ = "0.1.0"
