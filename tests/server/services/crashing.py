"""Ports that die at a chosen call, as a process does when its power is cut."""

import secrets
from collections.abc import Callable
from typing import TypeVar, cast

from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.deletions.memory import DeletionMemory
from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.ingest_ports import IngestPorts
from groundwire.services.keys.tenants import TenantAdmin, TenantContent
from tests.support.worlds.world import World

P = TypeVar("P")


class PowerCutError(BaseException):
    """Power cut, after which none of our code runs; a BaseException, so that no handler treats it as an error."""


class Fuse:
    """Lets `calls` calls through, over all ports together, and cuts the power at the next."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def burn(self) -> None:
        """One call."""
        if not self._left:
            raise PowerCutError
        self._left -= 1

    def on(self, port: P) -> P:
        """The port behind this fuse."""
        return cast("P", _Fused(port, self))


class _Fused:
    def __init__(self, port: object, fuse: Fuse) -> None:
        self._port = port
        self._fuse = fuse

    def __getattr__(self, name: str) -> object:
        member = getattr(self._port, name)
        if not callable(member):
            return member

        def call(*arguments: object) -> object:
            self._fuse.burn()
            result: object = member(*arguments)
            # An index is a port, too.
            return self._fuse.on(result) if name in {"for_tenant", "start_generation"} else result

        return call


class Fragile:
    """The services that change documents, all of their ports behind one fuse."""

    def __init__(self, world: World, fuse: Fuse) -> None:
        whole = world.services
        documents, indexes = fuse.on(whole.stores.documents), fuse.on(whole.stores.indexes)
        image_indexes = fuse.on(whole.stores.image_indexes)
        blobs, collections = fuse.on(whole.stores.blobs), fuse.on(whole.stores.collections)
        deletions = DeletionMemory(lambda: fuse.on(whole.stores.definitions), secrets.token_bytes, whole.clock)
        reconcile_once = Reconciler(documents, indexes, image_indexes, blobs)
        ports = IngestPorts(
            documents=documents,
            indexes=indexes,
            image_indexes=image_indexes,
            blobs=blobs,
            parser=whole.ingestion.parser,
            embedders=whole.models.embedders,
            clock=whole.clock,
            new_id=lambda: "made",
            path_exists=lambda _path: False,
            deletions=deletions,
            record_restoration=whole.administration.ingestion_audit.restoring,
        )
        self.ingest_batch = IngestBatch(
            FileIngestion(ports),
            reconcile_once,
            collections,
            whole.stores.ingest_lock,
            whole.clock,
            whole.stores.ingest_lock.hold_run,
        )
        self.document_administration = DocumentAdmin(
            documents,
            collections,
            deletions,
            reconcile_once.reconcile_without_lock,
            whole.administration.write_line,
            whole.clock,
        )
        self.tenant_administration = TenantAdmin(
            fuse.on(whole.stores.tenants),
            fuse.on(whole.stores.keys),
            TenantContent(
                indexes,
                image_indexes,
                blobs,
                fuse.on(whole.installation.evaluations),
                fuse.on(whole.installation.ingestion_runs),
            ),
            fuse.on(whole.stores.ingest_lock),
            whole.clock,
            lambda: "t_made",
        )


def crash_everywhere(attempt: Callable[[Fuse], None], check: Callable[[], None]) -> int:
    """`attempt` is cut at its first call, then at its second, and so on until it comes to its end.

    `check` is called after each cut. Returns how many calls the undisturbed attempt makes.
    """
    calls = 0
    while True:
        try:
            attempt(Fuse(calls))
        except PowerCutError:
            check()
            calls += 1
        else:
            return calls
