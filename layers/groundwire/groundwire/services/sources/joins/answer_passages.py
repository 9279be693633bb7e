"""Passages of a source's answer: the entries of a list of results, else its text in parts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.domain.documents.links import safe_url_or_none
from groundwire.domain.limits import SEGMENT_MAX_CHARACTERS, SEGMENT_TARGET_CHARACTERS
from groundwire.domain.text.json_values import is_mapping, list_or_empty
from groundwire_readers.text.normalisation import normalise

if TYPE_CHECKING:
    from groundwire_egress.mcp_client.calls import SourceAnswer

_LISTS: Final = ("results", "result", "items", "documents", "passages", "chunks", "hits", "matches", "data", "value")
_TEXTS: Final = ("text", "content", "snippet", "passage", "body", "excerpt", "page_content", "summary", "description")
_TITLES: Final = ("title", "name", "headline", "file_name", "source_file_name")
_URLS: Final = ("url", "source_url", "link", "uri", "href")
_MOST_PASSAGES: Final = 20
_LEVELS: Final = 3
_TITLE_CHARACTERS: Final = 200


class AnswerPassage(NamedTuple):
    """Passage of a source's answer, clean.

    Attributes:
        title: empty where the answer names none. url: https or http; None where there is none.
    """

    text: str
    title: str
    url: str | None


def answer_passages(answer: "SourceAnswer") -> list[AnswerPassage]:
    """Return the passages, in the server's order, at most 20, each once; an answer that is an error has none."""
    if answer.is_error:
        return []
    texts = [
        each["text"] for each in answer.content if each.get("type") == "text" and isinstance(each.get("text"), str)
    ]
    parsed = [entries for text in cast("list[str]", texts) if (entries := _entries(_json(text)))]
    structured = _entries(answer.structured)
    if structured or parsed:
        found = [passage for entries in ([structured] if structured else parsed) for passage in _listed(entries)]
    else:
        found = [AnswerPassage(part, "", None) for text in cast("list[str]", texts) for part in _parts(text)]
    # Reversed, so that the first of several passages with one text stays.
    distinct = {passage.text: passage for passage in reversed(found) if passage.text}
    return [passage for passage in dict.fromkeys(found) if distinct.get(passage.text) is passage][:_MOST_PASSAGES]


def _json(text: str) -> object:
    try:
        # Prose may be valid JSON as well, such as a number or a text in quotes.
        return json.loads(text) if text.lstrip()[:1] in {"{", "["} else None
    except (ValueError, RecursionError):
        return None


def _entries(value: object, levels: int = _LEVELS) -> list[Mapping[str, Any]]:
    """Return the objects with a text in a list of results, at most so many objects deep; empty without such a list."""
    if is_mapping(value):
        # The server chooses how deep its answer is nested.
        members: Mapping[str, object] = value if levels else {}
        lists = (_entries(members.get(name), levels - 1) for name in _LISTS)
        return next((found for found in lists if found), list[Mapping[str, Any]]())
    return [each for each in filter(is_mapping, list_or_empty(value)) if _member(each, _TEXTS)]


def _listed(entries: Sequence[Mapping[str, Any]]) -> Iterator[AnswerPassage]:
    for entry in entries:
        title = normalise(_member(entry, _TITLES))[:_TITLE_CHARACTERS]
        url = safe_url_or_none(_member(entry, _URLS) or None)
        text = next(_parts(_member(entry, _TEXTS)), "")
        yield AnswerPassage(text, title, url)


def _member(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    values = (entry.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")


def _parts(text: str) -> Iterator[str]:
    """Yield a text in parts of a passage's length, cut between paragraphs where they are short enough."""
    part = ""
    for paragraph in text.split("\n\n"):
        cleaned = normalise(paragraph)[: SEGMENT_MAX_CHARACTERS * _MOST_PASSAGES]
        if part and len(part) + len(cleaned) > SEGMENT_TARGET_CHARACTERS:
            yield part
            part = ""
        part = f"{part} {cleaned}".strip()
        while len(part) > SEGMENT_MAX_CHARACTERS:
            end = part.rfind(" ", SEGMENT_TARGET_CHARACTERS // 2, SEGMENT_MAX_CHARACTERS)
            end = SEGMENT_MAX_CHARACTERS if end < 0 else end
            yield part[:end]
            part = part[end:].strip()
    if part:
        yield part
