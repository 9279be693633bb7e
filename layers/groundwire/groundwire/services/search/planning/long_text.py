"""Long messages: the paragraphs that the user wrote, before or after a text that was pasted."""

import re
from typing import Final

from groundwire.domain.text.sentences import sentences
from groundwire.services.search.planning.splitting import is_question

_MAX_READ_CHARACTERS: Final = 16_000
"""Length of a message that is read: a question is at the beginning or at the end of a longer one."""
_LONG: Final = 320
"""Length of a message, or of a part of it, that is no question of a user."""
_MAX_OWN: Final = 500
_MAX_REMARK: Final = 160
_BREAK: Final = re.compile(r"\n[ \t]*\n")


def own_text(text: str) -> str:
    """Return the paragraphs of a message that the user wrote; all of it where it is short, or no part of it asks.

    A user writes before or after a text, seldom inside; what a pasted text asks is no question of the user.
    """
    if len(text) <= _LONG:
        return text
    if len(text) > _MAX_READ_CHARACTERS:
        half = _MAX_READ_CHARACTERS // 2
        # The blank line keeps the two halves from forming one paragraph.
        text = f"{text[:half]}\n\n{text[-half:]}"
    paragraphs = _paragraphs(text)
    if len(paragraphs) < 2:  # noqa: PLR2004
        return text
    own = [each for each in (paragraphs[0], paragraphs[-1]) if len(each) <= _MAX_OWN]
    asking = [each for each in own if any(map(is_question, sentences(each)))]
    # A remark without a question, such as a request, is what the user wants with the text beside it.
    kept = "\n".join(asking or [each for each in own if len(each) <= _MAX_REMARK][-1:])
    is_pasted = sum(map(len, paragraphs)) - len(kept) > _LONG
    return kept if kept and is_pasted else text


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text; its lines where no blank line separates any."""
    found = [part.strip() for part in _BREAK.split(text) if part.strip()]
    return found if len(found) > 1 else [line.strip() for line in text.splitlines() if line.strip()]
