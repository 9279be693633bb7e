"""`groundwire --url URL ingest`: files are uploaded with upload tickets; the service parses and indexes them."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, cast

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from groundwire.domain.access.policy import (
    NO_READERS,
    Policy,
    Readers,
    simplest_readers,
    single_policy,
)
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.access.policy_source import SourcedPolicy
from groundwire.domain.documents import metadata
from groundwire.domain.documents.uploads import UploadPolicySource
from groundwire.domain.errors import Conflict, DocumentRefused, Forbidden, InvalidInput, NotFound
from groundwire.entry.cli.console import ERR, Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.ingest.readers import ReaderChange, changes_line, readers_line
from groundwire.entry.cli.ingest.remote.prepared import PreparedFile, policy_at_service, stable_document_id
from groundwire.entry.cli.ingest.report import first_names, no_files_line, reader_members, warn_of_held_back
from groundwire.entry.cli.long_runs.lock_wait import RepeatedLine
from groundwire.entry.cli.long_runs.progress import StatusLineProgress
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.entry.cli.target.tag_operations import new_tags_member
from groundwire.services.ingest.request import IngestRequest
from groundwire.wiring import remote_targets

_POLL_INTERVAL_S: Final = 2.0
_POLL_TIMEOUT_S: Final = 900.0
"""Time after which polling ends; `documents list` shows the state of the remaining files."""
_PENDING_STATES: Final = frozenset({"awaiting", "queued", "parsing", "waiting"})
HELD_BACK: Final = "held_back"
"""State of a file that a person deleted earlier."""
_FAILURES: Final = frozenset({"refused", "failed"})


@dataclass
class SentFile:
    """The state of one sent file.

    Attributes:
        ticket: the ticket to poll; None once the state is final.
        waiting_for: the reason for a delay in the service, if the service names one.
        before: readers of its document before the run; None where no version could be read.
        after: readers that the service gives it, as far as the client can tell.
        source_path: path of the file.
    """

    file: str
    status: str
    doc_id: str | None = None
    reason: str | None = None
    ticket: str | None = None
    waiting_for: str | None = None
    visible_after_seconds: int = 0
    source_path: str = ""
    before: Readers | None = None
    after: Readers | None = None

    @property
    def is_readable_by_nobody(self) -> bool:
        """True if no readers are named, or the policy names none."""
        return self.after is not None and simplest_readers(self.after) == single_policy(NO_READERS)


class RemoteIngestRun:
    """Ingestion that sends files one after the other, and waits until the service has read them all.

    The service identifies a file by its path below the folder that was named, so that it is updated from whatever
    machine sends it; unchanged files are not sent.
    """

    def __init__(
        self,
        api: RestApi,
        post_file: Callable[[str, dict[str, str], bytes], None] = remote_targets.post_upload_form,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        *,
        allows_new_tags: bool = False,
    ) -> None:
        self._new_tags = new_tags_member(allows_new=allows_new_tags)
        self._api = api
        self._post_file = post_file
        self._sleep = sleep
        self._clock = clock
        self._sent: list[SentFile] = []
        self._file_count = 0

    @property
    def summary(self) -> str:
        """The results of the files until now, in one line."""
        unsent_count = self._file_count - len(self._sent)
        return ", ".join([*_count_by_status(self._sent), f"{unsent_count:,} not yet sent"])

    def json_summary(self) -> dict[str, object]:
        """Return the results until now as JSON members."""
        return {"files": [_row(each) for each in self._sent], "not_yet_sent": self._file_count - len(self._sent)}

    def __call__(self, requests: Sequence[IngestRequest], roots: Sequence[Path]) -> list[SentFile]:
        """Send the files; return one result for each, in order.

        Raises:
            DomainError: an error that concerns the service rather than one file.
        """
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._sent, self._file_count = [], len(requests)
        with StatusLineProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            sending = bars.add_task("sent", total=len(requests))
            reading = bars.add_task("processed by the service", total=len(requests))
            show = bars.show_line if ERR.is_terminal else RepeatedLine()
            for request in requests:
                self._sent.append(self._send(request, roots))
                bars.update(sending, completed=len(self._sent))
            for done in self._poll_until_read(self._sent):
                bars.update(reading, completed=done)
                show(_wait_message(self._sent))
        return self._sent

    def prepare(self, request: IngestRequest, roots: Sequence[Path]) -> PreparedFile:
        """Read the file and what the service knows of it; nothing is sent.

        Raises:
            InvalidInput: a policy file is not valid.
            DocumentRefused: the file cannot be read.
            DomainError: an error that concerns the service.
        """
        request = request.with_present_policy()
        content = request.read()
        doc_id = request.doc_id or stable_document_id(request, roots)
        digest = hashlib.sha256(content).hexdigest()
        stored = self._find_document(doc_id)
        return PreparedFile(request, content, doc_id, digest, stored, policy_at_service(request, stored))

    def _send(self, request: IngestRequest, roots: Sequence[Path]) -> SentFile:
        sent = SentFile(request.file_name, "refused", source_path=request.source_path)
        try:
            file = self.prepare(request, roots)
            sent.before, sent.after = file.before, file.after
            return self._send_prepared(file, sent)
        # These concern one file; other errors concern the service and end the run.
        except (DocumentRefused, Forbidden, NotFound) as error:
            sent.reason = str(error)
        except InvalidInput as error:
            # Without a plan, it is the policy file; the service's own refusal of a file ends the run.
            if sent.after is not None:
                raise
            sent.reason = str(error)
        return sent

    def _send_prepared(self, file: PreparedFile, sent: SentFile) -> SentFile:
        request, policy = file.request, file.policy
        sent.doc_id = file.doc_id
        source = _upload_policy_source(request)
        if file.is_unchanged:
            if file.has_same_policy:
                sent.status = "unchanged"
                return sent
            if source is UploadPolicySource.OPTION:
                # A run declares a policy; a service of an earlier release knows no ceiling beside it.
                lasting = {"until_next_run": True} if "ceiling" in (file.stored or {}) else {}
                body = policy_to_mapping(policy.policy) | self._new_tags | lasting
                # Where files and options name the readers, the option goes with the file.
                with suppress(Conflict):
                    self._api.put(f"/v1/documents/{file.doc_id}/policy", body)
                    sent.status = "repolicied"
                    return sent
        declared = NO_READERS if source is UploadPolicySource.NONE else policy.policy
        upload_request = _upload_request(request, declared, source, file.doc_id, file.digest, len(file.content))
        ticket = self._api.post("/v1/uploads", upload_request | self._new_tags)
        self._post_file(str(ticket["url"]), cast("dict[str, str]", ticket["fields"]), file.content)
        sent.ticket, sent.doc_id, sent.status = str(ticket["ticket"]), str(ticket["doc_id"]), "queued"
        return sent

    def _find_document(self, doc_id: str) -> Row | None:
        try:
            return self._api.get(f"/v1/documents/{doc_id}")
        except NotFound:
            return None

    def _poll_until_read(self, sent: Sequence[SentFile]) -> Iterator[int]:
        """Yield the number of finished files repeatedly, until all are finished or the timeout has passed."""
        deadline = self._clock() + _POLL_TIMEOUT_S
        while True:
            waiting = [each for each in sent if each.ticket is not None]
            for each in waiting:
                self._refresh(each)
            pending_count = sum(each.ticket is not None for each in sent)
            yield len(sent) - pending_count
            if not pending_count or self._clock() > deadline:
                return
            self._sleep(_POLL_INTERVAL_S)

    def _refresh(self, sent: SentFile) -> None:
        status = self._api.get(f"/v1/uploads/{sent.ticket}")
        sent.status, sent.reason = str(status["state"]), cast("str | None", status.get("reason"))
        sent.waiting_for = cast("str | None", status.get("waiting_for"))
        sent.visible_after_seconds = int(str(status.get("visible_after_seconds", 0)))
        if sent.status not in _PENDING_STATES:
            sent.ticket = None


def print_report(sent: Sequence[SentFile], copies: int, *, as_json: bool) -> int:
    """Print the results of the files; return the command's exit code.

    Args:
        sent: results of the files.
        copies: number of files that were left out, as the collection has their content from another source.
        as_json: print JSON.
    """
    unread = [each for each in sent if each.status in _FAILURES]
    if as_json:
        print_json([_row(each) for each in sent])
        return 1 if unread else 0
    print_line(", ".join(_count_by_status(sent)) or no_files_line(copies))
    for line in _reader_lines(sent):
        print_line(line)
    if (seconds := max((each.visible_after_seconds for each in sent), default=0)) > 0:
        print_line(f"Searches find new documents within {seconds} s.")
    if unreadable := [each.file for each in sent if each.is_readable_by_nobody and each.status not in _FAILURES]:
        warn(
            f"Nobody may read these documents yet ({first_names(unreadable)}). Name the readers with "
            "options or a .policy.yaml file."
        )
    warn_of_held_back([each.file for each in sent if each.status == HELD_BACK])
    if any(each.ticket is not None for each in sent):
        warn("The service is still processing some files. `groundwire documents list` shows their state.")
    for status in sorted({each.status for each in unread}):
        rows = [{status: each.file, "reason": each.reason} for each in unread if each.status == status]
        print_rows(rows, [status, "reason"], as_json=False, empty_message="")
    return 1 if unread else 0


def _reader_lines(sent: Sequence[SentFile]) -> list[str]:
    """Return who can read the documents of the sent files, and the difference to before."""
    changes = [ReaderChange(each.file, each.before, each.after) for each in sent if each.status not in _FAILURES]
    known = [each.after for each in changes if each.after is not None]
    return [readers_line(known), changes_line(changes)] if known else []


def _count_by_status(sent: Sequence[SentFile]) -> list[str]:
    return [f"{number} {status}" for status, number in Counter(each.status for each in sent).items()]


def _wait_message(sent: Sequence[SentFile]) -> str:
    """Return what files in the service wait for; empty when no reason is known."""
    delayed = [each for each in sent if each.waiting_for is not None]
    if not delayed:
        return ""
    return f"Waiting in the service for {delayed[0].waiting_for}: {first_names([each.file for each in delayed])}"


def _upload_policy_source(request: IngestRequest) -> UploadPolicySource:
    """Return which policy the service applies: it may have changed the document's own after the client read it."""
    if isinstance(request.policy, SourcedPolicy) or request.policy.option is not None:
        return UploadPolicySource.OPTION
    return UploadPolicySource.NONE if request.policy.file is None else UploadPolicySource.FILE


def _upload_request(
    request: IngestRequest, policy: Policy, source: UploadPolicySource, doc_id: str, digest: str, size: int
) -> dict[str, object]:
    return {
        "collection": request.collection,
        "file_name": request.file_name,
        "size": size,
        "sha256": digest,
        "doc_id": doc_id,
        "policy": policy_to_mapping(policy),
        "metadata": {name: _json_value(value) for name, value in request.metadata.items()},
        "source_url": request.source_url,
        # Services of earlier releases do not know the member.
        **({} if source is UploadPolicySource.OPTION else {"policy_source": source.value}),
        **({"restore": True} if request.restores else {}),
    }


def _json_value(value: metadata.Value) -> object:
    """Return the value as JSON; the service parses a date from its text."""
    return value.isoformat() if isinstance(value, date) else value


def _row(sent: SentFile) -> Row:
    members = {"file": sent.file, "status": sent.status, "doc_id": sent.doc_id, "reason": sent.reason}
    before, after = sent.before, None if sent.status in _FAILURES else sent.after
    return {**members, **reader_members(before, after)}
