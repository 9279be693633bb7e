"""Machine of bucket events: objects change, events come overdue, twice and in any order, and persons decide in between.

Each file has a word of its own, which follows its content through moves. The machine knows which limit a person set
for a word, and which words and paths a person deleted. Nobody may find more than that, whatever event comes next.
"""

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from hypothesis import seed
from hypothesis import strategies as st
from hypothesis.database import ExampleDatabase
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted, limiting
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, NotFound
from groundwire.ports import SourceObject
from groundwire.services.documents.admin import ReadersChoice
from groundwire.services.ingest.batch import IngestBatch
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.source_objects.source_paths import classify_path, split_source_path
from groundwire.services.object_events.embedding_cache import CachingEmbedders
from groundwire.services.object_events.object_ingestion import RESTORE_METADATA, ObjectIngestion
from groundwire.wiring.use_cases.file_ingestion import build_file_ingestion
from tests.isolation.deciding import PERSON, PERSONS, run_machine
from tests.support.isolation import oracle
from tests.support.isolation.draws import COMMON
from tests.support.isolation.machine import LeakError
from tests.support.isolation.policies import for_tags
from tests.support.plugins.draws import SEED
from tests.support.worlds.world import World

STEPS: Final = 25
PATHS: Final = ("leases/rent.txt", "leases/lease.txt", "leases/offer.txt")
LIMITS: Final = (NO_READERS, for_tags("red"))
_OBJECT_POLICY: Final = json.dumps({"public": True})


@dataclass
class Objects:
    """Implements `ports.SourceObjects` for one tenant's objects in memory.

    Attributes:
        texts: by path. files: what is known of each.
    """

    texts: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, SourceObject] = field(default_factory=dict[str, SourceObject])

    def put(self, path: str, text: str, *, restores: bool = False) -> None:
        self.texts[path] = text
        metadata = {"groundwire-policy": _OBJECT_POLICY} | ({RESTORE_METADATA: "true"} if restores else {})
        self.files[path] = SourceObject(path, text, len(text), metadata, time.time())

    def remove(self, path: str) -> None:
        del self.texts[path], self.files[path]

    def find(self, tenant: str, path: str) -> SourceObject | None:
        return self.files.get(path)

    def read(self, tenant: str, path: str, version: str) -> bytes:
        return self.texts[path].encode()

    def list_subtree(self, tenant: str, folder: str, after: str, limit: int) -> list[str]:
        return sorted(path for path in self.files if path.startswith(folder) and path > after)[:limit]

    def list_files(self, tenant: str, prefix: str, limit: int) -> list[str]:
        return []


def bucket_ingestion(world: World, objects: Objects) -> ObjectIngestion:
    """Return the ingestion of these objects into the stores of the world."""
    services = world.services
    administration, ingestion, stores = services.administration, services.ingestion, services.stores

    def exists(path: str) -> bool:
        split = split_source_path(path)
        return split is not None and split[1] in objects.files

    embedders = CachingEmbedders(ingestion._models.embedders, stores.blobs)
    files = build_file_ingestion(ingestion._backends, ingestion.parser, embedders, exists, administration, None)
    lock = stores.ingest_lock
    batch = IngestBatch(files, administration.reconciler, stores.collections, lock, services.clock, lock.hold_run)
    admin, audit = administration.document_admin, administration.ingestion_audit
    return ObjectIngestion(objects, YamlSidecarParser(), stores.documents, admin, batch, embedders, audit)


class Bucketing(RuleBasedStateMachine):
    """Promise: no order of events gives anybody what a person took, and nothing deleted returns."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self._tenant = world.tenant("amber")
        self._objects = Objects()
        self._ingestion = bucket_ingestion(world, self._objects)
        self._events: list[tuple[str, float]] = []
        self._words: dict[str, str] = {}
        self._limits: dict[str, Policy] = {}
        self._deleted: dict[str, tuple[str, str]] = {}
        self._former = ""

    def teardown(self) -> None:
        """Delete the tenant, so that the next history finds an empty home."""
        self._world.services.administration.tenant_admin.delete(self._tenant)

    # Objects

    @rule(path=st.sampled_from(PATHS), restores=st.booleans(), comes_at_once=st.booleans())
    def put(self, path: str, *, restores: bool, comes_at_once: bool) -> None:
        """An object of new content is put, perhaps with the wish to restore what was deleted at its path."""
        self._replace_former(path)
        word = f"w{len(self._words)}"
        text = f"The {COMMON} of {word} is kept here.\n"
        self._words[hashlib.sha256(text.encode()).hexdigest()] = word
        self._put(path, text, restores=restores)
        if comes_at_once:
            self._deliver(*self._events[-1])

    @precondition(lambda self: self._objects.texts)
    @rule(data=st.data(), new=st.sampled_from(PATHS), removal_first=st.booleans())
    def move(self, data: st.DataObject, new: str, *, removal_first: bool) -> None:
        """An object is put at another path and removed at its own; either event may be the first."""
        old = self._drawn_path(data)
        if new in self._objects.texts:
            return
        self._replace_former(new)
        self._put(new, self._objects.texts[old])
        self._objects.remove(old)
        self._events.insert(len(self._events) - removal_first, (old, time.time()))

    @precondition(lambda self: self._objects.texts)
    @rule(data=st.data(), new=st.sampled_from(PATHS), comes_at_once=st.booleans())
    def copy(self, data: st.DataObject, new: str, *, comes_at_once: bool) -> None:
        """An object is put at another path, too: the first half of a move whose second half comes later."""
        old = self._drawn_path(data)
        if new not in self._objects.texts:
            self._replace_former(new)
            self._put(new, self._objects.texts[old])
            if comes_at_once:
                self._deliver(*self._events[-1])

    @precondition(lambda self: self._objects.texts)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        """An object is removed; nobody has decided anything."""
        path = self._drawn_path(data)
        # A tombstone remembers one content: the one that vanished.
        self._limits.pop(self._former, None)
        self._objects.remove(path)
        self._events.append((path, time.time()))

    @precondition(lambda self: self._events)
    @rule(data=st.data())
    def deliver(self, data: st.DataObject) -> None:
        """An event comes, perhaps before one that was sent earlier, or a second time."""
        self._deliver(*data.draw(st.sampled_from(self._events[-3:])))

    @precondition(lambda self: self._events)
    @rule(data=st.data())
    def deliver_overdue(self, data: st.DataObject) -> None:
        """An event comes long after those that were sent after it."""
        self._deliver(*data.draw(st.sampled_from(self._events)))

    @precondition(lambda self: self._events)
    @rule()
    def deliver_in_order(self) -> None:
        """The last events come in order."""
        for path, at in self._events[-3:]:
            self._deliver(path, at)

    # Persons

    @precondition(lambda self: self._readable())
    @rule(data=st.data(), policy=st.sampled_from(LIMITS))
    def limit(self, data: st.DataObject, policy: Policy) -> None:
        """A person sets who may read a document, or hides it from everybody."""
        document = self._drawn_document(data)
        self._decide(document, closed_by_person if policy == NO_READERS else limiting(policy))
        if self._has_copy(document):
            # The copy was there before the decision, which concerns one document alone.
            self._limits.pop(self._word(document), None)
        else:
            self._limits[self._word(document)] = policy

    @precondition(lambda self: self._readable())
    @rule(data=st.data())
    def lift(self, data: st.DataObject) -> None:
        """A person lifts the ceiling of a document."""
        document = self._drawn_document(data)
        self._decide(document, lifted)
        self._limits.pop(self._word(document), None)

    @precondition(lambda self: self._readable())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        """A person deletes a document; its object stays."""
        document = self._drawn_document(data)
        word = "" if self._has_copy(document) else self._word(document)
        self._deleted[document.doc_id] = (word, _path(document))
        self._world.services.administration.document_admin.delete(self._tenant, document.doc_id, PERSON)

    @precondition(lambda self: self._deleted)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """A person ends a deletion."""
        doc_id = data.draw(st.sampled_from(sorted(self._deleted, key=lambda each: self._deleted[each][1])))
        del self._deleted[doc_id]
        with suppress(NotFound):
            self._world.services.administration.deletion_admin.restore(self._tenant, doc_id, everybody_decides)

    @invariant()
    def nobody_gains_what_a_person_took(self) -> None:
        """Compare every readable document with what was decided about its content and its path."""
        for document in self._readable():
            word = self._word(document)
            if any(word == deleted or _path(document) == path for deleted, path in self._deleted.values()):
                raise LeakError(f"{document} returned: deleted {self._deleted}, events {self._events}")
            limit = self._limits.get(word)
            for person in PERSONS if limit is not None else ():
                readers = (document.policy, *((document.ceiling.policy,) if document.ceiling else ()))
                may_read = all(oracle.may_read(person.user, person.tags, each) for each in readers)
                if limit is not None and may_read and not oracle.may_read(person.user, person.tags, limit):
                    raise LeakError(f"{person} may read {document}: {limit}, events {self._events}")

    # Steps

    def _put(self, path: str, text: str, *, restores: bool = False) -> None:
        self._objects.put(path, text, restores=restores)
        self._events.append((path, self._objects.files[path].uploaded_at))
        if restores:
            word = self._words[hashlib.sha256(text.encode()).hexdigest()]
            ended = [each for each, known in self._deleted.items() if path == known[1] or word == known[0]]
            for doc_id in ended:
                del self._deleted[doc_id]

    def _deliver(self, path: str, at: float) -> None:
        # A message after a concurrent change comes again.
        with suppress(Conflict):
            self._ingestion.ingest(self._tenant, classify_path(path), at, lambda: False)

    def _replace_former(self, path: str) -> None:
        """Note that the document of the path gets another content: its record remembers one former content alone."""
        self._limits.pop(self._former, None)
        known = [each for each in self._readable() if _path(each) == path]
        self._former = self._word(known[0]) if known else ""

    def _decide(self, document: Document, choose: ReadersChoice) -> None:
        admin = self._world.services.administration.document_admin
        admin.decide_readers_if(self._tenant, document.doc_id, choose, PERSON)

    def _readable(self) -> list[Document]:
        found = self._world.services.stores.documents.all(self._tenant, None)
        # By path: ids differ from history to history, and a failing history is played again.
        return sorted((each for each in found if each.state is DocumentState.INDEXED), key=_path)

    def _has_copy(self, document: Document) -> bool:
        return sum(each.content_hash == document.content_hash for each in self._readable()) > 1

    def _word(self, document: Document) -> str:
        return self._words[document.content_hash]

    def _drawn_path(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self._objects.texts)))

    def _drawn_document(self, data: st.DataObject) -> Document:
        index = data.draw(st.integers(0, len(PATHS) - 1))
        found = self._readable()
        return found[index % len(found)]


def _path(document: Document) -> str:
    split = split_source_path(document.source_path or "")
    return "" if split is None else split[1]


def run_bucket(world: World, *, examples: int, history: ExampleDatabase | None = None) -> None:
    """Run histories of bucket events and decisions in fresh tenants, those of `history` first.

    Raises:
        LeakError: the first broken promise.
    """

    @seed(SEED)
    class Here(Bucketing):
        """State machine on the given world."""

        def __init__(self) -> None:
            super().__init__(world)

    run_machine(Here, examples, STEPS, history)
