"""Test backends on a machine and on AWS, both with one tenant, whose calls a test can interrupt with other work."""

from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.ports import Indexes, Phrase
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.request import IngestRequest, IngestStatus
from tests.server.services.interrupting_ports import Interruption
from tests.support.aws import buckets
from tests.support.aws.ingestion_stack import TENANT, deployed
from tests.support.documents.index_documents import query, search, texts
from tests.support.documents.plain_text_parser import PICTURE, PNG
from tests.support.isolation import oracle
from tests.support.worlds.exchange import owner
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

COLLECTION: Final = "handbook"
USERS: Final = ("ann", "ben", "cleo")
_TRIES: Final = 5


def caption(text: str) -> str:
    """Caption of the one image of a file with this text."""
    return f"The ledger drawn: {text.splitlines()[0]}"


def pictured(text: str) -> str:
    """Content of a file with this text."""
    return f"{text}\n\n{PICTURE}{caption(text)}"


def _quietly(_done: int, _total: int) -> None:
    """Nobody watches."""


class Site(ABC):
    """One tenant's registry, index and originals.

    Attributes:
        put_at: when the files were put that are brought in from now on (epoch seconds).
        restores: whether these files restore what was deleted before.
    """

    def __init__(self, services: Any, tenant: str) -> None:
        self.services = services
        self.tenant = tenant
        self.during = Interruption()
        self.put_at = 0.0
        self.restores = False
        for name in ("documents", "indexes", "image_indexes", "blobs", "embedders"):
            group = owner(services, name)
            vars(group)[name] = self.during.on(getattr(group, name), name)

    @property
    def administration(self) -> DocumentAdmin:
        """What people do with documents that are in."""
        return self.services.administration.document_admin

    def attempt(self, name: str, text: str, policy: Policy) -> bool:
        """Return whether the file was ingested; false if it is to be tried again."""
        path, doc_id = f"/nowhere/{name}", Path(name).stem
        content = pictured(text).encode()
        request = IngestRequest(
            self.tenant,
            COLLECTION,
            path,
            name,
            lambda: content,
            DeclaredPolicy(policy, None),
            doc_id,
            None,
            decided_at=self.put_at,
            restores=self.restores,
            restores_content=self.restores,
        )
        [outcome] = self.services.ingestion.batch(self.tenant, COLLECTION, [request], _quietly)
        return not outcome.status.is_failure and outcome.status is not IngestStatus.HELD_BACK

    @abstractmethod
    def sweep(self) -> None:
        """Reconcile what an interrupted call left, as the next ingestion does."""

    @abstractmethod
    def blobs(self) -> list[bytes]:
        """Contents of all that is stored beside the registry: originals, pictures and their lists."""

    def originals(self) -> list[str]:
        """Every one that is stored, in order."""
        texts = (each.decode() for each in self.blobs() if PICTURE.encode() in each)
        return sorted(text.partition(f"\n\n{PICTURE}")[0] for text in texts)

    def pictures(self) -> int:
        """Number of the stored ones."""
        return sum(each.startswith(PNG) for each in self.blobs())

    def ingest_file(self, name: str, text: str, policy: Policy) -> None:
        """The file is in, tried again where somebody else was at its document."""
        assert any(self.attempt(name, text, policy) for _ in range(_TRIES))

    def document(self, name: str) -> Document:
        """The living one of this file."""
        [found] = [
            each for each in self.services.stores.documents.all(self.tenant, None) if each.source_file_name == name
        ]
        return found

    def stored(self, doc_id: str) -> Document:
        """The record, also of a tombstone."""
        return self.services.stores.documents.read(self.tenant, [doc_id])[doc_id]

    def found_by(self, user: str, indexes: Indexes) -> set[str]:
        """What the index alone would show the user."""
        index = indexes.for_tenant(self.tenant)
        [vector] = self.services.models.embedders.for_model(index.model).embed(["ledger"], "query")
        principal = Principal(self.tenant, user, frozenset[str]())
        [found] = search(index, query([Phrase("ledger", vector)], principal, [COLLECTION]))
        return set(texts(found))

    def check(self, texts: dict[str, str]) -> None:
        """Check that registry, index and originals agree, nothing is stale, and exactly `texts` are found."""
        documents: list[Document] = self.services.stores.documents.all(self.tenant, None)
        assert self.services.stores.documents.stale_documents(self.tenant) == []
        documents = [each for each in documents if each.state is not DocumentState.REFUSED]
        assert {each.source_file_name: each.state for each in documents} == dict.fromkeys(texts, DocumentState.INDEXED)
        assert self.originals() == sorted(texts.values())
        passages, images = self.services.stores.indexes, self.services.stores.image_indexes
        assert passages.for_tenant(self.tenant).count_rows() == sum(each.segments for each in documents)
        assert images.for_tenant(self.tenant).count_rows() == sum(each.images for each in documents) == len(documents)
        assert self.pictures() == len(documents)
        for user in USERS:
            readable = [each for each in documents if oracle.may_read(user, frozenset(), each.policy)]
            assert self.found_by(user, passages) == {
                text for each in readable for text in texts[each.source_file_name].split("\n\n")
            }
            assert self.found_by(user, images) == {caption(texts[each.source_file_name]) for each in readable}


class MachineSite(Site):
    """The registry in SQLite, originals in a folder."""

    def sweep(self) -> None:
        """As the next run begins."""
        list(self.services.ingestion.batch(self.tenant, COLLECTION, [], _quietly))

    def blobs(self) -> list[bytes]:
        """Of the tenant's folder."""
        folder = self.services.settings.home / "tenants" / self.tenant / "blobs"
        return [path.read_bytes() for path in folder.iterdir()] if folder.is_dir() else []


class CloudSite(Site):
    """The registry in DynamoDB, originals in a bucket."""

    def __init__(self, services: Any, tenant: str, stack: Any) -> None:
        super().__init__(services, tenant)
        self._stack = stack

    def sweep(self) -> None:
        """As the schedule asks for it."""
        assert self._stack.deliver({"sweep": True}) == []
        self._stack.drain()

    def blobs(self) -> list[bytes]:
        """Of the bucket."""
        client = buckets.client()
        prefix = f"tenants/{self.tenant}/.blobs/"
        listed = client.list_objects_v2(Bucket=buckets.NAME, Prefix=prefix).get("Contents", [])
        keys = [each.get("Key", "") for each in listed if "/.blobs/work" not in each.get("Key", "")]
        return [client.get_object(Bucket=buckets.NAME, Key=key)["Body"].read() for key in keys]


@contextmanager
def open_site(kind: str, folder: Path, patch: pytest.MonkeyPatch) -> Generator[Site]:
    """A `machine`, or a `cloud`."""
    if kind == "cloud":
        with deployed(folder, patch) as stack:
            yield CloudSite(stack.services, TENANT, stack)
        return
    with fresh_home() as home, open_world(home, patch) as world:
        yield MachineSite(world.services, world.tenant("amber"))
