"""Letterheads, and lines with the particulars of a company: blocks of text beside each other, whose rows mean nothing.

A table of contacts has one kind of particulars in each column, or names them in a row or column of labels. The blocks
of a letterhead mix kinds, each of which occurs once or twice on the page.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_NUMBER: Final = r"\b[.:]{0,2}\s{0,3}[+(\d][\d\s()/.+-]{4,30}"
_KINDS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:tel|fon|phone|telephone|telefon|téléphone|tél|teléfono|telefono|mobile|mobil){_NUMBER}",
        rf"(?:fax|telefax){_NUMBER}",
        r"[^\s@]{1,60}@[^\s@]{1,60}\.[a-z]{2,12}\b",
        r"(?:https?://|www\.)\S{3,80}",
        r"\b(?:\d{5}(?:-\d{4})? [^\W\d]|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b)",
        r"\b(?:IBAN|BIC|SWIFT|sort code|Bankleitzahl|BLZ)\b[.:]?\s{0,3}\w{2,}",
        r"\b(?:VAT|USt-?Id|reg(?:istered|istration)?|HRB|EIN|SIREN|SIRET|TVA|NIF)\b\D{0,20}\d{3,}",
        r"\b(?:our|your|unser|ihr|notre|votre|nuestra|su)\s(?:ref|zeichen|réf|reference|referencia)\b.{0,6}\w",
        r"\A(?:date|datum|fecha|data)\s?:\s?\S",
    )
)
"""Particulars with their label, if they need one: telephone, fax, mail, web, town, bank, register, reference, date."""
_LABEL: Final = re.compile(
    r"(?:tel|phone|telephone|telefon|mobile|fax|e-?mail|mail|web(?:site)?|address|adresse|iban|bic|date|datum|name|city)"
    r"\W{0,3}",
    re.IGNORECASE,
)
MAX_LINES: Final = 10
_MAX_OCCURRENCES: Final = 2
_MIN_KINDS: Final = 2


def are_letterhead(blocks: Sequence[Sequence[str]]) -> bool:
    """Return whether blocks beside each other are those of a letterhead; each has its lines."""
    lines = [line for block in blocks for line in block]
    if len(blocks) < 2 or max(map(len, blocks)) > MAX_LINES or max(map(len, blocks)) < 2:  # noqa: PLR2004 - blocks with lines
        return False
    if any(_LABEL.fullmatch(line.strip()) for line in lines):
        return False
    counts = [
        Counter(kind for line in block for kind, form in enumerate(_KINDS) if form.search(line)) for block in blocks
    ]
    total = sum(counts, Counter[int]())
    return len(total) >= _MIN_KINDS and max(total.values()) <= _MAX_OCCURRENCES
