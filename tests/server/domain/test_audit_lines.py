"""Lines of the audit log as values, and the audit of a run of the ingestion."""

from collections.abc import Mapping
from threading import Event
from typing import Final, cast

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy, single_policy
from groundwire.domain.access.policy_json import digest
from groundwire.domain.audit import ingestion
from groundwire.domain.audit.ingestion import (
    FinishedDocument,
    IngestionAudit,
    IngestionOrigin,
    IngestionScope,
    RunAudit,
)
from groundwire.domain.audit.lines import (
    CallLine,
    CallResult,
    LineTime,
    McpTarget,
    OperatorLine,
    RecordedLine,
    RouteTarget,
    stored_form,
)
from groundwire.domain.audit.unfinished import unfinished_runs
from groundwire.domain.errors import Conflict, Unavailable
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus

SCOPE: Final = IngestionScope("t_1", "shelf", IngestionOrigin.COMMAND, "ana")
OF_ANA: Final = Policy(public=False, users=frozenset({"ana"}), any_tags=frozenset(), all_tags=frozenset())


class Log:
    """The lines that were written, in their stored form; refuses them while `is_full`."""

    def __init__(self) -> None:
        self.lines: list[dict[str, object]] = []
        self.is_full = False
        self.written = Event()

    def write(self, line: RecordedLine) -> None:
        if self.is_full:
            raise Unavailable("full", 1)
        self.lines.append(stored_form(line, LineTime(7.0)))
        self.written.set()

    def phases(self) -> list[object]:
        return [line["phase"] for line in self.lines]

    def documents(self) -> list[list[str]]:
        return [cast("list[str]", line["documents"]) for line in self.lines if line["phase"] == "batch"]


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def audit(log: Log) -> IngestionAudit:
    return IngestionAudit(log.write, lambda: "r_1", lambda _run: lambda: None)


def document(number: int, status: str = "indexed", before: Policy | None = None) -> FinishedDocument:
    return FinishedDocument(f"d{number}", f"d{number}@1", status, 1, single_policy(OF_ANA), before)


def finish(run: RunAudit, *documents: FinishedDocument) -> None:
    for each in documents:
        run.finished(each.status, each)


def fail(run: RunAudit, error: BaseException) -> None:
    with run:
        finish(run, document(1), document(2, "refused"))
        raise error


def test_equal_policies_have_equal_digests_and_others_do_not() -> None:
    same = Policy(public=False, users=frozenset(["ana"]), any_tags=frozenset(), all_tags=frozenset())
    assert digest(single_policy(OF_ANA)) == digest(single_policy(same))
    assert digest(single_policy(OF_ANA)) != digest(single_policy(NO_READERS))
    assert len(digest(single_policy(NO_READERS))) == 16


def test_a_denied_call_has_no_member_without_a_value() -> None:
    denied = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.UNKNOWN_KEY)
    line = CallLine(decision=denied, target=RouteTarget("GET /v1"), result=CallResult("not_admitted", 401, 9, None))
    assert stored_form(line, LineTime(7.0, "req", 1.5)) == {
        "decision": "unauthenticated",
        "reason": "unknown_key",
        "route": "GET /v1",
        "outcome": "not_admitted",
        "status": 401,
        "bytes": 9,
        "time": 7.0,
        "request_id": "req",
        "duration_ms": 1.5,
    }


def test_a_call_names_its_tool_its_session_and_both_traces() -> None:
    result = CallResult("ok", 200, 5, "caller", "service")
    line = CallLine(target=McpTarget("tools/call", None, "begun"), result=result, facts={"documents": ["d@1"]})
    assert stored_form(line, LineTime(7.0)) == {
        "method": "tools/call",
        "tool": None,
        "session": "begun",
        "outcome": "ok",
        "status": 200,
        "bytes": 5,
        "trace": "caller",
        "xray": "service",
        "documents": ["d@1"],
        "time": 7.0,
    }


@pytest.mark.parametrize(("os_user", "named"), [("ana", {"os_user": "ana"}), (None, {})])
def test_an_operators_action_names_the_user_of_the_system_where_there_is_one(
    os_user: str | None, named: Mapping[str, str]
) -> None:
    line = OperatorLine("key.create", os_user, {"tenant": "t_1"})
    expected = {"action": "key.create", "decision": "operator", **named, "tenant": "t_1", "time": 7.0}
    assert stored_form(line, LineTime(7.0)) == expected


def test_a_run_writes_full_batches_and_the_rest_at_its_end(audit: IngestionAudit, log: Log) -> None:
    with audit.begin(SCOPE, 23) as run:
        finish(run, *map(document, range(23)))
    assert log.phases() == ["begin", "batch", "batch", "batch", "end"]
    assert list(map(len, log.documents())) == [10, 10, 3]
    assert log.lines[-1]["counts"] == {"indexed": 23}


def test_a_document_with_other_readers_and_one_about_to_be_changed_do_not_wait(audit: IngestionAudit, log: Log) -> None:
    with audit.begin(SCOPE, 3) as run:
        finish(run, document(1))
        assert log.documents() == []
        finish(run, document(2, before=NO_READERS))
        assert log.documents() == [["d1@1", "d2@1"]]
        run.changing("deleted", document(3))
        assert log.documents()[1:] == [["d3@1"]]
    assert log.lines[-1]["counts"] == {"indexed": 2, "deleted": 1}


def test_documents_do_not_wait_for_a_file_that_takes_long(
    audit: IngestionAudit, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingestion, "BATCH_SECONDS", 0.01)
    run = audit.begin(SCOPE, 2)
    log.written.clear()
    finish(run, document(1))
    assert log.written.wait(30)
    assert log.documents() == [["d1@1"]]
    run.end("done")
    assert log.documents() == [["d1@1"]]


def test_a_line_that_cannot_be_written_ends_the_run_and_names_its_documents_later(
    audit: IngestionAudit, log: Log
) -> None:
    run = audit.begin(SCOPE, 20)
    finish(run, *map(document, range(9)))
    log.is_full = True
    with pytest.raises(Unavailable):
        finish(run, document(9))
    log.is_full = False
    run.end("failed")
    assert log.documents() == [[f"d{number}@1" for number in range(10)]]


@pytest.mark.parametrize(
    ("error", "members"),
    [
        (KeyboardInterrupt(), {"outcome": "interrupted", "interrupted": True}),
        (Conflict("changed"), {"outcome": "failed", "problem": "Conflict: changed"}),
        (RuntimeError("/srv/home"), {"outcome": "failed"}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_run_has_an_end_whatever_ended_it(
    audit: IngestionAudit, log: Log, error: BaseException, members: Mapping[str, object]
) -> None:
    with pytest.raises(type(error)):
        fail(audit.begin(SCOPE, 3), error)
    end = log.lines[-1]
    common = {"action", "decision", "os_user", "phase", "run", "tenant", "collection", "origin", "counts", "time"}
    assert {name: value for name, value in end.items() if name not in common} == members
    assert end["counts"] == {"indexed": 1, "refused": 1}


def test_a_file_that_is_a_run_of_its_own_has_one_line_and_none_without_a_document(
    audit: IngestionAudit, log: Log
) -> None:
    scope = IngestionScope("t_1", "shelf", IngestionOrigin.UPLOAD, None)
    audit.file_finished(scope, [])
    audit.file_finished(scope, [document(1, before=NO_READERS)])
    [line] = log.lines
    assert line["documents"] == ["d1@1"]
    assert not {"run", "os_user", "decision"} & line.keys()
    nobody = {"public": False, "users": [], "any_tags": [], "all_tags": []}
    assert line["changes"] == [
        {
            "document": "d1",
            "status": "indexed",
            "version": 1,
            "policy_digest": digest(single_policy(OF_ANA)),
            "policy_before": nobody,
            "policy_after": {**nobody, "users": ["ana"]},
        }
    ]


def test_only_runs_without_an_end_line_are_unfinished_and_older_lines_are_no_runs(
    audit: IngestionAudit, log: Log
) -> None:
    with audit.begin(SCOPE, 1) as run:
        finish(run, document(1))
    ended = list(log.lines)
    begin, batch, _ = ({**line, "run": "r_2"} for line in ended)
    older = {"action": "ingest", "decision": "operator", "tenant": "t_1", "counts": {"indexed": 2}, "time": 1.0}
    [found] = unfinished_runs([older, *ended, begin, batch, batch, {"action": "search", "run": "r_3"}])
    assert (found.run, found.documents, found.files, found.os_user) == ("r_2", 2, 1, "ana")
