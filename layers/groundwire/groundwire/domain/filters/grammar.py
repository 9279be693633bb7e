"""Core of the grammars of filters: a lexer by a table of tokens, and a parser by precedence (Pratt).

A grammar is an enumeration of its kinds of tokens with their patterns, a table of the operators between operands, and a
parser that reads one operand and combines operands.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

from groundwire.domain.errors import InvalidInput

Kind = TypeVar("Kind", bound=Enum)
Operand = TypeVar("Operand")

END: Final = r"\Z"
"""Pattern of the end, the only token without text."""
LOWEST: Final = 1
"""Precedence of the operator that binds least."""
_WRONG: Final = "wrong"
_SHOWN_BEFORE: Final = 30


class UnreadableError(InvalidInput):
    """Error at a position of the text, before it is put into words for the caller."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(problem)
        self.position: int = position
        self.problem: str = problem


def syntax_error(text: str, error: UnreadableError) -> InvalidInput:
    """Return the error of a text as the caller receives it, with its position and the words before it."""
    before = text[max(0, error.position - _SHOWN_BEFORE) : error.position].strip()
    place = f"after {before!r}" if before else "at its start"
    return InvalidInput(f"The filter cannot be read at character {error.position + 1}, {place}: {error.problem}.")


@dataclass(frozen=True, slots=True)
class Token(Generic[Kind]):
    """Word, mark or literal of a text.

    Attributes:
        text: as written, unless the grammar has one spelling for several.
        position: position in the text, from 0, as the lexer counts it.
    """

    kind: Kind
    text: str
    position: int


class Lexer(Generic[Kind]):
    """Reader of the tokens of one language.

    Args:
        kinds: kinds of tokens, each with its pattern as its value; of several that match, the first one counts.
        blank: pattern of the text between tokens.
        hints: problem by unexpected text; of other unexpected text, the text is the problem.
        wrong: pattern of unexpected text.
        refine: returns the token that the parser reads in place of one, such as a keyword in its one spelling.
        position: returns the position of a token from its match; by default that of its first character.
    """

    def __init__(
        self,
        kinds: type[Kind],
        *,
        blank: str,
        hints: Mapping[str, str],
        wrong: str = ".",
        refine: Callable[[Token[Kind]], Token[Kind]] | None = None,
        position: Callable[[re.Match[str], str], int] = re.Match[str].start,
    ) -> None:
        self._kinds = {kind.name: kind for kind in kinds}
        groups = "|".join(f"(?P<{kind.name}>{kind.value})" for kind in kinds)
        # Wrong text is the last alternative, so that no gap between tokens is skipped.
        self._pattern = re.compile(f"{blank}(?:{groups}|(?P<{_WRONG}>{wrong}))", re.DOTALL)
        self._hints = hints
        self._refine = refine
        self._position = position

    def tokens(self, text: str) -> Iterator[Token[Kind]]:
        """Yield the tokens of a text, the end last.

        Raises:
            UnreadableError: the text has a character or quote that is not expected.
        """
        for found in self._pattern.finditer(text):
            group = str(found.lastgroup)
            word, position = found[group], self._position(found, group)
            if group == _WRONG:
                raise UnreadableError(position, self._hints.get(word, f"{word!r} is not expected"))
            token = Token(self._kinds[group], word, position)
            yield token if self._refine is None else self._refine(token)
            # After blanks the pattern of the end would match a second time.
            if not word:
                return


@dataclass(frozen=True, slots=True)
class Infix:
    """Operator between operands.

    Attributes:
        precedence: of two operators, the one with the greater precedence takes the operand between them.
        is_chain: it joins all operands in a row to one result, as `and` does; else two, from the left to the right.
    """

    precedence: int
    is_chain: bool = False


class PrecedenceParser(ABC, Generic[Kind, Operand]):
    """Parser of one text.

    Args:
        tokens: tokens of the text, the end last.
        operators: operators by their text, which no other token may have.
        most_levels: levels of nesting that `enter` admits.
        too_deep: problem of one level more.
        lookahead: tokens that are read before the parser asks for them, so that their errors precede its own.
    """

    def __init__(
        self,
        tokens: Iterator[Token[Kind]],
        operators: Mapping[str, Infix],
        *,
        most_levels: int,
        too_deep: str,
        lookahead: int = 1,
    ) -> None:
        self._tokens = tokens
        self._operators = operators
        self._most_levels = most_levels
        self._too_deep = too_deep
        self._lookahead = lookahead
        self._ahead: list[Token[Kind]] = []
        self.level: int = 0
        """Level of nesting at the next token."""

    @abstractmethod
    def _operand(self) -> Operand:
        """Read one operand, with the operators before and after it that take it alone."""

    @abstractmethod
    def _combined(self, operator: Token[Kind], operands: list[Operand]) -> Operand:
        """Return the result of an operator; it is given two operands, unless it is a chain."""

    def _part(self, operand: Operand, first: Token[Kind]) -> Operand:  # noqa: ARG002
        """Return an operand as the part of a chain; by default as it is.

        Args:
            operand: operand, which ends before the next token.
            first: its first token.
        """
        return operand

    def _infix(self) -> Infix | None:
        """Return the operator that is next."""
        return self._operators.get(self.next.text)

    def _pair(self, left: Operand, infix: Infix) -> Operand:
        """Read the operator that is next and its right operand; return the result."""
        operator = self.advance()
        return self._combined(operator, [left, self.expression(infix.precedence + 1)])

    def expression(self, lowest: int = LOWEST) -> Operand:
        """Read operands and the operators between them, as far as these have at least this precedence."""
        # A chain is read here and not in a method of its own, which would be a frame more: of 64 levels, each has an
        # expression for every precedence, and Python allows 1,000 frames.
        first = self.next
        left = self._operand()
        while (infix := self._infix()) is not None and infix.precedence >= lowest:
            if not infix.is_chain:
                left = self._pair(left, infix)
                continue
            operator, parts = self.next, [self._part(left, first)]
            while self.accept(operator.text):
                begin = self.next
                parts.append(self._part(self.expression(infix.precedence + 1), begin))
            left = self._combined(operator, parts)
        return left

    @property
    def next(self) -> Token[Kind]:
        """Token that is read next."""
        return self._ahead[0] if self._ahead else self.peek(0)

    def peek(self, distance: int) -> Token[Kind]:
        """Return the token at this distance after the next; after the end there is only the end."""
        self._read_ahead(distance + 1)
        return self._ahead[distance]

    def advance(self) -> Token[Kind]:
        """Read the next token."""
        token = self.next
        if token.text:
            del self._ahead[0]
        self._read_ahead(self._lookahead)
        return token

    def is_at_end(self) -> bool:
        """Return whether the end is next."""
        return not self.next.text

    def is_next(self, *texts: str) -> bool:
        """Return whether the next token has one of these texts."""
        return self.next.text in texts

    def accept(self, text: str) -> bool:
        """Read the next token if it has this text; return whether it has."""
        if self.next.text != text:
            return False
        self.advance()
        return True

    def expect(self, text: str, expected: str | None = None) -> None:
        """Read the next token, which has to have this text.

        Raises:
            UnreadableError: it has not; the problem is what is expected, by default the text.
        """
        if not self.accept(text):
            raise self.unexpected(expected or f"`{text}` is expected")

    def enter(self, token: Token[Kind] | None = None) -> None:
        """Count a level of nesting that begins at a token; without one, at the next token.

        Raises:
            UnreadableError: there are too many.
        """
        self.level += 1
        if self.level > self._most_levels:
            raise self.error(self._too_deep, token)

    def leave(self, levels: int = 1) -> None:
        """Count the end of levels."""
        self.level -= levels

    def error(self, problem: str, token: Token[Kind] | None = None) -> UnreadableError:
        """Return the error at a token; without one, at the next token."""
        return UnreadableError((self.next if token is None else token).position, problem)

    def unexpected(self, expected: str) -> UnreadableError:
        """Return the error of the next token where something else is expected."""
        return UnreadableError(self.next.position, expected)

    def _read_ahead(self, count: int) -> None:
        while len(self._ahead) < count:
            self._ahead.append(next(self._tokens, None) or self._ahead[-1])
