"""Summaries: one to three sentences of a passage, selected by TextRank."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, takewhile
from math import log
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import SUMMARY_MAX_CHARACTERS
from groundwire.domain.passages.lines import (
    CELL_SEPARATOR,
    body_lines,
    column_names,
    informative_sentences,
    is_unit,
    plain_text,
    row_names,
)
from groundwire.domain.text.words import words
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

# Damping of PageRank and of TextRank (Mihalcea and Tarau, 2004).
_DAMPING: Final = 0.85
_ITERATIONS: Final = 12
_FIRST_SENTENCE_WEIGHT: Final = 2.0
"""Prior of the first sentence; the others have 1."""


def textrank_scores(sentences: Sequence[AbstractSet[str]]) -> list[float]:
    """Return a TextRank score per sentence, given as its set of words; higher is more central."""
    similarity = [[_similarity(one, other) if one is not other else 0.0 for other in sentences] for one in sentences]
    row_sums = [sum(row) for row in similarity]
    prior = [_FIRST_SENTENCE_WEIGHT if position == 0 else 1.0 for position in range(len(sentences))]
    scores = prior
    for _ in range(_ITERATIONS):
        shares = [score / row_sum if row_sum else 0.0 for score, row_sum in zip(scores, row_sums, strict=True)]
        scores = [
            (1 - _DAMPING) * start + _DAMPING * sum(map(float.__mul__, row, shares))
            for start, row in zip(prior, similarity, strict=True)
        ]
    return scores


def _similarity(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return the number of common words, normalised by the lengths of both."""
    common = len(one & other)
    # TextRank divides by the two logarithms alone, which are zero for sentences of one word.
    return common / (1 + log(len(one)) + log(len(other))) if common else 0.0


_SENTENCES: Final = 3
_MAX_COMPARED_SENTENCES: Final = 24
"""Number of sentences compared: further ones are a list, whose later items are no more informative."""
_BACK_REFERENCES: Final = frozenset(
    {"also", "again", "and", "but", "he", "however", "instead", "it", "otherwise", "she", "so", "such", "that"}
    | {"therefore", "these", "they", "this", "those", "thus"}
)
_MAX_COLUMNS_NAMED: Final = 8
_CAPTION_LINES: Final = 4
_CAPTION_CHARACTERS: Final = 300
"""Length of the lines above a table up to which they are its caption."""
_BACK_REFERENCE_FACTOR: Final = 0.5
"""Factor of a sentence that begins with a reference to an earlier one."""
_ENDS: Final = ".!?\u2026:\u3002\uff01\uff1f\"'\u201d\u2019)"


def summary(chunk: Chunk) -> str:
    """Return the most central sentences in their order, preferring the first; for a table its columns, or its rows."""
    lines = body_lines(chunk)
    before_table = list(takewhile(lambda line: CELL_SEPARATOR not in line, lines))
    caption = " ".join(map(plain_text, before_table))
    if len(before_table) <= _CAPTION_LINES and len(caption) <= _CAPTION_CHARACTERS:
        table = _table_summary(lines[len(before_table) :], has_column_names=chunk.has_column_names)
        if table:
            return _with_end_mark(_truncate(f"{_subject(chunk, caption)} {table}".lstrip()))
    before_table = before_table or lines
    prose = list(islice(informative_sentences(before_table), _MAX_COMPARED_SENTENCES))
    if not prose:
        return _with_end_mark(_truncate(plain_text(chunk.text) or chunk.text.strip()))
    return " ".join(_with_end_mark(_truncate(sentence)) for sentence in _select_sentences(prose))


def _select_sentences(prose: list[str]) -> list[str]:
    """Return one to three sentences that fit the length limit."""
    found = [words(sentence) for sentence in prose]
    central = textrank_scores([frozenset(each) - ENGLISH_STOP_WORDS for each in found])
    scores = [
        score * (_BACK_REFERENCE_FACTOR if each[0] in _BACK_REFERENCES else 1.0)
        for score, each in zip(central, found, strict=True)
    ]
    ended = [position for position, sentence in enumerate(prose) if sentence[-1] != ","] or range(len(prose))
    whole = [position for position in ended if not prose[position][0].islower()] or ended
    fitting = [position for position in whole if len(prose[position]) <= SUMMARY_MAX_CHARACTERS] or whole
    chosen: list[int] = []
    room = SUMMARY_MAX_CHARACTERS
    for position in sorted(fitting, key=lambda position: (-scores[position], position)):
        if len(chosen) < _SENTENCES and (not chosen or len(prose[position]) < room):
            chosen.append(position)
            room -= len(prose[position]) + 1
    return [prose[position] for position in sorted(chosen)]


def _subject(chunk: Chunk, caption: str) -> str:
    """Return the caption as a sentence; a unit alone, in brackets, follows the section's heading."""
    if is_unit(caption) and chunk.heading_path:
        caption = f"{plain_text(chunk.heading_path[-1])} {caption}"
    named = caption.strip(" .:")
    return f"{named}." if named else ""


def _table_summary(lines: Sequence[str], *, has_column_names: bool) -> str:
    """Return the names of the rows, or of the columns, of the table that the lines begin with; empty without one."""
    if names := row_names(lines, has_column_names=has_column_names):
        return _with_end_mark(_truncate(f"Table of {_listed(names, 'rows')}"))
    if names := column_names(lines):
        rows = sum(1 for _ in takewhile(lambda line: CELL_SEPARATOR in line, lines)) - 1
        sized = f" with {rows} row{'' if rows == 1 else 's'}" if rows else ""
        return _with_end_mark(_truncate(f"Table of {_listed(names, 'columns')}") + sized)
    return ""


def _listed(names: list[str], kind: str) -> str:
    beyond = len(names) - _MAX_COLUMNS_NAMED
    # "1 more column" is no shorter than the name of that column.
    names = [*names[:_MAX_COLUMNS_NAMED], f"{beyond} more {kind}"] if beyond > 1 else names
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _truncate(text: str) -> str:
    if len(text) <= SUMMARY_MAX_CHARACTERS:
        return text
    return f"{text[:SUMMARY_MAX_CHARACTERS].rsplit(' ', 1)[0].rstrip(' ,;:')}\u2026"


def _with_end_mark(text: str) -> str:
    return text if not text or text[-1] in _ENDS else f"{text}."
