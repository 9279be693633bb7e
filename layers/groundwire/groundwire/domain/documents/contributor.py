"""Contributor of a document: the key and the user that first brought it in, whose right over it lasts."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Contributor:
    """Key and user of the call that brought a document in.

    Attributes:
        key: id of the key; empty where there was none: an operator, an object of a bucket, or an earlier release.
        user: user for whom the key acted, or the operator's user of the operating system; empty if there was none.
    """

    key: str
    user: str


NO_CONTRIBUTOR: Final = Contributor("", "")
"""Contributor of a document that no key brought in: nobody has a right over it by having brought it in."""
