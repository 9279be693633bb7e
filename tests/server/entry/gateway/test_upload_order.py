"""One tenant's large file delays no file of another, and a small file does not wait for all large ones."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from groundwire.domain.keys.fairness.parties import Party
from groundwire.domain.keys.fairness.queue import Ticket
from groundwire.domain.keys.fairness.work import SMALL_FILE_BYTES, Capacity
from groundwire.entry.local_server.fair_share import FairSlots
from groundwire.ports.deadline import background_pause
from tests.server.entry.gateway.upload_endpoint import Door, terms_of
from tests.server.entry.gateway.virtual_time import play

SMALL = b"# Tides\n"
LARGE = b"x" * (SMALL_FILE_BYTES + 1)


class HeldDoor(Door):
    """Endpoint whose first file of the tenant t_1 is processed until `release` is set; a large one takes a minute."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.release, self.other = threading.Event(), threading.Event()
        self.seconds = 0.0
        vars(self.door._files).update(_clock=lambda: self.seconds)

    def _arrive(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> None:
        if tenant == "t_1":
            assert self.release.wait(timeout=30)
        self.seconds += 60 if len(read()) > SMALL_FILE_BYTES else 1
        super()._arrive(tenant, ticket, version, at, read)
        if tenant == "t_2":
            self.other.set()

    def upload(self, ticket: str, content: bytes, tenant: str = "t_1") -> None:
        terms = terms_of(ticket, content, tenant)
        assert play(self.post(ticket, self.body(terms, content))).status == 204


class PausingDoor(Door):
    """Endpoint that notes how the processing of each file pauses for calls."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.pauses: list[Callable[[], None] | None] = []

    def _arrive(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> None:
        self.pauses.append(background_pause())
        super()._arrive(tenant, ticket, version, at, read)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[HeldDoor]:
    door = HeldDoor(tmp_path)
    yield door
    door.release.set()
    door.gateway.close()


def test_a_file_of_another_tenant_is_processed_while_a_large_one_still_is(door: HeldDoor) -> None:
    for number in range(3):
        door.upload(f"large_{number}", LARGE)
    door.upload("other", SMALL, tenant="t_2")
    assert door.other.wait(timeout=30)
    assert door.came == [("t_2", "other")]


def test_a_small_file_comes_before_the_rest_of_the_large_ones(door: HeldDoor) -> None:
    for number in range(4):
        door.upload(f"large_{number}", LARGE)
    door.upload("small", SMALL)
    door.release.set()
    door.reconcile()
    assert [ticket for _, ticket in door.came][:2] == ["large_0", "small"]
    assert len(door.came) == 5


def test_a_step_of_a_file_waits_while_calls_run_and_continues_when_they_end() -> None:
    slots, steps = FairSlots(Capacity.halved(2, 8)), SimpleQueue[str]()
    party = Party("t_1", "k", "u")
    slots.let_pass(0)
    call = slots.take(party, 1)
    assert isinstance(call, Ticket)
    step = threading.Thread(target=lambda: (slots.let_pass(60), steps.put("file")))
    step.start()
    slots.let_pass(0)
    assert steps.empty()
    steps.put("call")
    slots.release(call)
    step.join(timeout=30)
    assert [steps.get_nowait(), steps.get_nowait()] == ["call", "file"]


def test_a_file_is_processed_in_the_background_of_the_calls_of_its_server(tmp_path: Path) -> None:
    door = PausingDoor(tmp_path)
    terms = terms_of("one", SMALL)
    assert play(door.post("one", door.body(terms, SMALL))).status == 204
    door.reconcile()
    assert door.pauses == [door.door.let_calls_pass]
    assert background_pause() is None
    door.gateway.close()
