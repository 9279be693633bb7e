"""One tenant's large file delays no file of another, and a small file does not wait for all large ones."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.domain.keys.fairness.work import SMALL_FILE_BYTES
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
