"""Each request has the kind of its work, and kinds that do more cost more before they ran for the first time."""

import pytest

from groundwire.domain.keys.fairness.work import CostMemory, Work, work_of

KINDS = {
    "POST /mcp": Work.PHRASES,
    "POST /edgeai/mcp": Work.PHRASES,
    "POST /v1/search": Work.PHRASES,
    "POST /knowledgebases/kb/retrieve": Work.PHRASES,
    "POST /v1/projects/p/locations/global/collections/c": Work.PHRASES,
    "POST /v1/evaluations": Work.EVALUATION,
    "POST /v1/search/dialects": Work.EVALUATION,
    "GET /v1/evaluations": Work.CALL,
    "GET /v1/audit": Work.EXPORT,
    "GET /v1/usage": Work.EXPORT,
    "GET /o/Ab3": Work.LINK,
    "HEAD /open/token": Work.LINK,
    "POST /v1/keys": Work.CALL,
    "GET /health": Work.CALL,
    "DELETE /v1/keys/k1": Work.CONTROL,
    "DELETE /v1/%64ocuments/d-1": Work.CONTROL,
    "PUT /v1/documents/d-1/policy": Work.CONTROL,
    "PUT /v1/documents/d-1/metadata": Work.CALL,
    "POST /v1/documents/d-1/close": Work.CONTROL,
    "POST /v1/documents/d-1/lift": Work.CALL,
    "POST /v1/users/offboard": Work.CONTROL,
}


@pytest.mark.parametrize("request_line", KINDS)
def test_a_request_has_the_kind_of_its_work(request_line: str) -> None:
    method, path = request_line.split(" ")
    assert work_of(method, path) is KINDS[request_line]


def test_an_evaluation_costs_more_than_an_export_than_a_link_than_a_call_and_long_phrases_more_than_short_ones() -> (
    None
):
    memory = CostMemory()
    costs = [memory.estimate(kind, ()) for kind in (Work.EVALUATION, Work.EXPORT, Work.LINK, Work.PHRASES)]
    assert costs == sorted(set(costs), reverse=True)
    assert memory.estimate(Work.PHRASES, (), 200) == memory.estimate(Work.CALL, (), 200)
    assert memory.estimate(Work.PHRASES, (), 20_000) > memory.estimate(Work.CALL, (), 20_000)
    assert memory.estimate(Work.EVALUATION, (), 20_000) > memory.estimate(Work.EVALUATION, (), 200)
