"""Definitions of agents, knowledge bases and knowledge sources: reading, writing and their conditions."""

from tests.azure.office import APRIL_2026, Office


def test_smoke(office: Office) -> None:
    for path in (
        "/knowledgebases('handbook')",
        "/knowledgebases/handbook",
        "/knowledgesources('handbook')",
        "/knowledgebases",
        "/knowledgesources",
        "/knowledgesources/handbook/status",
        "/knowledgesources('handbook')/status",
    ):
        answer = office.send("GET", f"{path}?api-version={APRIL_2026}")
        print(path, answer.status, answer.payload, answer.response.headers)
    for path in ("/favicon.ico", "/robots.txt", "/x/status", "/agentsx"):
        answer = office.send("GET", path, headers={})
        print(path, answer.status, answer.payload)
    raise AssertionError
