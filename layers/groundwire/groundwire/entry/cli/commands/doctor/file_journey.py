"""The way of one file through a deployed service: uploaded, parsed, found, opened and closed to everybody."""

import hashlib
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.entry.cli.commands.doctor.findings import DefectFound
from groundwire.entry.cli.commands.doctor.scratch_tenant import OTHER, READER, ScratchTenant
from groundwire.wiring import remote_targets

if TYPE_CHECKING:
    from groundwire.entry.cli.commands.doctor.http_service import LinkedPassage

PHRASE: Final = "When does the lighthouse of the check open?"
VISIBLE_SECONDS: Final = 90.0
"""Bound of the wait for a write to be visible: a collection makes it so in 10 s, and wakes in 30 s."""
_COLLECTION: Final = "doctor"
_NOBODY: Final[dict[str, object]] = {"public": False, "users": [], "any_tags": [], "all_tags": []}
_PARSE_SECONDS: Final = 120.0
_FAILED_STATES: Final = frozenset({"refused", "failed"})


class FileJourney:
    """One file of a scratch tenant; each method returns a sentence, or raises DefectFound."""

    def __init__(self, tenant: ScratchTenant) -> None:
        self._tenant = tenant
        # Random, so that the file of an earlier check cannot pass for this one.
        self._word = f"lighthouse-{secrets.token_hex(6)}"
        self._passage: LinkedPassage | None = None
        self._document = ""
        self._ticket = ""

    def upload(self) -> str:
        """Upload the file with a ticket."""
        order: dict[str, object] = {
            "collection": _COLLECTION,
            "file_name": "lighthouse.md",
            "size": len(self._content),
            "sha256": hashlib.sha256(self._content).hexdigest(),
            # One reader, so that the search of somebody else proves the check of rights.
            "policy": {**_NOBODY, "users": [READER]},
        }
        ticket = self._tenant.rest().post("/v1/uploads", order)
        self._ticket, self._document = str(ticket["ticket"]), str(ticket["doc_id"])
        fields = cast("dict[str, str]", mapping_or_empty(ticket["fields"]))
        remote_targets.post_upload_form(str(ticket["url"]), fields, self._content)
        return f"{len(self._content)} bytes, document {self._document}."

    def parse(self) -> str:
        """Wait until the file is parsed and indexed."""
        service = self._tenant.rest()
        last: Mapping[str, object] = {}

        def indexed_state() -> Mapping[str, object] | None:
            nonlocal last
            last = service.get(f"/v1/uploads/{self._ticket}")
            if last["state"] in _FAILED_STATES:
                raise DefectFound(f"The file is {last['state']}: {last['reason']}. Read the log of IngestionFunction.")
            return last if last["state"] == "indexed" else None

        try:
            self._tenant.budget.wait(indexed_state, "the file to be indexed", _PARSE_SECONDS)
        except DefectFound as error:
            state, reason = last.get("state"), last.get("reason") or last.get("waiting_for")
            raise DefectFound(f"{error} Its state is {state}{f' ({reason})' if reason else ''}.") from error
        return f"Document {self._document} is indexed."

    def search(self) -> str:
        """Search as the file's reader and as somebody else."""
        reader, other = self._tenant.headers_of("agent", READER), self._tenant.headers_of("agent", OTHER)
        search = self._tenant.service.search
        found = self._tenant.budget.wait(lambda: search(reader, PHRASE), f"{READER} to find it", VISIBLE_SECONDS)
        if self._word not in found[0].text:
            raise DefectFound(f"{READER} found another text than the file's: read the log of McpFunction.")
        self._passage = found[0]
        if search(other, PHRASE):
            raise DefectFound(f"{OTHER}, whom its policy does not name, finds it too: stop the service, and tell us.")
        return f"{READER} found {len(found)} passage, {OTHER} none."

    def index(self) -> str:
        """Check the index that the file made."""
        index = self._tenant.report().get("index")
        facts = mapping_or_empty(index)
        if not facts:
            raise DefectFound("The operator function knows no index of the tenant: read its log.")
        if facts.get("defect"):
            raise DefectFound(str(facts["defect"]))
        ids = "chosen by the writer" if facts.get("custom_ids") else "given by the service"
        return f"{facts['name']} of {facts['model']}; ids of rows are {ids}."

    def link(self) -> str:
        """Open the link of the found passage."""
        link = urlsplit("" if self._passage is None else self._passage.link)
        path = f"{link.path}?{link.query}" if link.query else link.path
        answer = self._tenant.service.send("GET", path, {})
        target = answer.headers.get("location", "")
        if answer.status != HTTPStatus.FOUND or not target:
            raise DefectFound(f"The link was answered with {answer.status}: read the log of ApiFunction.")
        if remote_targets.send_http("GET", target, {}, None).body != self._content:
            raise DefectFound("The link leads to other bytes than the uploaded ones: read the bucket's policy.")
        return f"{len(self._content)} bytes, by way of the bucket."

    def unshare(self) -> str:
        """Take the file from its reader."""
        service = self._tenant.rest()
        service.put(f"/v1/documents/{self._document}/policy", _NOBODY)
        reader = self._tenant.headers_of("agent", READER)
        self._tenant.budget.wait(
            lambda: not self._tenant.service.search(reader, PHRASE), "the file to be gone", VISIBLE_SECONDS
        )
        return f"{READER} finds nothing."

    @property
    def _content(self) -> bytes:
        return f"# Opening hours\n\nThe lighthouse of the check, {self._word}, opens at nine.\n".encode()
