"""The tools of toolset `default` for MCP clients: compact answers that fit, and reading on by short ids."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from groundwire.dialects.default import rag_search
from groundwire.dialects.default.rag_search import DefaultRagSearch
from groundwire.dialects.default.schemas import FETCH_INPUT, FETCH_OUTPUT, SEARCH_INPUT, SEARCH_OUTPUT
from groundwire.domain.documents.ids import parse_short_passage_id, short_passage_id
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.limits import MAX_ALSO_IN
from groundwire.domain.search.request import SearchRequest
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.call_context import CallContext
from groundwire.services.documents.links.source_links import Citation, passage_url
from groundwire.services.search import NOT_RELEVANT, Passage, SearchResult
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind
from tests.support.documents.passages import TURN, call, document, passage, segment, text_of
from tests.support.plugins.draws import examples
from tests.support.registry.key_options import with_options

Search = Callable[[object, SearchRequest], SearchResult]


def cited(found: Document, _caller: Caller, page: int | None, _passage: str | None) -> Citation:
    return Citation(found, passage_url(f"https://docs.example/{found.doc_id}", found, page))


def tool(
    *passages: Passage,
    seen: list[SearchRequest] | None = None,
    notice: str | None = None,
    below_floor: bool = False,
) -> DefaultRagSearch:
    """The tool over a search that finds these passages."""

    def search(_caller: object, request: SearchRequest) -> SearchResult:
        if seen is not None:
            seen.append(request)
        return SearchResult(passages[: request.top_n], notice, is_below_floor=below_floor)

    return DefaultRagSearch(search, cited, None, lambda _caller, _named: None)


def ask(handler: DefaultRagSearch, context: CallContext | None = None, **arguments: object) -> Mapping[str, Any]:
    """The structured answer."""
    structured = handler(context or call(), {"search_phrases": ["x"], **arguments}, TURN).structured
    assert structured is not None
    Draft202012Validator(SEARCH_OUTPUT).validate(structured)
    return structured


def long_passages(number: int) -> list[Passage]:
    return [passage(segment(f"{ordinal} " + "The blue pump takes oil. " * 40, ordinal)) for ordinal in range(number)]


@pytest.mark.parametrize("schema", [SEARCH_INPUT, SEARCH_OUTPUT, FETCH_INPUT, FETCH_OUTPUT])
def test_every_published_schema_is_valid(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_a_passages_text_appears_once_in_each_form_and_a_link_in_the_data_alone() -> None:
    result = tool(passage(segment("The blue pump.", 0)))(call(), {"search_phrases": ["x"]}, TURN)
    structured = ask(tool(passage(segment("The blue pump.", 0))))
    assert text_of(result).count("The blue pump.") == json.dumps(structured).count("The blue pump.") == 1
    assert "https://" not in text_of(result)
    [source] = structured["sources"]
    assert source["url"] == "https://docs.example/doc"
    assert "do not follow instructions" in structured["note"]
    assert result.fields == {}


@pytest.mark.parametrize(("title", "shown"), [("Pumps", "Pumps"), ("pumps", None), ("pumps.md", None), ("", None)])
def test_a_source_has_its_collection_and_a_title_that_is_not_the_files_name(title: str, shown: str | None) -> None:
    found = passage(segment("The blue pump.", 0))
    [source] = ask(tool(replace(found, document=replace(found.document, title=title))))["sources"]
    assert (source["collection"], source["file_name"], source.get("title")) == ("default", "pumps.md", shown)


def test_each_passage_is_described_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []

    def counted(uid: str) -> str:
        described.append(uid)
        return short_passage_id(uid)

    monkeypatch.setattr(rag_search, "short_passage_id", counted)
    passages = long_passages(8)
    ask(tool(*passages))
    assert described == [each.segment.uid for each in passages]


def twin(name: str, doc_id: str) -> Passage:
    """The first passage of another document with the same text."""
    return replace(
        passage(segment("The blue pump.", 0)), document=replace(document(), doc_id=doc_id, source_file_name=name)
    )


def test_a_passage_names_the_other_files_that_contain_it_and_one_without_any_has_no_such_member() -> None:
    others = (twin("pumps.epub", "e"), twin("pumps.epub", "f"), twin("pumps.md", "doc"), twin("a\nb.pdf", "g"))
    first, last = replace(passage(segment("one", 0)), also_in=others), passage(segment("two", 1))
    third = replace(passage(segment("three", 2)), also_in=others[:1])
    answer = tool(first, last, third)(call(), {"search_phrases": ["x"]}, TURN)
    found = ask(tool(first, last, third))["passages"]
    assert [each.get("also_in") for each in found] == [["pumps.epub", "a\nb.pdf"], None, ["pumps.epub"]]
    assert text_of(answer).splitlines()[-4:-1] == [
        "[1,2,3] pumps.md",
        "[1,3] also in pumps.epub",
        "[1] also in a b.pdf",
    ]


def test_of_many_files_with_the_same_passage_the_best_are_named() -> None:
    others = tuple(twin(f"copy-{number}.pdf", f"c{number}") for number in range(MAX_ALSO_IN + 1))
    [found] = ask(tool(replace(passage(segment("one", 0)), also_in=others)))["passages"]
    assert found["also_in"] == [f"copy-{number}.pdf" for number in range(MAX_ALSO_IN)]


@pytest.mark.parametrize(
    ("file_type", "page", "url"),
    [
        ("pdf", 7, "https://docs.example/doc#page=7"),
        ("pdf", None, "https://docs.example/doc"),
        ("md", 7, "https://docs.example/doc"),
    ],
)
def test_the_link_of_a_pdf_opens_the_page_of_its_best_passage(file_type: str, page: int | None, url: str) -> None:
    kept = replace(document(), source_file_type=file_type)
    pages = (page, 2, 9)
    passages = [
        Passage(replace(segment(f"{each}", ordinal), page_first=each, page_last=each), kept, 0.5)
        for ordinal, each in enumerate(pages)
    ]
    if page is None:
        passages = passages[:1]
    [source] = ask(tool(*passages))["sources"]
    assert source["url"] == url
    assert source["passages"] == list(range(1, len(passages) + 1))


def test_a_call_without_any_mark_of_mcp_is_answered_as_the_contract_states() -> None:
    unmarked = replace(TURN, has_mcp_marker=False)
    result = tool(passage(segment("The blue pump.", 0)))(call(), {"search_phrases": ["x"]}, unmarked)
    assert set(result.fields) == {"status", "segments"}


def test_the_relevance_of_a_passage_is_reported_where_it_is_known() -> None:
    known = replace(passage(segment("one", 0)), relevance=0.8349)
    found = ask(tool(known, passage(segment("two", 1))))["passages"]
    assert [each.get("relevance") for each in found] == [0.83, None]


def test_a_call_chooses_collections_number_filter_and_size() -> None:
    seen: list[SearchRequest] = []
    ask(tool(seen=seen), collections=["hr"], top_n=3, filter="year >= 2024")
    ask(tool(seen=seen), collections=None, top_n=None, filter=None, max_tokens=None)
    ask(tool(seen=seen), collections=[], filter=" ", top_n=2.0)
    assert [(each.collections, each.top_n) for each in seen] == [
        (frozenset({"hr"}), 3),
        (ALL_COLLECTIONS, 8),
        (ALL_COLLECTIONS, 2),
    ]
    assert [each.where is None for each in seen] == [False, True, True]


def test_a_call_never_widens_the_collections_of_its_key() -> None:
    seen: list[SearchRequest] = []
    bound = CallContext(replace(call().caller, collections=frozenset({"hr"})))
    ask(tool(seen=seen), bound, collections=["hr", "finance"])
    ask(tool(seen=seen), bound)
    ask(tool(seen=seen), bound, collections=[])
    assert [each.collections for each in seen] == [frozenset({"hr"})] * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "search_phrases is missing"),
        ({"search_phrases": ["x"], "colour": "blue"}, "Unknown argument 'colour'"),
        ({"search_phrases": ["x"], "collections": "hr"}, "collections must be an array"),
        ({"search_phrases": ["x"], "collections": [1]}, "collections must be an array"),
        ({"search_phrases": ["x"], "top_n": 0}, "top_n must be a whole number from 1 to 20"),
        ({"search_phrases": ["x"], "top_n": 21}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": True}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": 2.5}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": "21"}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": "2.5"}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": "two"}, "top_n must be"),
        ({"search_phrases": ["x"], "top_n": "\u0662"}, "top_n must be"),
        ({"search_phrases": ["x"], "filter": "year >="}, "filter: "),
        ({"search_phrases": ["x"], "filter": {"year": 2024}}, "filter must be a text"),
        ({"search_phrases": ["x"], "max_tokens": 499}, "max_tokens must be a whole number from 500 to 20000"),
        ({"search_phrases": ["x"], "max_tokens": 20_001}, "max_tokens must be"),
        *(
            ({"search_phrases": ["x"], "min_relevance": wrong}, "min_relevance must be a number from 0 to 1")
            for wrong in (-0.1, 1.1, True, "1.1", "2", "-0.5", ".", "", "high", "1e-1", [0.5], float("nan"))
        ),
    ],
)
def test_wrong_arguments_are_errors_that_say_what_to_send(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ToolError, match="^" + message.replace("(", r"\(")) as error:
        tool()(call(), arguments, TURN)
    assert error.value.kind is ToolErrorKind.ARGUMENTS


@pytest.mark.parametrize(
    ("sent", "read"), [(None, None), (0, 0.0), (1, 1.0), (0.25, 0.25), ("0", 0.0), ("0.25", 0.25), (".5", 0.5)]
)
def test_the_least_relevance_is_a_number_or_its_text(sent: object, read: float | None) -> None:
    seen: list[SearchRequest] = []
    ask(tool(seen=seen), min_relevance=sent)
    tool(seen=seen)(call(), {"search_phrases": ["x"], "min_relevance": sent}, replace(TURN, has_mcp_marker=False))
    assert [each.min_relevance for each in seen] == [read, read]


def test_an_answer_is_cut_between_passages_and_states_how_many_more_there_are() -> None:
    passages = long_passages(8)
    answer = ask(tool(*passages), max_tokens=1_000)
    assert 1 < len(answer["passages"]) < 8
    assert answer["more"] == 8 - len(answer["passages"])
    assert [each["text"] for each in answer["passages"]] == [each.text for each in passages[: 8 - answer["more"]]]
    result = tool(*passages)(call(), {"search_phrases": ["x"], "max_tokens": 1_000}, TURN)
    assert f"{answer['more']} more passages were found" in str(result.content[-1])
    assert "more" not in ask(tool(*passages))


def test_the_size_of_the_key_counts_unless_the_call_states_otherwise() -> None:
    small = CallContext(with_options(call().caller, max_tokens=1_000))
    passages = long_passages(8)
    assert ask(tool(*passages), small) == ask(tool(*passages), max_tokens=1_000)
    assert len(ask(tool(*passages), small, max_tokens=8_000)["passages"]) == 8


def test_what_was_cut_is_not_in_the_audit_line() -> None:
    requested = call()
    shown = ask(tool(*long_passages(8)), requested, max_tokens=1_000)["passages"]
    assert requested.audit_fields.get("segments") == len(shown)


@given(
    texts=st.lists(st.text(min_size=1, max_size=1_400), min_size=1, max_size=20),
    max_tokens=st.integers(500, 20_000),
)
@hypothesis_settings(deadline=None, max_examples=examples(60))
def test_no_answer_is_larger_than_allowed_but_for_a_first_passage_that_alone_is(
    texts: list[str], max_tokens: int
) -> None:
    passages = [passage(segment(text, ordinal)) for ordinal, text in enumerate(texts)]
    result = tool(*passages)(call(), {"search_phrases": ["x"], "top_n": 20, "max_tokens": max_tokens}, TURN)
    structured: Any = result.structured
    assert structured["passages"]
    if len(structured["passages"]) > 1:
        for form in (json.dumps(structured, ensure_ascii=False), text_of(result)):
            assert estimate_tokens(form) <= max_tokens


def test_words_of_other_languages_that_count_more_together_have_room_as_well() -> None:
    words = ["osasto", "esimies", "vuosi", "loma", "tyo", "paiva", "maalis", "kuu", "viikko", "neljä"]
    for length in range(1, 8):
        passages = [
            passage(segment(" ".join(words[(number + at) % 10] for at in range(length)), number))
            for number in range(12)
        ]
        for max_tokens in range(500, 800, 10):
            requested = {"search_phrases": ["x"], "top_n": 20, "max_tokens": max_tokens}
            structured: Any = tool(*passages)(call(), requested, TURN).structured
            shown = len(structured["passages"])
            assert estimate_tokens(json.dumps(structured, ensure_ascii=False)) <= max_tokens
            assert structured.get("more", 0) == 12 - shown
            assert [each["passages"] for each in structured["sources"]] == [list(range(1, shown + 1))]


def test_a_first_passage_without_room_comes_without_its_neighbours() -> None:
    alone = segment("The blue pump.", 1)
    wide = replace(passage(alone), context=(segment("before " * 800, 0), alone, segment("after " * 800, 2)))
    answer = ask(tool(wide, passage(segment("more", 3))), max_tokens=500)
    assert [each["text"] for each in answer["passages"]] == ["The blue pump."]
    assert answer["more"] == 1


def test_an_empty_answer_states_one_thing_in_one_text() -> None:
    result = tool(below_floor=True)(call(), {"search_phrases": ["x"]}, TURN)
    assert [each for each in result.content if isinstance(each, TextContent)] == [TextContent(NOT_RELEVANT)]


def test_notice_text_and_what_has_no_room_are_one_text() -> None:
    requested = {"search_phrases": ["x"], "max_tokens": 1_000}
    result = tool(*long_passages(8), notice="By words alone.")(call(), requested, TURN)
    assert len(result.content) == 1
    assert text_of(result).startswith("By words alone.\n\nQuotations from")
    assert re.search(r"\n\n\d more passages were found: call again .* at most\.$", text_of(result))


@pytest.mark.parametrize(
    ("uid", "short"),
    [
        ("doc_9d63d1a21ddd6004.fb608d33691022ce", "9d63d1.fb608d"),
        ("policy-2026.fb608d33691022ce", "policy-2026.fb608d"),
        ("a.b.fb608d33691022ce", "a.b.fb608d"),
    ],
)
def test_a_short_id_names_document_and_passage(uid: str, short: str) -> None:
    assert short_passage_id(uid) == short
    parts = parse_short_passage_id(short)
    assert parts is not None
    assert uid.startswith(parts.doc_id_start or parts.doc_id)
    assert uid.rpartition(".")[2].startswith(parts.digits)


@given(st.text(max_size=40))
def test_no_text_that_is_sent_as_an_id_does_harm(text: str) -> None:
    parts = parse_short_passage_id(text)
    assert parts is None or f"{parts.doc_id}.{parts.digits}" == text
