"""What a passage says, in one to three sentences of its own."""

from itertools import islice, takewhile
from typing import Final

from groundwire.domain.centrality import centrality
from groundwire.domain.documents import Chunk
from groundwire.domain.function_words import ENGLISH
from groundwire.domain.limits import SUMMARY_MAX_CHARACTERS
from groundwire.domain.passage_lines import CELL, body, columns, plain, told
from groundwire.domain.words import words

_SENTENCES: Final = 3
_COMPARED: Final = 24
"""Sentences beyond are a list, whose later items are no more telling."""
_LEANS: Final = frozenset(
    {"also", "again", "and", "but", "he", "however", "instead", "it", "otherwise", "she", "so", "such", "that"}
    | {"therefore", "these", "they", "this", "those", "thus"}
)
_COLUMNS_NAMED: Final = 8
_LEANING: Final = 0.5
"""What a sentence is worth that begins by pointing back at one before it."""
_ENDS: Final = ".!?\u2026:\u3002\uff01\uff1f\"'\u201d\u2019)"


def summary(chunk: Chunk) -> str:
    """The most central sentences in their order, the first favoured; of a table, what it lists and how much."""
    lines = body(chunk)
    if names := columns(lines):
        return _table_summary(names, sum(1 for _ in takewhile(lambda line: CELL in line, lines)))
    before_table = list(takewhile(lambda line: CELL not in line, lines)) or lines
    prose = list(islice(told(before_table), _COMPARED))
    if not prose:
        return _ended(_fitting(plain(chunk.text) or chunk.text.strip()))
    return " ".join(_ended(_fitting(sentence)) for sentence in _chosen(prose))


def _chosen(prose: list[str]) -> list[str]:
    """At most three that fit together, and at least one."""
    found = [words(sentence) for sentence in prose]
    central = centrality([frozenset(each) - ENGLISH for each in found])
    scores = [score * (_LEANING if each[0] in _LEANS else 1.0) for score, each in zip(central, found, strict=True)]
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
    beyond = len(names) - _COLUMNS_NAMED
    names = [*names[:_COLUMNS_NAMED], f"{beyond} more columns"] if beyond > 1 else names
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    sized = f" with {lines - 1} row{'' if lines == 2 else 's'}" if lines > 1 else ""  # noqa: PLR2004
    return _ended(_fitting(f"Table of {listed}") + sized)


def _fitting(text: str) -> str:
    if len(text) <= SUMMARY_MAX_CHARACTERS:
        return text
    return f"{text[:SUMMARY_MAX_CHARACTERS].rsplit(' ', 1)[0].rstrip(' ,;:')}\u2026"


def _ended(text: str) -> str:
    return text if not text or text[-1] in _ENDS else f"{text}."
