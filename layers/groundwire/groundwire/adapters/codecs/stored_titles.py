"""Title of a segment as it is stored: the words of the file's name are its second line.

A title is one line. Earlier releases read both lines as the title and search them.
"""

from groundwire.domain.documents.segment import Segment


def to_stored_title(segment: Segment) -> str:
    """Return the stored title of a segment; without words of a file name it is the title."""
    return f"{segment.title}\n{segment.file_words}" if segment.file_words else segment.title


def from_stored_title(stored: str) -> tuple[str, str]:
    """Return the title and the words of the file name."""
    title, _, file_words = stored.partition("\n")
    return title, file_words
