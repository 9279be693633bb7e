"""Fields of a filter are those of documents that the caller may read at this moment."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.filters.field_types import FieldType, FieldTypes
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import DocumentsByField, RowSelection, lexical_half
from groundwire.services.collections.readable_fields import ReadableFields
from groundwire.services.ingest.request import IngestRequest
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World

BOARD = Policy(public=False, users=frozenset(), any_tags=frozenset({"board"}), all_tags=frozenset())
EVERYWHERE = ["open", "vault"]


def forgotten(*_: object) -> None:
    """Change nothing, as an index that is behind the registry."""


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Fields:
    """Readable fields of a tenant of its own."""

    def __init__(self, world: World) -> None:
        self.world, self.tenant, self.clock = world, world.tenant("amber"), Clock()
        self._read = ReadableFields(world.services.stores.indexes, world.services.stores.documents, self.clock)

    def ingest(self, doc_id: str, policy: Policy, metadata: Mapping[str, object], collection: str = "open") -> None:
        content = f"The ledger {doc_id}.".encode()
        path = f"/nowhere/{doc_id}.txt"
        made = IngestRequest(
            self.tenant, collection, path, f"{doc_id}.txt", lambda: content, DeclaredPolicy(policy, None), doc_id, None
        )
        request = replace(made, metadata=metadata_from_mapping(metadata))
        [_] = self.world.services.ingestion.batch(self.tenant, collection, [request], lambda _done, _total: None)

    def of(self, *tags: str, granted: CollectionGrant = ALL_COLLECTIONS, names: list[str] = EVERYWHERE) -> FieldTypes:
        principal = Principal(self.tenant, None, frozenset(tags))
        who = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), granted, USUAL_OPTIONS)
        return self._read(who, names)


@pytest.fixture
def fields(world: World) -> Fields:
    made = Fields(world)
    made.ingest("a", PUBLIC, {"year": 2024, "tags": ["x"]})
    made.ingest("b", PUBLIC, {"year": "soon"})
    made.ingest("c", BOARD, {"salary": 5, "year": True})
    made.ingest("d", PUBLIC, {"vaulted": "2024-05-31"}, collection="vault")
    return made


def test_fields_have_the_types_of_readable_documents(fields: Fields) -> None:
    assert fields.of() == {
        "year": {FieldType.NUMBER, FieldType.TEXT},
        "tags": {FieldType.TEXTS},
        "vaulted": {FieldType.DATE},
    }
    assert fields.of("board")["salary"] == {FieldType.NUMBER}
    assert fields.of("board")["year"] == {FieldType.NUMBER, FieldType.TEXT, FieldType.BOOLEAN}


def test_collections_of_key_and_call_narrow_the_fields(fields: Fields) -> None:
    assert "vaulted" not in fields.of(names=["open"])
    assert set(fields.of(granted=frozenset({"vault"}))) == {"vaulted"}
    assert fields.of(names=["unknown"]) == {}
    assert fields.of(names=[]) == {}


def test_a_name_counts_only_while_the_registry_admits_a_document(
    fields: Fields, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = fields.world.services.stores.indexes.for_tenant(fields.tenant)
    monkeypatch.setattr(type(index), "set_readers", forgotten)
    fields.world.services.administration.document_admin.override_policy(fields.tenant, "d", NO_READERS)
    rows = RowSelection(Principal(fields.tenant, None, frozenset()), EVERYWHERE, ALL_DOCUMENTS, None)
    assert lexical_half(index).select(DocumentsByField(rows, 5)).keys() >= {"vaulted"}
    assert "vaulted" not in fields.of()


def test_an_answer_is_kept_for_ten_seconds_for_the_same_rights_alone(fields: Fields) -> None:
    before = fields.of()
    fields.ingest("e", PUBLIC, {"later": 1})
    fields.clock.now += 9.9
    assert fields.of() == before
    assert "later" in fields.of("board")
    assert "later" in fields.of(names=["open"])
    fields.clock.now += 0.2
    assert "later" in fields.of()


def test_few_sampled_documents_that_are_hidden_meanwhile_do_not_hide_a_field(
    fields: Fields, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        fields.ingest(f"e{number}", PUBLIC, {"often": float(number)})
    index = fields.world.services.stores.indexes.for_tenant(fields.tenant)
    monkeypatch.setattr(type(index), "set_readers", forgotten)
    for number in range(3):
        fields.world.services.administration.document_admin.override_policy(fields.tenant, f"e{number}", NO_READERS)
    assert fields.of()["often"] == {FieldType.NUMBER}
