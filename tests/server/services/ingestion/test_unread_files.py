"""A rebuild of a tenant: what no parser has read is queued again, and nothing else changes."""

from collections.abc import Sequence

import pytest

from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import ParserBroken
from groundwire.services.object_events import unread_files
from groundwire.services.object_events.unread_files import RebuildPage
from tests.server.services.ingestion.test_parser_failures import UPLOAD_PATH, UPLOADED, Unsteady, upload
from tests.support.aws.ingestion_stack import TENANT, Deployment
from tests.support.worlds.exchange import exchange


@pytest.fixture
def parser(stack: Deployment) -> Unsteady:
    unsteady = Unsteady()
    exchange(stack.services, parser=unsteady)
    return unsteady


def states(stack: Deployment) -> dict[str, DocumentState]:
    return {each.source_file_name: each.state for each in stack.documents()}


def fail(stack: Deployment, parser: Unsteady, names: Sequence[str]) -> None:
    """Deliver files while the parser cannot start."""
    parser.error = ParserBroken("The parser does not start.")
    stack.deliver(*(stack.bucket.put(f"handbook/{name}", name) for name in names))
    parser.error = None


def test_the_files_that_failed_are_read_again_an_upload_among_them(stack: Deployment, parser: Unsteady) -> None:
    stack.deliver(stack.bucket.put("handbook/read.txt", "read"))
    upload(stack)
    fail(stack, parser, ["a.txt", "b.txt"])
    parser.error = ParserBroken("The parser does not start.")
    stack.deliver(stack.bucket.put(UPLOAD_PATH, UPLOADED))
    parser.error, parser.parsed = None, 0
    assert stack.services.installation.rebuild(TENANT, "", every_file=False) == RebuildPage(3, 0, None)
    assert stack.drain() == 3
    names = ("a.txt", "b.txt", "leave.txt", "read.txt")
    assert states(stack) == dict.fromkeys(names, DocumentState.INDEXED)
    assert parser.parsed == 3
    assert stack.services.installation.rebuild(TENANT, "", every_file=False) == RebuildPage(0, 0, None)


def test_a_file_that_was_deleted_meanwhile_leaves_nothing(stack: Deployment, parser: Unsteady) -> None:
    fail(stack, parser, ["a.txt"])
    stack.bucket.delete("handbook/a.txt")
    assert stack.services.installation.rebuild(TENANT, "", every_file=False).queued == 1
    stack.drain()
    assert states(stack) == {}


def test_a_long_rebuild_goes_on_page_by_page_until_every_file_was_queued_once(
    stack: Deployment, parser: Unsteady, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number}.txt" for number in range(5)]
    fail(stack, parser, names)
    monkeypatch.setattr(unread_files, "PAGE_SIZE", 2)
    for every_file in (False, True):
        after, sizes = "", list[int]()
        while (page := stack.services.installation.rebuild(TENANT, after, every_file=every_file)).after is not None:
            sizes.append(page.queued)
            after = page.after
        assert sum([*sizes, page.queued]) == 5
        assert sorted(message["path"] for message in stack.sent()) == [f"handbook/{name}" for name in names]


def test_every_file_of_the_bucket_is_queued_but_no_sidecar_and_nothing_of_the_service(
    stack: Deployment, parser: Unsteady
) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    stack.sent()
    assert stack.services.installation.rebuild(TENANT, "", every_file=True) == RebuildPage(1, 0, None)
    assert [each["path"] for each in stack.sent()] == ["handbook/a.txt"]
