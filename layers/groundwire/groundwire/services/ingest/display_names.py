"""Display names of documents: file names and titles are untrusted text and are normalised like the text itself.

Agents read them in all citations, so a name could otherwise hide an instruction or an image. The source path is
different: it is unchanged and identifies the document.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from groundwire.domain.limits import MAX_NAME_CHARACTERS
from groundwire.domain.text.normalisation import normalise
from groundwire.domain.text.words import words

_UNNAMED: Final = "unnamed"
_RUN: Final = re.compile(r"[^\W_]+")
_PART: Final = re.compile(r"\d{2,}|[^\W\d_]{2,}")


def display_name(file_name: str, doc_id: str | None) -> str:
    """Return the name on one line, without invisible characters or active markup; else the document's id.

    A long name is truncated in its stem, since the extension shows the file's type.
    """
    stem, dot, extension = file_name.rpartition(".")
    if not stem:
        return _bounded(normalise(file_name)) or doc_id or _UNNAMED
    suffix = dot + normalise(extension)
    shortened_stem = normalise(stem)[: max(0, MAX_NAME_CHARACTERS - len(suffix))]
    return _bounded(normalise((shortened_stem or doc_id or _UNNAMED) + suffix)) or doc_id or _UNNAMED


def display_title(title: str | None, name: str) -> str:
    """Return the document's own title on one line, else its display name without the extension."""
    return _bounded(normalise(title or "")) or _bounded(normalise(PurePath(name).stem)) or name


def file_type(name: str) -> str:
    """Return the extension of a display name without its dot, lower case; empty when there is none."""
    return normalise(PurePath(name).suffix.removeprefix(".").lower())


def file_name_words(name: str, title: str) -> str:
    """Return the words of a display name that the title has not, without the extension, for the search.

    A name in camel case gives its parts too, as does one with digits behind its letters: `TideReport2023` gives
    `TideReport2023 Tide Report 2023`.
    """
    known = set(words(title))
    found: dict[str, str] = {}
    for word in _name_words(normalise(PurePath(name).stem)):
        if word.casefold() not in known:
            found.setdefault(word.casefold(), word)
    return " ".join(found.values())


def _name_words(stem: str) -> Iterator[str]:
    for run in _RUN.findall(stem):
        yield run
        yield from (word for part in _PART.findall(run) for word in _camel_parts(part))


def _camel_parts(part: str) -> Iterator[str]:
    start = 0
    for at in range(1, len(part)):
        starts_word = part[at].isupper() and (part[at - 1].islower() or part[at + 1 : at + 2].islower())
        if starts_word:
            yield part[start:at]
            start = at
    yield part[start:]


def _bounded(text: str) -> str:
    return normalise(text[:MAX_NAME_CHARACTERS])
