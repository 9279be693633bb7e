"""Sequencers: which of two changes of one stored object is the later one.

S3 gives every event of an object a hexadecimal number as text, of a length that may change. Of two the shorter is
continued with zeros on the right, then they are compared letter by letter.
"""

import re
from typing import Final

from groundwire.domain.errors import Invalid

_HEXADECIMAL: Final = re.compile(r"[0-9A-Fa-f]{1,256}")


def comparable(sequencer: str) -> str:
    """Text that compares with that of another sequencer as S3 says that the two compare.

    Zeros on the right say nothing, so without them neither has to be as long as the other.

    Raises:
        Invalid: it is no hexadecimal number.
    """
    if _HEXADECIMAL.fullmatch(sequencer) is None:
        raise Invalid("The sequencer of a change must be a hexadecimal number, as S3 sends it with each event.")
    return sequencer.upper().rstrip("0")


def is_later(sequencer: str, than: str) -> bool:
    """Whether the change came after that other one of the same object; Raises Invalid."""
    return comparable(sequencer) > comparable(than)
