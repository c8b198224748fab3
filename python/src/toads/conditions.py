"""What a caller asks for, as Polars expressions over the columns of a table."""

import re
from collections.abc import Iterable
from operator import index
from typing import SupportsIndex

import polars as pl

Numbers = SupportsIndex | Iterable[SupportsIndex]
"""One number, or several."""

_DIGITS = {"F": 0, ".": 1, "T": 2}


def numbers(wanted: Numbers | None) -> list[int] | None:
    """Give the numbers wanted in increasing order, each once; None for all."""
    if wanted is None:
        return None
    return sorted({index(number) for number in wanted} if isinstance(wanted, Iterable) else {index(wanted)})


def among(column: str, wanted: Numbers | None) -> list[pl.Expr]:
    """Keep rows whose number is one of these."""
    some = numbers(wanted)
    return [] if some is None else [pl.col(column).is_in(some)]


def equal(**wanted: str | None) -> list[pl.Expr]:
    """Keep rows whose columns hold these texts."""
    return [pl.col(column) == text for column, text in wanted.items() if text is not None]


def this_strip(strip: str) -> list[pl.Expr]:
    """Keep one strip, by the columns that the rows are sorted by: Parquet tells what of a file can hold it.

    Raises:
        ValueError: it is not written with T, F and `.`.

    """
    if not re.fullmatch(r"[TF.]+", strip):
        raise ValueError(f"{strip!r} is no strip; write T, F or . for each square, such as 'TT.FF'")
    place = 0
    for square in strip:
        place = 3 * place + _DIGITS[square]
    return [
        pl.col("n") == len(strip),
        pl.col("toads") == strip.count("T"),
        pl.col("frogs") == strip.count("F"),
        pl.col("idx") == place,
    ]


def num(column: str | pl.Expr) -> pl.Expr:
    """Give exact fractions, such as `"3/4"` of the columns stops, mean and temperature, as the nearest float.

    For sorting, comparing and arithmetic: `ds.values().filter(toads.num("temperature") > 1)`. Null stays null.
    """
    texts = pl.col(column) if isinstance(column, str) else column
    parts = texts.str.split_exact("/", 1)
    numerator, denominator = (parts.struct.field(f"field_{at}").cast(pl.Float64) for at in range(2))
    return (numerator / denominator.fill_null(1.0)).name.keep()
