from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import single_policy
from tests.support.documents.index_documents import TENANT, for_tags, found, put, readable, someone, texts

WRITERS, SEARCHERS, ROUND_TRIPS = 3, 3, 12


def test_threads_that_write_and_search_at_once_see_whole_documents_and_their_own_writes(
    indexes: EmbeddedIndexes,
) -> None:
    begin = Barrier(WRITERS + SEARCHERS)

    def write(writer: int) -> None:
        begin.wait()
        for number in range(ROUND_TRIPS):
            doc_id = f"w{writer}n{number}"
            put(indexes.for_tenant(TENANT), doc_id, [f"{doc_id} {n}" for n in range(4)], for_tags("a"))
            assert doc_id in readable(indexes.for_tenant(TENANT), someone("a"))
            if number % 2:
                indexes.for_tenant(TENANT).prune(doc_id, None)
                assert doc_id not in readable(indexes.for_tenant(TENANT), someone("a"))
            else:
                indexes.for_tenant(TENANT).set_readers(doc_id, single_policy(for_tags("b")))
                assert doc_id not in readable(indexes.for_tenant(TENANT), someone("a"))

    def search(_: int) -> None:
        begin.wait()
        for _ in range(ROUND_TRIPS * 3):
            index = indexes.for_tenant(TENANT)
            assert len(found(index, principal=someone("b")).keys) % 4 == 0
            texts(found(index, principal=someone("a")))

    with ThreadPoolExecutor(WRITERS + SEARCHERS) as pool:
        work = [pool.submit(write, n) for n in range(WRITERS)] + [pool.submit(search, n) for n in range(SEARCHERS)]
        for one in work:
            one.result()
    left = {f"w{writer}n{number}" for writer in range(WRITERS) for number in range(0, ROUND_TRIPS, 2)}
    assert readable(indexes.for_tenant(TENANT), someone("b")) == left
    assert indexes.for_tenant(TENANT).count_rows() == 4 * len(left)
