"""Errors of OData filters, in the form in which Azure AI Search sends them.

A position is that of the last character of the token in question, from 1, as the service counts; at the end of the text
it is the text's length.
"""

from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.grammar import UnreadableError

_BEFORE: Final = "Invalid expression: "
_AFTER: Final = "\r\nParameter name: $filter"
_MOST_SHOWN: Final = 200
"""Characters of the caller's text in a message."""
_MOST_SHOWN_OF_NAME: Final = 128
_PAGE_NAMES: Final = frozenset({"page_number", "pagenumber", "page_num", "page_no"})
_PAGE_HINT: Final = " The page is the number 'page', as in: page eq 105."
"""The system's own example filters by `page_number eq '105'`, a field of its index."""


class OdataError(UnreadableError):
    """Error of an expression of OData that a filter cannot have, at a position of the text."""


class UnknownPropertyError(UnreadableError):
    """Error of a name that no readable document has as a field; the problem is the name."""


def odata_error(text: str, error: UnreadableError) -> InvalidInput:
    """Return the error of a text as the caller receives it, with an excerpt of the text.

    An error of no kind of its own is one of a text that is no expression; its problem is what to write instead.
    """
    place = f"position {error.position} in {_excerpt(text, error.position)}"
    match error:
        case UnknownPropertyError():
            name = _printable(_cut(error.problem))
            hint = _PAGE_HINT if error.problem.casefold() in _PAGE_NAMES else ""
            return invalid_filter(f"Could not find a property named '{name}' on type 'search.document'.{hint}")
        case OdataError():
            return invalid_filter(f"At {place}: {error.problem}.")
        case _:
            return invalid_filter(f"Syntax error at {place}. {error.problem}.")


def invalid_filter(sentences: str) -> InvalidInput:
    """Return the error as the caller receives it."""
    return InvalidInput(f"{_BEFORE}{sentences}{_AFTER}")


def _cut(name: str) -> str:
    return name if len(name) <= _MOST_SHOWN_OF_NAME else f"{name[:_MOST_SHOWN_OF_NAME]}…"


def _excerpt(text: str, position: int) -> str:
    """Return the text in quotes; of a long one the part around the position."""
    start = max(0, min(position - _MOST_SHOWN // 2, len(text) - _MOST_SHOWN))
    end = start + _MOST_SHOWN
    shown = _printable(text[start:end])
    return f"'{'…' if start else ''}{shown}{'…' if end < len(text) else ''}'"


def _printable(text: str) -> str:
    """Return the text with escapes for what cannot be printed, such as lines and lone surrogates."""
    return "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in text)
