"""Messages without a question: thanks, remarks, and requests on the form of the answer before them."""

from typing import Final

from groundwire.domain.search.planning.messages.answer_form import is_about_form
from groundwire.domain.search.planning.messages.chatter import is_chatter, is_thankful, without_frame
from groundwire.domain.search.planning.messages.splitting import is_question
from groundwire.domain.search.planning.vocabulary import content_of, sentences_of, starts_question, words_of

_MAX_REQUEST_CHARACTERS: Final = 600


def request_in(text: str) -> str | None:
    """Return what a message without a question adds to the one before; None for a message with a question.

    It is empty where the message only thanks, or requests another form of the answer.
    """
    if len(text) > _MAX_REQUEST_CHARACTERS:
        return None
    parts = [part.strip() for line in text.splitlines() for part in sentences_of(line) if part.strip()]
    is_request = False
    rest: list[str] = []
    for part in parts:
        if is_about_form(part):
            is_request = True
        elif not is_chatter(part):
            rest.append(part)
    if not rest:
        return ""
    if any(_asks(part) for part in rest):
        return None
    if is_request:
        return ""
    return " ".join(rest) if is_thankful(text) else None


def _asks(sentence: str) -> bool:
    """Return whether a sentence asks for something, perhaps after polite words."""
    core = without_frame(sentence)
    words = words_of(core[:200])
    return bool(content_of(words)) and (is_question(core) or starts_question(words))
