"""What tests look at in a parsed document."""

from groundwire_readers.contents.parsed import ParsedDocument


def texts(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]
