"""Display names of documents: file names and titles are untrusted text and are normalised like the text itself.

Agents read them in all citations, so a name could otherwise hide an instruction or an image. The source path is
different: it is unchanged and identifies the document.
"""

import re
from pathlib import PurePath
from typing import Final

from groundwire.domain.limits import MAX_NAME_CHARACTERS
from groundwire_readers.text.normalisation import normalise

_UNNAMED: Final = "unnamed"
_IMAGE_START: Final = re.compile(r"(<)(?=img\b)|(!)(?=\[)", re.IGNORECASE)


def display_name(file_name: str, doc_id: str | None) -> str:
    """Return the name on one line, without invisible characters or active markup; else the document's id.

    A long name is truncated in its stem, since the extension shows the file's type.
    """
    # Broken up, an image is harmless text; left whole, it would be removed, and with it all or most of the name.
    file_name = _IMAGE_START.sub(r"\g<0> ", file_name)
    stem, dot, extension = file_name.rpartition(".")
    if not stem:
        return _bounded(normalise(file_name)) or doc_id or _UNNAMED
    suffix = dot + normalise(extension)
    shortened_stem = normalise(stem)[: max(0, MAX_NAME_CHARACTERS - len(suffix))]
    # Once more, since stem and extension may form markup together.
    return _bounded(normalise((shortened_stem or doc_id or _UNNAMED) + suffix)) or doc_id or _UNNAMED


def display_title(title: str | None, name: str) -> str:
    """Return the document's own title on one line, else its display name without the extension."""
    return _bounded(normalise(title or "")) or _bounded(normalise(PurePath(name).stem)) or name


def file_type(name: str) -> str:
    """Return the extension of a display name without its dot, lower case; empty if it is missing."""
    return normalise(PurePath(name).suffix.removeprefix(".").lower())


def _bounded(text: str) -> str:
    return normalise(text[:MAX_NAME_CHARACTERS])
