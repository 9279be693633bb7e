"""Words for statistics: case folded; single characters in scripts without spaces between words."""

import re
from typing import Final

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Ranges of Thai, Lao, Burmese, Khmer, kana and Han."""
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}_]++(?:['\u2019][^\W{_UNSPACED}_]++)*+|[{_UNSPACED}]")


def words(text: str) -> list[str]:
    """Return the words of a text in order, case folded, without punctuation."""
    return _WORD.findall(text.casefold())
