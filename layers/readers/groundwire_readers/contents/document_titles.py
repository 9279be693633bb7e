"""Title of a document: its own wording, never a program's, a template's, a company's or an authority's name alone.

The name of a company or an authority is the same on each of its reports, so form and period complete it.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.text.normalisation import normalise

_PROGRAM_TITLE: Final = re.compile(
    r"\(?anonymous\)?$|\(?unspecified\)?$|microsoft (?:word|powerpoint|excel)\s?-"
    r"|powerpoint[ -](?:presentation|präsentation|presentatie|演示文稿)|présentation powerpoint"
    r"|presentación de powerpoint|apresentação do powerpoint|presentazione (?:di|standard di) powerpoint"
    r"|(?:slide|diapositive?|diapositiva|folie|dia|слайд|幻灯片|スライド|슬라이드) ?\d{1,3}$"
    r"|(?:(?:untitled|unbenannt|new|neues|nouveau|nuevo|blank|sans titre|sin título|senza titolo)[ -]?)?"
    r"(?:document|dokument|documento|page|seite|book|mappe|arbeitsmappe|classeur|libro|cartel|workbook|sheet|tabelle"
    r"|presentation|präsentation|présentation|presentación|layout)?[ -]?\(?\d{0,3}\)?$"
    r"|untitled|no title$|title$|titel$|index$|home$|key$|notes?$|print(?:ing)?$|scan(?:ned)?[ _-]?(?:\d.*)?$|img[_\d]"
    r"|paper title \(use style|preparation of papers for ieee"
    r"|[^\s/]{1,100}\.(?:do[ct][mx]?|p[po][ts][mx]?|xl[st][mxb]?|html?|pdf|rtf|od[tsp]|txt|tex|indd|qxd)$",
    re.IGNORECASE,
)
"""Titles that programs write by default, or that are names of files."""
_TEMPLATE: Final = re.compile(
    r"(?:[^\W_]+[ _-]){0,3}(?:template|vorlage|dokumentvorlage|modèle|plantilla|modello|sjabloon)"
    r"(?:[ _-]?v?[\d.]{0,8}|[ _-][^\W\d_]+)",
    re.IGNORECASE,
)
_IDENTIFIER: Final = re.compile(r"(?=[^\dA-Z]{0,60}(?:\d[^\dA-Z\s]{0,60}){6}|\S{0,60}_)\S+")
"""One word with an underscore, or with six digits and no capitals: the name of a file or a record."""
_FORM: Final = re.compile(
    r"(?:the )?(?:(?:form|formular|formulaire|formulario|vordruck|omb)\b\W{0,3}(?:n[ro]\W{0,2})?"
    r"[A-Z]{0,4}[ -]?\d[\w./-]{0,12}"
    r"|\d{1,3}-[A-Z]{1,2}(?:/A)?)(?:\W{0,3}\(?rev.{0,20})?\W{0,3}",
    re.IGNORECASE,
)
"""The number of a form, without its name."""
_SMALL_WORDS: Final = frozenset(
    ["and", "of", "the", "for", "de", "du", "des", "der", "die", "das", "für", "und", "et", "y", "e", "i", "its", "la"]
)
_MAX_NAME_WORDS: Final = 10
_COMPANY: Final = re.compile(
    r"(?:\S.{0,100}?[\s,.&])(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|LLP|L\.P|LP|PLC|AG|SE|GmbH|mbH|KG|KGaA|S\.?A"
    r"|SAS|SARL|S\.?p\.?A|S\.?r\.?l|N\.?V|B\.?V|AB|Oyj?|ASA|A/S|Pty|Co)\.?(?:,? (?:and|&)(?: its)? (?:consolidated )?"
    r"subsidiaries)?|(?:株式会社|有限公司).{1,40}|.{1,40}(?:株式会社|有限公司)",
    re.IGNORECASE,
)
_AUTHORITY: Final = re.compile(
    r"(?:the )?(?:(?!of |the |for |by |in |on |to )\S{1,40} ){0,6}(?:ministry|department|agency|bureau|commission"
    r"|administration|authority|board|council|court|inspectorate|directorate|(?:bundes|landes)?(?:ministerium|amt|anstalt)|behörde"
    r"|ministère|ministerio|ministero|agence|agencia|agenzia)"
    r"(?: (?:of|for|on|and|der|des|für|de|du|del|della)\b.{0,80})?(?: \([A-Z]{2,8}\))?",
    re.IGNORECASE,
)
_REPORT_WORD: Final = re.compile(
    r"report|bericht|rapport|informe|plan|act|rules?|guide|manual|policy|statement|decision|order|minutes|notice|review"
    r"|study|handbook|strategy|budget",
    re.IGNORECASE,
)
_FIRST_BLOCKS: Final = 60
_FIRST_CHARACTERS: Final = 8_000
"""Part of a document in which its form and its period are looked for."""
_FORM_WITHIN: Final = re.compile(
    r"\bform\s{1,3}(?:\d{1,3}[A-Z]?-[A-Z0-9]{1,3}(?:/A)?|[A-Z]{1,3}-\d{1,4}(?:/A)?|\d{1,4}[A-Z]{0,2})\b", re.IGNORECASE
)
_REPORT_WITHIN: Final = re.compile(
    r"\b(?:annual|quarterly|interim|half[- ]year(?:ly)?|semi-?annual|monthly|financial|sustainability|management) "
    r"(?:financial )?(?:report|statements|accounts|results)\b"
    r"|\b(?:geschäfts|jahres|halbjahres|quartals|zwischen|lage|finanz)bericht\b"
    r"|\brapport (?:annuel|semestriel|trimestriel)\b|\b(?:informe|memoria) (?:anual|semestral|trimestral)\b",
    re.IGNORECASE,
)
_MONTH: Final = r"[^\W\d_]{3,10}\.?"
_DATE: Final = (
    rf"(?:{_MONTH}\s{{1,2}}\d{{1,2}},?\s{{1,2}}\d{{4}}|\d{{1,2}}\.?(?:\sde)?\s{{1,2}}{_MONTH}(?:\sde)?\s{{1,2}}\d{{4}}"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})"
)
_ENDED: Final = re.compile(
    r"\b(?:(?:quarterly|fiscal|annual|interim|reporting|transition|financial|three|six|nine|twelve|first|second|third"
    rf"|fourth)\s)?(?:period|quarter|half[- ]year|year|months|weeks)\s(?:ended|ending)\s{{1,3}}{_DATE}",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"\b(?:[1-4]\.?\s?(?:quartal|trimestre)|q[1-4]|h[12]|(?:erstes|zweites)\shalbjahr)\s?[/-]?\s?(?:fy\s?)?\d{4}\b"
    r"|\b(?:(?:fiscal|financial)\syear|geschäftsjahr|exercice|ejercicio|esercizio)\s\d{4}(?:[/-]\d{2,4})?\b"
    rf"|\b(?:zum|as\s(?:of|at)|au|al)\s{_DATE}",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d{2}(?:[/\u2013-]\d{2,4})?\b")
_IMAGE_FILE_NAME: Final = re.compile(
    r"(?:[A-Za-z]:[\\/][^\n]{1,300}|\S{1,100})\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg)", re.IGNORECASE
)


def is_program_title(title: str) -> bool:
    """Return whether a title is a program's or a template's own words, the name of a file, or a record's key."""
    clean = title.strip(" \t:;.*\u2013-")
    return any(form.fullmatch(clean) for form in (_TEMPLATE, _IDENTIFIER)) or _PROGRAM_TITLE.match(clean) is not None


def own_title(candidates: Iterable[str], blocks: Sequence[Block]) -> str | None:
    """Return the first candidate that names the document; None where no title can be trusted.

    Args:
        candidates: possible titles, the best first.
        blocks: the document, whose start has the form and the period that complete a name.
    """
    name = ""
    for candidate in candidates:
        if not _is_name(candidate) and not _FORM.fullmatch(candidate):
            return candidate
        name = name or ("" if _FORM.fullmatch(candidate) else candidate)
    return _completed(name, blocks)


def _completed(name: str, blocks: Sequence[Block]) -> str | None:
    """Return a name with the form and the period at the start of the document; None without either.

    The name of a company on a cover is preferred to that of an authority, which receives the form.
    """
    first = [block for block in islice(blocks, _FIRST_BLOCKS) if block.kind is not BlockKind.CODE]
    text = " ".join(block.text for block in first)[:_FIRST_CHARACTERS]
    form = _FORM_WITHIN.search(text) or _REPORT_WITHIN.search(text)
    year = _YEAR.search(text, form.start()) if form else None
    period = _ENDED.search(text) or _PERIOD.search(text) or year
    if not _COMPANY.fullmatch(name):
        name = next((block.text for block in first if _is_company(block.text)), "") if form else name
    if not name or (form is None and period is None):
        return None
    return normalise(", ".join([name, *(match[0] for match in (form, period) if match is not None)]))


def _is_name(title: str) -> bool:
    words = title.split()
    is_proper = len(words) <= _MAX_NAME_WORDS and all(
        word in _SMALL_WORDS or not word[:1].islower() or _COMPANY.fullmatch(f"X {word}") for word in words
    )
    is_authority = _AUTHORITY.fullmatch(title) is not None and _REPORT_WORD.search(title) is None
    return is_proper and (is_authority or _COMPANY.fullmatch(title) is not None)


def _is_company(text: str) -> bool:
    return _COMPANY.fullmatch(text) is not None and _is_name(text)


def is_image_name(text: str) -> bool:
    """Return whether a text is the name of an image file, which programs write as description of an image."""
    return _IMAGE_FILE_NAME.fullmatch(text.strip()) is not None
