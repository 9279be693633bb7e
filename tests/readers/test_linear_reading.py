"""The work of reading nested markup grows with the size of a file, not with its size times its depth."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from groundwire_readers.dispatch import read_document
from groundwire_readers.readers.mail import eml
from tests.readers.steps import MOST_GROWTH, growth


def _nested(start: str, end: str) -> Callable[[int], str]:
    return lambda size: start * size + "<i>w</i>" * (10 * size) + end * size


def _in(around: str, nested: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: around.replace("*", nested(size))


_DOC, _ARTICLE = "<d><p>x</p>*</d>", "<article><body><p>x</p>*</body></article>"
_XML: dict[str, Callable[[int], str]] = {
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
    "cells of great spans": lambda size: (
        "<table><tr>" + "<td colspan='999' rowspan='999'>x</td>" * (50 * size) + "</tr></table>"
    ),
    "a row of many cells above many rows": lambda size: (
        f"<table><tr>{'<td>x</td>' * (50 * size)}</tr>{'<tr><td>y</td></tr>' * (50 * size)}</table>"
    ),
    "records after nested prose": lambda size: (
        f"<d>{'<p>a<b>' * 90}x{'</b></p>' * 90}{'<r><a>1</a><b>2</b></r>' * (50 * size)}</d>"
    ),
}


@pytest.mark.parametrize("shape", _XML.values(), ids=_XML)
def test_nested_xml_is_read_in_linear_time(shape: Callable[[int], str]) -> None:
    assert growth(shape(20).encode(), shape(40).encode(), "xml") < MOST_GROWTH


_HTML: dict[str, Callable[[int], str]] = {
    "tables in cells": _nested("<table><tr><td>a<td>", "</table>"),
    "tables outside of cells": _nested("<table><caption>a", "</table>"),
    "links": _nested("<a href='https://a.example'>a", "</a>"),
    "items in a cell": lambda size: f"<table><tr><td>{'word ' * size}{'<ul><li>' * (5 * size)}<td>b</table>",
    "items without end": lambda size: "<ul>" + "<li>a" * (20 * size),
    "paragraphs without end": lambda size: "<div>" + "<p>a" * (20 * size) + "</div>",
    "empty lines": lambda size: "<p>a" + "<br> <i></i>" * (20 * size),
    "formulas": _nested("<math>", "</math>"),
    "main parts in footers": lambda size: "<main><footer>" * (5 * size) + "x",
    "links without end": lambda size: "<a href='#x'>" * (10 * size) + "x",
    "tables without end": lambda size: "<table><tr><td>" * size + "x",
    "items without end in a cell": lambda size: "<table><tr><td>x<ul>" + "<li>" * (20 * size),
    "classes": lambda size: f"<p class='{'a ' * (100 * size)}'>x",
    "declarations": lambda size: f"<p style='{'color:white;' * (20 * size)}'>x</p><p>y",
    "raised text": _nested("1<sup>2", "</sup>"),
    "glosses": lambda size: "<ruby>" + "a<rt>b" * (20 * size),
    "struck text": lambda size: "<p>" + "1<s>2</s>" * (20 * size),
    "reversed lists": _nested("<ol reversed><li>a", "</ol>"),
    "titles": lambda size: "<title>" + "a<!---->" * (20 * size) + "</title><p>x",
}


@pytest.mark.parametrize("shape", _HTML.values(), ids=_HTML)
def test_html_is_read_in_linear_time(shape: Callable[[int], str]) -> None:
    assert growth(f"<html>{shape(100)}".encode(), f"<html>{shape(400)}".encode(), "html") < MOST_GROWTH


def test_the_text_of_nested_tables_and_links_does_not_multiply() -> None:
    def length(size: int) -> int:
        pages = (_HTML[name](size) for name in ("tables in cells", "links", "items in a cell"))
        return sum(
            len(block.text) for page in pages for block in read_document(f"<html>{page}".encode(), "html").blocks
        )

    assert length(400) < 4.2 * length(100)


def test_the_body_of_a_mail_is_decoded_once_for_all_alternatives_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []
    part_bytes = eml.part_bytes

    def note(part: EmailMessage) -> bytes:
        decoded.append(part.get_content_type())
        return part_bytes(part)

    def alternative(depth: int) -> str:
        if not depth:
            return "Content-Type: text/plain\n\nThe body.\n"
        inner = alternative(depth - 1)
        return f'Content-Type: multipart/alternative; boundary="b{depth}"\n\n--b{depth}\n{inner}\n--b{depth}--\n'

    monkeypatch.setattr(eml, "part_bytes", note)
    content = f"Subject: s\nMIME-Version: 1.0\n{alternative(30)}".encode()
    assert [block.text for block in read_document(content, "eml").blocks] == ["s", "The body."]
    assert len(decoded) <= 2  # one to choose, one to read
