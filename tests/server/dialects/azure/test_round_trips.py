"""The searches of one retrieval: one embedding batch, one round to the index for each source, rerankers at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Barrier

from tests.server.dialects.azure.administration import base, source, stored
from tests.server.dialects.azure.office import APRIL_2026, MAY_2025, Office, intents, requested, searches, texts
from tests.support.worlds.counted import counted
from tests.support.worlds.exchange import exchange

TWO = intents("wheel pump", "bread in the morning")


@dataclass
class MeetingReranker:
    """A reranker whose calls wait until as many as there are parties run at the same time."""

    meeting: Barrier
    name = "meeting"

    def score(self, _query: str, passages: Sequence[str]) -> list[float]:
        self.meeting.wait(timeout=20)
        return [float(-at) for at, _ in enumerate(passages)]


def knowledge_base(office: Office, **collections: str) -> None:
    """The knowledge base `house`, with a source for each collection."""
    for name, collection in collections.items():
        stored(office, "knowledgesources", source(name, collection))
    stored(office, "knowledgebases", base("house", *collections))


def test_several_queries_of_several_sources_are_one_embedding_batch_and_one_round_for_each_source(
    office: Office,
) -> None:
    knowledge_base(office, first="handbook", second="kitchen")
    embedders, indexes = counted(office.world)
    answer = office.retrieve(TWO, APRIL_2026, "house")
    assert len(searches(answer)) == 4
    assert [list(batch) for batch in embedders.batches] == [["wheel pump", "bread in the morning"]]
    assert indexes.searches == 2


def test_two_sources_that_are_one_search_are_searched_once_and_are_both_in_the_activity(office: Office) -> None:
    knowledge_base(office, first="handbook", second="handbook")
    _, indexes = counted(office.world)
    answer = office.retrieve(TWO, APRIL_2026, "house")
    assert indexes.searches == 1
    assert [each["knowledgeSourceName"] for each in searches(answer)] == ["first", "second"] * 2
    by_source = [[each["count"] for each in searches(answer)[at::2]] for at in (0, 1)]
    assert by_source[0] == by_source[1]
    assert len(set(texts(answer))) == len(texts(answer)) > 1
    params = [{"knowledgeSourceName": "second", "kind": "searchIndex", "filterAddOn": "year eq 2023"}]
    office.retrieve({**TWO, "knowledgeSourceParams": params}, APRIL_2026, "house")
    assert indexes.searches == 3


def test_the_reranker_reads_the_passages_of_all_queries_at_the_same_time(office: Office) -> None:
    exchange(office.world.services, reranker=MeetingReranker(Barrier(2)))
    assert len(texts(office.retrieve(TWO))) > 1


def test_a_continuation_that_fails_keeps_what_was_found(office: Office) -> None:
    _, indexes = counted(office.world)
    indexes.works_for = 1
    answer = office.retrieve(requested("wheel pump", MAY_2025, maxDocsForReranker=100, rerankerThreshold=0), MAY_2025)
    assert indexes.searches == 2
    assert [each["count"] > 0 for each in searches(answer)] == [True, False]
    assert texts(answer)[0].startswith("The wheel pump")
