"""Pictures of the sample documents: found by a description, each by those alone who may read its document."""

from typing import Any

import pytest

from tests.support.clients.agent import Agent, tool_call

EVERYBODY: list[str] = []
SUPPORT, SALES = ["department:support"], ["department:sales"]
WIRING = ("wiring diagram of a sensor and its logger", "station-technical-manual.docx")
CLAIM = ("flow from the receipt to the reimbursement of an expense claim", "travel-and-expenses.docx")
DELIVERY = ("chart of delivery weeks by product", "sales-playbook.pptx")


def images(agent: Agent, tags: list[str], query: str, **arguments: Any) -> list[dict[str, Any]]:
    """Results of `search_image` for somebody with these tags."""
    caller = agent.speaking_for("visitor@weirhaven.example", tags)
    message = tool_call("search_image", query=query, **arguments)
    answer = caller.http.post("/edgeai/mcp", json=message, headers=dict(caller.headers)).json()
    [entry] = answer["result"]["structuredContent"].values()
    return entry["results"]


@pytest.mark.parametrize(
    ("tags", "query", "file"),
    [(EVERYBODY, *CLAIM), (SUPPORT, *WIRING), (SUPPORT, *CLAIM), (SALES, *DELIVERY)],
)
def test_a_description_finds_the_picture(demo_agent: Agent, tags: list[str], query: str, file: str) -> None:
    best, *_ = images(demo_agent, tags, query, top_n=3, strictness=2)
    assert best["file_path"].endswith(file)


@pytest.mark.parametrize(("tags", "query", "file"), [(EVERYBODY, *WIRING), (SALES, *WIRING), (SUPPORT, *DELIVERY)])
def test_nobody_else_finds_it(demo_agent: Agent, tags: list[str], query: str, file: str) -> None:
    assert all(not each["file_path"].endswith(file) for each in images(demo_agent, tags, query, strictness=0))


def test_a_picture_of_something_else_is_not_found(demo_agent: Agent) -> None:
    assert images(demo_agent, SUPPORT, "portrait of a cat in the sun", strictness=2) == []
