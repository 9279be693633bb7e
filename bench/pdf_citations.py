"""Whether a PDF's passages cite the right page and the right heading, judged by means that share no code with them.

`python -m bench.pdf_citations PDF EPUB` reads both files of the same book. A passage's heading is right when the
innermost heading of its path is the one that stands last before the same words in the book's own XHTML, read here with
the standard library; numbers and letter case aside; a footnote belongs to the section that refers to it. Its page is
right when its words stand on the pages that it cites in what `pdftotext` (Poppler) makes of the file. A passage whose
words the other reading does not hold cannot be judged; those are counted apart, and never as right.
"""

import argparse
import posixpath
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.domain.documents.segment import Chunk
from groundwire.domain.passages.chunking import chunk

SHINGLE = 5
"""Words in a row that are looked up: few enough to survive a line that is broken otherwise."""
SHARE = 0.5
"""Of a passage's shingles that the other reading must hold for it to be judged."""
PAGE_GOAL, HEADING_GOAL = 1.0, 5.0
"""Per cent of the judged passages that may be wrong."""
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"^(?:(?:chapter|appendix|part)\s+)?(?:\d+|[a-z])(?:\.\d+)*\.?\s+", re.IGNORECASE)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF = "{http://www.idpf.org/2007/opf}"

Shingle = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """How a set of passages fared."""

    right: int
    wrong: Sequence[str]
    unjudged: int

    @property
    def wrong_percent(self) -> float:
        judged = self.right + len(self.wrong)
        return 100 * len(self.wrong) / judged if judged else 100.0

    def row(self, label: str) -> tuple[str, float, float, float, float]:
        return label, self.right, len(self.wrong), self.unjudged, 100 - self.wrong_percent


def words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def shingles(text: str) -> list[Shingle]:
    found = words(text)
    return [tuple(found[at : at + SHINGLE]) for at in range(max(1, len(found) - SHINGLE + 1))]


@dataclass(slots=True)
class Section:
    """Heading of a chapter, and the text up to the next one."""

    heading: str = ""
    text: str = ""


class Sections(HTMLParser):
    """Parser of a chapter's sections, in order; a footnote's text belongs to the section that refers to it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = [Section()]
        self._in_heading = False
        self._notes_depth = 0
        self._referring: dict[str, Section] = {}
        self._note: Section | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        names = (values.get("class") or "").split()
        if tag in _HEADINGS:
            self._in_heading = True
            self.found.append(Section())
        elif "footnote-reference" in names:
            self._referring.setdefault((values.get("href") or "").removeprefix("#"), self.found[-1])
        elif tag == "dl":
            self._notes_depth += bool(self._notes_depth) or "footnote" in names
        elif tag == "dt" and self._notes_depth == 1:
            self._note = self._referring.get(values.get("id") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HEADINGS:
            self._in_heading = False
        elif tag == "dl" and self._notes_depth:
            self._notes_depth -= 1

    def handle_data(self, data: str) -> None:
        if self._in_heading:
            self.found[-1].heading += data
        section = self._note if self._notes_depth else self.found[-1]
        if section is not None:
            section.text += data


def sections_of(epub: Path) -> list[tuple[str, str]]:
    """Heading and text of each section, in the order of the book's spine."""
    found: list[tuple[str, str]] = []
    with zipfile.ZipFile(epub) as book:
        container = ET.fromstring(book.read("META-INF/container.xml"))
        path = next(container.iter(f"{_CONTAINER}rootfile")).get("full-path", "")
        package = ET.fromstring(book.read(path))
        items = {item.get("id"): item.get("href", "") for item in package.iter(f"{_OPF}item")}
        for reference in package.iter(f"{_OPF}itemref"):
            reader = Sections()
            chapter = posixpath.join(posixpath.dirname(path), items[reference.get("idref")])
            reader.feed(book.read(chapter).decode())
            found += [(section.heading, section.text) for section in reader.found]
    return found


def by_shingle(labelled: Iterable[tuple[str, str]]) -> dict[Shingle, set[str]]:
    """Which labels hold each row of words."""
    places: dict[Shingle, set[str]] = {}
    for label, text in labelled:
        for shingle in shingles(text):
            places.setdefault(shingle, set()).add(label)
    return places


def place_of(text: str, places: dict[Shingle, set[str]]) -> Counter[str] | None:
    """Return how much of the text each place contains; None when no place contains most of it."""
    wanted = shingles(text)
    known = [places[shingle] for shingle in wanted if shingle in places]
    if len(known) < SHARE * len(wanted):
        return None
    return Counter(label for labels in known for label in labels)


def plain(heading: str) -> str:
    """A heading without its number, as words."""
    return " ".join(words(_NUMBER.sub("", " ".join(heading.split()))))


def body_of(passage: Chunk) -> str:
    """The passage without the headings at its top: they would find themselves."""
    lines = passage.text.split("\n\n")
    while len(lines) > 1 and lines[0] in passage.heading_path:
        del lines[0]
    return "\n\n".join(lines)


def judge_headings(passages: Sequence[Chunk], sections: Sequence[tuple[str, str]]) -> Judged:
    places = by_shingle((plain(heading), text) for heading, text in sections)
    right, unjudged, wrong = 0, 0, list[str]()
    for passage in passages:
        found = place_of(body_of(passage), places)
        if found is None:
            unjudged += 1
            continue
        cited = plain(passage.heading_path[-1]) if passage.heading_path else ""
        most = max(found.values())
        if found[cited] == most:
            right += 1
        else:
            best = " | ".join(label for label, count in found.items() if count == most)
            wrong.append(f"p. {passage.page_first}: cites {cited!r}, stands under {best!r}: {passage.text[:60]!r}")
    return Judged(right, wrong, unjudged)


def judge_pages(passages: Sequence[Chunk], pages: Sequence[str]) -> Judged:
    """Judge the cited pages: right if every page with a good part of the passage is cited, and no other page is."""
    right, unjudged, wrong = 0, 0, list[str]()
    texts = [(str(number), text) for number, text in enumerate(pages, 1)]
    whole = by_shingle(texts)
    for passage in passages:
        first, last = passage.page_first, passage.page_last
        found = place_of(passage.text, whole)
        if found is None or first is None or last is None:
            unjudged += 1
            continue
        cited = "\n".join(pages[first - 1 : last])
        here = place_of(passage.text, by_shingle([("cited", cited)]))
        best = max(found.values())
        alone = [found[str(page)] > 0 for page in (first, last)]
        if here is not None and here["cited"] >= 0.9 * best and all(alone):
            right += 1
        else:
            likely = ", ".join(label for label, count in found.items() if count == best)
            wrong.append(f"cites {first}-{last}, stands on {likely}: {passage.text[:60]!r}")
    return Judged(right, wrong, unjudged)


def pages_of(pdf: Path) -> list[str]:
    """The text of each page by Poppler's reading."""
    if shutil.which("pdftotext") is None:
        raise SystemExit("pdftotext is not there: install Poppler (Debian: poppler-utils, Homebrew: poppler)")
    text = subprocess.run(["pdftotext", "-enc", "UTF-8", str(pdf), "-"], check=True, capture_output=True).stdout
    return text.decode().split("\f")


def passages_of(pdf: Path) -> list[Chunk]:
    with ConfinedParser(ParserLimits()) as parser:
        return chunk(parser.parse(pdf.read_bytes(), "pdf"))


def report(pdf: Path, headings: Judged, pages: Judged, *, failures: int) -> Report:
    goals = [
        Goal("passages with another page", pages.wrong_percent, "%", "pdftotext", PAGE_GOAL),
        Goal("passages under another heading", headings.wrong_percent, "%", "the EPUB's own headings", HEADING_GOAL),
    ]
    columns = ("", "right", "wrong", "not judged", "right %")
    table = Figures("passages", columns, [pages.row("page"), headings.row("innermost heading")], digits=1)
    total = pages.right + len(pages.wrong) + pages.unjudged
    strict = f"{100 * pages.right / total:.1f} % and {100 * headings.right / total:.1f} % right"
    notes = [
        f"with those that cannot be judged counted as wrong: {strict}",
        *(f"page: {text}" for text in pages.wrong[:failures]),
        *headings.wrong[:failures],
    ]
    return Report("Citations of a PDF", this_machine(), {"pdf": pdf.name}, goals, [table], notes)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("pdf", type=Path)
    arguments.add_argument("epub", type=Path)
    arguments.add_argument("--failures", type=int, default=5, help="so many wrong passages are shown of each kind")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    passages = passages_of(chosen.pdf)
    headings = judge_headings(passages, sections_of(chosen.epub))
    pages = judge_pages(passages, pages_of(chosen.pdf))
    report(chosen.pdf, headings, pages, failures=chosen.failures).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
