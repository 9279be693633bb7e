"""The operator's order to queue files again that the parser did not read."""

from dataclasses import replace

from groundwire.domain.documents.record import DocumentState, Ingestion, Refusal, RefusalCause
from groundwire.services.ingest.source_objects.source_paths import source_path
from tests.support.aws import buckets
from tests.support.aws.operator_stack import Stack
from tests.support.registry.records import DOCUMENT


def add(stack: Stack, tenant: str, doc_id: str, path: str | None, cause: RefusalCause, state: DocumentState) -> None:
    ingestion = Ingestion(state, Refusal(cause, "the parser does not start"))
    stack.services.stores.documents.write(
        tenant, replace(DOCUMENT, doc_id=doc_id, version=0, source_path=path, ingestion=ingestion), None
    )


def test_an_order_queues_the_files_that_the_parser_did_not_read_and_is_on_record(stack: Stack, tenant: str) -> None:
    in_bucket = source_path(tenant, "handbook/a.txt")
    add(stack, tenant, "a", in_bucket, RefusalCause.PARSER_BROKEN, DocumentState.FAILED)
    add(stack, tenant, "b", source_path(tenant, "handbook/b.txt"), RefusalCause.PARSER_BUSY, DocumentState.WAITING)
    add(stack, tenant, "c", source_path(tenant, "handbook/c.txt"), RefusalCause.CONTENT, DocumentState.REFUSED)
    add(stack, tenant, "d", None, RefusalCause.PARSER_BROKEN, DocumentState.FAILED)
    answer = stack.done("tenant.rebuild", tenant="acme")
    assert answer == {"ok": True, "tenant": tenant, "queued": 2, "without_file": 1, "after": None}
    work = stack.work()
    assert [(each["task"], each["tenant"], each["sequencer"]) for each in work] == [("file", tenant, None)] * 2
    assert sorted(each["path"] for each in work) == ["handbook/a.txt", "handbook/b.txt"]
    line = stack.audit_lines()[-1]
    assert (line["action"], line["tenant"], line["counts"]) == ("tenant.rebuild", tenant, {"queued": 2})


def test_an_order_for_all_files_queues_those_of_the_bucket(stack: Stack, tenant: str) -> None:
    for path in ("handbook/a.txt", "handbook/.policy.yaml", ".blobs/a/1"):
        buckets.client().put_object(Bucket=buckets.NAME, Key=source_path(tenant, path), Body=b"x")
    assert stack.done("tenant.rebuild", tenant=tenant, all=True)["queued"] == 1
    assert [each["path"] for each in stack.work()] == ["handbook/a.txt"]


def test_an_order_for_no_tenant_is_refused(stack: Stack) -> None:
    assert stack.refused("tenant.rebuild", tenant="globex")["code"] == "not_found"
