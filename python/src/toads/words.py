"""The words that a dataset is written with, and what is refused because it is none of them."""

from typing import Literal, get_args

Variant = Literal["hop", "hopless"]
"""The rules: hop (the standard game) or hopless (no jumps)."""

TableName = Literal["strips", "values", "tallies"]
"""The tables of an export."""

Outcome = Literal["P", "L", "R", "N"]
"""Who wins: the previous player, Left, Right, the next player."""

Kind = Literal[
    "integer",
    "dyadic",
    "nimber",
    "number+nimber",
    "up",
    "uptimal",
    "tiny",
    "infinitesimal",
    "numberish",
    "switch",
    "hot",
]
"""What sort of value; the first that fits."""

VARIANTS: tuple[Variant, ...] = get_args(Variant)
TABLES: tuple[TableName, ...] = get_args(TableName)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
KINDS: tuple[Kind, ...] = get_args(Kind)


def check_word(what: str, word: str | None, words: tuple[str, ...]) -> None:
    """Refuse a word that no dataset has: a slip of the pen would find nothing and look like an answer.

    Raises:
        ValueError: tells the words there are.

    """
    if word is not None and word not in words:
        raise ValueError(f"there is no {what} {word!r}; it is one of {', '.join(words)}")
