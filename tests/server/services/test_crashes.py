"""A process that dies at any call leaves the old version answering or the new one, and the next ingestion repairs."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.ports import DocumentVersion
from groundwire.services.ingest.request import IngestRequest
from tests.server.services.crashing import Fragile, Fuse, crash_everywhere
from tests.support.documents.plain_text_parser import PICTURE, UNREADABLE
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World, caller

KEPT, OLD, NEW = "The ledger stays.", "The ledger was open.", "The ledger is closed."
BEFORE = f"{KEPT}\n\n{OLD}\n\n{PICTURE}kept\n\n{PICTURE}old"
AFTER = f"{KEPT}\n\n{NEW}\n\n{PICTURE}kept"
DOCUMENT = "d"
PATH = "/nowhere/d.txt"

Step = Callable[[Fragile, str], None]


def ingest(text: str | bytes, policy: Policy = PUBLIC, path: str = PATH) -> Step:
    content = text if isinstance(text, bytes) else text.encode()

    def step(fragile: Fragile, tenant: str) -> None:
        request = IngestRequest(
            tenant, "default", path, "d.txt", lambda: content, DeclaredPolicy(policy, None), DOCUMENT, None
        )
        list(fragile.ingest_batch(tenant, "default", [request], lambda _done, _total: None))

    return step


def set_policy(fragile: Fragile, tenant: str) -> None:
    fragile.document_administration.override_policy(tenant, DOCUMENT, NO_READERS)


def delete(fragile: Fragile, tenant: str) -> None:
    # Done already, when a deletion that was cut is repeated.
    with suppress(NotFound):
        fragile.document_administration.delete(tenant, DOCUMENT)


@dataclass(frozen=True)
class Change:
    """Change with the step before it, and the texts that are found without and with it."""

    first: Step | None
    step: Step
    old: frozenset[str]
    new: frozenset[str]


NOTHING = frozenset[str]()
CHANGES = {
    "a first ingestion": Change(None, ingest(BEFORE), NOTHING, frozenset({KEPT, OLD})),
    "a new version": Change(ingest(BEFORE), ingest(AFTER), frozenset({KEPT, OLD}), frozenset({KEPT, NEW})),
    "a new version for nobody": Change(ingest(BEFORE), ingest(AFTER, NO_READERS), frozenset({KEPT, OLD}), NOTHING),
    "a new version for everybody": Change(ingest(BEFORE, NO_READERS), ingest(AFTER), NOTHING, frozenset({KEPT, NEW})),
    "another policy by file": Change(ingest(BEFORE), ingest(BEFORE, NO_READERS), frozenset({KEPT, OLD}), NOTHING),
    "another name": Change(
        ingest(BEFORE), ingest(BEFORE, PUBLIC, "/nowhere/e.txt"), frozenset({KEPT, OLD}), frozenset({KEPT, OLD})
    ),
    "a refused first file": Change(None, ingest(UNREADABLE), NOTHING, NOTHING),
    "a refused later file": Change(ingest(BEFORE), ingest(UNREADABLE), frozenset({KEPT, OLD}), frozenset({KEPT, OLD})),
    "another policy by hand": Change(ingest(BEFORE), set_policy, frozenset({KEPT, OLD}), NOTHING),
    "a deletion": Change(ingest(BEFORE), delete, frozenset({KEPT, OLD}), NOTHING),
}


class Site:
    """A tenant in which a change is tried."""

    def __init__(self, world: World, change: Change, name: str) -> None:
        self.world = world
        self.change = change
        self.tenant = world.tenant(name)
        self.key = world.acting_key(self.tenant)
        if change.first is not None:
            change.first(self._whole(), self.tenant)

    def apply(self, fuse: Fuse) -> None:
        self.change.step(Fragile(self.world, fuse), self.tenant)

    def answers(self) -> frozenset[str]:
        return frozenset(self.world.search(caller(self.key), "ledger").texts)

    def originals(self) -> set[bytes]:
        """What the links of everything that answers open."""
        segments = self.world.search(caller(self.key), "ledger").segments
        return {self.world.open(segment["source_url"]).response.body for segment in segments}

    def repair(self) -> None:
        """What an owner does after a crash: the same again; and then somebody ingests something else."""
        self.change.step(self._whole(), self.tenant)
        whole = self.world.services
        request = IngestRequest(
            self.tenant,
            "default",
            "/nowhere/f.txt",
            "f.txt",
            lambda: b"Other.",
            DeclaredPolicy(NO_READERS, None),
            "other",
            None,
        )
        list(whole.ingestion.batch(self.tenant, "default", [request], lambda _done, _total: None))

    def state(self) -> tuple[object, ...]:
        """Everything that is stored of the document, but for the time of day."""
        whole = self.world.services
        record = whole.stores.documents.read(self.tenant, [DOCUMENT])[DOCUMENT]
        index = whole.stores.indexes.for_tenant(self.tenant)
        version = DocumentVersion(DOCUMENT, record.version)
        blobs = whole.settings.home / "tenants" / self.tenant / "blobs"
        files = {path.name: path.read_bytes() for path in blobs.iterdir()} if blobs.is_dir() else {}
        images = whole.stores.image_indexes.for_tenant(self.tenant)
        rows = (index.segments(version), index.count_rows(), images.segments(version), images.count_rows())
        return _timeless(record), *rows, files

    def _whole(self) -> Fragile:
        return Fragile(self.world, Fuse(-1))


def _paragraphs(original: bytes) -> list[bytes]:
    return [each for each in original.split(b"\n\n") if not each.startswith(PICTURE.encode())]


def _timeless(record: Document) -> Document:
    deletion = replace(record.deletion, content_mark="", decision=replace(record.deletion.decision, decided_at=0.0))
    return replace(record, created_at=0.0, updated_at=0.0, policy_overridden_at=0.0, deletion=deletion, timings={})


def _undisturbed(world: World, change: Change) -> tuple[object, ...]:
    site = Site(world, change, "undisturbed")
    site.apply(Fuse(-1))
    site.repair()
    return site.state()


@pytest.mark.parametrize("name", CHANGES)
def test_a_crash_at_any_call_leaves_old_or_new_and_the_next_ingestion_leaves_no_trace_of_it(
    name: str, world: World
) -> None:
    change = CHANGES[name]
    expected = _undisturbed(world, change)
    sites: list[Site] = []

    def attempt(fuse: Fuse) -> None:
        sites.append(Site(world, change, f"site {len(sites)}"))
        sites[-1].apply(fuse)

    def check() -> None:
        world.reopen()
        site = sites[-1]
        assert site.answers() in (change.old, change.new)
        whole = {"\n\n".join(sorted(texts)).encode() for texts in (change.old, change.new)}
        assert {b"\n\n".join(sorted(_paragraphs(original))) for original in site.originals()} <= whole
        site.repair()
        assert site.answers() == change.new
        assert site.state() == expected

    calls = crash_everywhere(attempt, check)
    assert calls > 5
    assert sites[-1].answers() == change.new


def test_a_tenant_whose_deletion_was_cut_at_any_call_can_be_deleted_again(world: World) -> None:
    def attempt(fuse: Fuse) -> None:
        tenant = world.tenant("amber")
        world.ingest(tenant, BEFORE, PUBLIC, path=PATH)
        Fragile(world, fuse).tenant_administration.delete("amber")

    def check() -> None:
        world.reopen()
        with suppress(NotFound):
            world.services.administration.tenant_admin.delete("amber")
        assert world.services.stores.tenants.all() == []

    assert crash_everywhere(attempt, check) > 5
    remains = list((world.services.settings.home / "tenants").rglob("*"))
    assert not [path for path in remains if path.is_file() and path.stat().st_size]
