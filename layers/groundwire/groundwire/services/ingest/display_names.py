"""What a document is called: file names and titles are strangers' words, made as harmless as the text itself.

Agents read them in every citation, so a name that hides an instruction or a picture would do what a passage
cannot. Where a file lies is another matter: its path stays as it is, and finds the document again.
"""

from pathlib import PurePath
from typing import Final

from groundwire.domain.limits import MAX_NAME_CHARACTERS
from groundwire.domain.text.normalisation import normalise

_UNNAMED: Final = "unnamed"


def display_name(file_name: str, doc_id: str | None) -> str:
    """The name on one line, nothing invisible or live in it; where nothing is left, the document's id stands for it.

    A name that is too long loses the end of its stem: the extension says what the file is.
    """
    stem, dot, extension = file_name.rpartition(".")
    if not stem:
        return _bounded(normalise(file_name)) or doc_id or _UNNAMED
    ending = dot + normalise(extension)
    left = normalise(stem)[: max(0, MAX_NAME_CHARACTERS - len(ending))]
    return _bounded(normalise((left or doc_id or _UNNAMED) + ending)) or doc_id or _UNNAMED


def display_title(title: str | None, name: str) -> str:
    """The document's own title on one line, else its shown name without the extension."""
    return _bounded(normalise(title or "")) or _bounded(normalise(PurePath(name).stem)) or name


def file_type(name: str) -> str:
    """The extension of a shown name without its dot, lower case; empty when there is none."""
    return normalise(PurePath(name).suffix.removeprefix(".").lower())


def _bounded(text: str) -> str:
    return normalise(text[:MAX_NAME_CHARACTERS])
