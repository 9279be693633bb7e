"""Keywords: the words and short phrases in which a passage differs from the rest of its document.

Phrases are the runs between stop words and punctuation (Rose et al., "Automatic keyword extraction from individual
documents", 2010). Words are weighted by frequency in the passage and rarity in the other passages.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import log
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import MAX_KEYWORDS
from groundwire_readers.text.stop_words import stop_words

Keyphrase = tuple[str, ...]
"""Words of a phrase, case folded."""

_TOKEN: Final = re.compile(r"[^\W_](?:[\w'\u2019/&+.-]*[^\W_])?|[^\s]|\n")
_LONGEST_WORD: Final = 30
_LONGEST_PHRASE: Final = 3
_LENGTH_WEIGHT_ONCE: Final = {1: 1.0, 2: 1.05, 3: 0.85}
_LENGTH_WEIGHT_REPEATED: Final = {1: 1.0, 2: 1.4, 3: 1.5}
"""Weight of a phrase by its length: a phrase that occurs once in the document may be a noun with its verb."""
_IN_HEADING: Final = 1.3
_INFLECTED: Final = ("ed", "ing", "ly")
_INFLECTED_WEIGHT: Final = 0.6
"""Weight of English verbs and adverbs, which are seldom a passage's subject."""
_CODED: Final = re.compile(r"(?=.*\d)[0-9a-f-]{8,}|[\d.,/-]+|www\..*")
"""Hashes, numbers, dates and addresses, which are no subjects."""

_UNSPACED: Final = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_UNSPACED_WORD: Final = re.compile(
    "[\u30a1-\u30ff]{2,}|[A-Za-z0-9]{2,}"
    "|[^\\W\u3041-\u30ffA-Za-z0-9\u7684\u4e86\u5728\u662f\u548c\u6709\u4e0e\u53ca\u6216\u4e3a\u5bf9\u4e5f\u5c31\u90fd\u800c]{2,6}"
)
"""Words of Japanese and Chinese: katakana words, and Han characters between kana and the most frequent particles."""


@dataclass(slots=True)
class _PassagePhrases:
    """Phrases of one passage.

    Attributes:
        runs: runs of words between stop words and punctuation, in order.
        written: the passage's spelling of each word, in lower case where that occurs.
    """

    runs: list[Keyphrase] = field(default_factory=list[Keyphrase])
    written: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class _DocumentStatistics:
    """Word statistics over all passages.

    Attributes:
        spread: number of passages that contain each word.
        repeated: phrases of several words that occur more than once.
    """

    passages: int
    spread: Mapping[str, int]
    repeated: AbstractSet[Keyphrase]


def keywords(chunks: Sequence[Chunk], language: str) -> list[tuple[str, ...]]:
    """Return at most `limits.MAX_KEYWORDS` keywords per passage of one document, the best first.

    Args:
        chunks: all passages of the document.
        language: ISO 639-1; without a list of its stop words, they are recognised by their frequency.
    """
    split = [_tokens(chunk.text) for chunk in chunks]
    ignored = stop_words(split, language)
    passages = [_passage_phrases(tokens, ignored) for tokens in split]
    spread = Counter(word for passage in passages for word in {word for run in passage.runs for word in run})
    phrases = Counter(phrase for passage in passages for run in passage.runs for phrase in _subphrases(run))
    document = _DocumentStatistics(len(chunks), spread, {phrase for phrase, count in phrases.items() if count > 1})
    return [_select_keywords(passage, chunk, document) for passage, chunk in zip(passages, chunks, strict=True)]


def _tokens(text: str) -> list[str]:
    """Return words and, between them, marks that end a phrase."""
    found: list[str] = _TOKEN.findall(text)
    if text.isascii() or not _UNSPACED.search(text):
        return found
    return [
        part for token in found for part in (_split_unspaced_script(token) if _UNSPACED.search(token) else (token,))
    ]


def _split_unspaced_script(token: str) -> Iterator[str]:
    for word in _UNSPACED_WORD.findall(token):
        yield word
        yield "\n"


def _passage_phrases(tokens: Sequence[str], ignored: frozenset[str]) -> _PassagePhrases:
    phrases = _PassagePhrases()
    run: list[str] = []
    for token in tokens:
        word = token.casefold()
        if len(word) == 1 or word in ignored or not _is_subject(word):
            _end_run(phrases, run)
            run = []
            continue
        run.append(word)
        written = phrases.written.get(word)
        if written is None or token > written:  # Lower-case letters sort after capitals.
            phrases.written[word] = token
    _end_run(phrases, run)
    return phrases


def _end_run(phrases: _PassagePhrases, run: list[str]) -> None:
    if run:
        phrases.runs.append(tuple(run))


def _is_subject(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and (word.isalpha() or _CODED.fullmatch(word) is None)


def _subphrases(run: Keyphrase) -> Iterator[Keyphrase]:
    """Yield the run's phrases of more than one word."""
    for length in range(2, min(len(run), _LONGEST_PHRASE) + 1):
        for start in range(len(run) - length + 1):
            yield run[start : start + length]


def _select_keywords(passage: _PassagePhrases, chunk: Chunk, document: _DocumentStatistics) -> tuple[str, ...]:
    counted = Counter(word for run in passage.runs for word in run)
    above = {word.casefold() for heading in chunk.heading_path[-1:] for word in heading.split()}
    weight = {word: _weight(word, count, document, in_heading=word in above) for word, count in counted.items()}
    candidates = {phrase for run in passage.runs for phrase in _candidates(run, document)}
    scored = {phrase: _score(phrase, weight, document) for phrase in candidates}
    chosen: list[Keyphrase] = []
    # The phrase itself breaks ties, since the order of a set differs from process to process.
    for phrase in sorted(scored, key=lambda phrase: (-scored[phrase], phrase)):
        if not any(_overlap(phrase, other) for other in chosen):
            chosen.append(phrase)
        if len(chosen) == MAX_KEYWORDS:
            break
    return tuple(" ".join(passage.written[word] for word in phrase) for phrase in chosen)


def _candidates(run: Keyphrase, document: _DocumentStatistics) -> Iterator[Keyphrase]:
    """Yield single words, a short run as a whole, and its parts that the document repeats."""
    yield from ((word,) for word in run)
    if 1 < len(run) <= _LONGEST_PHRASE:
        yield run
    yield from (part for part in _subphrases(run) if part in document.repeated)


def _weight(word: str, count: int, document: _DocumentStatistics, *, in_heading: bool) -> float:
    rarity = log(1 + document.passages / document.spread[word])
    inflected = _INFLECTED_WEIGHT if word.endswith(_INFLECTED) else 1.0
    # Less than linear: a tenth occurrence says less about the passage than a second one.
    return count**0.7 * rarity * inflected * (_IN_HEADING if in_heading else 1.0)


def _score(phrase: Keyphrase, weight: Mapping[str, float], document: _DocumentStatistics) -> float:
    weights = [weight[word] for word in phrase]
    length_weight = _LENGTH_WEIGHT_REPEATED if phrase in document.repeated else _LENGTH_WEIGHT_ONCE
    # By the mean alone a weak word would hide the strong one beside it.
    return (sum(weights) / len(weights) + max(weights)) / 2 * length_weight[len(phrase)]


def _overlap(one: Keyphrase, other: Keyphrase) -> bool:
    """Return whether the phrases have a word in common, in the singular or the plural."""
    return not {word.rstrip("s") for word in one}.isdisjoint(word.rstrip("s") for word in other)
