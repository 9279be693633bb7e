"""The language of a page: its sentences, and where they break the rules for plain technical English."""

import re
from collections.abc import Iterator
from typing import Final

from tests.support.documentation.pages import prose

MAX_SENTENCE_WORDS: Final = 25
MAX_MEAN_WORDS: Final = 16
MAX_TABLE_LINE_CHARACTERS: Final = 200

RETIRED: Final = frozenset(
    {
        "afar",
        "begun",
        "beneath",
        "brought",
        "elsewhere",
        "faults",
        "hears",
        "likewise",
        "loses",
        "re-policied",
        "said",
        "says",
        "settled",
        "speaks",
        "stand",
        "standing",
        "stands",
        "tells",
        "told",
        "verdict",
        "whoever",
        "withdrawn",
    }
)
"""Words that the glossary replaced, or that make a thing act like a person; a code span may hold them."""
RETIRED_PHRASES: Final = (
    "a key that acts for others",
    "any more",
    "as far as",
    "at last",
    "gone on with",
    "made good",
    "the very",
    "what became of",
)

_CODE: Final = re.compile(r"`[^`\n]+`")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_LIST_ITEM: Final = re.compile(r"^\s*(?:[*-]|\d+\.)\s+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[)\"*]*\s+(?=[(\"*]*[A-Z\d])")
_WORD: Final = re.compile(r"\S*\w\S*")
_CODE_WORD: Final = "Code"


def broken_rules(text: str) -> Iterator[str]:
    """Each breach of a rule by a page, as a line for its author."""
    running, cells = running_text(text), list(table_cells(text))
    sentences = [sentence for part in running for sentence in sentences_of(part)]
    for sentence in [*sentences, *(sentence for cell in cells for sentence in sentences_of(cell))]:
        if len(words_of(sentence)) > MAX_SENTENCE_WORDS:
            yield f"{len(words_of(sentence))} words: {sentence}"
        yield from (f"retired word {word!r}: {sentence}" for word in retired_words(sentence))
    mean = sum(len(words_of(sentence)) for sentence in sentences) / max(len(sentences), 1)
    if mean > MAX_MEAN_WORDS:
        yield f"{mean:.1f} words in a sentence on average"
    for line in prose(text).splitlines():
        if line.startswith("|") and len(line) > MAX_TABLE_LINE_CHARACTERS:
            yield f"table line of {len(line)} characters: {line[:60]}"


def running_text(text: str) -> list[str]:
    """Paragraphs and list items, each on one line, without headings, tables and blocks."""
    parts: list[list[str]] = [[]]
    for line in prose(text).splitlines():
        if not line.strip() or line.startswith(("#", "|", "![")):
            parts.append([])
        elif _LIST_ITEM.match(line):
            parts.append([_LIST_ITEM.sub("", line)])
        else:
            parts[-1].append(line.strip())
    return [" ".join(part) for part in parts if part]


def table_cells(text: str) -> Iterator[str]:
    for line in prose(text).splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield from (cell.strip() for cell in line.strip("|").split("|"))


def sentences_of(part: str) -> list[str]:
    """The sentences of a paragraph, in which a code span is one word."""
    plain = _LINK.sub(r"\1", _CODE.sub(_CODE_WORD, part))
    return [sentence for sentence in _SENTENCE_END.split(plain) if words_of(sentence)]


def words_of(sentence: str) -> list[str]:
    return _WORD.findall(sentence)


def retired_words(sentence: str) -> list[str]:
    """The retired words and phrases of a sentence without its code spans."""
    lower = sentence.lower()
    found = [word for word in re.findall(r"[a-z-]+", lower) if word in RETIRED]
    return [*found, *(phrase for phrase in RETIRED_PHRASES if re.search(rf"\b{phrase}\b", lower))]
