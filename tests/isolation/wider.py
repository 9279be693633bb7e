"""The machine with more of the product in it: mails, neighbours of passages, restarts from a cache, other models."""

import itertools
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.ports import DocumentVersion
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from groundwire.services.reindex import ReindexOptions
from tests.isolation.mailing import Carried, HeldMail
from tests.support.isolation.draws import COLLECTIONS, POLICIES, TAGS, USERS
from tests.support.isolation.expectations import Held, Holder
from tests.support.isolation.machine import Isolation
from tests.support.isolation.policies import NO_READERS
from tests.support.isolation.tenancy import Tenancy
from tests.support.models.two_models import TwoModels
from tests.support.worlds.world import World


class Wider(Isolation):
    """The same promise."""

    def __init__(self, world: World, *, leaks_only: bool = False) -> None:
        super().__init__(world, leaks_only=leaks_only)
        self._posted = 0
        for each in self._tenancies:
            key = world.expanding_key(each.tenant)
            every = frozenset(COLLECTIONS)
            each.holders.append(Holder(each.tenant, key, None, ("*",), every, sees_all=False))

    @initialize(at=st.integers(0, 1), policy=POLICIES)
    def begin_a_correspondence(self, at: int, policy: Policy) -> None:
        """One tenant has a mail from the start."""
        self.post(at, COLLECTIONS[at], policy, 2)

    @rule(at=st.integers(0, 1), collection=st.sampled_from(COLLECTIONS), policy=POLICIES, count=st.integers(1, 2))
    def post(self, at: int, collection: str, policy: Policy, count: int) -> None:
        """A mail comes in, with attachments."""
        tenancy = self._tenancies[at]
        if len(tenancy.documents) > 4:
            return
        self._posted += 1
        path = f"/nowhere/{self._posted}.eml"
        held = HeldMail(tenancy.tenant, "", collection, path, policy, (self._passage(tenancy),))
        for number in range(count):
            name = f"{number}.txt"
            held.carries.append(Carried(held.tenant, "", collection, name, policy, (self._passage(tenancy),)))
        outcomes = self._read_mail(held, policy)
        for each, outcome in zip((held, *held.carries), outcomes, strict=True):
            assert outcome.document is not None
            each.doc_id = outcome.document.doc_id
            tenancy.documents[each.doc_id] = each
            self._note_uids(each)

    @precondition(lambda self: self._mails())
    @rule(data=st.data(), policy=POLICIES, by_file=st.booleans())
    def repolicy_mail(self, data: st.DataObject, policy: Policy, *, by_file: bool) -> None:
        """Other people may read the mail, and what it carries, from now on."""
        held = data.draw(st.sampled_from(self._mails()))
        if by_file:
            self._read_mail(held, policy)
            for each in held.living:
                each.comes_under(policy)
        else:
            self._world.services.administration.document_admin.override_policy(held.tenant, held.doc_id, policy)
            for each in held.living:
                each.policy = policy
        held.policy = policy
        self._verify_mail(held)

    @precondition(lambda self: any(held.living for held in self._mails()))
    @rule(data=st.data(), policy=POLICIES, damages=st.booleans())
    def change_mail(self, data: st.DataObject, policy: Policy, *, damages: bool) -> None:
        """The mail comes again without one of its attachments, or with one that cannot be read."""
        held = data.draw(st.sampled_from([each for each in self._mails() if each.living]))
        carried = data.draw(st.sampled_from(held.living))
        carried.damaged, carried.deleted = carried.damaged or damages, not damages
        self._read_mail(held, policy)
        held.policy = policy
        for each in held.living:
            each.comes_under(policy)
        self._note_uids(held)
        self._verify_mail(held)

    @precondition(lambda self: self._mails())
    @rule(data=st.data())
    def delete_mail(self, data: st.DataObject) -> None:
        """It is taken away with what it carries."""
        held = data.draw(st.sampled_from(self._mails()))
        self._world.services.administration.document_admin.delete(held.tenant, held.doc_id)
        for each in (held, *held.carries):
            each.deleted = True
        self._verify_mail(held)

    @rule(data=st.data())
    def restart(self, data: st.DataObject) -> None:
        """The process begins anew, from what it finds beside the index."""
        self._world.reopen()
        self.search(data)

    @precondition(lambda self: self._living())
    @rule(data=st.data())
    def close_and_restart(self, data: st.DataObject) -> None:
        """The process ends just after a document was hidden from everybody."""
        held = data.draw(st.sampled_from(self._living()))
        self._world.services.administration.document_admin.override_policy(held.tenant, held.doc_id, NO_READERS)
        for each in (held, *(held.living if isinstance(held, HeldMail) else ())):
            each.policy = NO_READERS
        self.restart(data)

    @rule(data=st.data(), at=st.integers(0, 1), policy=POLICIES)
    def change_the_model(self, data: st.DataObject, at: int, policy: Policy) -> None:
        """The index is made anew with another model; meanwhile somebody asks, and a document gets other readers."""
        tenant = self._tenancies[at].tenant
        own = [held for held in self._living() if held.tenant == tenant]
        held = data.draw(st.sampled_from(own)) if own else None

        def happens() -> None:
            if held is not None:
                self._world.services.administration.document_admin.override_policy(tenant, held.doc_id, policy)
                held.policy = policy
            self.ask_again()

        self._reindex(tenant, happens)

    def _reindex(self, tenant: str, happens: Callable[[], None]) -> None:
        services, waiting = self._world.services, [happens]
        models = services.models.embedders
        assert isinstance(models, TwoModels)
        present = services.stores.indexes.for_tenant(tenant).model
        other = models.default if present == models.other.model else models.other

        def progress(_done: int, _total: int) -> None:
            if waiting:
                waiting.pop()()

        services.administration.reindexer(tenant, other.model, ReindexOptions(progress))

    def _read_mail(self, held: HeldMail, policy: Policy) -> list[IngestResult]:
        content = held.text.encode()
        name = held.path.rpartition("/")[2]
        request = IngestRequest(
            held.tenant, held.collection, held.path, name, lambda: content, DeclaredPolicy(policy, None), None, None
        )
        batch = self._world.services.ingestion.batch(
            held.tenant, held.collection, [request], lambda _done, _total: None
        )
        outcomes = list(batch)
        assert outcomes[0].status is not IngestStatus.REFUSED, outcomes
        return outcomes

    def _verify_mail(self, held: HeldMail) -> None:
        """Verify the mail and its attachments as people with few rights in common.

        The callers of the last search have the readers of before too seldom: of 44 changes they found no leak.
        """
        holder = self._tenancy(held.tenant).holders[0]
        people = [*((user, frozenset(TAGS)) for user in USERS), *((None, frozenset({tag})) for tag in TAGS)]
        for each, (user, tags) in itertools.product((held, *held.carries), people):
            self._verify((holder, user, tags), each.uids[-1])
        self._changed = held.carries[-1].uids[-1]

    def _note_uids(self, held: Held) -> None:
        services = self._world.services
        [document] = services.stores.documents.read(held.tenant, [held.doc_id]).values()
        version = DocumentVersion(held.doc_id, document.version)
        held.uids += [segment.uid for segment in services.stores.indexes.for_tenant(held.tenant).segments(version)]

    def _mails(self) -> list[HeldMail]:
        return [held for each in self._tenancies for held in _mails_of(each) if not held.deleted]

    def _living(self) -> list[Held]:
        """Return the files that have neither attachments nor a parent."""
        return [held for held in super()._living() if not isinstance(held, HeldMail | Carried)]


def _mails_of(tenancy: Tenancy) -> list[HeldMail]:
    return [held for held in tenancy.documents.values() if isinstance(held, HeldMail)]
