"""URIs: one for each resource, letter for letter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.dialects.library.uris import CollectionUri, DocumentUri, LibraryUri, PageUri, SegmentUri, parse_uri
from tests.support.plugins.draws import examples

IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}", fullmatch=True)
UIDS = st.builds("{}.{}".format, IDS, st.from_regex(r"[0-9a-f]{16}", fullmatch=True))
URIS: st.SearchStrategy[LibraryUri] = st.one_of(
    st.builds(CollectionUri, IDS),
    st.builds(DocumentUri, IDS),
    st.builds(PageUri, IDS, st.integers(1, 9_999_999)),
    st.builds(SegmentUri, UIDS),
)
PLAIN = settings(deadline=None, max_examples=examples(200))


@given(uri=URIS)
@PLAIN
def test_what_is_written_is_read(uri: LibraryUri) -> None:
    assert parse_uri(str(uri)) == uri


@given(
    text=st.text()
    | st.text().map("groundwire://documents/{}".format)
    | st.text("%2Fa/.:dpages0").map("groundwire://documents/{}".format)
)
@PLAIN
def test_what_is_read_was_written_so(text: str) -> None:
    uri = parse_uri(text)
    assert uri is None or str(uri) == text


@given(uri=URIS, data=st.data())
@PLAIN
def test_a_uri_with_a_sign_too_many_or_too_few_is_another_or_none(uri: LibraryUri, data: st.DataObject) -> None:
    text = str(uri)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = data.draw(
        st.sampled_from([text[:at] + text[at + 1 :], text[:at] + data.draw(st.characters()) + text[at:]])
    )
    assert parse_uri(changed) != uri


@pytest.mark.parametrize(
    "text",
    [
        "",
        "groundwire:",
        "groundwire://",
        "groundwire://documents",
        "groundwire://documents/",
        "groundwire://documents/book/",
        "groundwire://documents//book",
        "groundwire://documents/book?page=2",
        "groundwire://documents/book#2",
        "groundwire://documents/book/pages",
        "groundwire://documents/book/pages/",
        "groundwire://documents/book/pages/0",
        "groundwire://documents/book/pages/01",
        "groundwire://documents/book/pages/+1",
        "groundwire://documents/book/pages/\u0661",
        "groundwire://documents/book/pages/12345678",
        "groundwire://documents/%62ook",
        "groundwire://documents/../collections/shelf",
        "groundwire://documents/..",
        "groundwire://documents/book\n",
        "groundwire://user@documents/book",
        "groundwire://documents:80/book",
        "groundwire:///documents/book",
        "GROUNDWIRE://documents/book",
        "groundwire://Documents/book",
        "groundwire://segments/book",
        "groundwire://segments/book.0123456789ABCDEF",
        "groundwire://collections/a/b",
        "file:///etc/passwd",
        "https://documents/book",
    ],
)
def test_any_other_text_gives_none(text: str) -> None:
    assert parse_uri(text) is None
