"""Errors of OData filters, in the form in which Azure AI Search sends them.

A position is that of the last character of the token in question, from 1, as the service counts; at the end of the text
it is the text's length.
"""

from typing import Final

from groundwire.domain.errors import InvalidInput

_BEFORE: Final = "Invalid expression: "
_AFTER: Final = "\r\nParameter name: $filter"
_MOST_SHOWN: Final = 200
"""Characters of the caller's text in a message."""
_MOST_SHOWN_OF_NAME: Final = 128


class OdataError(InvalidInput):
    """Error at a position of the text, before it is put into words for the caller."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(problem)
        self.position: int = position
        self.problem: str = problem

    def sentences(self, text: str) -> str:
        """Return the error as sentences, with an excerpt of the text."""
        return f"At position {self.position} in {_excerpt(text, self.position)}: {self.problem}."


class OdataSyntaxError(OdataError):
    """Error of a text that is no expression; the problem is what to write instead."""

    def sentences(self, text: str) -> str:
        """Return the service's sentence and the remedy."""
        return f"Syntax error at position {self.position} in {_excerpt(text, self.position)}. {self.problem}."


class UnknownPropertyError(OdataError):
    """Error of a name that no readable document has as a field; the problem is the name."""

    def sentences(self, text: str) -> str:  # noqa: ARG002
        """Return the service's sentence, which has no position."""
        return f"Could not find a property named '{_printable(_cut(self.problem))}' on type 'search.document'."


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
