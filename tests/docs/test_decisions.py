"""The documentation explains each scope, decision, outcome and version that a caller can receive."""

import re
from typing import get_args

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import toolsets
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.rest.routes.documents.uploads import UploadStatus
from groundwire.entry.rest.schema import ErrorCode
from groundwire.services.ingest.request import IngestStatus
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, ResultCode
from groundwire_mcp.versions import SUPPORTED_VERSIONS
from tests.support.documentation.pages import row_of, rows, section, text_of


def documented_operations(page: str, scope: Scope) -> set[str]:
    """The operations in the row of the scope, and in the table of those with the scope `search`."""
    by_dialect = page.partition("operations with the scope `search`")[2].partition("\n\n")[0]
    listed = row_of(page, scope)[1] + (by_dialect if scope is Scope.SEARCH else "")
    return set(re.findall(r"`([\w/]+)`", listed))


def test_every_scope_and_toolset_is_explained() -> None:
    page = text_of("access")
    for scope in Scope:
        assert any(f"`{scope}`" in row[0] for row in rows(page))
    for dialect in DIALECTS:
        for operation, scope in dialect.scope_rows.items():
            assert operation in documented_operations(page, scope)
    for toolset, tools in toolsets(DIALECTS).items():
        assert f"`{toolset}`" in page
        assert all(f"`{tool}`" in page for tool in tools)


def test_every_decision_of_the_edge_is_explained_with_its_status() -> None:
    page = text_of("access")
    for decision in AuthStatus:
        _, status, meaning = row_of(page, decision)
        assert meaning
        if decision is not AuthStatus.ADMITTED:
            assert status == str(auth_error_response(AuthDecision(decision, AuthReason.INTERNAL_FAULT)).status)


def test_every_outcome_of_the_protocol_is_explained_with_code_and_status() -> None:
    page = text_of("protocol")
    assert {row[0].strip("`") for row in rows(page) if row[0].startswith("`")} == set(ResultCode)
    for outcome, numbers in ERROR_CODES.items():
        _, code, status, meaning = row_of(page, outcome)
        assert (code, status) == tuple(map(str, numbers))
        assert meaning


def test_every_version_that_is_served_is_named() -> None:
    assert set(re.findall(r"20\d\d-\d\d-\d\d", text_of("protocol"))) == set(SUPPORTED_VERSIONS)


def test_every_outcome_of_an_ingestion_is_explained() -> None:
    outcomes = section(text_of("results"), "File results")
    explained = {row[0].strip("`"): row[1] for row in rows(outcomes) if row[0].startswith("`")}
    assert explained.keys() == {*IngestStatus, "deleted"}
    assert all(explained.values())


def test_every_state_that_a_document_is_shown_in_is_explained() -> None:
    states = section(text_of("documents"), "States")
    for state in set(DocumentState) - {DocumentState.DELETED}:
        assert row_of(states, state)[1]


def test_every_error_of_the_rest_api_and_every_state_of_an_upload_is_explained() -> None:
    errors = section(text_of("reference/errors"), "REST and the command line")
    assert {row[0].strip("`") for row in rows(errors) if row[0].startswith("`")} == set(get_args(ErrorCode))
    states = section(text_of("rest"), "Upload a file")
    assert [row[0].strip("`") for row in rows(states) if len(row) == 2 and row[0] != "state"] == list(
        get_args(UploadStatus)
    )
