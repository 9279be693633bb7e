"""Output of `groundwire search`: passages for people."""

from collections.abc import Sequence
from textwrap import indent
from typing import Final, cast

from groundwire.domain.documents.source_file import page_noun
from groundwire.domain.passages.excerpts import excerpt
from groundwire.entry.cli.console import Row, print_line
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.services.search import NOT_RELEVANT, Passage

_NOT_RELEVANT: Final = "No passage that this user may read is relevant enough"
_MARGIN: Final = "   "


def notice_for_people(notice: str | None, best: float | None = None) -> str | None:
    """Return the notice of a search with what a person can do, in place of what a model should do.

    Args:
        notice: that of the search.
        best: the relevance of the best passage below the floor; None where it is unknown.
    """
    found = "" if best is None else f": the best has {format_relevance(best)}"
    sentence = f"{_NOT_RELEVANT}{found}. --explain shows what was near, and --min-relevance 0 answers with it."
    return None if notice is None else notice.replace(NOT_RELEVANT, sentence)


def print_passages(
    passages: Sequence[Passage], phrases: Sequence[str], *, with_context: bool, notice: str | None
) -> None:
    """Print each passage with its location and an excerpt, or with its whole text if `with_context`.

    `notice` is that of the search, printed before.
    """
    print_passage_rows([passage_to_json(each) for each in passages], [] if with_context else phrases, notice)


def print_passage_rows(rows: Sequence[Row], phrases: Sequence[str], notice: str | None) -> None:
    """Print each passage with its location and what it has of the phrases; without phrases, with its whole text.

    A passage that shares no word with them has its summary, or its whole text where it has none.
    """
    # The notice already says that nothing was relevant enough.
    if not rows and _NOT_RELEVANT not in (notice or ""):
        print_line("No passage that this user may read matches the search.")
    for number, row in enumerate(rows, start=1):
        print_passage_heading(number, row)
        print_line(f"{indent(_shown_text(row, phrases), _MARGIN)}\n")


def _shown_text(row: Row, phrases: Sequence[str]) -> str:
    text, path = str(row["text"]), cast("Sequence[str]", row["heading_path"])
    # A summary says what a passage is about; a person who searches wants the figure itself.
    return text if not phrases else excerpt(text, phrases, path) or str(row.get("summary") or text)


def format_relevance(relevance: object) -> str:
    """Return a relevance for people; a dash if it is missing."""
    return f"{relevance:.2f}" if isinstance(relevance, float) else "-"


def print_passage_heading(number: int, row: Row) -> None:
    """Print the number, headline, location and relevance of one passage."""
    page, path = row["page_first"], cast("Sequence[str]", row["heading_path"])
    print_line(f"{number}. {row['headline']}", style="bold")
    file = str(row["source_file_name"])
    location = f"{file}, {page_noun(file)} {page}" if page else file
    print_line(f"   {location}   {' > '.join(path)}   relevance {format_relevance(row.get('relevance'))}")
