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

from groundwire.domain import metadata
from groundwire.domain.access import NOBODY
from groundwire.domain.errors import Denied, DocumentRefused, NotFound
from groundwire.entry.cli.console import ERR, Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.ingest_report import few
from groundwire.entry.cli.place.remote import Rest
from groundwire.entry.cli.progress import LinedProgress
from groundwire.entry.cli.waiting import Lines
from groundwire.entry.rows import policy_members
from groundwire.services.ingest.request import IngestRequest
from groundwire.wiring import elsewhere

_ASKED_EVERY_S: Final = 2.0
_WAITED_FOR_S: Final = 900.0
"""Then it is for `documents list` to tell what became of the rest."""
_UNDER_WAY: Final = frozenset({"awaiting", "queued", "parsing"})


@dataclass
class Sent:
    """What became of one file until now.

    Attributes:
        nobody: whether it was said that nobody may read it, or not said who may.
        ticket: to be asked about; None once the state is final.
        waiting_for: what holds it up in the service, as far as the service says.
    """

    file: str
    status: str
    nobody: bool = False
    doc_id: str | None = None
    reason: str | None = None
    ticket: str | None = None
    waiting_for: str | None = None
    visible_after_seconds: int = 0


class RemoteIngest:
    """Sends files one after the other, and waits until the service has read them all.

    A file is known to the service by its path beneath the folder that was named, so that it is brought up to date
    from wherever it is sent, and unchanged ones are not sent at all.
    """

    def __init__(
        self,
        rest: Rest,
        post_file: Callable[[str, dict[str, str], bytes], None] = elsewhere.post_file,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rest = rest
        self._post_file = post_file
        self._sleep = sleep
        self._clock = clock
        self._sent: list[Sent] = []
        self._files = 0

    @property
    def done(self) -> str:
        """Return the results of the files until now, in one line."""
        left = self._files - len(self._sent)
        return ", ".join([*_counted(self._sent), f"{left:,} not yet sent"])

    def facts(self) -> dict[str, object]:
        """The same as data."""
        return {"files": [_row(each) for each in self._sent], "not_yet_sent": self._files - len(self._sent)}

    def __call__(self, requests: Sequence[IngestRequest], roots: Sequence[Path]) -> list[Sent]:
        """One row for each file, in order; Raises what concerns the service as a whole."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._sent, self._files = [], len(requests)
        with LinedProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            sending = bars.add_task("sent", total=len(requests))
            reading = bars.add_task("read by the service", total=len(requests))
            show = bars.show if ERR.is_terminal else Lines()
            for request in requests:
                self._sent.append(self._send(request, roots))
                bars.update(sending, completed=len(self._sent))
            for done in self._followed(self._sent):
                bars.update(reading, completed=done)
                show(_waiting(self._sent))
        return self._sent

    def _send(self, request: IngestRequest, roots: Sequence[Path]) -> Sent:
        sent = Sent(request.file_name, "refused", nobody=request.policy == NOBODY)
        try:
            content = request.read()
            doc_id = request.doc_id or steady_id(request, roots)
            digest = hashlib.sha256(content).hexdigest()
            if (known := self._known(doc_id)) is not None and _is_same(known, request, digest):
                return self._repolicied(known, request)
            order = _order(request, doc_id, digest, len(content))
            ticket = self._rest.post("/v1/uploads", order)
            self._post_file(str(ticket["url"]), cast("dict[str, str]", ticket["fields"]), content)
            sent.ticket, sent.doc_id, sent.status = str(ticket["ticket"]), str(ticket["doc_id"]), "queued"
        except (DocumentRefused, Denied, NotFound) as problem:
            sent.reason = str(problem)
        return sent

    def _known(self, doc_id: str) -> Row | None:
        try:
            return self._rest.get(f"/v1/documents/{doc_id}")
        except NotFound:
            return None

    def _repolicied(self, known: Row, request: IngestRequest) -> Sent:
        """The content is there already: who may read it is brought up to date."""
        doc_id, wanted = str(known["doc_id"]), policy_members(request.policy)
        if known["policy"] == wanted:
            return Sent(request.file_name, "unchanged", doc_id=doc_id)
        self._rest.put(f"/v1/documents/{doc_id}/policy", wanted)
        return Sent(request.file_name, "repolicied", doc_id=doc_id)

    def _followed(self, sent: Sequence[Sent]) -> Iterator[int]:
        """How many are done, again and again, until all are or too much time has passed."""
        end = self._clock() + _WAITED_FOR_S
        while True:
            waiting = [each for each in sent if each.ticket is not None]
            for each in waiting:
                self._ask(each)
            left = sum(each.ticket is not None for each in sent)
            yield len(sent) - left
            if not left or self._clock() > end:
                return
            self._sleep(_ASKED_EVERY_S)

    def _ask(self, sent: Sent) -> None:
        told = self._rest.get(f"/v1/uploads/{sent.ticket}")
        sent.status, sent.reason = str(told["state"]), cast("str | None", told.get("reason"))
        sent.waiting_for = cast("str | None", told.get("waiting_for"))
        sent.visible_after_seconds = int(str(told.get("visible_after_seconds", 0)))
        if sent.status not in _UNDER_WAY:
            sent.ticket = None


def report(sent: Sequence[Sent], *, as_json: bool) -> int:
    """Prints what became of the files; the command's exit code."""
    refused = [each for each in sent if each.status == "refused"]
    if as_json:
        print_json([_row(each) for each in sent])
        return 1 if refused else 0
    print_line(", ".join(_counted(sent)) or "No file found.")
    if (seconds := max((each.visible_after_seconds for each in sent), default=0)) > 0:
        print_line(f"Searches find what is new within {seconds} s.")
    if closed := [each.file for each in sent if each.nobody and each.status != "refused"]:
        warn(f"Readable by nobody yet ({few(closed)}): say who may read with options or a .policy.yaml file.")
    if any(each.ticket is not None for each in sent):
        warn("The service still reads some of them: `groundwire documents list` tells what became of them.")
    if refused:
        rows = [{"refused": each.file, "reason": each.reason} for each in refused]
        print_rows(rows, ["refused", "reason"], as_json=False, empty="")
    return 1 if refused else 0


def _counted(sent: Sequence[Sent]) -> list[str]:
    return [f"{number} {status}" for status, number in Counter(each.status for each in sent).items()]


def _waiting(sent: Sequence[Sent]) -> str:
    """Return what files in the service wait for; empty when they wait for nothing known."""
    held_up = [each for each in sent if each.waiting_for is not None]
    if not held_up:
        return ""
    return f"Waiting in the service for {held_up[0].waiting_for}: {few([each.file for each in held_up])}"


def steady_id(request: IngestRequest, roots: Sequence[Path]) -> str:
    """The id of a file's document: the same for the same collection and path beneath what was named."""
    path = Path(request.source_path)
    above = (root.absolute() for root in roots if root.is_dir() and path.is_relative_to(root.absolute()))
    root = next(above, path.parent)
    named = f"{request.collection}\0{path.relative_to(root).as_posix()}"
    return f"file_{hashlib.sha256(named.encode()).hexdigest()[:20]}"


def _is_same(known: Row, request: IngestRequest, digest: str) -> bool:
    told = cast("Mapping[str, object]", json.loads(metadata.to_json(request.metadata)))
    kept = cast("Mapping[str, object]", known["metadata"])
    return (
        known["state"] == "indexed"
        and known["content_hash"] == digest
        and known["source_url"] == request.source_url
        and all(kept.get(name) == value for name, value in told.items())
    )


def _order(request: IngestRequest, doc_id: str, digest: str, size: int) -> dict[str, object]:
    return {
        "collection": request.collection,
        "file_name": request.file_name,
        "size": size,
        "sha256": digest,
        "doc_id": doc_id,
        "policy": policy_members(request.policy),
        "metadata": {name: _spelled(value) for name, value in request.metadata.items()},
        "source_url": request.source_url,
    }


def _spelled(value: metadata.Value) -> object:
    """As a person writes it: the service reads a date from its text."""
    return value.isoformat() if isinstance(value, date) else value


def _row(sent: Sent) -> Row:
    return {"file": sent.file, "status": sent.status, "doc_id": sent.doc_id, "reason": sent.reason}
