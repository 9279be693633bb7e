"""Selection of a page's main content by its landmarks; if they mark too little of the text, all of it is kept."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html.furniture import Region

_MIN_SHARES: Final = {Region.MAIN: 0.25, Region.ARTICLE: 0.5, Region.CONTENT: 0.5}
"""Minimum share of a page's text in each region for it to be the main content, the most reliable region first."""
_PAGE_ACTIONS: Final = re.compile(
    r"(?:edit|improve) (?:this page|on (?:github|gitlab|bitbucket))|(?:view|show|page) (?:page )?source"
    r"|back to top|skip to (?:main )?content|copy to clipboard",
    re.IGNORECASE,
)


def main_blocks(blocks: Sequence[Block], regions: Sequence[Region]) -> list[Block]:
    """Return the blocks of the main content, with the page's first heading if the content has no heading.

    Args:
        blocks: all visible blocks of the page.
        regions: the regions of each block.
    """
    visible = [(block, region) for block, region in zip(blocks, regions, strict=True) if not _is_page_action(block)]
    body = [(block, region) for block, region in visible if not region & Region.FOOTER]
    # Some pages have their whole text in an element that the markup declares a footer.
    kept = body if _text_length(body) >= _text_length(visible) / 2 else visible
    for region, min_share in _MIN_SHARES.items():
        in_region = [item for item in kept if item[1] & region]
        if in_region and _text_length(in_region) >= min_share * _text_length(kept):
            return [block for block, _ in _with_title(in_region, kept)]
    return [block for block, _ in kept]


def _is_page_action(block: Block) -> bool:
    return block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) and bool(_PAGE_ACTIONS.fullmatch(block.text))


def _text_length(blocks: Sequence[tuple[Block, Region]]) -> int:
    return sum(len(block.text) for block, _ in blocks)


def _with_title(
    in_region: list[tuple[Block, Region]], all_blocks: Sequence[tuple[Block, Region]]
) -> list[tuple[Block, Region]]:
    if any(block.level == 1 for block, _ in in_region):
        return in_region
    before = all_blocks[: all_blocks.index(in_region[0])]
    return [*[item for item in before if item[0].level == 1][:1], *in_region]
