"""The work of reading nested markup grows with the size of a file, not with its size times its depth."""

from collections.abc import Callable

import pytest

from tests.parse.steps import growth

_MOST = 1.3
"""Growth of the steps with the size at which a reading counts as linear; a quadratic one has 2 for a double size."""


def _nested(start: str, end: str) -> Callable[[int], str]:
    return lambda size: start * size + "<i>w</i>" * (10 * size) + end * size


def _in(around: str, nested: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: around.replace("*", nested(size))


_DOC, _ARTICLE = "<d><p>x</p>*</d>", "<article><body><p>x</p>*</body></article>"
_XML = {
    "tables in cells": _nested("<table><tr><td>a</td><td>", "</td></tr></table>"),
    "tables without rows": _in(_DOC, _nested("<table>", "</table>")),
    "groups without rows": _in(_DOC, _nested("<tgroup>", "</tgroup>")),
    "titles in titles": _in(_DOC, _nested("<title><p>a</p>", "</title>")),
    "titles of headers": _in(_DOC, _nested("<info><title>", "</title></info>")),
    "sections": _in(_DOC, _nested("<section><title>t</title><para>p</para>", "</section>")),
    "records": _in(_DOC, _nested("<r><a>1</a>", "</r>")),
    "notes": _in("<d><p>x*</p></d>", _nested("<fn>a", "</fn>")),
    "formulas": _in("<d><p>x*</p></d>", _nested("<alternatives>", "</alternatives>")),
    "tables of an article": _in(_ARTICLE, _nested("<table-wrap><table><tr><td>", "</td></tr></table></table-wrap>")),
    "figures of an article": _in(_ARTICLE, _nested("<fig><caption><p>a</p>", "</caption></fig>")),
    "formulas of an article": _in(_ARTICLE, _nested("<disp-formula>", "</disp-formula>")),
    "definitions of an article": _in(
        _ARTICLE, _nested("<def-list><def-item><term>a</term><def>", "</def></def-item></def-list>")
    ),
}


@pytest.mark.parametrize("shape", _XML.values(), ids=_XML)
def test_nested_xml_is_read_in_linear_time(shape: Callable[[int], str]) -> None:
    assert growth(shape(20).encode(), shape(40).encode(), "xml") < _MOST
