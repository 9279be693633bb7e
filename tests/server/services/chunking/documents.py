"""Documents of every shape, for rules that hold for all of them."""

from hypothesis import strategies as st

from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument

words = st.text(st.characters(categories=["Ll", "Lu", "Nd"], max_codepoint=0x24F), min_size=1, max_size=12)
"""No spaces and no punctuation, so that words are found again whatever they are joined with."""


def sentences(low: int, high: int) -> st.SearchStrategy[str]:
    """Sentences of numbered words: long texts from two choices, so that examples are cheap to draw and to shrink."""
    return st.builds(_sentence, words, st.integers(low, high))


def _sentence(word: str, length: int) -> str:
    return " ".join(f"{word}x{number}" for number in range(length)) + "."


prose = st.one_of(
    sentences(1, 8), sentences(150, 300), st.lists(sentences(1, 40), min_size=1, max_size=6).map(" ".join)
)
cells = st.one_of(st.just(""), words, sentences(1, 12), sentences(100, 160))


@st.composite
def tables(draw: st.DrawFn) -> Block:
    width = draw(st.integers(1, 5))
    names = draw(st.lists(st.one_of(words, sentences(1, 4)), min_size=width, max_size=width))
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width).filter(any), min_size=1, max_size=6))
    whole = tuple(tuple(row) for row in [names, *rows])
    caption = draw(st.lists(words, max_size=2).map("\n".join))
    text = "\n".join(" | ".join(row) for row in whole)
    return Block(BlockKind.TABLE, text, rows=whole, caption=caption, header_rows=draw(st.integers(0, 2)))


texts = st.builds(Block, st.sampled_from([BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CODE]), prose)
headings = st.builds(Block, st.just(BlockKind.HEADING), sentences(1, 6), level=st.integers(1, 6))
blocks = st.one_of(texts, headings, tables())


def document(found: list[Block]) -> ParsedDocument:
    return ParsedDocument("text/plain", None, tuple(found), None, 0)
