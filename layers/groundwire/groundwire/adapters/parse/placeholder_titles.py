"""Titles that programs write into files by themselves."""

import re
from typing import Final

_PLACEHOLDER_TITLE: Final = re.compile(
    r"\(anonymous\)|untitled|microsoft word - |powerpoint[ -](?:presentation|präsentation|presentatie|演示文稿)"
    r"|présentation powerpoint|presentación de powerpoint|apresentação do powerpoint"
    r"|presentazione (?:di|standard di) powerpoint"
    r"|(?:slide|diapositive?|diapositiva|folie|dia|слайд|幻灯片|スライド|슬라이드) ?\d{1,3}$"
    r"|[^\s/]{1,100}\.(?:docx?|dotx?|dotm?|pptx?|potx?|xlsx?|xls[mb]|docm|pptm|html?|pdf|rtf|odt|odp)$",
    re.IGNORECASE,
)
"""Titles that programs write by default, or that are names of files."""


def is_placeholder(title: str) -> bool:
    """Return whether a file's title is a program's own words or the name of a file."""
    return _PLACEHOLDER_TITLE.match(title) is not None
