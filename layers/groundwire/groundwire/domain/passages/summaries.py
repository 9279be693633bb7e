"""What a passage says, in one to three sentences of its own."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile
from math import log
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import SUMMARY_MAX_CHARACTERS
from groundwire.domain.passages.lines import CELL_SEPARATOR, body_lines, column_names, informative_sentences, plain_text
from groundwire.domain.text.stop_words import ENGLISH_STOP_WORDS
from groundwire.domain.text.words import words

_DAMPING: Final = 0.85
_ITERATIONS: Final = 12
_FIRST_SENTENCE_WEIGHT: Final = 2.0
"""Times the prior of every other sentence."""


def textrank_scores(sentences: Sequence[AbstractSet[str]]) -> list[float]:
    """A score per sentence, given as its words; higher is more central."""
    likeness = [[_similarity(one, other) if one is not other else 0.0 for other in sentences] for one in sentences]
    given = [sum(row) for row in likeness]
    prior = [_FIRST_SENTENCE_WEIGHT if at == 0 else 1.0 for at in range(len(sentences))]
    scores = prior
    for _ in range(_ITERATIONS):
        shares = [score / out if out else 0.0 for score, out in zip(scores, given, strict=True)]
        scores = [
            (1 - _DAMPING) * first + _DAMPING * sum(map(float.__mul__, row, shares))
            for first, row in zip(prior, likeness, strict=True)
        ]
    return scores


def _similarity(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Words in common, for the lengths of both."""
    common = len(one & other)
    return common / (1 + log(len(one)) + log(len(other))) if common else 0.0


_SENTENCES: Final = 3
_MAX_COMPARED_SENTENCES: Final = 24
"""Sentences beyond are a list, whose later items are no more telling."""
_BACK_REFERENCES: Final = frozenset(
    {"also", "again", "and", "but", "he", "however", "instead", "it", "otherwise", "she", "so", "such", "that"}
    | {"therefore", "these", "they", "this", "those", "thus"}
)
_MAX_COLUMNS_NAMED: Final = 8
_BACK_REFERENCE_FACTOR: Final = 0.5
"""What a sentence is worth that begins by pointing back at one before it."""
_ENDS: Final = ".!?\u2026:\u3002\uff01\uff1f\"'\u201d\u2019)"


def summary(chunk: Chunk) -> str:
    """The most central sentences in their order, the first favoured; of a table, what it lists and how much."""
    lines = body_lines(chunk)
    if names := column_names(lines):
        return _table_summary(names, sum(1 for _ in takewhile(lambda line: CELL_SEPARATOR in line, lines)))
    before_table = list(takewhile(lambda line: CELL_SEPARATOR not in line, lines)) or lines
    prose = list(islice(informative_sentences(before_table), _MAX_COMPARED_SENTENCES))
    if not prose:
        return _with_end_mark(_truncate(plain_text(chunk.text) or chunk.text.strip()))
    return " ".join(_with_end_mark(_truncate(sentence)) for sentence in _select_sentences(prose))


def _select_sentences(prose: list[str]) -> list[str]:
    """At most three that fit together, and at least one."""
    found = [words(sentence) for sentence in prose]
    central = textrank_scores([frozenset(each) - ENGLISH_STOP_WORDS for each in found])
    scores = [
        score * (_BACK_REFERENCE_FACTOR if each[0] in _BACK_REFERENCES else 1.0)
        for score, each in zip(central, found, strict=True)
    ]
    ended = [at for at, sentence in enumerate(prose) if sentence[-1] != ","] or range(len(prose))
    whole = [at for at in ended if not prose[at][0].islower()] or ended
    fitting = [at for at in whole if len(prose[at]) <= SUMMARY_MAX_CHARACTERS] or whole
    chosen: list[int] = []
    room = SUMMARY_MAX_CHARACTERS
    for at in sorted(fitting, key=lambda at: (-scores[at], at)):
        if len(chosen) < _SENTENCES and (not chosen or len(prose[at]) < room):
            chosen.append(at)
            room -= len(prose[at]) + 1
    return [prose[at] for at in sorted(chosen)]


def _table_summary(names: list[str], lines: int) -> str:
    beyond = len(names) - _MAX_COLUMNS_NAMED
    names = [*names[:_MAX_COLUMNS_NAMED], f"{beyond} more columns"] if beyond > 1 else names
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    sized = f" with {lines - 1} row{'' if lines == 2 else 's'}" if lines > 1 else ""  # noqa: PLR2004
    return _with_end_mark(_truncate(f"Table of {listed}") + sized)


def _truncate(text: str) -> str:
    if len(text) <= SUMMARY_MAX_CHARACTERS:
        return text
    return f"{text[:SUMMARY_MAX_CHARACTERS].rsplit(' ', 1)[0].rstrip(' ,;:')}\u2026"


def _with_end_mark(text: str) -> str:
    return text if not text or text[-1] in _ENDS else f"{text}."
