"""Output of `groundwire search`: passages for people."""

from collections.abc import Sequence
from typing import Final, cast

from groundwire.entry.cli.console import Row, print_line
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.services.search import NOT_RELEVANT, Passage

_NOT_RELEVANT: Final = "No passage that this user may read is relevant enough"


def notice_for_people(notice: str | None, best: float | None = None) -> str | None:
    """Return the notice of a search with what a person can do, in place of what a model should do.

    Args:
        notice: that of the search.
        best: the relevance of the best passage below the floor; None where it is unknown.
    """
    found = "" if best is None else f": the best has {format_relevance(best)}"
    sentence = f"{_NOT_RELEVANT}{found}. --explain shows what was near, and --min-relevance 0 answers with it."
    return None if notice is None else notice.replace(NOT_RELEVANT, sentence)


def print_passages(passages: Sequence[Passage], *, with_context: bool, notice: str | None) -> None:
    """Print each passage with its location and its summary, or with its whole text if `with_context`.

    `notice` is that of the search, printed before.
    """
    rows = [passage_to_json(passage) for passage in passages]
    print_passage_rows([row | {"summary": None} if with_context else row for row in rows], notice)


def print_passage_rows(rows: Sequence[Row], notice: str | None) -> None:
    """Print each passage with its location, and its summary if the row has one, else its whole text."""
    # The notice already says that nothing was relevant enough.
    if not rows and _NOT_RELEVANT not in (notice or ""):
        print_line("No passage that this user may read matches the search.")
    for number, row in enumerate(rows, start=1):
        print_passage_heading(number, row)
        print_line(f"   {row.get('summary') or row['text']}\n")


def format_relevance(relevance: object) -> str:
    """Return a relevance for people; a dash if it is missing."""
    return f"{relevance:.2f}" if isinstance(relevance, float) else "-"


def print_passage_heading(number: int, row: Row) -> None:
    """Print the number, headline, location and relevance of one passage."""
    page, path = row["page_first"], cast("Sequence[str]", row["heading_path"])
    print_line(f"{number}. {row['headline']}", style="bold")
    location = f"{row['source_file_name']}{f', page {page}' if page else ''}"
    print_line(f"   {location}   {' > '.join(path)}   relevance {format_relevance(row.get('relevance'))}")
