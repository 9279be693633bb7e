"""References: a segment's uid names its document for good."""

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.ids import MAX_UID_CHARACTERS, doc_id_from_uid, is_doc_id, segment_uid
from tests.support.plugins.draws import examples

DOC_IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}", fullmatch=True)


@settings(deadline=None, max_examples=examples(200))
@given(DOC_IDS, st.text(), st.integers(0, 1000))
def test_a_uid_leads_back_to_its_document(doc_id: str, text: str, occurrence: int) -> None:
    uid = segment_uid(doc_id, text, occurrence)

    assert is_doc_id(doc_id)
    assert doc_id_from_uid(uid) == doc_id
    assert len(uid) <= MAX_UID_CHARACTERS


@settings(deadline=None, max_examples=examples(200))
@given(st.text())
def test_whatever_is_not_a_uid_names_no_document(text: str) -> None:
    named = doc_id_from_uid(text)

    assert named is None or is_doc_id(named)


def test_unchanged_text_keeps_its_uid_and_equal_passages_are_distinguished() -> None:
    assert segment_uid("d", "same", 0) == segment_uid("d", "same", 0)
    assert len({segment_uid("d", "same", 0), segment_uid("d", "same", 1), segment_uid("d", "other", 0)}) == 3
    assert segment_uid("d", "same", 0)[2:] != segment_uid("e", "same", 0)[2:]


def test_names_that_could_leave_a_folder_or_end_a_line_are_no_document_ids() -> None:
    refused = ["", "..", ".hidden", "a/b", "a\\b", "a\0", "a\n", "é", "a" * 121, "-x", " a"]

    assert [name for name in refused if is_doc_id(name)] == []
