"""Files whose document somebody deleted: what was put before that stays out, what was put after it comes in."""

from enum import StrEnum
from typing import Final

from groundwire.domain.documents import Document

SAME_SECOND: Final = (
    "it was put in the very second in which its document was deleted, and which came first cannot be told: put it again"
)
_TOLD_IN_S: Final = 1.0
"""S3 tells whole seconds, rounded down."""


class Wanted(StrEnum):
    """Whether a file is to be brought in."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def is_to_be_put_again(known: Document | None) -> bool:
    """Whether the record says no more than that nobody could tell."""
    return known is not None and known.reason == SAME_SECOND


def wanted(known: Document | None, deleted_at: float, put_at: float) -> Wanted:
    """Of a file that nothing was ever indexed of, put at a time as S3 tells it, by the last deletion at its place."""
    if deleted_at < put_at:
        return Wanted.YES
    if deleted_at < put_at + _TOLD_IN_S:
        return Wanted.UNCLEAR
    return Wanted.NO if known is None or is_to_be_put_again(known) else Wanted.YES


def in_that_second(put_at: float) -> float:
    """The latest time at which it may have been put."""
    return put_at + _TOLD_IN_S
