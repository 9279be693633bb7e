"""Owners and callers of two tenants, at random, against what must be seen.

Both tenants use the same users, tags, document ids and collections, so that whatever is not kept apart meets.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from random import Random
from typing import ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from groundwire.domain.access.policy import Policy
from groundwire.ports import DocumentVersion
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.keys.admin import KeyWithSecret
from groundwire.services.keys.key_spec import KeyChange
from tests.support.isolation.dialect_answers import (
    ABSENT,
    DialectCounts,
    absent_like,
    documents_of,
    leaked_names,
    without_names,
)
from tests.support.isolation.dialect_calls import DIALECT_CALLS, DialectCall, Wanted, word_of
from tests.support.isolation.draws import COLLECTIONS, COMMON, IDS, POLICIES, TAGS, USERS, subsets
from tests.support.isolation.expectations import Held, Holder, SentTags, Who, visible
from tests.support.isolation.shown_links import Call, ShownLink, ShownLinks, opens
from tests.support.isolation.tenancy import Tenancy
from tests.support.worlds.world import Answer, World, caller

STRAY: Final = "handbook.0123456789abcdef"
"""A citation of a passage that never was."""

_MOST_DOCUMENTS: Final = 6
_UNKNOWN: Final = "This document does not exist or you may not read it."
_DELETED: Final = "Document has been deleted"


class LeakError(AssertionError):
    """Somebody was shown what they may not see."""


class WrongDenialError(AssertionError):
    """Somebody was not shown what they may see."""


class Isolation(RuleBasedStateMachine):
    """The promise: a caller is shown exactly what the caller's person may read at this moment, and nothing else.

    Attributes:
        calls: those of the dialects, of which each step makes some.
    """

    calls: ClassVar[Sequence[DialectCall]] = DIALECT_CALLS

    def __init__(self, world: World, *, leaks_only: bool = False) -> None:
        super().__init__()
        self._world = world
        self._leaks_only = leaks_only
        self._tenancies = [Tenancy(world, "amber"), Tenancy(world, "birch")]
        self._numbers = itertools.count()
        self._words: list[str] = []
        self._links = ShownLinks()
        self._steps = itertools.count()
        self._turns = itertools.count()
        self._searches: list[Call] = []
        self._changed = STRAY
        self._random = Random(0)
        self._dialect_calls = self._shuffled_calls()
        self.dialect_counts = DialectCounts()
        self._answered: Counter[str] = Counter()

    def teardown(self) -> None:
        """The home is left as it was found."""
        for tenancy in self._tenancies:
            self._world.services.administration.tenant_admin.delete(tenancy.tenant)

    @initialize(data=st.data())
    def open_the_library(self, data: st.DataObject) -> None:
        """Both tenants begin with the same documents, by their names, for different readers."""
        for at, doc_id in itertools.product((0, 1), IDS):
            collection = data.draw(st.sampled_from(COLLECTIONS))
            self.put(at, doc_id, collection, data.draw(POLICIES), 2)
        self.search(data)
        # Several numbers: one alone is often the same, a small one.
        self._random.seed(str(data.draw(st.lists(st.integers(0, 2**32), min_size=4, max_size=4))))

    # Owners

    @rule(
        at=st.integers(0, 1),
        doc_id=st.sampled_from(IDS),
        collection=st.sampled_from(COLLECTIONS),
        policy=POLICIES,
        count=st.integers(1, 3),
    )
    def put(self, at: int, doc_id: str | None, collection: str, policy: Policy, count: int) -> None:
        """A file comes in, perhaps under the id of one that is there or was deleted."""
        tenancy = self._tenancies[at]
        known = tenancy.documents.get(doc_id or "")
        if known is None and len(tenancy.documents) >= _MOST_DOCUMENTS:
            return
        passages = tuple(self._passage(tenancy) for _ in range(count))
        path = f"/nowhere/{next(self._numbers)}.txt"
        held = Held(tenancy.tenant, doc_id or "", collection, path, policy, passages)
        if known is not None:
            held.uids = known.uids
        self._ingest(held, doc_id)
        tenancy.documents[held.doc_id] = held
        self._expect_opened(*self._links.to_document(tenancy.tenant, held.doc_id))

    @precondition(lambda self: self._living())
    @rule(data=st.data(), policy=st.none() | POLICIES)
    def redact(self, data: st.DataObject, policy: Policy | None) -> None:
        """A file comes in again with one passage replaced, perhaps under another policy too."""
        held = data.draw(st.sampled_from(self._living()))
        place = data.draw(st.integers(0, len(held.passages) - 1))
        fresh = self._passage(self._tenancy(held.tenant))
        held.passages = (*held.passages[:place], fresh, *held.passages[place + 1 :])
        held.policy = policy or held.policy
        self._ingest(held, held.doc_id)

    @precondition(lambda self: self._living())
    @rule(data=st.data())
    def rename(self, data: st.DataObject) -> None:
        """Rename a file: the same content has a new name, and the old name is missing."""
        held = data.draw(st.sampled_from(self._living()))
        held.path = f"/nowhere/{next(self._numbers)}.txt"
        self._ingest(held, None, IngestStatus.UPDATED)

    @precondition(lambda self: self._living())
    @rule(data=st.data(), policy=POLICIES, by_file=st.booleans())
    def repolicy(self, data: st.DataObject, policy: Policy, *, by_file: bool) -> None:
        """Other people may read it from now on."""
        held = data.draw(st.sampled_from(self._living()))
        changed = held.policy != policy
        held.policy = policy
        if by_file:
            self._ingest(held, None, IngestStatus.POLICY_CHANGED if changed else IngestStatus.UNCHANGED)
        else:
            self._world.services.administration.document_admin.override_policy(held.tenant, held.doc_id, policy)
            self._changed = held.uids[-1]

    @precondition(lambda self: self._living())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        """It is taken away."""
        held = data.draw(st.sampled_from(self._living()))
        self._world.services.administration.document_admin.delete(held.tenant, held.doc_id)
        held.deleted = True
        self._changed = held.uids[-1]

    @rule(at=st.integers(0, 1), user=st.sampled_from(USERS), tags=subsets(TAGS))
    def keep_tags(self, at: int, user: str, tags: frozenset[str]) -> None:
        """Store the user's tags in the tenant's entry, and follow the links from before."""
        tenancy = self._tenancies[at]
        self._search((tenancy.holders[0], user, None), [COMMON])
        self._world.services.stores.users.set(tenancy.tenant, user, tags)
        tenancy.entries[user] = tags
        self._expect_opened(*self._links.by_entry(tenancy.tenant, user))

    @rule(at=st.integers(0, 1), tags=subsets(TAGS))
    def narrow(self, at: int, tags: frozenset[str]) -> None:
        """Change the tags that the widest key of a tenant may assert, follow its links, and give the tags back."""
        tenancy, admin = self._tenancies[at], self._world.services.administration.key_admin
        holder, before = tenancy.holders[0], tenancy.holders[0].max_tags
        for bound in (tuple(sorted(tags)), before):
            for key in holder.keys:
                admin.change(tenancy.tenant, key.key.kid, KeyChange(max_tags=bound))
            holder.max_tags = bound
            self._expect_opened(*self._links.by_holder(holder))

    @rule(at=st.integers(0, 1), rotates=st.booleans())
    def revoke(self, at: int, *, rotates: bool) -> None:
        """Revoke the widest key of a tenant and give its holder another, or replace the key's secret."""
        tenancy, admin = self._tenancies[at], self._world.services.administration.key_admin
        holder = tenancy.holders[0]
        ended = replace(holder, ended=True)
        tenancy.ended.append(ended)
        if rotates:
            # Links stay: they are of the key, whatever its secret.
            holder.key = admin.rotate(tenancy.tenant, holder.key.key.kid, 0)
            holder.others = {name: admin.rotate(tenancy.tenant, key.key.kid, 0) for name, key in holder.others.items()}
        else:
            for key in holder.keys:
                admin.revoke(tenancy.tenant, key.key.kid)
            holder.ended = True
            fresh = Holder(tenancy.tenant, self._world.acting_key(tenancy.tenant), None, ("*",), holder.collections)
            tenancy.holders[0] = fresh
        for key in ended.keys:
            self._expect_status(self._world.search(caller(key), COMMON), HTTPStatus.UNAUTHORIZED)

    # Callers

    @rule(data=st.data())
    def search(self, data: st.DataObject) -> None:
        """Some ask for whatever there is, in one or several phrases."""
        phrases = data.draw(st.lists(st.sampled_from([COMMON, *self._words]), min_size=1, max_size=3))
        self._searches = [self._caller(data) for _ in range(3)]
        for call in self._searches:
            self._search(call, phrases)

    @invariant()
    def ask_again(self) -> None:
        """Repeat the last searches after every step, and verify the document that was just changed."""
        for call in self._searches:
            self._search(call, [COMMON])
            self._verify(call, self._changed)

    @invariant()
    def follow(self) -> None:
        """Of the links that were ever made, each step opens one, in turn."""
        if self._links:
            self._expect_opened(self._links.at(next(self._steps)))

    @invariant()
    def ask_with_a_bounded_key(self) -> None:
        """After every step, one call with tags that a key does or does not cover, or with an empty header, in turn."""
        users = (*reversed(USERS), "")
        tags: tuple[SentTags, ...] = (frozenset(TAGS) - {"red"}, "", frozenset({"red"}))
        holders = [holder for each in self._tenancies for holder in each.bounded]
        calls = [(holder, user, sent) for user, sent, holder in itertools.product(users, tags, holders)]
        call = calls[next(self._turns) % len(calls)]
        self._search(call, [COMMON])
        self._verify(call, self._changed)

    @rule(data=st.data())
    def verify(self, data: st.DataObject) -> None:
        """Somebody clicks on a citation of any version, of the other tenant's documents too."""
        call = self._caller(data)
        own = data.draw(st.integers(0, 3)) > 0
        tenancies = [self._tenancy(call[0].tenant)] if own else self._tenancies
        self._verify(call, data.draw(st.sampled_from(_uids(tenancies) or [STRAY])))

    @invariant()
    def call_dialects_again(self) -> None:
        """Repeat the last calls after every step, through dialects in turn, and call dialects with keys that ended.

        One of them asks for what has just been changed. The call that was answered least is made for who reads most.
        """
        changed = self._random.randrange(2)
        for number, call in enumerate(self._searches[:2]):
            wanted = self._named(self._changed) if number == changed else self._wanted_by(call)
            self._call_dialect(next(self._dialect_calls), call, wanted)
        most = self._widest_reader()
        self._call_dialect(self._least_answered(), most, self._wanted_by(most))
        for each in self._random.sample(self.calls, 2):
            ended = self._random.choice([holder for tenancy in self._tenancies for holder in tenancy.ended])
            self._call_dialect(each, (ended, None, None), self._named(self._changed))

    # What is expected

    def _call_dialect(self, each: DialectCall, call: Call, wanted: Wanted) -> None:
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        answer = self._send_call(each, call, wanted)
        who = holder.speaks_for(user, tags, tenancy.entries)
        if isinstance(who, HTTPStatus):
            self.dialect_counts.refused[each.name] += 1
            is_wrong_key = who is HTTPStatus.UNAUTHORIZED
            return self._expect_status(answer, each.wrong_key_status if is_wrong_key else who)
        shown = documents_of(each, wanted, visible(tenancy.documents.values(), who, holder.collections))
        self._expect_words(answer, shown)
        every = [held for one in self._tenancies for held in one.documents.values()]
        if names := leaked_names(answer, str(each.send(wanted)), shown, every):
            raise LeakError(f"{names} in the answer of {each.name}: {answer.bytes!r}")
        if not shown:
            return self._expect_absent(each, call, wanted, answer)
        expected = [text for held in shown for text in each.shows(held)]
        missing = [text for text in expected if text.encode() not in answer.response.body]
        if missing and holder.sees_all and not each.is_partial:
            self._miss(f"{each.name}: {who} was not shown {missing} but {answer.bytes!r}")
        self.dialect_counts.shown[each.name] += len(missing) < len(expected)
        self._answered[each.name] += len(missing) < len(expected)
        return None

    def _expect_absent(self, each: DialectCall, call: Call, wanted: Wanted, answer: Answer) -> None:
        """Check that hidden and missing documents get equal answers, but for a deletion that the caller may know of."""
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        who = holder.speaks_for(user, tags, tenancy.entries)
        held = tenancy.documents.get(wanted.doc_id)
        is_known = held is not None and isinstance(who, Who) and held.admits(who)
        absent = absent_like(each, wanted)
        if absent == wanted or wanted.doc_id == wanted.second or (each.reports_deletions and is_known):
            return
        reported = without_names(answer, wanted)
        other = without_names(self._send_call(each, call, absent), absent)
        if reported != other:
            raise LeakError(f"{each.name} answers {reported} to {who} and {other} to what never was")
        self.dialect_counts.hidden[each.name] += 1

    def _send_call(self, each: DialectCall, call: Call, wanted: Wanted) -> Answer:
        holder, user, tags = call
        method, path, body = each.send(wanted)
        headers = {**each.headers, **caller(self._key(holder, each.toolset), user, tags)}
        return self._world.request(method, path, headers, body)

    def _key(self, holder: Holder, toolset: str | None) -> KeyWithSecret:
        """The holder's key with the toolset; one that has ended has ended with every toolset."""
        if toolset is None or toolset == holder.key.key.options.toolset or holder.ended:
            return holder.key
        if toolset not in holder.others:
            holder.others[toolset] = self._world.twin(holder.key, toolset)
        return holder.others[toolset]

    def _search(self, call: Call, phrases: list[str]) -> None:
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        answer = self._world.search(caller(holder.key, user, tags), *phrases)
        who = holder.speaks_for(user, tags, tenancy.entries)
        if isinstance(who, HTTPStatus):
            return self._expect_status(answer, who)
        seen = visible(tenancy.documents.values(), who, holder.collections)
        self._expect_words(answer, seen)
        shown = {segment["segment_uid"].rpartition(".")[0] for segment in answer.segments}
        if more := shown - {held.doc_id for held in seen}:
            raise LeakError(f"{who} was shown {more}")
        if holder.sees_all and (missing := {text for held in seen for text in held.passages} - answer.texts):
            self._miss(f"{who} was not shown {missing}")
        for segment in answer.segments:
            self._links.keep(call, segment["segment_uid"].rpartition(".")[0], segment["source_url"])
        return None

    def _verify(self, call: Call, uid: str) -> None:
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        answer = self._world.verify(caller(holder.key, user, tags), uid)
        who = holder.speaks_for(user, tags, tenancy.entries)
        if isinstance(who, HTTPStatus):
            self._expect_status(answer, who)
        else:
            self._expect_access(answer, tenancy.documents.get(uid.rpartition(".")[0]), who, call)

    def _expect_status(self, answer: Answer, status: HTTPStatus) -> None:
        self._expect_words(answer, [])
        if answer.status == HTTPStatus.OK:
            raise LeakError(f"answered instead of {status.value}")
        assert answer.status == status, answer.bytes

    def _expect_words(self, answer: Answer, seen: Sequence[Held]) -> None:
        """No byte of the answer is from a passage that is not among these documents now."""
        allowed = {word_of(passage) for held in seen for passage in held.passages}
        sent = answer.bytes
        if leaked := {word for word in self._words if word not in allowed and word.encode() in sent}:
            raise LeakError(f"{leaked} in {answer.bytes!r}")
        if any(secret in sent for secret in self._secrets()):
            raise LeakError(f"a key in {answer.bytes!r}")

    def _expect_access(self, answer: Answer, held: Held | None, who: Who, call: Call) -> None:
        self._expect_words(answer, [])
        result = answer.result
        knows = held is not None and held.admits(who) and held.collection in call[0].collections
        granted = held is not None and knows and not held.deleted
        if result["has_access"] and not granted:
            raise LeakError(f"{who} may open {held}")
        if result["error"] == _DELETED and not knows:
            raise LeakError(f"{who} learnt of the deletion of {held}")
        expected = None if granted else _DELETED if knows else _UNKNOWN
        if (result["has_access"], result["error"]) != (granted, expected):
            self._miss(f"{result} for {who}, {held}")
        if result["has_access"] and held is not None:
            self._expect_opened(ShownLink(call, held.doc_id, result["refreshed_url"]))
            self._links.keep(call, held.doc_id, result["refreshed_url"])

    def _expect_opened(self, *links: ShownLink) -> None:
        for link in links:
            tenancy = self._tenancy(link.call[0].tenant)
            held = tenancy.documents[link.doc_id]
            granted = opens(link, held, tenancy.entries)
            answer = self._world.open(link.address)
            self._expect_words(answer, [held] if granted else [])
            if answer.status != (HTTPStatus.OK if granted else HTTPStatus.NOT_FOUND):
                self._miss(f"{answer.status} for {link}, {held}")
            if granted and answer.response.body != held.text.encode():
                self._miss(f"another file than {held}")

    def _miss(self, what: str) -> None:
        if not self._leaks_only:
            raise WrongDenialError(what)

    # What there is

    def _caller(self, data: st.DataObject) -> Call:
        """Draw a key of either tenant and the user whom it names, sometimes beyond the key's rights."""
        holder = data.draw(st.sampled_from(self._tenancies[data.draw(st.integers(0, 1))].holders))
        oversteps = not data.draw(st.integers(0, 4))
        if holder.own is not None:
            user = data.draw(st.sampled_from(USERS)) if oversteps else None
            return holder, user, None
        tags = subsets(TAGS if oversteps or "*" in holder.max_tags else holder.max_tags)
        return holder, data.draw(st.none() | st.sampled_from(USERS)), data.draw(st.none() | tags)

    def _named(self, uid: str) -> Wanted:
        """The passage with its document, and another document of its tenant beside it."""
        doc_id = uid.rpartition(".")[0]
        tenancies = [each for each in self._tenancies if doc_id in each.documents]
        if not tenancies:
            return ABSENT._replace(doc_id=doc_id, uid=uid)
        documents = self._random.choice(tenancies).documents
        return Wanted(documents[doc_id].collection, doc_id, uid, self._random.choice([*documents]))

    def _shuffled_calls(self) -> Iterator[DialectCall]:
        """All calls in one order after another, so that none is left out for long."""
        while True:
            yield from self._random.sample(self.calls, len(self.calls))

    def _least_answered(self) -> DialectCall:
        answered = self._answered
        least = min(answered[each.name] for each in self.calls)
        return self._random.choice([each for each in self.calls if answered[each.name] == least])

    def _widest_reader(self) -> Call:
        """A call for the user of either tenant who may read the most documents."""
        calls: list[Call] = [(each.holders[0], user, frozenset(TAGS)) for each in self._tenancies for user in USERS]
        return max(calls, key=lambda call: len(self._seen_by(call)))

    def _seen_by(self, call: Call) -> list[Held]:
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        who = holder.speaks_for(user, tags, tenancy.entries)
        return visible(tenancy.documents.values(), who, holder.collections) if isinstance(who, Who) else []

    def _wanted_by(self, call: Call) -> Wanted:
        """Mostly what the caller may read, and else any passage that ever was, of either tenant."""
        seen = self._seen_by(call)
        if not seen or not self._random.randrange(5):
            return self._named(self._random.choice(_uids(self._tenancies) or [STRAY]))
        held, *others = self._random.sample(seen, min(2, len(seen)))
        second = others[0] if others else held
        uid = self._random.choice(held.uids[-len(held.passages) :] or [STRAY])
        return Wanted(held.collection, held.doc_id, uid, second.doc_id)

    def _secrets(self) -> list[bytes]:
        holders = [holder for each in self._tenancies for holder in (*each.holders, *each.bounded, *each.ended)]
        return [key.secret.reveal().encode() for holder in holders for key in holder.keys]

    def _passage(self, tenancy: Tenancy) -> str:
        letters = f"{next(self._numbers):04}".translate(str.maketrans("0123456789", "bcdfghjkmp"))
        word = f"{tenancy.name}{letters}"
        self._words.append(word)
        return f"The {COMMON} speaks of {word} on this page."

    def _ingest(self, held: Held, doc_id: str | None, status: IngestStatus = IngestStatus.INDEXED) -> None:
        outcome = self._world.ingest(
            held.tenant, held.text, held.policy, path=held.path, doc_id=doc_id, collection=held.collection
        )
        assert outcome.document is not None, outcome
        assert outcome.status is status, outcome
        assert held.doc_id in {"", outcome.document.doc_id}, outcome
        held.doc_id = outcome.document.doc_id
        version = DocumentVersion(held.doc_id, outcome.document.version)
        self._changed = f"{held.doc_id}.{STRAY[-16:]}"
        held.uids += [
            segment.uid for segment in self._world.services.stores.indexes.for_tenant(held.tenant).segments(version)
        ]

    def _tenancy(self, tenant: str) -> Tenancy:
        return next(tenancy for tenancy in self._tenancies if tenancy.tenant == tenant)

    def _living(self) -> list[Held]:
        return [held for each in self._tenancies for held in each.documents.values() if not held.deleted]


def _uids(tenancies: Iterable[Tenancy]) -> list[str]:
    return [uid for each in tenancies for held in each.documents.values() for uid in held.uids]
