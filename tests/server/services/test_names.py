"""File names and titles are strangers' words: whatever they hold, what agents are shown of them is harmless."""

import unicodedata
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from groundwire.adapters.lexical.file_name_words import file_name_words
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.limits import MAX_NAME_CHARACTERS
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from groundwire.services.ingest.source_objects.display_names import display_name, display_title, file_type
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.documents.plain_text_parser import PlainText
from tests.support.isolation.policies import PUBLIC
from tests.support.plugins.draws import examples
from tests.support.worlds.world import World, caller

HOSTILE: Final = {
    "two\nlines.txt": "two lines.txt",
    "\u202egnp.txt": "gnp.txt",
    "le\u200bd\u2060ger\ufeff.txt": "ledger.txt",
    "a\U000e0049\U000e0067b.txt": "ab.txt",
    "bell\x07\x1b[31m\x9b.txt": "bell[31m.txt",
    "ledger.t\u200bxt\u202e": "ledger.txt",
    "![x](http:evil.example).txt": "! x.txt",
    "![site plan].txt": "! [site plan].txt",
    "see [it](http:evil.example).txt": "see it.txt",
    "<img src=x onerror=y> paid.txt": "< img src=x onerror=y> paid.txt",
    "<IMG src=plan.png>.pdf": "< IMG src=plan.png>.pdf",
    "<im\u200bg src=x> paid.txt": "paid.txt",
    "\u200b\u200b.txt": "unnamed.txt",
    "\udcff.txt": "unnamed.txt",
    "\u200b": "unnamed",
    "": "unnamed",
    ".txt": ".txt",
    "..": "..",
    "Ledger of 2026, §4 (final).v2.txt": "Ledger of 2026, §4 (final).v2.txt",
    "Jahresübersicht.txt": "Jahresübersicht.txt",
}
_NEVER: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def ingest(world: World, tenant: str, name: str, text: str, doc_id: str | None = None) -> IngestResult:
    """What came of a text under any name at all."""
    request = IngestRequest(
        tenant, "default", "/nowhere/a", name, text.encode, DeclaredPolicy(PUBLIC, None), doc_id, None
    )
    [outcome] = world.services.ingestion.batch(tenant, "default", [request], lambda _done, _total: None)
    return outcome


def harmless(text: str) -> bool:
    """Without anything invisible, a second line, or markup that loads something."""
    seen = not any(unicodedata.category(character) in _NEVER for character in text)
    return seen and not any(mark in text.lower() for mark in ("](", "![", "<img"))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_on_one_line_without_invisible_characters(name: str) -> None:
    assert display_name(name, None) == HOSTILE[name]


def test_a_name_that_becomes_empty_is_replaced_by_the_documents_id() -> None:
    assert display_name("\u200b.txt", "memo") == "memo.txt"
    assert display_name("\u200b", "memo") == "memo"


def test_a_name_that_is_too_long_keeps_its_extension() -> None:
    shown = display_name("\\xe9" * 400 + ".PDF", None)
    assert len(shown) == MAX_NAME_CHARACTERS
    assert file_type(shown) == "pdf"


@settings(deadline=None, max_examples=examples(200))
@given(st.text(max_size=400), st.none() | st.text(max_size=400))
def test_names_titles_and_types_are_harmless_bounded_and_normalised(name: str, title: str | None) -> None:
    shown = display_name(name, None)
    called = display_title(title, shown)
    for text in (shown, called, file_type(shown)):
        assert harmless(text)
        assert len(text) <= MAX_NAME_CHARACTERS
    assert shown
    assert called
    assert display_name(shown, None) == shown


@settings(deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
@example("two\nlines\u202e.txt")
@example("a\U000e0049\x1b\x9b.t\u200bxt")
@example("![x](http:evil.example)<img src=x>.md")
def test_no_field_of_an_answer_shows_more_of_a_name_than_a_person_sees(world: World, tenant: str, name: str) -> None:
    text = f"The ledger grants {abs(hash(name))} days."
    assert ingest(world, tenant, name, text, doc_id="memo").document is not None
    answer = world.search(caller(world.acting_key(tenant)), "ledger")
    [segment] = answer.result["structuredContent"]["segments"]
    for value in (*(value for value in segment.values() if isinstance(value, str)), *segment["heading_path"]):
        assert harmless(value), value
    assert harmless(answer.result["content"][0]["text"].replace("\n", " "))


def test_a_file_of_any_name_is_found_again_by_its_path(world: World, tenant: str) -> None:
    first = ingest(world, tenant, "two\nlines\u202e.txt", "The ledger.")
    again = ingest(world, tenant, "two\nlines\u202e.txt", "The ledger.")
    assert (first.status, again.status) == (IngestStatus.INDEXED, IngestStatus.UNCHANGED)
    assert again.document == first.document


@pytest.mark.parametrize(
    ("name", "title", "found"),
    [
        ("annual_report-2023.pdf", "Form 10-Q", "annual report 2023"),
        ("annual_report-2023.pdf", "Annual report of the port", "2023"),
        ("annual_report-2023.pdf", "annual_report-2023", ""),
        ("TideReport2023.v2.pdf", "Levels", "TideReport2023 Tide Report 2023 v2"),
        ("HTTPServerGuide.md", "Guide", "HTTPServerGuide HTTP Server"),
        ("\u202ejahresübersicht.txt", "x", "jahresübersicht"),
    ],
)
def test_the_words_of_a_file_name_are_those_that_the_title_has_not(name: str, title: str, found: str) -> None:
    assert file_name_words(name, title) == found


def test_a_document_is_found_by_its_file_name_and_shown_by_its_title(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PlainText.parse

    def titled(parser: PlainText, content: bytes, kind: str, **options: bool) -> ParsedDocument:
        parsed = read(parser, content, kind, **options)
        return ParsedDocument(parsed.media_type, "Levels of the river", parsed.blocks, parsed.pages, 0)

    monkeypatch.setattr(PlainText, "parse", titled)
    tides = ingest(world, tenant, "cuxhaven_TideTable-2023.txt", "High water at noon.", doc_id="tides")
    ingest(world, tenant, "other.txt", "Low water at dusk.", doc_id="other")
    answer = world.search(caller(world.acting_key(tenant)), "cuxhaven tide table")
    assert answer.texts == {"High water at noon."}
    [segment] = answer.result["structuredContent"]["segments"]
    assert "cuxhaven" not in " ".join([segment["headline"], *segment["heading_path"]]).casefold()
    assert tides.document is not None
    assert tides.document.title == "Levels of the river"


def test_a_title_that_a_document_gives_itself_is_one_harmless_line(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PlainText.parse

    def titled(parser: PlainText, content: bytes, kind: str, **options: bool) -> ParsedDocument:
        parsed = read(parser, content, kind, **options)
        title = "Ledger\n\u202e![x](http://evil.example/p.png)\U000e0049 of\x1b 2026" + " and on" * 100
        return ParsedDocument(parsed.media_type, title, parsed.blocks, parsed.pages, 0)

    monkeypatch.setattr(PlainText, "parse", titled)
    outcome = ingest(world, tenant, "a.txt", "The ledger.")
    assert outcome.document is not None
    assert outcome.document.title.startswith("Ledger of 2026 and on")
    assert harmless(outcome.document.title)
    assert len(outcome.document.title) <= MAX_NAME_CHARACTERS
