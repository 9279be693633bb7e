"""Choice of a page's content by its landmarks; where they do not mark most of the text, all of it stays."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html.furniture import Region

_LEAST_SHARES: Final = {Region.MAIN: 0.25, Region.ARTICLE: 0.5, Region.CONTENT: 0.5}
"""Share of a page's text that each kind of element has to hold to be its content, the surest kind first."""
_PAGE_COMMANDS: Final = re.compile(
    r"(?:edit|improve) (?:this page|on (?:github|gitlab|bitbucket))|(?:view|show|page) (?:page )?source"
    r"|back to top|skip to (?:main )?content|copy to clipboard",
    re.IGNORECASE,
)


def main_blocks(blocks: Sequence[Block], regions: Sequence[Region]) -> list[Block]:
    """Return the blocks of the content, in order, with the page's first heading where the content has none.

    Args:
        blocks: all that the page shows.
        regions: the regions of each block.
    """
    shown = [(block, region) for block, region in zip(blocks, regions, strict=True) if not _is_command(block)]
    body = [(block, region) for block, region in shown if not region & Region.FOOTER]
    # A page can be a footer by its markup and hold its whole text there.
    kept = body if _length(body) >= _length(shown) / 2 else shown
    for region, least in _LEAST_SHARES.items():
        inside = [each for each in kept if each[1] & region]
        if inside and _length(inside) >= least * _length(kept):
            return [block for block, _ in _with_title(inside, kept)]
    return [block for block, _ in kept]


def _is_command(block: Block) -> bool:
    return block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) and bool(_PAGE_COMMANDS.fullmatch(block.text))


def _length(blocks: Sequence[tuple[Block, Region]]) -> int:
    return sum(len(block.text) for block, _ in blocks)


def _with_title(
    inside: list[tuple[Block, Region]], all_blocks: Sequence[tuple[Block, Region]]
) -> list[tuple[Block, Region]]:
    if any(block.level == 1 for block, _ in inside):
        return inside
    before = all_blocks[: all_blocks.index(inside[0])]
    return [*[each for each in before if each[0].level == 1][:1], *inside]
