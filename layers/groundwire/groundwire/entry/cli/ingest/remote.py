"""`groundwire --url URL ingest`: files go where upload tickets say; the service reads and indexes them."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, cast

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents import metadata
from groundwire.domain.errors import DocumentRefused, Forbidden, NotFound
from groundwire.entry.cli.console import ERR, Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.ingest.report import first_names
from groundwire.entry.cli.long_runs.lock_wait import RepeatedLine
from groundwire.entry.cli.long_runs.progress import StatusLineProgress
from groundwire.entry.cli.target.rest import RestApi
from groundwire.entry.serialization.entities import policy_to_json
from groundwire.services.ingest.request import IngestRequest
from groundwire.wiring import remote_targets

_POLL_INTERVAL_S: Final = 2.0
_POLL_TIMEOUT_S: Final = 900.0
"""Then it is for `documents list` to tell what became of the rest."""
_PENDING_STATES: Final = frozenset({"awaiting", "queued", "parsing"})


@dataclass
class SentFile:
    """What became of one file until now.

    Attributes:
        is_readable_by_nobody: whether it was said that nobody may read it, or not said who may.
        ticket: to be asked about; None once the state is final.
        waiting_for: what holds it up in the service, as far as the service says.
    """

    file: str
    status: str
    is_readable_by_nobody: bool = False
    doc_id: str | None = None
    reason: str | None = None
    ticket: str | None = None
    waiting_for: str | None = None
    visible_after_seconds: int = 0


class RemoteIngestRun:
    """Sends files one after the other, and waits until the service has read them all.

    A file is known to the service by its path beneath the folder that was named, so that it is brought up to date
    from wherever it is sent, and unchanged ones are not sent at all.
    """

    def __init__(
        self,
        api: RestApi,
        post_file: Callable[[str, dict[str, str], bytes], None] = remote_targets.post_upload_form,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self._post_file = post_file
        self._sleep = sleep
        self._clock = clock
        self._sent: list[SentFile] = []
        self._file_count = 0

    @property
    def summary(self) -> str:
        """Return the results of the files until now, in one line."""
        left = self._file_count - len(self._sent)
        return ", ".join([*_count_by_status(self._sent), f"{left:,} not yet sent"])

    def json_summary(self) -> dict[str, object]:
        """The same as data."""
        return {"files": [_row(each) for each in self._sent], "not_yet_sent": self._file_count - len(self._sent)}

    def __call__(self, requests: Sequence[IngestRequest], roots: Sequence[Path]) -> list[SentFile]:
        """One row for each file, in order; Raises what concerns the service as a whole."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._sent, self._file_count = [], len(requests)
        with StatusLineProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            sending = bars.add_task("sent", total=len(requests))
            reading = bars.add_task("read by the service", total=len(requests))
            show = bars.show_line if ERR.is_terminal else RepeatedLine()
            for request in requests:
                self._sent.append(self._send(request, roots))
                bars.update(sending, completed=len(self._sent))
            for done in self._poll_until_read(self._sent):
                bars.update(reading, completed=done)
                show(_wait_message(self._sent))
        return self._sent

    def _send(self, request: IngestRequest, roots: Sequence[Path]) -> SentFile:
        sent = SentFile(request.file_name, "refused", is_readable_by_nobody=request.policy == NO_READERS)
        try:
            content = request.read()
            doc_id = request.doc_id or stable_document_id(request, roots)
            digest = hashlib.sha256(content).hexdigest()
            if (known := self._find_document(doc_id)) is not None and _is_unchanged(known, request, digest):
                return self._update_policy(known, request)
            order = _upload_request(request, doc_id, digest, len(content))
            ticket = self._api.post("/v1/uploads", order)
            self._post_file(str(ticket["url"]), cast("dict[str, str]", ticket["fields"]), content)
            sent.ticket, sent.doc_id, sent.status = str(ticket["ticket"]), str(ticket["doc_id"]), "queued"
        except (DocumentRefused, Forbidden, NotFound) as problem:
            sent.reason = str(problem)
        return sent

    def _find_document(self, doc_id: str) -> Row | None:
        try:
            return self._api.get(f"/v1/documents/{doc_id}")
        except NotFound:
            return None

    def _update_policy(self, known: Row, request: IngestRequest) -> SentFile:
        """The content is there already: who may read it is brought up to date."""
        doc_id, wanted = str(known["doc_id"]), policy_to_json(request.policy)
        if known["policy"] == wanted:
            return SentFile(request.file_name, "unchanged", doc_id=doc_id)
        self._api.put(f"/v1/documents/{doc_id}/policy", wanted)
        return SentFile(request.file_name, "repolicied", doc_id=doc_id)

    def _poll_until_read(self, sent: Sequence[SentFile]) -> Iterator[int]:
        """How many are done, again and again, until all are or too much time has passed."""
        end = self._clock() + _POLL_TIMEOUT_S
        while True:
            waiting = [each for each in sent if each.ticket is not None]
            for each in waiting:
                self._refresh(each)
            left = sum(each.ticket is not None for each in sent)
            yield len(sent) - left
            if not left or self._clock() > end:
                return
            self._sleep(_POLL_INTERVAL_S)

    def _refresh(self, sent: SentFile) -> None:
        told = self._api.get(f"/v1/uploads/{sent.ticket}")
        sent.status, sent.reason = str(told["state"]), cast("str | None", told.get("reason"))
        sent.waiting_for = cast("str | None", told.get("waiting_for"))
        sent.visible_after_seconds = int(str(told.get("visible_after_seconds", 0)))
        if sent.status not in _PENDING_STATES:
            sent.ticket = None


def print_report(sent: Sequence[SentFile], *, as_json: bool) -> int:
    """Prints what became of the files; the command's exit code."""
    refused = [each for each in sent if each.status == "refused"]
    if as_json:
        print_json([_row(each) for each in sent])
        return 1 if refused else 0
    print_line(", ".join(_count_by_status(sent)) or "No file found.")
    if (seconds := max((each.visible_after_seconds for each in sent), default=0)) > 0:
        print_line(f"Searches find what is new within {seconds} s.")
    if closed := [each.file for each in sent if each.is_readable_by_nobody and each.status != "refused"]:
        warn(f"Readable by nobody yet ({first_names(closed)}): say who may read with options or a .policy.yaml file.")
    if any(each.ticket is not None for each in sent):
        warn("The service still reads some of them: `groundwire documents list` tells what became of them.")
    if refused:
        rows = [{"refused": each.file, "reason": each.reason} for each in refused]
        print_rows(rows, ["refused", "reason"], as_json=False, empty_message="")
    return 1 if refused else 0


def _count_by_status(sent: Sequence[SentFile]) -> list[str]:
    return [f"{number} {status}" for status, number in Counter(each.status for each in sent).items()]


def _wait_message(sent: Sequence[SentFile]) -> str:
    """Return what files in the service wait for; empty when they wait for nothing known."""
    held_up = [each for each in sent if each.waiting_for is not None]
    if not held_up:
        return ""
    return f"Waiting in the service for {held_up[0].waiting_for}: {first_names([each.file for each in held_up])}"


def stable_document_id(request: IngestRequest, roots: Sequence[Path]) -> str:
    """The id of a file's document: the same for the same collection and path beneath what was named."""
    path = Path(request.source_path)
    above = (root.absolute() for root in roots if root.is_dir() and path.is_relative_to(root.absolute()))
    root = next(above, path.parent)
    named = f"{request.collection}\0{path.relative_to(root).as_posix()}"
    return f"file_{hashlib.sha256(named.encode()).hexdigest()[:20]}"


def _is_unchanged(document: Row, request: IngestRequest, digest: str) -> bool:
    told = cast("Mapping[str, object]", json.loads(metadata.to_json(request.metadata)))
    kept = cast("Mapping[str, object]", document["metadata"])
    return (
        document["state"] == "indexed"
        and document["content_hash"] == digest
        and document["source_url"] == request.source_url
        and all(kept.get(name) == value for name, value in told.items())
    )


def _upload_request(request: IngestRequest, doc_id: str, digest: str, size: int) -> dict[str, object]:
    return {
        "collection": request.collection,
        "file_name": request.file_name,
        "size": size,
        "sha256": digest,
        "doc_id": doc_id,
        "policy": policy_to_json(request.policy),
        "metadata": {name: _json_value(value) for name, value in request.metadata.items()},
        "source_url": request.source_url,
    }


def _json_value(value: metadata.Value) -> object:
    """As a person writes it: the service reads a date from its text."""
    return value.isoformat() if isinstance(value, date) else value


def _row(sent: SentFile) -> Row:
    return {"file": sent.file, "status": sent.status, "doc_id": sent.doc_id, "reason": sent.reason}
