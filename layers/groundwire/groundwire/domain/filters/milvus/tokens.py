"""Tokens of one Milvus expression as its parser reads them, with the bounds that are checked before it recurses."""

from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.milvus.lexer import KEYWORDS, MilvusToken, MilvusTokenKind, tokenise
from groundwire.domain.filters.own.lexer import syntax_error
from groundwire.domain.limits import MAX_FILTER_LEVELS

CASE: Final = "keywords are all lower or all upper case"
TOO_DEEP: Final = f"conditions can be nested at most {MAX_FILTER_LEVELS} deep: use fewer levels"
_FIXED: Final = frozenset({MilvusTokenKind.OPERATOR, MilvusTokenKind.FUNCTION, MilvusTokenKind.MARK})


class Tokens:
    """Lexical units of an expression, read from the first to the last with two ahead.

    Args:
        text: the expression.

    Raises:
        InvalidInput: the text is too long, or begins with what is no token.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokenise(text)
        self._last = next(self._tokens)
        self._ahead = [self._last]
        self._depth = 0
        self.deepest = 0, 0
        """Deepest nesting so far, and its position."""

    @property
    def next(self) -> MilvusToken:
        """MilvusToken that is read next."""
        return self.peek(0)

    def peek(self, distance: int) -> MilvusToken:
        """Return the token at this distance after the next; after the end there is only the end.

        Raises:
            InvalidInput: the text there is no token, or is one that is not served.
        """
        while len(self._ahead) <= distance:
            self._last = next(self._tokens, self._last)
            self._ahead.append(self._last)
        token = self._ahead[distance]
        if token.kind is MilvusTokenKind.REFUSED:
            raise self.error(
                f'`{token.text}` is not supported; write a field of this name as metadata["{token.text}"]', token
            )
        return token

    def advance(self) -> MilvusToken:
        """Read the next token."""
        token = self.next
        del self._ahead[0]
        return token

    def is_next(self, *texts: str) -> bool:
        """Return whether the next token is one of these operators, functions or marks."""
        return self.next.kind in _FIXED and self.next.text in texts

    def accept(self, text: str) -> bool:
        """Read the next token if it is this operator or mark."""
        found = self.is_next(text)
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> None:
        """Read this operator or mark.

        Raises:
            InvalidInput: another token is next.
        """
        if not self.accept(text):
            raise self.error(f"`{text}` is expected{self.hint()}")

    def hint(self) -> str:
        """Return what may be wrong with the next token in the place of an operator."""
        token = self.next
        lower = token.text.lower()
        if token.kind is MilvusTokenKind.PATH and lower.startswith("in["):
            return "; a blank is needed between `in` and `[`"
        if token.kind is not MilvusTokenKind.NAME:
            return ""
        if lower == "is":
            return "; `is null` and `is not null` are written with single blanks, after a name or path"
        return f"; {CASE}, and `{token.text}` is a name" if lower in KEYWORDS else ""

    def enter(self, token: MilvusToken) -> None:
        """Count a level of nesting that begins at this token.

        Raises:
            InvalidInput: there are too many.
        """
        self._depth += 1
        if self._depth > MAX_FILTER_LEVELS:
            raise self.error(TOO_DEEP, token)
        self.deepest = max(self.deepest, (self._depth, token.position))

    def leave(self) -> None:
        """Count the end of a level."""
        self._depth -= 1

    def error(self, problem: str, token: MilvusToken | None = None) -> InvalidInput:
        """Return the error at a token; without one, at the next token."""
        return self.error_at(problem, (self.next if token is None else token).position)

    def error_at(self, problem: str, position: int) -> InvalidInput:
        """Return the error at a position of the text."""
        return syntax_error(self._text, position, problem)
