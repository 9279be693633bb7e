"""Explanation of a search: the ranks of each passage, step by step."""

from dataclasses import replace
from typing import Final

from groundwire.domain.filters.own.parser import filter_to_text
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.entry.cli.search.report import print_passage_heading, print_passages
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.entry.serialization.search_explanation import step_counts
from groundwire.services.search import Trace
from groundwire.services.search.explanation import Explanation, PhraseContribution, explain

_STEPS = ("lexical", "semantic", "fused", "rights", "distinct")
"""Columns of ranks, in the order of the steps."""


_TRUNCATED = (
    f"the phrase is too long: the search uses at most {MAX_PHRASE_CHARACTERS} characters and "
    f"{MAX_PHRASE_WORDS} words of it"
)


_NEAR: Final = 5
"""Number of passages below the floor that are explained where there is no answer."""


def print_explanation(trace: Trace, notice: str | None) -> None:
    """Print the number of passages after each step, each passage's ranks, and the contribution of each phrase.

    Where every passage is below the floor, the best of them are explained. `notice` was printed before.
    """
    for name, value in _summary_fields(trace).items():
        print_line(f"{name:<12} {value}")
    print_line("")
    if not trace.answer:
        print_passages(trace.answer, trace.phrases, with_context=False, notice=notice)
    if trace.is_below_floor:
        print_line("Below the floor:", style="bold")
        trace = replace(trace, answer=trace.ordered[:_NEAR])
    if not trace.answer:
        return
    explanations = explain(trace)
    rows = [_ranks(number, each) for number, each in enumerate(explanations, start=1)]
    print_rows(rows, list(rows[0]), as_json=False, empty_message="")
    for number, each in enumerate(explanations, start=1):
        print_line("")
        print_passage_heading(number, passage_to_json(each.passage))
        for contribution in each.by_phrase:
            _print_contribution(contribution)
        for other in each.passage.also_in:
            print_line(f"   also in {other.document.source_file_name} ({other.segment.uid})")


def _summary_fields(trace: Trace) -> dict[str, str]:
    return {
        "filter": "-" if trace.where is None else filter_to_text(trace.where),
        "BM25 weight": ", ".join(f"{name} {weight:g}" for name, weight in trace.weights.items()) or "-",
        "passages": ", ".join(f"{count} {step}" for step, count in step_counts(trace).items()),
        **{f"phrase {number}": phrase for number, phrase in enumerate(trace.phrases, start=1)},
        **{f"cut {number}": _TRUNCATED for number in trace.truncated_phrases},
    }


def _ranks(number: int, explanation: Explanation) -> dict[str, object]:
    contribution = explanation.main_contribution
    ranks = (
        contribution.bm25_rank,
        contribution.vector_rank,
        explanation.fused,
        explanation.admitted,
        explanation.distinct,
    )
    return {
        "": number,
        **dict(zip(_STEPS, ranks, strict=True)),
        **({} if explanation.reranked is None else {"reranked": explanation.reranked}),
        "score": f"{explanation.passage.score:.3f}",
        **({} if explanation.rerank_score is None else {"rerank score": f"{explanation.rerank_score:.3f}"}),
        "phrase": contribution.number,
        "headline": explanation.passage.segment.headline,
    }


def _print_contribution(contribution: PhraseContribution) -> None:
    passage = "" if contribution.passage is None else f", passage {contribution.passage:.3f}"
    print_line(
        f"   phrase {contribution.number}: lexical {contribution.bm25:.3f} ({_rank_text(contribution.bm25_rank)}), "
        f"semantic {contribution.vector:.3f} ({_rank_text(contribution.vector_rank)}{passage}), "
        f"gives {contribution.share:.3f}"
    )
    if contribution.window is not None:
        print_line(f"      best window: {contribution.window}")


def _rank_text(rank: int | None) -> str:
    return "no match" if rank is None else f"rank {rank}"
