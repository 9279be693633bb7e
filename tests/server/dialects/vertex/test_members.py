"""Members of a request: spellings, unions, numbers of proto3 JSON, sources and the bounds of each."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.dialects.vertex.errors import GoogleError
from groundwire.dialects.vertex.members import RETRIEVE_CONTEXTS_REQUEST, Member, MessageType, ScalarType
from groundwire.dialects.vertex.messages import read_message
from tests.server.dialects.vertex.company import CLOSED, HANDBOOK, PARENT, Company, request, texts, violations

CONFIG = "query.rag_retrieval_config"


def top_k(value: object) -> dict[str, Any]:
    return request(topK=value)


@pytest.mark.parametrize(("sent", "count"), [("2", 2), (2.0, 2), (2, 2), (None, 4), (0, 4), (101, 4), ("1", 1)])
def test_top_k_is_read_as_proto3_json_has_it(company: Company, sent: object, count: int) -> None:
    assert len(company.retrieve(top_k(sent))) == count


def test_top_k_may_have_an_exponent(company: Company) -> None:
    body = b'{"query":{"text":"wheel","ragRetrievalConfig":{"topK":2e0}},"vertexRagStore":{"ragResources":{"ragCorpus":'
    assert len(company.retrieve(body + f'"{HANDBOOK}"}}}}}}'.encode())) == 2


@pytest.mark.parametrize(
    "sent", [1.5, "abc", True, False, 2**31, -(2**31) - 1, [], {}, "", "1_0", " 1", "٢", "1.5", -1]
)
def test_a_top_k_that_is_no_int32_or_negative_is_named(company: Company, sent: object) -> None:
    assert violations(company.refusal(top_k(sent))) == [f"{CONFIG}.top_k"]


def test_ten_contexts_come_unless_the_call_states_otherwise_and_a_hundred_at_most(company: Company) -> None:
    for number in range(12):
        company.add(f"wheel-{number}", f"Wheel number {number * 7919}.", collection="wheels")
    corpus = f"{PARENT}/ragCorpora/wheels"
    assert len(company.retrieve(request(corpus=corpus))) == 10
    assert len(company.retrieve(request(corpus=corpus, topK=100_000))) == 12


def test_spellings_mix_freely(company: Company) -> None:
    mixed = {
        "vertexRagStore": {"rag_resources": [{"rag_corpus": HANDBOOK, "ragFileIds": ["pump"]}]},
        "query": {"text": "wheel pump", "rag_retrieval_config": {"topK": 5, "hybrid_search": {"alpha": 0.5}}},
    }
    assert {"The wheel pump needs oil.", "The wheel pump stands in the cellar."} == set(texts(company.retrieve(mixed)))


def test_both_spellings_of_one_member_are_refused(company: Company) -> None:
    body = request()
    body["query"]["ragRetrievalConfig"] = {"topK": 1, "top_k": 1}
    assert violations(company.refusal(body)) == [f"{CONFIG}.top_k"]


def test_one_object_is_accepted_as_a_list_of_resources(company: Company) -> None:
    body = {**request(), "vertexRagStore": {"ragResources": {"ragCorpus": HANDBOOK}}}
    for path in (f"/v1/{PARENT}:retrieveContexts", f"/v1beta1/{PARENT}:retrieveContexts"):
        assert len(company.retrieve(body, path)) == 4


@pytest.mark.parametrize(
    ("filters", "named"),
    [
        ({"vectorDistanceThreshold": 1, "vectorSimilarityThreshold": 0}, f"{CONFIG}.filter"),
        ({"vector_distance_threshold": 0, "vectorSimilarityThreshold": 0}, f"{CONFIG}.filter"),
        ({"vectorDistanceThreshold": True}, f"{CONFIG}.filter.vector_distance_threshold"),
        ({"vectorDistanceThreshold": "1e400"}, f"{CONFIG}.filter.vector_distance_threshold"),
        ({"vectorDistanceThreshold": ""}, f"{CONFIG}.filter.vector_distance_threshold"),
        ({"vectorDistanceThreshold": "nan"}, f"{CONFIG}.filter.vector_distance_threshold"),
        ({"metadataFilter": 1}, f"{CONFIG}.filter.metadata_filter"),
    ],
)
def test_a_filter_that_cannot_be_is_named(company: Company, filters: object, named: str) -> None:
    assert violations(company.refusal(request(filter=filters))) == [named]


def test_a_union_with_one_member_null_is_no_error(company: Company) -> None:
    filters = {"vectorDistanceThreshold": None, "vectorSimilarityThreshold": -1}
    assert company.retrieve(request(filter=filters))


def test_a_second_member_of_a_union_is_refused_in_googles_words(company: Company) -> None:
    filters = {"vectorDistanceThreshold": 0.0, "vectorSimilarityThreshold": 0.0}
    message = company.refusal(request(filter=filters))["message"]
    assert message.startswith(
        f"Invalid value at '{CONFIG}.filter' (oneof), oneof field 'vector_db_threshold' is already set. "
        "Cannot set 'vectorSimilarityThreshold'"
    )
    rankers = company.refusal(request(ranking={"rankService": {}, "llmRanker": {}}))
    assert violations(rankers) == [f"{CONFIG}.ranking"]


def test_the_deprecated_threshold_means_the_same_and_is_refused_beside_the_new_one(company: Company) -> None:
    old = request()
    old["vertexRagStore"]["vectorDistanceThreshold"] = 0.5
    assert company.retrieve(old) == company.retrieve(request(filter={"vectorDistanceThreshold": 0.5}))
    old["query"]["ragRetrievalConfig"] = {"filter": {"vectorSimilarityThreshold": 0}}
    assert violations(company.refusal(old)) == ["vertex_rag_store.vector_distance_threshold"]


def test_of_old_and_new_members_the_new_one_counts(company: Company) -> None:
    body = request(topK=1)
    body["query"] |= {"similarityTopK": 3, "ranking": {"alpha": 0}}
    assert len(company.retrieve(body)) == 1
    body["query"]["ragRetrievalConfig"] = {"topK": 0}
    assert len(company.retrieve(body)) == 3
    body["query"]["similarityTopK"] = -3
    assert violations(company.refusal(body)) == ["query.similarity_top_k"]


@pytest.mark.parametrize("alpha", [-0.1, 1.1, "NaN", "Infinity"])
def test_an_alpha_outside_its_range_is_named(company: Company, alpha: object) -> None:
    body = request(hybridSearch={"alpha": alpha})
    assert violations(company.refusal(body)) == [f"{CONFIG}.hybrid_search.alpha"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", None])
def test_a_text_without_a_word_lists_nothing(company: Company, text: object) -> None:
    body = request()
    body["query"]["text"] = text
    assert violations(company.refusal(body)) == ["query.text"]


@pytest.mark.parametrize(
    ("corpora", "field"),
    [
        ([{"ragCorpus": "handbook"}], "vertex_rag_store.rag_resources[0].rag_corpus"),
        ([{"ragCorpus": f"{HANDBOOK}/x"}], "vertex_rag_store.rag_resources[0].rag_corpus"),
        ([{"ragCorpus": HANDBOOK.replace("us-central1", "eu")}], "vertex_rag_store.rag_resources[0].rag_corpus"),
        ([{"ragCorpus": HANDBOOK}, {"ragCorpus": CLOSED}], "vertex_rag_store.rag_resources[1].rag_corpus"),
        ([], "vertex_rag_store.rag_resources"),
        ([{}], "vertex_rag_store.rag_resources"),
    ],
)
def test_a_source_that_cannot_be_is_named(company: Company, corpora: object, field: str) -> None:
    body = {"query": {"text": "wheel"}, "vertexRagStore": {"ragResources": corpora}}
    assert violations(company.refusal(body)) == [field]


def test_without_a_source_the_only_corpus_of_the_caller_is_read(company: Company) -> None:
    key = company.world.acting_key(company.tenant, collections=frozenset({"kitchen", "closed"}))
    headers = {"authorization": f"Bearer {key.secret.reveal()}", "x-user-id": "ana"}
    answer = company.post(f"/v1/{PARENT}:retrieveContexts", {"query": {"text": "soup"}}, headers)
    assert texts(answer.payload["contexts"]["contexts"]) == ["Soup on Monday."]


def test_files_of_one_corpus_unite_and_those_of_others_are_dropped(company: Company) -> None:
    def found(*entries: object) -> set[str]:
        body = {"query": {"text": "wheel pump"}, "vertexRagStore": {"ragResources": entries}}
        return set(texts(company.retrieve(body)))

    pump = {"The wheel pump needs oil.", "The wheel pump stands in the cellar."}
    first = {"ragCorpus": HANDBOOK, "ragFileIds": ["pump"]}
    assert found(first) == pump
    assert found(first, {"ragCorpus": HANDBOOK, "ragFileIds": ["wheel"]}) == pump | {"A wheel has spokes."}
    assert found(first, {"ragFileIds": ["wheel", "menu", "secret"]}) == pump | {"A wheel has spokes."}
    assert len(found(first, {"ragCorpus": HANDBOOK})) == 4
    for name in ("secret", "nowhere", "menu", "", "../x"):
        assert found({"ragCorpus": HANDBOOK, "ragFileIds": [name]}) == set()


def test_a_body_may_repeat_the_parent_and_not_another_location(company: Company) -> None:
    assert company.retrieve({"parent": PARENT, **request()}) == company.retrieve(request())
    for parent in ("projects/p1/locations/elsewhere", "p1"):
        assert violations(company.refusal({"parent": parent, **request()})) == ["parent"]


def test_a_ranker_that_is_not_configured_changes_nothing_as_it_would_change_the_order_alone(company: Company) -> None:
    for ranking in ({}, {"rankService": {}}, {"llm_ranker": {"modelName": "gemini-1.5-pro"}}):
        assert company.retrieve(request(ranking=ranking)) == company.retrieve(request())


def _json(kind: ScalarType | MessageType) -> st.SearchStrategy[Any]:
    match kind:
        case ScalarType.STRING:
            return st.text(max_size=5)
        case ScalarType.INT32:
            return st.integers(-(2**31), 2**31 - 1)
        case ScalarType.FLOAT | ScalarType.DOUBLE:
            return st.floats(allow_nan=False, allow_infinity=False, width=32)
        case MessageType():
            chosen = {name: value for member in kind.members for name, value in [(member, _of(member))]}
            return st.fixed_dictionaries({}, optional=chosen).map(_only_one_of_each_union)


def _of(member: Member) -> st.SearchStrategy[Any]:
    one = st.none() | _json(member.type) if not member.is_repeated else st.lists(_json(member.type), max_size=3)
    return st.tuples(st.booleans(), one)


def _only_one_of_each_union(values: dict[Member, tuple[bool, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The message as it is sent, in either spelling, and as it is read."""
    sent: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    unions: set[str] = set()
    for member, (is_camel, value) in values.items():
        if member.union is not None and value is not None:
            if member.union in unions:
                continue
            unions.add(member.union)
        items = value if isinstance(value, list) else [value]
        pairs = [item if isinstance(item, tuple) else (item, item) for item in items]
        first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        sent[member.json_name if is_camel else member.name] = first if isinstance(value, list) else first[0]
        if value is not None:
            expected[member.name] = second if isinstance(value, list) else second[0]
    return sent, expected


@given(_json(RETRIEVE_CONTEXTS_REQUEST))
def test_every_message_is_read_in_any_mix_of_spellings(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    sent, expected = pair
    assert read_message(sent, RETRIEVE_CONTEXTS_REQUEST) == expected


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda each: (
        st.lists(each, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["query", "text", "vertexRagStore", "rag_resources", "ragRetrievalConfig", "filter", "topK", "x"]
            ),
            each,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_ANYTHING)
def test_whatever_is_sent_is_read_or_refused_with_a_field(value: object) -> None:
    message, refused = None, None
    try:
        message = read_message(value, RETRIEVE_CONTEXTS_REQUEST)
    except GoogleError as error:
        refused = error
    if refused is None:
        assert isinstance(value, dict)
        assert message is not None
        assert set(message) <= {"parent", "query", "vertex_rag_store"}
    else:
        assert refused.violations
        json.dumps(refused.body, allow_nan=False)
