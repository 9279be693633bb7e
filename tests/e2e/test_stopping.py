"""A server that gets a signal to stop ends in time, and ingests what it had accepted after a restart."""

import hashlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from groundwire.adapters.local.ingest.lock import FileIngestLock
from tests.support.entry.command import Command
from tests.support.entry.demo_server import Server, started
from tests.support.entry.waiting import until

_PROMISED_S = 5
_TIMEOUT_S = 120
_PUBLIC = {"public": True, "users": [], "any_tags": [], "all_tags": []}


@dataclass(frozen=True)
class Acme:
    """A tenant in a home of its own, and a key that may upload."""

    command: Command
    tenant: str
    key: str

    @property
    def lock(self) -> FileIngestLock:
        return FileIngestLock(self.command.home / "tenants")

    def upload(self, server: Server, content: bytes) -> str:
        """Sends a file, which is accepted; returns its ticket."""
        digest = hashlib.sha256(content).hexdigest()
        order = {"collection": "c", "file_name": "a.md", "size": len(content), "sha256": digest, "policy": _PUBLIC}
        ticket = self._call("POST", f"{server.url}/v1/uploads", order)
        files = {"file": ("a.md", content, ticket["fields"]["Content-Type"])}
        assert httpx.post(ticket["url"], data=ticket["fields"], files=files, timeout=20).status_code == 204
        return str(ticket["ticket"])

    def reported(self, server: Server, ticket: str) -> dict[str, Any]:
        return self._call("GET", f"{server.url}/v1/uploads/{ticket}")

    def comes_to(self, server: Server, ticket: str, state: str) -> None:
        until(lambda: self.reported(server, ticket)["state"] == state)

    def _call(self, method: str, url: str, body: object = None) -> dict[str, Any]:
        answer = httpx.request(method, url, json=body, headers={"Authorization": f"Bearer {self.key}"}, timeout=20)
        assert answer.is_success, answer.text
        return dict(answer.json())


@pytest.fixture
def acme(tmp_path: Path) -> Acme:
    command = Command(tmp_path / "home", {})
    tenant = command.tenant("acme")
    made = command.json("key", "create", "-t", tenant, "--scope", "admin", "--user", "root", "--rate", "100000")
    return Acme(command, tenant, str(made["key"]))


def parser_of(server: Server) -> int:
    """The process id of the server's parser."""

    def is_child(stat: Path) -> bool:
        try:
            return stat.read_text().rsplit(")", 1)[1].split()[1] == str(server.process.pid)
        except OSError:
            return False

    [worker] = [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if is_child(stat)]
    return worker


def ends_in_time(server: Server, number: signal.Signals) -> None:
    server.process.send_signal(number)
    assert server.process.wait(timeout=_PROMISED_S) == 0


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_an_upload_that_waits_for_an_ingestion_does_not_hold_up_a_stop_and_is_not_lost(acme: Acme) -> None:
    with acme.lock.hold(acme.tenant):
        with started(acme.command.home, "serve") as server:
            ticket = acme.upload(server, b"The blue pump.\n")
            assert acme.reported(server, ticket)["waiting_for"] == "another ingestion"
            ends_in_time(server, signal.SIGINT)
        with started(acme.command.home, "serve") as server:
            assert acme.reported(server, ticket)["waiting_for"] == "another ingestion"
            ends_in_time(server, signal.SIGTERM)
    with started(acme.command.home, "serve") as server:
        acme.comes_to(server, ticket, "indexed")


def test_an_upload_that_is_being_parsed_does_not_hold_up_the_stop_and_its_parser_ends_with_it(acme: Acme) -> None:
    with started(acme.command.home, "serve") as server:
        acme.comes_to(server, acme.upload(server, b"The blue pump.\n"), "indexed")
        parser = parser_of(server)
        os.kill(parser, signal.SIGSTOP)
        ticket = acme.upload(server, b"The green pump.\n")
        acme.comes_to(server, ticket, "parsing")
        ends_in_time(server, signal.SIGTERM)
        until(lambda: not is_running(parser))
    with started(acme.command.home, "serve") as server:
        acme.comes_to(server, ticket, "indexed")
