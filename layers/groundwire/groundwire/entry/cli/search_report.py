"""What `groundwire search` prints: passages for people, exact JSON, and the way of each through the search."""

from collections.abc import Sequence
from typing import cast

from groundwire.domain.filter_text import filter_to_text
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS
from groundwire.entry.cli.console import Row, print_line, print_rows
from groundwire.entry.rows import passage_row
from groundwire.entry.search_rows import step_counts
from groundwire.services.search import Passage, Trace
from groundwire.services.search.explain import Explanation, PhraseView, explain

_STEPS = ("lexical", "semantic", "fused", "rights", "distinct")
"""Columns of ranks, in the order of the steps."""
_CUT = f"the phrase was longer: at most {MAX_PHRASE_CHARACTERS} characters and {MAX_PHRASE_WORDS} words are searched"


def print_passages(passages: Sequence[Passage], *, with_context: bool) -> None:
    """Each with where it stands and its summary; or with all that is quoted."""
    rows = [passage_row(passage) for passage in passages]
    print_rows_of_passages([row | {"summary": None} if with_context else row for row in rows])


def print_rows_of_passages(rows: Sequence[Row]) -> None:
    """Each with where it stands, and its summary if the row has one, else all that is quoted."""
    if not rows:
        print_line("No passage that this user may read matches.")
    for number, row in enumerate(rows, start=1):
        _print_heading(number, row)
        print_line(f"   {row.get('summary') or row['text']}\n")


def print_explained(trace: Trace) -> None:
    """How many there were after each step, the ranks of every passage, and what each phrase made of it."""
    for fact, value in _facts(trace).items():
        print_line(f"{fact:<12} {value}")
    print_line("")
    if not trace.answer:
        print_passages(trace.answer, with_context=False)
        return
    explanations = explain(trace)
    rows = [_ranks(number, each) for number, each in enumerate(explanations, start=1)]
    print_rows(rows, list(rows[0]), as_json=False, empty="")
    for number, each in enumerate(explanations, start=1):
        print_line("")
        _print_heading(number, passage_row(each.passage))
        for view in each.by_phrase:
            _print_view(view)
        for other in each.passage.also_in:
            print_line(f"   also in {other.document.source_file_name} ({other.segment.uid})")


def _facts(trace: Trace) -> dict[str, str]:
    return {
        "filter": "-" if trace.where is None else filter_to_text(trace.where),
        "BM25 weight": ", ".join(f"{name} {weight:g}" for name, weight in trace.weights.items()) or "-",
        "passages": ", ".join(f"{count} {step}" for step, count in step_counts(trace).items()),
        **{f"phrase {number}": phrase for number, phrase in enumerate(trace.phrases, start=1)},
        **{f"cut {number}": _CUT for number in trace.cut},
    }


def _ranks(number: int, found: Explanation) -> dict[str, object]:
    by = found.brought_by
    ranks = (by.bm25_rank, by.vector_rank, found.fused, found.admitted, found.distinct)
    return {
        "": number,
        **dict(zip(_STEPS, ranks, strict=True)),
        **({} if found.reranked is None else {"reranked": found.reranked}),
        "score": f"{found.passage.score:.3f}",
        **({} if found.relevance is None else {"relevance": f"{found.relevance:.3f}"}),
        "phrase": by.number,
        "headline": found.passage.segment.headline,
    }


def _print_heading(number: int, row: Row) -> None:
    page, path = row["page_first"], cast("Sequence[str]", row["heading_path"])
    print_line(f"{number}. {row['headline']}", style="bold")
    place = f"{row['source_file_name']}{f', page {page}' if page else ''}"
    print_line(f"   {place}   {' > '.join(path)}   {row['score']:.3f}")


def _print_view(view: PhraseView) -> None:
    passage = "" if view.passage is None else f", passage {view.passage:.3f}"
    print_line(
        f"   phrase {view.number}: words {view.bm25:.3f} ({_place(view.bm25_rank)}), "
        f"meaning {view.vector:.3f} ({_place(view.vector_rank)}{passage}), gives {view.share:.3f}"
    )
    if view.window is not None:
        print_line(f"      best window: {view.window}")


def _place(rank: int | None) -> str:
    return "no match" if rank is None else f"rank {rank}"
