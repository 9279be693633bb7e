"""The files in events/ are what real calls look like, and `write_events` makes the same calls with a live key."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.auth_decision import AuthStatus
from groundwire.domain.keys.forms import key_text
from groundwire.entry.cli.sample_events.event_files import write_live_events, write_sample_events
from groundwire.entry.http.authorizer_context import decision_from_event
from tests.support.documentation import mindset_page

FOLDER = Path(__file__).parents[4] / "events"
MCP_EVENTS = [
    *("initialize", "tools_list", "tools_list_in_session", "rag_search", "verify", "discover", "no_key"),
    *("spoofed_headers", "mindset"),
]


def event(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_the_files_are_those_that_the_code_makes(tmp_path: Path) -> None:
    write_sample_events(tmp_path)
    fresh = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    # Beside them: what `sam local invoke` tells the functions, which is for everybody to fill in.
    assert {file.name: file.read_bytes() for file in FOLDER.iterdir() if file.stem != "local"} == fresh, (
        "Write them anew: python -c 'from pathlib import Path; "
        "from groundwire.entry.cli.sample_events.event_files import write_sample_events; "
        'write_samples(Path("events"))\''
    )


@pytest.mark.parametrize("name", MCP_EVENTS)
def test_an_mcp_event_is_a_post_with_a_json_rpc_message(name: str) -> None:
    sample = event(name)
    assert (sample["version"], sample["routeKey"], sample["isBase64Encoded"]) == ("2.0", "ANY /mcp", False)
    assert sample["requestContext"]["http"]["method"] == "POST"
    assert json.loads(sample["body"])["jsonrpc"] == "2.0"
    assert int(sample["headers"]["content-length"]) == len(sample["body"].encode())


def test_a_session_is_ended_by_a_delete_without_a_body() -> None:
    sample = event("delete_session")
    assert (sample["routeKey"], sample["requestContext"]["http"]["method"]) == ("ANY /mcp", "DELETE")
    assert "body" not in sample
    assert sample["headers"]["mcp-session-id"] == event("tools_list_in_session")["headers"]["mcp-session-id"]


@pytest.mark.parametrize("name", sorted({*MCP_EVENTS, "delete_session"} - {"no_key", "mindset"}))
def test_the_context_alone_names_the_caller(name: str) -> None:
    decision = decision_from_event(event(name))
    assert decision.status is AuthStatus.ADMITTED
    assert decision.caller is not None
    tags = frozenset({"department:sales", "Q4-2024"})
    assert decision.caller.principal == Principal("t_0123456789abcdef", "maria", tags)


def test_the_spoofed_event_claims_another_user_than_its_context() -> None:
    assert event("spoofed_headers")["headers"]["x-user-id"] == "chief-executive"


def test_the_event_of_mindset_is_the_request_of_its_page() -> None:
    sample = event("mindset")
    assert json.loads(sample["body"]) == json.loads(mindset_page.EXAMPLE_BODY)
    sent = {name.lower(): value for name, value in mindset_page.EXAMPLE_HEADERS.items() if name != "Authorization"}
    assert sent.items() <= sample["headers"].items()
    assert sample["headers"]["x-human-uid"] == "human_123456789"
    caller = decision_from_event(sample).caller
    assert caller is not None
    assert caller.principal == Principal(
        "t_0123456789abcdef", "user@example.com", frozenset(mindset_page.TAGS["Request Format"])
    )


def test_a_call_without_a_key_is_refused() -> None:
    assert "authorization" not in event("no_key")["headers"]
    decision = decision_from_event(event("no_key"))
    assert (decision.status, decision.caller) == (AuthStatus.UNAUTHENTICATED, None)


def test_the_authorizers_event_carries_a_well_formed_key_and_no_body() -> None:
    sample = event("authorizer")
    assert (sample["type"], sample["identitySource"]) == ("REQUEST", None)
    assert key_text.parse_key(sample["headers"]["authorization"].removeprefix("Bearer ")) is not None
    assert "body" not in sample


def test_an_upload_arrives_as_s3s_notice_inside_a_queue_message() -> None:
    (record,) = event("ingestion")["Records"]
    notice = json.loads(record["body"])
    assert record["eventSource"] == "aws:sqs"
    assert (notice["source"], notice["detail-type"]) == ("aws.s3", "Object Created")
    assert notice["detail"]["object"]["key"].startswith("tenants/t_0123456789abcdef/")


@pytest.fixture
def admit_nobody() -> Callable[[dict[str, object], object], dict[str, object]]:
    context = event("no_key")["requestContext"]["authorizer"]["lambda"]
    return lambda _event, _context: {"isAuthorized": True, "context": context}


def test_events_of_a_live_key_are_readable_by_their_owner_alone(
    tmp_path: Path, admit_nobody: Callable[[dict[str, object], object], dict[str, object]]
) -> None:
    folder = tmp_path / "made"
    write_live_events(folder, "gw_local_old", None, None, None, admit_nobody)
    written = write_live_events(folder, "gw_local_x", "omar", frozenset({"a", "b"}), "doc.1", admit_nobody)
    assert sorted(file.name for file in folder.iterdir()) == sorted(file.name for file in written)
    assert {stat.S_IMODE(file.stat().st_mode) for file in written} == {0o600}
    requested = json.loads((folder / "authorizer.json").read_text())
    assert requested["headers"]["authorization"] == "Bearer gw_local_x"
    assert (requested["headers"]["x-user-id"], requested["headers"]["x-session-tags"]) == ("omar", '["a", "b"]')
    assert '"segment_uid": "doc.1"' in json.loads((folder / "verify.json").read_text())["body"]


def test_a_personal_keys_events_send_no_identity_header(
    tmp_path: Path, admit_nobody: Callable[[dict[str, object], object], dict[str, object]]
) -> None:
    write_live_events(tmp_path, "gw_local_x", None, None, None, admit_nobody)
    for file in tmp_path.iterdir():
        assert not {"x-user-id", "x-session-tags"} & json.loads(file.read_text())["headers"].keys()
