"""Tokens of a number format, and its sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_CODE_CHARACTERS: Final = 255
"""Maximum length of a number format in Excel."""
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_(?P<blank>.?)|\*(?P<fill>.?)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<half_day>AM/PM|A/P)|(?P<exponent>E[+-])"
    r"|(?P<date>y+|m+|d+|h+|s+|e+|b+|g+|a{3,4})|(?P<digit>[0#?])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_ELAPSED: Final = re.compile(r"h+|m+|s+", re.IGNORECASE)
_CONDITION: Final = re.compile(
    r"(<=|>=|<>|<|>|=)\s{0,9}([+-]?\d{1,20}(?:\.\d{0,20})?(?:E[+-]?\d{1,2})?)", re.IGNORECASE
)
_CURRENCY: Final = re.compile(r"\$(?P<symbol>[^-\]]*)(?:-(?P<locale>[0-9A-F]{1,8}))?.*", re.IGNORECASE | re.DOTALL)
_OWN_KINDS: Final = {".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "text", ";": "end"}


class TokenKind(StrEnum):
    """Kind of a token; BLANK and FILL take room without showing a character."""

    LITERAL = "literal"
    DIGIT = "digit"
    POINT = "point"
    COMMA = "comma"
    PERCENT = "percent"
    SLASH = "slash"
    EXPONENT = "exponent"
    TEXT = "text"
    GENERAL = "general"
    DATE = "date"
    ELAPSED = "elapsed"
    HALF_DAY = "half_day"
    BLANK = "blank"
    FILL = "fill"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind and its characters, without marks such as quotes."""

    kind: TokenKind
    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Comparison that selects the numbers of a section."""

    operator: str
    limit: float

    def is_met(self, value: float) -> bool:
        """Return whether the section is for the number."""
        limit = self.limit
        match self.operator:
            case "<":
                return value < limit
            case "<=":
                return value <= limit
            case ">":
                return value > limit
            case ">=":
                return value >= limit
            case "=":
                return value == limit
            case _:
                return value != limit

    @property
    def has_one_sign(self) -> bool:
        """Effect on the sign: true where the section shows none, since all its numbers are negative or zero."""
        return not self.limit and self.operator in ("<", "<=")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a number format.

    Attributes:
        tokens: without colours and conditions.
        condition: the numbers that it is for; None without one.
        locale: identifier of the language of its dates ([MS-LCID]); 0 without one.
    """

    tokens: tuple[Token, ...]
    condition: Condition | None = None
    locale: int = 0

    def has(self, *kinds: TokenKind) -> bool:
        """Return whether the section has a token of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)


def sections_of(code: str) -> list[Section]:
    """Return the sections of a number format; the time is linear in its length."""
    sections: list[Section] = []
    tokens: list[Token] = []
    condition, locale = None, 0
    for found in _TOKEN.finditer(code):
        text = found["bracket"]
        if text is not None and (limit := _CONDITION.fullmatch(text)):
            condition = Condition(limit[1], float(limit[2]))
        elif text is not None and (currency := _CURRENCY.fullmatch(text)):
            locale = int(currency["locale"] or "0", 16) or locale
            tokens.append(Token(TokenKind.LITERAL, currency["symbol"]))
        elif (token := _token(found)).kind is TokenKind.END:
            sections.append(_section(tokens, condition, locale))
            tokens, condition, locale = [], None, 0
        else:
            tokens.append(token)
    return [*sections, _section(tokens, condition, locale)]


def _token(found: re.Match[str]) -> Token:
    group, text = str(found.lastgroup), found[str(found.lastgroup)]
    if group in ("quoted", "escaped"):
        return Token(TokenKind.LITERAL, text)
    if group == "bracket":
        # Colours and digits of other scripts show nothing of their own.
        return Token(TokenKind.ELAPSED, text.lower()) if _ELAPSED.fullmatch(text) else Token(TokenKind.LITERAL, "")
    if group == "other":
        return Token(TokenKind(_OWN_KINDS.get(text, "literal")), text)
    return Token(TokenKind(group), text)


def _section(tokens: list[Token], condition: Condition | None, locale: int) -> Section:
    return Section(tuple(_without_stray_dates(tokens)), condition, locale)


def _without_stray_dates(tokens: list[Token]) -> Iterator[Token]:
    """Yield the tokens; letters of a date are literals in a format of digits, such as `0.0 mm`."""
    is_time = is_number = False
    for token in tokens:
        is_time |= token.kind is TokenKind.ELAPSED or (token.kind is TokenKind.DATE and token.text[0] in "sS")
        # Digits after seconds are the decimals of those.
        is_number |= token.kind is TokenKind.DIGIT and not is_time
    for token in tokens:
        if token.kind is not TokenKind.DATE:
            yield token
        else:
            yield Token(TokenKind.LITERAL, token.text) if is_number else Token(token.kind, token.text.lower())
