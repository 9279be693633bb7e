"""What a caller can meet is explained: scopes, decisions, outcomes, versions."""

import re

from groundwire.domain.documents import DocumentState
from groundwire.domain.scopes import TOOL_SCOPES, Scope
from groundwire.domain.toolsets import TOOLSETS
from groundwire.domain.verdict import EdgeDecision, EdgeReason, Verdict
from groundwire.entry.refusals import refusal
from groundwire.protocol.outcomes import REFUSALS, Outcome
from groundwire.protocol.versions import SUPPORTED_VERSIONS
from groundwire.services.ingest.request import IngestStatus
from tests.docs.pages import row_of, rows, section, text_of


def test_every_scope_and_toolset_is_explained() -> None:
    page = text_of("access")
    for scope in Scope:
        assert any(f"`{scope}`" in row[0] for row in rows(page))
    for tool, scope in TOOL_SCOPES.items():
        assert f"`{tool}`" in row_of(page, scope)[1]
    for toolset, tools in TOOLSETS.items():
        assert f"`{toolset}`" in page
        assert all(f"`{tool}`" in page for tool in tools)


def test_every_decision_of_the_edge_is_explained_with_its_status() -> None:
    page = text_of("access")
    for decision in EdgeDecision:
        _, status, meaning = row_of(page, decision)
        assert meaning
        if decision is not EdgeDecision.ADMITTED:
            assert status == str(refusal(Verdict(decision, EdgeReason.INTERNAL_FAULT)).status)


def test_every_outcome_of_the_protocol_is_explained_with_code_and_status() -> None:
    page = text_of("protocol")
    assert {row[0].strip("`") for row in rows(page) if row[0].startswith("`")} == set(Outcome)
    for outcome, numbers in REFUSALS.items():
        _, code, status, meaning = row_of(page, outcome)
        assert (code, status) == tuple(map(str, numbers))
        assert meaning


def test_every_version_that_is_served_is_named() -> None:
    assert set(re.findall(r"20\d\d-\d\d-\d\d", text_of("protocol"))) == set(SUPPORTED_VERSIONS)


def test_every_outcome_of_an_ingestion_is_explained() -> None:
    outcomes = section(text_of("ingest"), "What became of each file")
    for status in IngestStatus:
        assert row_of(outcomes, status)[1]


def test_every_state_that_a_document_is_shown_in_is_explained() -> None:
    states = section(text_of("ingest"), "A document's record")
    for state in set(DocumentState) - {DocumentState.DELETED}:
        assert row_of(states, state)[1]
