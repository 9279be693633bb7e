from contextlib import suppress

import pytest

from groundwire.domain import errors
from groundwire.domain.limits import MAX_DEFINITION_BYTES, MAX_DEFINITION_NAME_CHARACTERS, MAX_DEFINITIONS
from groundwire.ports.definitions import DefinitionKind, DefinitionWrite, Presence, StoredDefinition
from tests.contract.definitions.racing import create, replace_first
from tests.support.registry.backends import Place, Stores
from tests.support.registry.races import race, race_processes
from tests.support.registry.records import NOW, tenant

AGENT, BASE = DefinitionKind.AGENT, DefinitionKind.KNOWLEDGE_BASE
FIRST = StoredDefinition(BASE, "größe #1/旅行", '{"name": "größe"}'.encode(), "tag-1", NOW, NOW)
SECOND = FIRST._replace(body=b'{"retrievalInstructions": ""}', tag="tag-2", updated_at=NOW + 60)


@pytest.fixture(autouse=True)
def two_tenants(request: pytest.FixtureRequest) -> None:
    for stores in map(request.getfixturevalue, {"stores", "shared_stores"} & set(request.fixturenames)):
        stores.tenants.add(tenant("t-acme"))
        stores.tenants.add(tenant("t-blue"))


def test_a_definition_is_read_back_as_it_was_written(stores: Stores) -> None:
    assert stores.definitions.put("t-acme", FIRST, Presence.ABSENT) == DefinitionWrite(FIRST, is_new=True)
    assert stores.definitions.find("t-acme", BASE, FIRST.name) == FIRST
    assert stores.definitions.list_all("t-acme", BASE) == [FIRST]


def test_the_longest_name_and_the_largest_body_are_stored(stores: Stores) -> None:
    largest = FIRST._replace(name="𝄞" * MAX_DEFINITION_NAME_CHARACTERS, body=b"x" * MAX_DEFINITION_BYTES)
    stores.definitions.put("t-acme", largest, Presence.ABSENT)
    assert stores.definitions.list_all("t-acme", BASE) == [largest]


@pytest.mark.parametrize("expected", [Presence.ANY, Presence.PRESENT, "tag-1"])
def test_a_replaced_definition_has_the_new_content_and_its_first_time(stores: Stores, expected: Presence | str) -> None:
    stores.definitions.put("t-acme", FIRST, Presence.ANY)
    later = SECOND._replace(created_at=NOW + 60)
    assert stores.definitions.put("t-acme", later, expected) == DefinitionWrite(SECOND, is_new=False)
    assert stores.definitions.find("t-acme", BASE, FIRST.name) == SECOND


def test_what_is_there_is_neither_created_again_nor_replaced_under_another_tag(stores: Stores) -> None:
    stores.definitions.put("t-acme", FIRST, Presence.ABSENT)
    for expected in (Presence.ABSENT, "tag-0", "", "TAG-1"):
        with pytest.raises(errors.PreconditionFailed):
            stores.definitions.put("t-acme", SECOND, expected)
    for expected in (Presence.ABSENT, "tag-0"):
        with pytest.raises(errors.PreconditionFailed):
            stores.definitions.delete("t-acme", BASE, FIRST.name, expected)
    assert stores.definitions.list_all("t-acme", BASE) == [FIRST]


def test_what_is_not_there_is_not_replaced(stores: Stores) -> None:
    for expected in (Presence.PRESENT, "tag-1"):
        with pytest.raises(errors.PreconditionFailed):
            stores.definitions.put("t-acme", FIRST, expected)
        with pytest.raises(errors.PreconditionFailed):
            stores.definitions.delete("t-acme", BASE, FIRST.name, expected)
    for expected in (Presence.ANY, Presence.ABSENT):
        with pytest.raises(errors.NotFound):
            stores.definitions.delete("t-acme", BASE, FIRST.name, expected)
    assert stores.definitions.list_all("t-acme", BASE) == []


@pytest.mark.parametrize("expected", [Presence.ANY, Presence.PRESENT, "tag-1"])
def test_a_deleted_definition_does_not_exist_and_its_tag_opens_no_later_one(
    stores: Stores, expected: Presence | str
) -> None:
    stores.definitions.put("t-acme", FIRST, Presence.ABSENT)
    stores.definitions.delete("t-acme", BASE, FIRST.name, expected)
    assert stores.definitions.find("t-acme", BASE, FIRST.name) is None
    again = SECOND._replace(created_at=NOW + 60)
    assert stores.definitions.put("t-acme", again, Presence.ANY) == DefinitionWrite(again, is_new=True)
    with pytest.raises(errors.PreconditionFailed):
        stores.definitions.put("t-acme", FIRST, "tag-1")


def test_definitions_of_several_kinds_are_read_together(stores: Stores) -> None:
    state = FIRST._replace(kind=DefinitionKind.SOURCE_STATE, tag="tag-3")
    stored = [FIRST, FIRST._replace(kind=AGENT, tag="tag-4"), FIRST._replace(name="GRÖSSE #1/旅行", tag="tag-5"), state]
    for each in stored:
        stores.definitions.put("t-acme", each, Presence.ABSENT)
    keys = [(each.kind, each.name) for each in stored]
    assert stores.definitions.read("t-acme", [*keys, keys[0], (AGENT, "other")]) == dict(zip(keys, stored, strict=True))
    assert stores.definitions.read("t-acme", keys[1:2]) == {keys[1]: stored[1]}
    assert stores.definitions.read("t-acme", []) == {}
    assert stores.definitions.read("t-blue", keys) == {}


def test_more_definitions_than_one_request_returns_are_read_together(stores: Stores) -> None:
    keys = [(AGENT, f"{number:03}") for number in range(MAX_DEFINITIONS)]
    for kind, name in keys:
        stores.definitions.put("t-acme", FIRST._replace(kind=kind, name=name, tag=name), Presence.ABSENT)
    both = [*keys, *((BASE, name) for _, name in keys)]
    assert stores.definitions.read("t-acme", both).keys() == set(keys)


def test_names_differ_by_case_and_kind(stores: Stores) -> None:
    named = [FIRST._replace(name=name, tag=f"tag-{name}") for name in ("Plan", "plan", "PLAN", "plan#", "plän")]
    for each in named:
        stores.definitions.put("t-acme", each, Presence.ABSENT)
    of_agent = named[1]._replace(kind=AGENT)
    stores.definitions.put("t-acme", of_agent, Presence.ABSENT)
    assert [each.name for each in stores.definitions.list_all("t-acme", BASE)] == [
        *("PLAN", "Plan", "plan", "plan#", "plän")
    ]
    assert stores.definitions.list_all("t-acme", AGENT) == [of_agent]
    assert stores.definitions.find("t-acme", AGENT, "Plan") is None


def test_tenants_neither_see_nor_change_each_others(stores: Stores) -> None:
    stores.definitions.put("t-acme", FIRST, Presence.ABSENT)
    assert stores.definitions.find("t-blue", BASE, FIRST.name) is None
    assert stores.definitions.list_all("t-blue", BASE) == []
    with pytest.raises(errors.PreconditionFailed):
        stores.definitions.put("t-blue", SECOND, "tag-1")
    with pytest.raises(errors.NotFound):
        stores.definitions.delete("t-blue", BASE, FIRST.name, Presence.ANY)
    stores.definitions.put("t-blue", SECOND, Presence.ABSENT)
    assert stores.definitions.list_all("t-acme", BASE) == [FIRST]


def test_definitions_are_erased_and_counted_with_their_tenant(stores: Stores) -> None:
    for tenant_id in ("t-acme", "t-blue"):
        stores.definitions.put(tenant_id, FIRST, Presence.ABSENT)
        stores.definitions.put(tenant_id, FIRST._replace(kind=AGENT), Presence.ABSENT)
    assert stores.tenants.delete("t-acme")["definitions"] == 2
    assert stores.definitions.find("t-acme", BASE, FIRST.name) is None
    assert stores.definitions.list_all("t-acme", AGENT) == []
    assert stores.definitions.list_all("t-blue", BASE) == [FIRST]


def test_a_tenant_has_a_bounded_number_of_each_kind(stores: Stores) -> None:
    for number in range(MAX_DEFINITIONS):
        stores.definitions.put("t-acme", FIRST._replace(name=f"{number:03}", tag=f"tag {number}"), Presence.ABSENT)
    for expected in (Presence.ABSENT, Presence.ANY):
        with pytest.raises(errors.Conflict, match="delete one first"):
            stores.definitions.put("t-acme", FIRST, expected)
    with pytest.raises(errors.PreconditionFailed):
        stores.definitions.put("t-acme", FIRST._replace(name="007"), Presence.ABSENT)
    stores.definitions.put("t-acme", FIRST._replace(name="007"), "tag 7")
    stores.definitions.put("t-acme", FIRST._replace(kind=AGENT), Presence.ABSENT)
    stores.definitions.delete("t-acme", BASE, "100", Presence.ANY)
    stores.definitions.put("t-acme", FIRST, Presence.ABSENT)
    assert len(stores.definitions.list_all("t-acme", BASE)) == MAX_DEFINITIONS


def test_of_racing_creations_of_one_name_one_succeeds(shared_place: Place, shared_stores: Stores) -> None:
    created = race_processes(4, create, shared_place)
    assert created.count(True) == 1
    assert shared_stores.definitions.list_all("t-acme", AGENT)[0].tag == f"tag {created.index(True)}"


def test_of_racing_replacements_of_one_content_one_succeeds(shared_place: Place, shared_stores: Stores) -> None:
    shared_stores.definitions.put("t-acme", FIRST._replace(kind=AGENT, name="plan", tag="first"), Presence.ABSENT)
    replaced = race_processes(4, replace_first, shared_place)
    assert replaced.count(True) == 1
    assert shared_stores.definitions.list_all("t-acme", AGENT)[0].tag == f"tag {replaced.index(True)}"


def test_racing_writers_without_a_condition_all_succeed(shared_stores: Stores) -> None:
    def write(number: int) -> bool:
        return shared_stores.definitions.put("t-acme", FIRST._replace(tag=f"tag {number}"), Presence.ANY).is_new

    assert race(6, write).count(True) == 1
    assert len(shared_stores.definitions.list_all("t-acme", BASE)) == 1


def test_racing_creations_do_not_exceed_the_limit(shared_stores: Stores) -> None:
    for number in range(MAX_DEFINITIONS - 2):
        shared_stores.definitions.put("t-acme", FIRST._replace(name=f"{number:03}"), Presence.ABSENT)

    def add(number: int) -> None:
        with suppress(errors.Conflict):
            shared_stores.definitions.put("t-acme", FIRST._replace(name=f"racing {number}"), Presence.ABSENT)

    race(6, add)
    assert len(shared_stores.definitions.list_all("t-acme", BASE)) == MAX_DEFINITIONS
