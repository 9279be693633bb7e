"""Questions about access over REST: their answers are what searches and changes really do."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserState
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.keys.caller import Caller
from groundwire.domain.search.request import SearchRequest
from groundwire.services.documents.browse.access import readers
from groundwire.services.keys.admin import KeyWithSecret
from groundwire.services.search import Search, Trace
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_tags, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world

USERS: Final = ("ann", "ben", "cleo")
TAGS: Final = ("a", "b", "c")
_CASES: Final = 300
NOBODY: Final[dict[str, Any]] = {"public": False, "users": [], "any_tags": [], "all_tags": []}


def some(names: tuple[str, ...]) -> list[list[str]]:
    return [list(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]


POLICIES = st.fixed_dictionaries(
    {
        "public": st.booleans(),
        "users": st.sampled_from(some(USERS[:2])),
        "any_tags": st.sampled_from(some(TAGS)),
        "all_tags": st.sampled_from(some(TAGS)),
    }
)
PEOPLE = st.tuples(st.sampled_from([None, *USERS]), st.none() | st.sampled_from(some(TAGS)))


class Company:
    """One tenant with a document, agents and an administrator."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tenant = world.tenant("amber")
        self.admin = api(key(world, self.tenant, Scope.ADMIN))
        self.keys = [
            world.acting_key(self.tenant),
            world.acting_key(self.tenant, max_tags=("a", "b")),
            world.acting_key(self.tenant, collections=frozenset({"other"})),
            world.acting_key(self.tenant, require_user=True),
            world.personal_key(self.tenant, "ann", frozenset({"a"})),
            world.personal_key(self.tenant, "ben", frozenset({"b", "c"})),
        ]
        self.document("doc")

    def document(self, doc_id: str, collection: str = "default") -> None:
        self.world.ingest(
            self.tenant, f"The pump of {doc_id}.", PUBLIC, path=f"/n/{doc_id}.md", doc_id=doc_id, collection=collection
        )

    def finds(self, agent: KeyWithSecret, user: str | None, tags: list[str] | None) -> set[str]:
        """Return the documents that a search of this call shows; none where the call is refused."""
        answer = self.world.search(caller(agent, user, None if tags is None else frozenset(tags)), "pump")
        segments = answer.segments if answer.status == 200 and "result" in answer.payload else []
        return {segment["segment_uid"].rpartition(".")[0] for segment in segments}

    def readable(self, agent: KeyWithSecret, user: str | None, tags: list[str] | None) -> set[str]:
        """Return the documents that the explanation names for this call."""
        rows = self.admin.post("/v1/access/documents", **person(agent, user, tags)).json["documents"]
        return {row["doc_id"] for row in rows}


def person(agent: KeyWithSecret | None, user: str | None, tags: list[str] | None) -> dict[str, Any]:
    members = {"user": user, "tags": tags, "kid": None if agent is None else agent.key.kid}
    return {name: value for name, value in members.items() if value is not None}


@pytest.fixture(scope="module")
def company() -> Any:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        yield Company(world)


@given(
    declared=POLICIES,
    ceiling=st.none() | POLICIES,
    entry=st.none() | st.sampled_from(some(TAGS)),
    who=PEOPLE,
    agent=st.integers(0, 5),
    is_blocked=st.booleans(),
)
@settings(max_examples=examples(_CASES))
def test_a_check_decides_about_every_call_as_a_search_of_that_call_does(
    company: Company,
    declared: dict[str, Any],
    ceiling: dict[str, Any] | None,
    entry: list[str] | None,
    who: tuple[str | None, list[str] | None],
    agent: int,
    is_blocked: bool,  # noqa: FBT001 - drawn
) -> None:
    user, tags = who
    admin, acting = company.admin, company.keys[agent]
    admin.post("/v1/documents/doc/lift")
    assert admin.put("/v1/documents/doc/policy", **declared, until_next_run=True, new_tags=True).status == 200
    if ceiling is not None:
        assert admin.put("/v1/documents/doc/policy", **ceiling, new_tags=True).status == 200
    for name in USERS:
        admin.delete(f"/v1/users/{name}")
        if entry is not None:
            assert admin.put(f"/v1/users/{name}", tags=entry, new_tags=True).status == 200
    if is_blocked and user is not None:
        admin.post("/v1/users/block", users=[user])
    try:
        checked = admin.post("/v1/access/check", document="doc", **person(acting, user, tags))
        shown = "doc" in company.finds(acting, user, tags)
        if checked.status == 400:
            # A personal key takes no user and no tags from its calls.
            assert acting.key.user is not None
            assert not shown
            return
        assert checked.json["allowed"] is shown, checked.json
        assert ("doc" in company.readable(acting, user, tags)) is shown
    finally:
        admin.post("/v1/users/unblock", users=[user or "nobody"])


@given(before=POLICIES, after=POLICIES, entry=st.sampled_from(some(TAGS)))
@settings(max_examples=examples(40))
def test_what_if_of_a_policy_names_exactly_whom_the_real_change_lets_in_and_shuts_out(
    company: Company, before: dict[str, Any], after: dict[str, Any], entry: list[str]
) -> None:
    admin = company.admin
    admin.post("/v1/documents/doc/lift")
    admin.put("/v1/documents/doc/policy", **before, until_next_run=True, new_tags=True)
    admin.put("/v1/users/ann", tags=entry, new_tags=True)
    effect = admin.post("/v1/access/what-if", change="policy", document="doc", policy=after).json
    readers_before = admin.post("/v1/access/readers", document="doc").json
    assert admin.put("/v1/documents/doc/policy", **after, new_tags=True).status == 200
    readers_after = admin.post("/v1/access/readers", document="doc").json

    assert (effect["everyone_before"], effect["everyone_after"]) == (
        readers_before["everyone"],
        readers_after["everyone"],
    )
    for name, member in (("users", "user"), ("keys", "kid")):
        was, became = ({each[member] for each in one[name]} for one in (readers_before, readers_after))
        # Where everyone reads, the lists of readers lack users without an entry.
        assert set(effect["added"][name]) == (became - was if not readers_before["everyone"] else set())
        assert set(effect["removed"][name]) == (was - became if not readers_after["everyone"] else set())


@given(who=PEOPLE, agent=st.integers(0, 5))
@settings(max_examples=examples(40))
def test_why_not_is_shown_exactly_where_the_search_of_that_call_shows_the_document(
    company: Company, who: tuple[str | None, list[str] | None], agent: int
) -> None:
    user, tags = who
    admin, acting = company.admin, company.keys[agent]
    policy = {**NOBODY, "users": ["ben"], "any_tags": ["a"]}
    admin.post("/v1/documents/doc/lift")
    admin.put("/v1/documents/doc/policy", **policy, until_next_run=True, new_tags=True)
    reply = admin.post("/v1/access/why-not", document="doc", phrases=["pump"], **person(acting, user, tags))
    is_shown = reply.status == 200 and reply.json["outcome"] == "shown"
    assert is_shown is ("doc" in company.finds(acting, user, tags))


@pytest.fixture
def three(world: World, tenant: str) -> Mapping[str, KeyWithSecret]:
    """Ingest a public document, one readable by tag and one readable by user, in two collections."""
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/all.md", doc_id="all")
    world.ingest(tenant, "The pump.", for_tags("a"), path="/n/tagged.md", doc_id="tagged", collection="other")
    world.ingest(tenant, "The pump.", for_users("ann"), path="/n/named.md", doc_id="named")
    return {"agent": world.acting_key(tenant, max_tags=("b",))}


def changed(reply: dict[str, Any]) -> tuple[list[str], list[str]]:
    opened, closed = ([each["doc_id"] for each in reply[side]["documents"]] for side in ("added", "removed"))
    assert (reply["added"]["count"], reply["removed"]["count"]) == (len(opened), len(closed))
    return opened, closed


def test_what_if_names_the_documents_that_tags_groups_bounds_and_blocks_open_and_close(
    admin: Api, three: Mapping[str, KeyWithSecret]
) -> None:
    admin.put("/v1/users/ann", tags=["b"])
    kid = three["agent"].key.kid
    assert changed(admin.post("/v1/access/what-if", change="tags", user="ann", tags=["a"]).json) == (["tagged"], [])
    assert changed(admin.post("/v1/access/what-if", change="group", group="g", tags=["a"]).json) == (["tagged"], [])
    assert changed(admin.post("/v1/access/what-if", change="max_tags", kid=kid, max_tags=["a*"]).json) == (
        ["tagged"],
        [],
    )
    blocked = admin.post("/v1/access/what-if", change="block", user="ann").json
    assert changed(blocked) == ([], ["all", "named"])
    assert blocked["removed"]["collections"] == {"default": 2}
    # Nothing was changed by the questions.
    assert [row["doc_id"] for row in admin.post("/v1/access/documents", user="ann").json["documents"]] == [
        *("all", "named")
    ]


def test_what_if_refuses_a_change_whose_members_are_of_another_one(admin: Api, three: object) -> None:
    assert three
    refused = admin.post("/v1/access/what-if", change="block", user="ann", tags=["a"])
    assert (refused.status, "`tags`" in refused.json["error"]["message"]) == (400, True)
    assert admin.post("/v1/access/what-if", change="tags", tags=["a"]).status == 400


def test_a_check_names_the_clause_the_source_and_the_tags_that_are_missing(
    admin: Api, three: Mapping[str, KeyWithSecret]
) -> None:
    denied = admin.post("/v1/access/check", document="tagged", user="ben", tags=["b", "b"]).json
    assert (denied["allowed"], denied["reason"], denied["missing_tags"]) == (False, "no_match", [["a"]])
    assert (denied["person"]["tags"], denied["person"]["tags_ignored"]) == (["b"], 1)
    allowed = admin.post("/v1/access/check", document="tagged", tags=["a"]).json
    assert (allowed["allowed"], allowed["reason"], allowed["needed_tags"]) == (True, "tags", ["a"])
    named = admin.post("/v1/access/check", document="named", user="ann").json
    assert (named["reason"], named["needs_user"], named["person"]["tags_from"]) == ("named_user", True, "entry")
    beyond = admin.post("/v1/access/check", document="tagged", user="ben", tags=["a"], kid=three["agent"].key.kid)
    assert (beyond.json["reason"], beyond.json["person"]["tags_ignored"]) == ("no_match", 1)


def test_a_check_takes_the_uid_of_a_passage_for_its_document(
    world: World, tenant: str, admin: Api, three: object
) -> None:
    assert three
    [segment, *_] = world.search(caller(world.personal_key(tenant, "ann", frozenset())), "pump").segments
    uid = segment["segment_uid"]
    assert admin.post("/v1/access/check", document=uid).json["document"]["doc_id"] == uid.rpartition(".")[0]


def test_a_hidden_document_has_no_readers_whatever_its_declared_policy_admits(admin: Api, three: object) -> None:
    assert three
    admin.post("/v1/documents/all/close")
    found = admin.post("/v1/access/readers", document="all").json
    assert (found["everyone"], found["tag_sets"], found["users"], found["keys"]) == (False, [], [], [])
    checked = admin.post("/v1/access/check", document="all", user="ann").json
    assert (checked["reason"], checked["policy_reason"], checked["ceiling_reason"]) == (
        *("ceiling", "public"),
        "empty_policy",
    )


def test_the_documents_of_a_person_come_page_by_page_without_a_repetition(
    world: World, tenant: str, admin: Api
) -> None:
    for number in range(5):
        world.ingest(
            tenant, "The pump.", PUBLIC if number % 2 else NO_READERS, path=f"/n/{number}.md", doc_id=f"d{number}"
        )
    seen, after = list[str](), None
    while True:
        page = admin.post("/v1/access/documents", limit=1, **({} if after is None else {"after": after})).json
        seen += [row["doc_id"] for row in page["documents"]]
        after = page["next"]
        if after is None:
            break
    assert seen == ["d1", "d3"]


def test_a_document_that_is_not_indexed_is_shown_as_such_and_read_by_nobody(
    world: World, tenant: str, admin: Api
) -> None:
    outcome = world.ingest(tenant, b"", PUBLIC, path="/n/empty.md", doc_id="empty")
    assert outcome.document is not None
    assert outcome.document.state is not DocumentState.INDEXED
    checked = admin.post("/v1/access/check", document="empty", user="ann").json
    assert (checked["allowed"], checked["reason"]) == (False, "not_indexed")


def test_nothing_beyond_the_bounds_of_an_administrator_changes_an_answer(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", for_tags("a"), path="/n/own.md", doc_id="own", collection="handbook")
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    kids = {"closed": "000000000000"}

    def seen() -> list[bytes]:
        questions: list[tuple[str, dict[str, Any]]] = [
            *(("check", {"document": document, "user": "ann", "tags": ["a"]}) for document in ("own", "closed")),
            *(("readers", {"document": document}) for document in ("own", "closed")),
            ("documents", {"user": "ann", "tags": ["a", "board"]}),
            ("documents", {"user": "ann"}),
            ("what-if", {"change": "policy", "document": "own", "policy": {**NOBODY, "any_tags": ["board"]}}),
            ("what-if", {"change": "policy", "document": "closed", "policy": NOBODY}),
            ("what-if", {"change": "block", "user": "ann"}),
            ("what-if", {"change": "tags", "user": "ann", "tags": ["board"]}),
            ("check", {"document": "own", "kid": kids["closed"]}),
        ]
        answers = [bounded.post(f"/v1/access/{route}", **body) for route, body in questions]
        return [answer.body.replace(kids["closed"].encode(), b"K") for answer in answers]

    before = seen()
    world.ingest(tenant, "The pump.", for_users("ann"), path="/n/closed.md", doc_id="closed", collection="closed")
    admin.put("/v1/users/ann", tags=["board"])
    admin.put("/v1/groups/chiefs", tags=["board"])
    admin.post("/v1/users/block", users=["ann"])
    kids["closed"] = world.acting_key(tenant).key.kid
    after = seen()
    assert after == before
    assert json.loads(before[0])["allowed"] is True


def test_questions_need_the_scope_admin(world: World, tenant: str, three: object) -> None:
    assert three
    other = api(key(world, tenant, Scope.SEARCH, Scope.INGEST, Scope.SHARE))
    assert {other.post(f"/v1/access/{route}", document="all").status for route in ("check", "readers")} == {403}


def outcome(admin: Api, document: str, **search: Any) -> str:
    reply = admin.post("/v1/access/why-not", document=document, **{"phrases": ["pump"], **search})
    return str(reply.json["outcome"])


def test_why_not_names_the_step_at_which_a_document_fell_away(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump of the cellar.", PUBLIC, path="/n/a.md", doc_id="a")
    world.ingest(tenant, "The pump of the roof, which is old.", PUBLIC, path="/n/b.md", doc_id="b")
    world.ingest(tenant, "The pump of the cellar.", PUBLIC, path="/n/twin.md", doc_id="twin", collection="other")
    world.ingest(tenant, "The pump of the board.", for_tags("board"), path="/n/c.md", doc_id="closed")
    world.ingest(tenant, "Zebras eat grass.", PUBLIC, path="/n/z.md", doc_id="zebra")

    assert outcome(admin, "closed", user="ann") == "closed"
    assert outcome(admin, "twin", user="ann", collections=["default"]) == "other_collection"
    assert outcome(admin, "a", where="year >= 2024") == "filtered"
    assert {outcome(admin, each) for each in ("a", "twin")} == {"shown", "near_duplicate"}
    assert {outcome(admin, each, top_n=1, collections=["default"]) for each in ("a", "b")} == {"shown", "beyond_top_n"}
    assert outcome(admin, "closed", tags=["board"], phrases=["pump of the board"]) == "shown"


def test_why_not_names_the_floor_where_a_passage_among_the_best_is_left_out(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, admin: Api
) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="a")
    search = world.services.reading.search

    def nothing_relevant(caller: Caller, request: SearchRequest) -> Trace:
        # The model of these tests has no fit of relevance.
        return replace(Search.traced(search, caller, request), answer=(), is_below_floor=True)

    monkeypatch.setattr(search, "traced", nothing_relevant, raising=False)
    reply = admin.post("/v1/access/why-not", document="a", phrases=["pump"]).json
    assert (reply["outcome"], reply["rank"], reply["passage"]["doc_id"]) == ("below_floor", 1, "a")


def test_why_not_needs_a_key_without_bounds_as_a_rank_depends_on_other_documents(
    world: World, tenant: str, admin: Api
) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/own.md", doc_id="own", collection="handbook")
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    assert bounded.post("/v1/access/why-not", document="own", phrases=["pump"]).status == 403
    assert admin.post("/v1/access/why-not", document="own", phrases=[" "]).status == 400


def test_every_set_of_tags_is_listed_and_compared_however_many_there_are(world: World, tenant: str, admin: Api) -> None:
    tags = [f"t{number:02}" for number in range(30)]
    world.ingest(tenant, "The pump.", for_tags(*tags), path="/n/a.md", doc_id="a")
    assert admin.post("/v1/access/readers", document="a").json["tag_sets"] == [[tag] for tag in tags]
    wider = {**NOBODY, "any_tags": [*tags, "zz"]}
    admin.put("/v1/documents/a/policy", **NOBODY, until_next_run=True)
    effect = admin.post("/v1/access/what-if", change="policy", document="a", policy=wider).json
    assert [tags for tags in effect["added"]["tag_sets"] if tags == ["zz"]] == [["zz"]]
    assert len(effect["added"]["tag_sets"]) == 31


def test_what_if_refuses_the_readers_that_the_real_change_refuses(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="a", collection="handbook")
    assert admin.put("/v1/collections/handbook", policy_authority="files").status == 200
    refused = [
        admin.post("/v1/access/what-if", change="policy", document="a", policy=NOBODY),
        admin.put("/v1/documents/a/policy", **NOBODY),
    ]
    assert [(each.status, each.code) for each in refused] == [(409, "conflict")] * 2


def test_a_blocked_user_is_shown_as_blocked_by_every_answer_that_names_the_user(
    world: World, tenant: str, admin: Api
) -> None:
    world.ingest(tenant, "The pump.", for_users("ann"), path="/n/a.md", doc_id="a")
    personal = world.personal_key(tenant, "ann", frozenset())
    admin.delete(f"/v1/keys/{personal.key.kid}")
    own = world.personal_key(tenant, "ann", frozenset())
    admin.post("/v1/users/block", users=["ANN"])
    found = admin.post("/v1/access/readers", document="a").json
    assert [(each["user"], each["blocked"]) for each in found["users"]] == [("ann", True)]
    assert [(each["kid"], each["blocked"]) for each in found["keys"]] == [(own.key.kid, True)]
    ended = admin.post("/v1/access/check", document="a", kid=personal.key.kid).json
    assert (ended["reason"], ended["person"]["blocked"]) == ("key_revoked", True)


def test_the_readers_of_a_public_document_read_no_more_blocks_than_are_listed(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, admin: Api
) -> None:
    monkeypatch.setattr("groundwire.services.documents.browse.access.readers.MAX_LISTED", 2)
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="a")
    users, states = world.services.stores.users, list[str]()
    for number in range(9):
        users.set(tenant, f"u{number}", frozenset())
        world.personal_key(tenant, f"u{number}", frozenset())

    def state(of: str, user: str) -> UserState:
        states.append(user)
        return type(users).state(users, of, user)

    monkeypatch.setattr(users, "state", state)
    found = admin.post("/v1/access/readers", document="a").json
    assert [each["user"] for each in found["users"]] == ["u0", "u1"]
    assert (len(found["keys"]), found["complete"]) == (2, False)
    # One more of each list, to know that there are more; and the caller.
    assert len(states) <= 7


def test_a_check_takes_as_many_bytes_of_tags_as_a_call_can_send(world: World, tenant: str, admin: Api) -> None:
    tags = [f"отдел:{number:02}{'я' * 90}" for number in range(20)]
    world.ingest(tenant, "The pump.", for_tags(tags[0]), path="/n/a.md", doc_id="a")
    agent = world.acting_key(tenant)
    sent = json.dumps(tags, ensure_ascii=False, separators=(",", ":"))
    assert world.search(caller(agent, "ann", sent), "pump").segments
    assert admin.post("/v1/access/check", document="a", **person(agent, "ann", tags)).json["allowed"] is True


def test_hidden_documents_between_its_own_change_no_part_of_a_bounded_administrators_list(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.services.documents.browse.access.readable.MAX_RECORDS_SCANNED", 2)
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="z", collection="handbook")
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    before = bounded.post("/v1/access/documents", tags=[]).json
    for number in range(3):
        world.ingest(tenant, "The pump.", PUBLIC, path=f"/n/{number}.md", doc_id=f"c{number}", collection="closed")
    assert bounded.post("/v1/access/documents", tags=[]).json == before
    assert [row["doc_id"] for row in before["documents"]] == ["z"]


def test_what_if_compares_all_readers_and_counts_them_where_its_lists_end(
    world: World, tenant: str, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MAX_LISTED", 3)
    world.ingest(tenant, "The pump.", for_tags("a"), path="/n/one.md", doc_id="one")
    for number in range(9):
        # The first ones by name can read it now, and the last ones afterwards.
        admin.put(f"/v1/users/u{number}", tags=["a" if number < 5 else "b"], new_tags=True)
        admin.put(f"/v1/groups/g{number}", tags=["a" if number < 4 else "b"], new_tags=True)
    after = {**NOBODY, "any_tags": ["b"]}
    admin.put("/v1/documents/one/policy", **{**NOBODY, "any_tags": ["a"]}, until_next_run=True)
    effect = admin.post("/v1/access/what-if", change="policy", document="one", policy=after).json
    assert (effect["added"]["users"], effect["removed"]["users"]) == (["u5", "u6", "u7"], ["u0", "u1", "u2"])
    assert effect["added"]["counts"] == {"users": 4, "groups": 5, "keys": 0}
    assert effect["removed"]["counts"] == {"users": 5, "groups": 4, "keys": 0}
    assert effect["complete"] is False
