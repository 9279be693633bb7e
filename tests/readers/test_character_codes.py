"""Characters that files give by their codes, and codes that no character has."""

import pytest

from groundwire_readers.dispatch import read_document
from groundwire_readers.errors import UnreadableDocument
from tests.readers.mails import mail
from tests.readers.open_files import epub, open_file

_UNKNOWN = "\ufffd"
_REFERENCES = "a&#x110000;b&#1114112;c&#99999999999999999999;d&#xD800;e&#x1F600;f"
_SHOWN = f"a{_UNKNOWN}b{_UNKNOWN}c{_UNKNOWN}d{_UNKNOWN}e\U0001f600f"


def texts(content: bytes, file_type: str) -> list[str]:
    return [block.text for block in read_document(content, file_type).blocks]


@pytest.mark.parametrize(
    ("content", "file_type"),
    [
        (f"<html><p>{_REFERENCES}</p></html>".encode(), "html"),
        (f"<html><table><tr><td>{_REFERENCES}</table></html>".encode(), "html"),
        (epub({"a.xhtml": f"<p>{_REFERENCES}</p>"}), "epub"),
        (
            f"<rss><channel><item><description><![CDATA[{_REFERENCES}]]></description></item></channel></rss>".encode(),
            "xml",
        ),
    ],
)
def test_a_code_without_a_character_becomes_one_that_states_it(content: bytes, file_type: str) -> None:
    assert texts(content, file_type) == [_SHOWN]


def test_the_body_of_a_mail_has_such_a_sign_too() -> None:
    page = mail("S", _REFERENCES).replace(b"text/plain", b"text/html")
    assert _SHOWN in texts(page, "eml")


def test_markdown_has_a_sign_for_a_code_without_a_character() -> None:
    assert texts(b"a&#x110000;b&#1114112;c", "md") == [f"a{_UNKNOWN}b{_UNKNOWN}c"]


@pytest.mark.parametrize("code", ["&#x110000;", "&#1114112;", "&#xD800;", "&#99999999999999999999;"])
@pytest.mark.parametrize(
    ("start", "end", "file_type"), [("<d><p>a", "</p></d>", "xml"), ("<text:p>a", "</text:p>", "odt")]
)
def test_xml_with_a_code_without_a_character_is_damaged(code: str, start: str, end: str, file_type: str) -> None:
    text = f"{start}{code}{end}"
    content = open_file("text", text) if file_type == "odt" else text.encode()
    with pytest.raises(UnreadableDocument, match="its XML is damaged"):
        read_document(content, file_type)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (rb"a\u228?b\'e4c", "aäbäc"),
        (rb"a\u-10179?\u-8704?b", "a\U0001f600b"),
        (rb"a\u55357?\u56832?b", "a\U0001f600b"),
        (rb"a\u1114112?b\u99999999?c\u-99999?d", f"a{_UNKNOWN}b{_UNKNOWN}c{_UNKNOWN}d"),
        (rb"a\u-10179?b", f"a{_UNKNOWN}b"),
    ],
)
def test_the_title_of_rich_text_has_the_characters_of_its_codes(written: bytes, title: str) -> None:
    assert read_document(rb"{\rtf1\ansi{\info{\title " + written + rb"}}\pard x\par}", "rtf").title == title


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (rb"a\u228?b", "aäb"),
        (rb"\uc1 a\u-10179?\u-8704?b", "a\U0001f600b"),
        (rb"\uc1 a\u-10179\'3f\u-8704\'3fb", "a\U0001f600b"),
        (rb"\uc0 a\u-10179\u-8704 b", "a\U0001f600b"),
        (rb"\uc1 a\u20013?\u25991?b", "a\u4e2d\u6587b"),
        (b"\\uc1 a\\u-10179\n\\'3f\\u-8704\r\n\\'3fb", "a\U0001f600b"),
        (rb"a\u1114112?b\u99999999?c", "abc"),
    ],
)
def test_the_text_of_rich_text_has_the_characters_of_its_codes(written: bytes, text: str) -> None:
    assert texts(rb"{\rtf1\ansi\pard " + written + rb"\par}", "rtf") == [text]


@pytest.mark.parametrize(
    "page",
    [
        r"<p style='d\69 splay:none'>SECRET</p>",
        r"<p style='display:\6eone'>SECRET</p>",
        r"<p style='color:\77 hite'>SECRET</p>",
        r"<p style='display:no\ne'>SECRET</p>",
        r"<style>.\61 b{display:none}</style><p class=ab>SECRET</p>",
        r"<style>.a\:b{display:none}</style><p class='a:b'>SECRET</p>",
        r"<style>.\000031 23{display:none}</style><p class=123>SECRET</p>",
        r"<style>._a,#-b{display:none}</style><p class=_a>SECRET</p><p id=-b>SECRET</p>",
    ],
)
def test_escapes_in_css_hide_what_they_spell(page: str) -> None:
    assert texts(f"<html><body><p>seen</p>{page}</body></html>".encode(), "html") == ["seen"]


@pytest.mark.parametrize("code", [r"\110000", r"\ffffff", r"\d800", r"\0"])
def test_an_escape_in_css_without_a_character_hides_nothing(code: str) -> None:
    page = f"<html><style>.{code} a{{display:none}}</style><p style='color:{code} white'>seen</p></html>"
    assert texts(page.encode(), "html") == ["seen"]


@pytest.mark.parametrize(
    ("written", "text"),
    [(rb'"a\ud83d\ude00b"', "a\U0001f600b"), (rb'"a\ud800b"', "ab"), (rb'"a\u0000b"', "ab")],
)
def test_json_has_the_characters_of_its_codes(written: bytes, text: str) -> None:
    assert texts(b'{"k": ' + written + b"}", "json") == [f"k: {text}"]
    assert texts(b'{"k": ' + written + b"}\n", "jsonl") == [f"k: {text}"]


def test_json_with_an_escape_that_it_does_not_know_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="not valid JSON"):
        read_document(rb'{"k": "a\U00110000b"}', "json")


@pytest.mark.parametrize("header", [b'---\ntitle: "a\\U00110000b"\n---\n', b'+++\ntitle = "a\\U00110000b"\n+++\n'])
def test_a_header_of_markdown_with_a_code_without_a_character_is_text(header: bytes) -> None:
    document = read_document(header + b"\n# Tides\n", "md")
    assert document.title == "Tides"
    assert "U00110000" in document.blocks[0].text
