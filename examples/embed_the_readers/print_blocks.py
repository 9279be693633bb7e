"""Program that prints the blocks of a document: `python print_blocks.py FILE`."""

import sys
from pathlib import Path

from groundwire_readers import ParsedDocument, ParserLimits, UnreadableDocument, read


def print_document(file: Path, document: ParsedDocument) -> None:
    """Print title, media type and language, then each block with its page and kind."""
    print(f"{document.title or file.name} ({document.media_type}, {document.language or 'language unknown'})")
    for block in document.blocks:
        page = "" if block.page is None else f"page {block.page}, "
        print(f"[{page}{block.kind}] {block.text}")


def main(file: Path) -> int:
    """Read the file in a confined worker; return the exit code."""
    try:
        document = read(file.read_bytes(), file.suffix.removeprefix("."), ParserLimits())
    except UnreadableDocument as error:
        print(f"{file.name}: {error}", file=sys.stderr)
        return 1
    print_document(file, document)
    return 0


# The worker is a new process that imports this module again, so the call must be guarded.
if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
