"""Drawn policies, ceilings, people, keys, blocks, filters and dialects: explanations are what searches show."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.services.keys.admin import KeyWithSecret
from tests.server.entry.rest.api import api, key
from tests.support.isolation.dialect_calls import DIALECT_CALLS, DialectCall, Wanted
from tests.support.isolation.draws import COMMON
from tests.support.isolation.policies import PUBLIC
from tests.support.opensearch.emulator import opened
from tests.support.plugins.draws import DRAWS_ALL, SEED
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.on_opensearch import open_world_at
from tests.support.worlds.world import World, caller, open_world

USERS: Final = ("ann", "ben", "cleo")
TAGS: Final = ("a", "b", "c")
_LETTERS: Final = "bcdfghjklmnp"
SETS: Final[list[list[str]]] = [list(chosen) for size in range(len(TAGS) + 1) for chosen in combinations(TAGS, size)]
_DOCUMENTS: Final = 12
_CALLERS: Final = 20 if DRAWS_ALL else 5
_CASES: Final = 10_000 if DRAWS_ALL else 300
_BATCHES: Final = -(-_CASES // (_DOCUMENTS * _CALLERS))
_CHANGES: Final = -(-_BATCHES // 5)
"""Batches of changes of each kind."""
_SEARCHES: Final = [
    call
    for call in DIALECT_CALLS
    if call.toolset in {None, "default"}
    and call.scope in {"everything", "collection"}
    and re.match("default: rag|foundry: search_[hvt]|vertex: .*etrieve|azure|opensearch: _search|REST", call.name)
]
"""Searches of the dialects, each of which has room for all documents."""


class Company:
    """One tenant with documents, agents and an administrator."""

    def __init__(self, world: World, random: Random) -> None:
        self.world = world
        self.random = random
        self.tenant = world.tenant("amber")
        self.admin = api(key(world, self.tenant, Scope.ADMIN))
        self.agent = world.acting_key(self.tenant)
        self.keys = [
            self.agent,
            self.agent,
            world.acting_key(self.tenant, max_tags=("a", "b")),
            world.acting_key(self.tenant, collections=frozenset({"other"})),
            world.acting_key(self.tenant, require_user=True),
            world.personal_key(self.tenant, "ann", frozenset({"a"})),
        ]
        self.words = {f"d{number:02}": f"{_LETTERS[number] * 3}word" for number in range(_DOCUMENTS)}
        self.others = {doc_id for doc_id in self.words if doc_id.endswith(("3", "6"))}
        for doc_id, word in self.words.items():
            # Texts of the same words would be near-duplicates, of which an answer has one.
            more = " ".join(f"{word}{random.randrange(10**6)}" for _ in range(30))
            collection = "other" if doc_id in self.others else "default"
            text = f"The {COMMON} of the {word} is {more}."
            world.ingest(self.tenant, text, PUBLIC, path=f"/n/{doc_id}.md", doc_id=doc_id, collection=collection)

    def draw_rights(self) -> None:
        """Give each document and each user other rights, and block a user or nobody."""
        random, admin = self.random, self.admin
        for doc_id in self.words:
            admin.post(f"/v1/documents/{doc_id}/lift")
            put = f"/v1/documents/{doc_id}/policy"
            assert admin.put(put, **self.drawn_policy(), until_next_run=True, new_tags=True).status == 200
            if random.random() < 0.4:
                assert admin.put(put, **self.drawn_policy(), new_tags=True).status == 200
        self.unblock()
        for user in USERS:
            admin.delete(f"/v1/users/{user}")
            if random.random() < 0.6:
                assert admin.put(f"/v1/users/{user}", tags=random.choice(SETS), new_tags=True).status == 200
        if random.random() < 0.5:
            admin.post("/v1/users/block", users=[random.choice(USERS)])

    def unblock(self) -> None:
        """End all blocks."""
        for user in USERS:
            # Of several users, one without a block keeps the blocks of all.
            self.admin.post("/v1/users/unblock", users=[user])

    def drawn_policy(self) -> dict[str, Any]:
        """Return a policy, in one of ten cases a public one."""
        random = self.random
        return {
            "public": random.random() < 0.1,
            "users": random.sample(USERS[:2], random.choice((0, 0, 1, 2))),
            "any_tags": random.choice(SETS),
            "all_tags": random.choice(SETS) if random.random() < 0.5 else [],
        }

    def shown(self, agent: KeyWithSecret, user: str | None, tags: list[str] | None, call: DialectCall) -> set[str]:
        """Return the documents that a search of a dialect shows; of those that a collection limits, all others."""
        found = set[str]()
        for collection in ("default", "other") if call.scope == "collection" else ("",):
            method, path, body = call.send(Wanted(collection, "", "", ""))
            headers = {**caller(agent, user, None if tags is None else frozenset(tags)), **call.headers}
            text = self.world.request(method, path, headers, body).bytes.decode()
            found |= {doc_id for doc_id, word in self.words.items() if f"{word} " in text}
        return found

    def filtered(self, agent: KeyWithSecret, user: str | None, tags: list[str] | None, named: list[str]) -> set[str]:
        """Return the documents that a search among these files shows."""
        files = {"terms": {"source_file_name": [f"{doc_id}.md" for doc_id in named]}}
        query = {"bool": {"must": [{"match": {"content": COMMON}}], "filter": [files]}}

        def request(_wanted: Wanted) -> tuple[str, str, dict[str, object]]:
            return "POST", "/opensearch/*/_search", {"query": query, "size": 20}

        [search] = [call for call in _SEARCHES if call.name == "opensearch: _search of a pattern"]
        return self.shown(agent, user, tags, search._replace(request=request))

    def readable(self, **person: object) -> set[str]:
        """Return the documents that the explanation names."""
        reply = self.admin.post("/v1/access/documents", **_given(person))
        assert reply.status == 200, reply
        return {row["doc_id"] for row in reply.json["documents"]}

    def found_by(self, user: str | None, tags: list[str] | None = None) -> set[str]:
        """Return the documents that a search for the user shows, with stored tags unless some are sent."""
        return self.shown(self.agent, user, tags, DIALECT_CALLS[-1])


def _given(members: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in members.items() if value is not None}


@contextmanager
def open_embedded(_url: str, home: Path, patch: pytest.MonkeyPatch) -> Generator[World]:
    with open_world(home, patch) as world:
        yield world


@contextmanager
def open_opensearch(url: str, home: Path, patch: pytest.MonkeyPatch) -> Generator[World]:
    with opened(url, "opensearch") as emulated, open_world_at(emulated, home, patch) as world:
        yield world


@pytest.fixture(scope="module", params=["embedded", "opensearch"])
def company(request: pytest.FixtureRequest) -> Generator[Company]:
    url = request.getfixturevalue("opensearch_url") if request.param == "opensearch" else ""
    opening = open_opensearch if url else open_embedded
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, opening(url, home, patch) as world:
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        yield Company(world, Random(SEED))


def test_an_explanation_is_what_the_search_of_every_dialect_shows(company: Company) -> None:
    random, allowed = company.random, 0
    for _ in range(_BATCHES):
        company.draw_rights()
        for _ in range(_CALLERS):
            agent = random.choice(company.keys)
            is_personal = agent.key.user is not None
            user = None if is_personal else random.choice((None, *USERS))
            tags = None if is_personal else random.choice((None, *SETS))
            readable = company.readable(kid=agent.key.kid, user=user, tags=tags)
            call = random.choice(_SEARCHES)
            assert company.shown(agent, user, tags, call) == readable, (call.name, agent.key, user, tags)
            named = random.sample(sorted(company.words), random.randint(1, _DOCUMENTS))
            assert company.filtered(agent, user, tags, named) == readable & set(named), (agent.key, user, tags)
            doc_id = random.choice(named)
            person = _given({"kid": agent.key.kid, "user": user, "tags": tags})
            checked = company.admin.post("/v1/access/check", document=doc_id, **person).json
            assert checked["allowed"] is (doc_id in readable), checked
            allowed += len(readable)
    # Both decisions are frequent, so that neither side agrees by refusing.
    assert 0.1 < allowed / (_BATCHES * _CALLERS * _DOCUMENTS) < 0.9


def _documents(reply: Any, side: str) -> set[str]:
    return {each["doc_id"] for each in reply.json[side]["documents"]}


def _tags(company: Company) -> None:
    user, tags = company.random.choice(USERS), company.random.choice(SETS)
    company.unblock()
    effect = company.admin.post("/v1/access/what-if", change="tags", user=user, tags=tags)
    before = company.found_by(user)
    assert company.admin.put(f"/v1/users/{user}", tags=tags, new_tags=True).status == 200
    after = company.found_by(user)
    assert (_documents(effect, "added"), _documents(effect, "removed")) == (after - before, before - after)


def _block(company: Company) -> None:
    user = company.random.choice(USERS)
    company.unblock()
    effect = company.admin.post("/v1/access/what-if", change="block", user=user)
    before = company.found_by(user)
    company.admin.post("/v1/users/block", users=[user])
    assert (_documents(effect, "removed"), company.found_by(user)) == (before, set())
    assert _documents(effect, "added") == set()


def _group(company: Company) -> None:
    tags = company.random.choice(SETS)
    effect = company.admin.post("/v1/access/what-if", change="group", group="staff", tags=tags)
    before, after = company.found_by(None, []), company.found_by(None, tags)
    assert (_documents(effect, "added"), _documents(effect, "removed")) == (after - before, set())


def _policy(company: Company) -> None:
    doc_id, policy = company.random.choice(sorted(company.words)), company.drawn_policy()
    company.unblock()
    effect = company.admin.post("/v1/access/what-if", change="policy", document=doc_id, policy=policy).json
    before = {user for user in USERS if doc_id in company.found_by(user)}
    assert company.admin.put(f"/v1/documents/{doc_id}/policy", **policy, new_tags=True).status == 200
    after = {user for user in USERS if doc_id in company.found_by(user)}
    for side, users in (("added", after - before), ("removed", before - after)):
        named = set(effect[side]["users"])
        # Where everyone reads, no user is named.
        assert named == users or effect["everyone_before"] or effect["everyone_after"], (side, effect)


@pytest.mark.parametrize("change", [_tags, _block, _group, _policy])
def test_what_if_is_what_searches_show_after_the_change(company: Company, change: Callable[[Company], None]) -> None:
    for _ in range(_CHANGES):
        company.draw_rights()
        for _ in range(_CALLERS):
            change(company)
