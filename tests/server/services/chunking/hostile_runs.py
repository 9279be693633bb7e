"""Runs of characters that a backtracking rule takes quadratic time for, put through every rule of the text.

Run as a program: the system ends it when one run takes more processor time than any linear rule could need.
"""

import resource

from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.headlines import headline, repeated_headings
from groundwire.domain.passages.keywords import keywords
from groundwire.domain.passages.minhash import SEGMENT_HASHES, sketch
from groundwire.domain.passages.summaries import summary
from groundwire.domain.passages.windows import windows
from groundwire.domain.text.sentences import sentences
from groundwire_readers.contents.heading_levels import repair_heading_levels
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument
from groundwire_readers.text.normalisation import normalise, normalise_code

CHARACTERS = 24_000
SECONDS = 4
"""Of processor time; a linear rule needs a tenth of that at most, a quadratic one many times as much."""

_UNITS = (
    *(".", "!", "?", "…", '"', "'", ")", "。", "」", "a", "A", " ", "\n", "\t", "(", "[", "]"),
    *("<", ">", "#", "*", "`", "|", "# ", "- ", "| ", "chapter "),
    *("1", "1.", "1.1 ", "a.", ". ", '."', ".'.", "''(. ", "ﷺ"),
    *("\u0301", "\u0301\u0316", "\u0344", "\ufffe", "a\ufffe ", "\u00ad"),
    *("<img ", "<img", "![", "[a](", "[a]( ", '[a](b "', "[a](b(", "[]"),
    *("[a]:", "[a]: ", "]:", "]: ", "]:a", "](", "![a]["),
    *("[a]:a://", "a:", "//", "a-", "<a", "</", "<!", "<script", "<a.", "<a/"),
)  # fmt: skip
_PAIRS = (
    *(("<img ", ">"), ("[", "](http://h.example)"), ("![", "](a)"), ("[a](", " "), ("[a](b ", '"'), ("<", "a>")),
    *(("[a]:", " "), ("]:", "a"), ("a\ufffe", " "), ("chapter", " "), ("\u0301", "\u0316"), (".", '"')),
)


def runs() -> list[str]:
    """Each about so many characters long."""
    whole = [unit * (CHARACTERS // len(unit)) for unit in _UNITS]
    halves = [first * (CHARACTERS // 2 // len(first)) + last * (CHARACTERS // 2 // len(last)) for first, last in _PAIRS]
    behind_one = [first + last * (CHARACTERS // len(last)) for first, last in _PAIRS]
    return [*whole, *halves, *behind_one]


def read(text: str) -> None:
    """All that becomes of the text of a document on its way into the index."""
    normalise_code(text)
    clean = normalise(text)
    sentences(text)
    _chunk([Block(BlockKind.HEADING, clean, level=1), Block(BlockKind.PARAGRAPH, text), Block(BlockKind.CODE, text)])
    _chunk([Block(BlockKind.TABLE, text, rows=((text, "b"), (text, text)))])


def _chunk(blocks: list[Block]) -> None:
    passages = chunk(ParsedDocument("text/plain", None, tuple(repair_heading_levels(blocks)), None, 0))
    repeated = repeated_headings(passages)
    keywords(passages, "en")
    for passage in passages:
        headline(passage, "A title", repeated)
        summary(passage)
        sketch(passage.text, SEGMENT_HASHES)
        windows(passage.text)


def _allow(seconds: int) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


if __name__ == "__main__":
    for run in runs():
        _allow(SECONDS)
        print(ascii(run[:12]), flush=True)  # noqa: T201 - the last line names the run that took too long
        read(run)
    _allow(SECONDS)
    print("many headings", flush=True)  # noqa: T201
    _chunk([Block(BlockKind.HEADING, f"1.{number % 900} a", level=number % 3 + 1) for number in range(CHARACTERS)])
