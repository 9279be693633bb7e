"""Reason comments: those that tell a reader what the code cannot show, and how many a package has."""

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from typing import Final

from tests.shape.source import Source

_FEWEST_WORDS: Final = 4
_DIRECTIVE: Final = re.compile(r"#\s*(?:!|noqa\b|type:|pyright:|ruff:|fmt:|isort:|pragma:)")
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
_SENTENCE_ENDS: Final = (".", "?", "!")


def reason_comments(text: str) -> list[str]:
    """Return the comments of a module that give a reason, each once, however many lines it has.

    Directives do not count, nor do comments of fewer than four words. One on lines of its own counts if it ends as a
    sentence does: otherwise it is a heading.
    """
    return [comment for comment, is_own in _comments(text) if _is_reason(comment, is_own=is_own)]


def _is_reason(comment: str, *, is_own: bool) -> bool:
    has_words = len(_WORD.findall(comment)) >= _FEWEST_WORDS
    return has_words and (not is_own or comment.endswith(_SENTENCE_ENDS))


def _comments(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the text of each comment without a directive, and whether it is on lines of its own."""
    block: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or _DIRECTIVE.match(token.string):
            continue
        line, content = token.start[0], token.string.lstrip("#").strip()
        if token.line.lstrip().startswith("#"):
            if block and line != last + 1:
                yield " ".join(block), True
                block = []
            block.append(content)
            last = line
        else:
            yield content, False
    if block:
        yield " ".join(block), True


def per_thousand_lines(modules: Sequence[Source]) -> float:
    """Return the number of reason comments in a thousand lines of these modules."""
    lines = sum(len(module.text.splitlines()) for module in modules)
    return 1_000 * sum(len(reason_comments(module.text)) for module in modules) / lines
