"""Page headers and footers of an OpenDocument text, as its master pages define them."""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.opendocument.styles import STYLE, TEXT

_HEADERS: Final = frozenset(
    f"{STYLE} {edge}{side}" for edge in ("header", "footer") for side in ("", "-left", "-first")
)
_COUNTING_FIELDS: Final = (f"{TEXT} page-number", f"{TEXT} page-count", f"{TEXT} page-continuation")
_DEFAULT: Final = "Standard"
"""Master page of text without another (ODF 1.3, part 3, 16.9)."""


def shown_page_headers(trees: Sequence[Element]) -> Iterator[Element]:
    """Yield the headers and footers of the master pages in use, without the fields that count pages.

    Args:
        trees: the XML trees with the content and with the styles.
    """
    masters = {
        master.get(f"{STYLE} name", ""): master for tree in trees for master in tree.iter(f"{STYLE} master-page")
    }
    named = [style.get(f"{STYLE} master-page-name", "") for tree in trees for style in tree.iter(f"{STYLE} style")]
    # A master page names the one of the pages after it, which may name the first again.
    waiting = [*dict.fromkeys([_DEFAULT, *named])]
    while waiting:
        master = masters.pop(waiting.pop(0), None)
        if master is None:
            continue
        waiting.append(master.get(f"{STYLE} next-style-name", ""))
        for header in master:
            if header.tag in _HEADERS and header.get(f"{STYLE} display") != "false":
                for element in header.iter():
                    if element.tag in _COUNTING_FIELDS:
                        element.text = ""
                yield header
