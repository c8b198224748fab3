"""Opens the exported census of the combinatorial game Toads and Frogs.

>>> import toads
>>> ds = toads.open("toads-dataset")  # doctest: +SKIP
>>> ds.strips(n=9, value="*2")  # doctest: +SKIP
"""

from toads.dataset import Dataset, open
from toads.errors import DamagedError, DatasetError, FormatError, MissingDataError, NotADatasetError
from toads.manifest import Column, File, Manifest, Missing, Run

__all__ = [
    "Column",
    "DamagedError",
    "Dataset",
    "DatasetError",
    "File",
    "FormatError",
    "Manifest",
    "Missing",
    "MissingDataError",
    "NotADatasetError",
    "Run",
    "open",
]
__version__ = "0.1.0"
