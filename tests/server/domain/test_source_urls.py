"""Addresses of documents: what leaves is printable ASCII that nothing takes for markup, whatever was given."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.domain.documents.links import clean_url, safe_url_or_none
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_SOURCE_URL_CHARACTERS
from groundwire.domain.search.quotations import Quotation, format_quotations

FORBIDDEN = frozenset("<>()[]\"'`\\{}|^ ")
PICTURE = "https://ok.example/a)![p](https://evil.example/p.png?d=1)"


@pytest.mark.parametrize(
    ("given_url", "cleaned"),
    [
        ("https://wiki.example/leave", "https://wiki.example/leave"),
        ("HTTPS://Wiki.Example:8443/a?b=c&d=%20#e", "https://Wiki.Example:8443/a?b=c&d=%20#e"),
        ("http://10.0.0.1", "http://10.0.0.1"),
        ("https://x.example?q=1", "https://x.example?q=1"),
        ("https://x.example/Größe", "https://x.example/Gr%C3%B6%C3%9Fe"),
        ("https://x.example/a b (1).pdf", "https://x.example/a%20b%20%281%29.pdf"),
        ("https://x.example/100%", "https://x.example/100%25"),
        ("https://x.example/a#b#c", "https://x.example/a#b%23c"),
        (PICTURE, "https://ok.example/a%29!%5Bp%5D%28https://evil.example/p.png?d=1%29"),
    ],
)
def test_an_address_is_kept_and_what_reads_as_markup_is_encoded(given_url: str, cleaned: str) -> None:
    assert clean_url(given_url) == cleaned == clean_url(cleaned)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "//x.example/a",
        "https:x.example",
        "https://",
        "https:///a",
        "https://user:secret@x.example/",
        "https://ok.example\\@evil.example/",
        "https://[::1]/",
        "https://x.example:port/",
        "https://bücher.example/",
        "https://ok.example/\u202e<img/src=https://evil.example/x>",
        "https://x.example/\u200b",
        "https://x.example/a\nb",
        "https://x.example/\ud800",
        "https://x.example/" + "a" * MAX_SOURCE_URL_CHARACTERS,
        "https://x.example/" + "ö" * (MAX_SOURCE_URL_CHARACTERS // 6),
    ],
)
def test_what_is_no_address_of_a_host_is_refused_and_never_leaves(url: str) -> None:
    with pytest.raises(InvalidInput, match="address of a document"):
        clean_url(url)
    assert safe_url_or_none(url) is None


@given(st.text(max_size=40), st.text(max_size=80))
@example("ok.example", "/a)![p](https://evil.example/p.png)")
@example("x.example", "/%\u00e4%2")
def test_no_cleaned_address_holds_what_markup_is_made_of_and_cleaning_twice_is_cleaning_once(
    host: str, rest: str
) -> None:
    for url in (f"https://{host}{rest}", f"http://x.example/{rest}", rest):
        cleaned = safe_url_or_none(url)
        if cleaned is not None:
            assert cleaned.isascii()
            assert cleaned.isprintable()
            assert not FORBIDDEN & set(cleaned)
            assert len(cleaned) <= MAX_SOURCE_URL_CHARACTERS
            assert clean_url(cleaned) == cleaned


def test_the_boundary_of_a_frame_is_struck_from_an_address_too() -> None:
    boundary = "doc-0123456789abcdef"
    quotation = Quotation("d.1", "d", "a.pdf", (), None, None, f"https://x.example/{boundary}", "text")
    assert format_quotations([quotation], boundary).count(boundary) == 3
