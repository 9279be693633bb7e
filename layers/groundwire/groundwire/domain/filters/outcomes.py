"""Truths of a filter's node, and the table of what each language makes of an absent value or of another type.

A truth has two bits, one for "true" and one for "false". A node with neither is unknown: Kleene's third value, or an
error in CEL. A node with both may be either, because not all of its values are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Truth = int
"""Bits of `TRUE` and `FALSE`; every combination is valid."""

UNKNOWN: Final[Truth] = 0
TRUE: Final[Truth] = 1
FALSE: Final[Truth] = 2
EITHER: Final[Truth] = TRUE | FALSE


def truth_of(value: bool) -> Truth:  # noqa: FBT001
    """Return the truth of a decided condition."""
    return TRUE if value else FALSE


def negated(truth: Truth) -> Truth:
    """Return the truth with its bits swapped."""
    return (truth >> 1) | ((truth & TRUE) << 1)


class Language(StrEnum):
    """Filter language whose rules a leaf follows; one filter may hold leaves of several."""

    OWN = "own"
    MILVUS = "milvus"
    CEL = "cel"
    ODATA = "odata"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rules of one language for values that a leaf cannot compare.

    Attributes:
        absent: truth of a comparison with an absent value.
        unequal_type: truth of an equality with a value of another type.
        unsupported: truth of an order, a text pattern, a length or a quantifier on a value of another type.
        list_equals: truth of an equality of a list with a single value; None: each item is compared, and one must
            match.
        orders_booleans: false is less than true; else booleans have no order.
        has_dates: text in the form of a date is that date; else a date is the text of its ISO form.
    """

    absent: Truth
    unequal_type: Truth
    unsupported: Truth
    list_equals: Truth | None
    orders_booleans: bool = False
    has_dates: bool = True


OUTCOMES: Final[Mapping[Language, Outcomes]] = {
    Language.OWN: Outcomes(absent=FALSE, unequal_type=FALSE, unsupported=FALSE, list_equals=None),
    # The rule of Milvus 2.6.20 and 3: before, a negation over an absent key was true.
    Language.MILVUS: Outcomes(
        absent=UNKNOWN, unequal_type=UNKNOWN, unsupported=UNKNOWN, list_equals=UNKNOWN, has_dates=False
    ),
    # An absent field is an error in CEL, which only `&&` and `||` absorb.
    Language.CEL: Outcomes(
        absent=UNKNOWN, unequal_type=FALSE, unsupported=UNKNOWN, list_equals=FALSE, orders_booleans=True
    ),
    # OData has no third value: `not` of a comparison with null passes.
    Language.ODATA: Outcomes(absent=FALSE, unequal_type=FALSE, unsupported=FALSE, list_equals=FALSE),
}
"""Truths of `==`, of an order and of a test; `!=` and `not in` are the negation of the equality in every language."""

TWO_VALUED: Final = frozenset({Language.OWN, Language.ODATA})
"""Languages in which each leaf is either true or false."""
