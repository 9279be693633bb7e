"""A token names its caller; the tenant's key for tokens sets the caller's rights and when they end."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.auth_decision import AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import KID_CHARACTERS, Secret
from groundwire.domain.keys.forms.oauth import (
    ClaimDefect,
    IdentityProvider,
    TokenIdentity,
    oauth_digest,
    oauth_kid,
    read_claims,
)
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from tests.server.adapters.oauth.token_authorizer import GRANT, SOUTH, TOKENS, TenantTokens
from tests.support.plugins.draws import examples
from tests.support.registry.in_memory import NOW, PEPPER, TENANT, TenantKeys, bearer
from tests.support.registry.token_issuer import AUDIENCE, JWKS, Issuer, Reply

DAY_S = 86_400
PROVIDER = IdentityProvider("https://id.example", AUDIENCE, None, TENANT, None, "sub", "groups")


@pytest.fixture
def tenant_keys(issuer: Issuer) -> TenantTokens:
    return TenantTokens(issuer)


def test_a_token_calls_as_its_user_with_its_tags_within_the_tenants_key(tenant_keys: TenantTokens) -> None:
    key = tenant_keys.admit(
        collections=frozenset({"hr"}),
        options=replace(USUAL_OPTIONS, top_n=3, toolset="mindset", expand_tokens=100),
    )
    decision = tenant_keys.decide(sub="ana", groups=["department:sales", "board", "premium"])
    assert decision.caller is not None
    assert decision.caller.principal == Principal(TENANT, "ana", frozenset({"department:sales", "board"}))
    assert (decision.caller.kid, decision.caller.kind) == (key.kid, KeyKind.OAUTH)
    assert decision.caller.tag_source is TagSource.TOKEN
    assert decision.caller.collections == {"hr"}
    assert decision.caller.options == key.options
    assert decision.caller.scopes == {Scope.SEARCH, Scope.VERIFY}


@pytest.mark.parametrize(
    ("claims", "scopes"),
    [
        ({"scope": "groundwire:search"}, {Scope.SEARCH}),
        ({"scope": "", "scp": ["groundwire:verify"]}, {Scope.VERIFY}),
        ({"scope": "openid", "scp": "groundwire:search offline_access"}, {Scope.SEARCH}),
        ({"scope": "search verify admin groundwire:admin groundwire:act_as groundwire:ingest groundwire:share"}, set()),
        ({"scope": "GROUNDWIRE:SEARCH"}, set()),
    ],
)
def test_a_token_grants_what_its_scopes_say_and_never_more_than_search_and_verify(
    tenant_keys: TenantTokens, claims: dict[str, Any], scopes: set[Scope]
) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(**claims)
    assert decision.caller is not None
    assert decision.caller.scopes == scopes


def test_the_key_bounds_the_scopes_of_every_token(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit(scopes=frozenset({Scope.VERIFY}))
    decision = tenant_keys.decide(scope=GRANT)
    assert decision.caller is not None
    assert decision.caller.scopes == {Scope.VERIFY}


@pytest.mark.parametrize(
    ("groups", "tags"),
    [
        (None, set[str]()),
        ([], set[str]()),
        ("board", {"board"}),
        ("Finance board department:hr", set[str]()),
        ("", set[str]()),
        (["board", "sys:admin", "", "x\u200by", "department:" + "x" * 300], {"board"}),
        (["department:cafe\u0301"], {"department:caf\u00e9"}),
    ],
)
def test_tags_are_those_of_the_claim_that_can_be_tags_of_ours(
    tenant_keys: TenantTokens, groups: object, tags: set[str]
) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(groups=groups)
    assert decision.caller is not None
    assert decision.caller.principal.tags == tags


@pytest.mark.parametrize("claim", ["scope", "scp"])
def test_a_claim_of_scopes_as_text_names_a_tag_per_word(claim: str) -> None:
    provider = replace(PROVIDER, tags_claim=claim)
    named = read_claims({"sub": "ana", "exp": NOW + 300, claim: "board department:hr"}, provider)
    assert isinstance(named, TokenIdentity)
    assert named.groups == ("board", "department:hr")


@pytest.mark.parametrize(
    ("groups", "ignored"),
    [
        ([], 0),
        (["board", "department:hr"], 0),
        (["sales", "/department/sales", "board"], 2),
        (["sales", "sales"], 1),
        ("Finance Team", 1),
        (["sys:admin", "board"], 1),
    ],
)
def test_groups_that_give_no_tag_are_counted(tenant_keys: TenantTokens, groups: object, ignored: int) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(groups=groups)
    assert decision.caller is not None
    assert decision.caller.tags_ignored == ignored


GUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def test_a_mapping_gives_groups_the_tags_of_a_tenant_within_the_key(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    mapping = {
        "/department/sales": frozenset({"department:sales", "level:1"}),
        GUID: frozenset({"board"}),
        "department:hr": frozenset[str](),
    }
    tenant_keys.groups.replace(TENANT, mapping, {})
    decision = tenant_keys.decide(groups=["/department/sales", GUID.upper(), "department:hr", "department:it", "other"])
    assert decision.caller is not None
    assert decision.caller.principal.tags == {"department:sales", "board", "department:it"}
    # `level:1` is outside of the key and `other` has no mapping; who maps a group to nothing has decided about it.
    assert decision.caller.tags_ignored == 2
    other = tenant_keys.decide(groups=["/department/Sales", "department/sales"])
    assert other.caller is not None
    assert other.caller.principal.tags == frozenset()


def test_an_entry_of_the_tenant_replaces_that_of_the_file(issuer: Issuer) -> None:
    of_file = {"sales": frozenset({"department:sales"}), "chiefs": frozenset({"board"})}
    tenant_keys = TenantTokens(issuer, groups=of_file)
    tenant_keys.admit()
    tenant_keys.groups.replace(TENANT, {"chiefs": frozenset({"department:chiefs"})}, {})
    decision = tenant_keys.decide(groups=["sales", "chiefs"])
    assert decision.caller is not None
    assert decision.caller.principal.tags == {"department:sales", "department:chiefs"}


def test_a_mapping_of_another_tenant_gives_nothing(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.groups.replace(SOUTH, {"sales": frozenset({"board"})}, {})
    decision = tenant_keys.decide(groups=["sales"])
    assert decision.caller is not None
    assert (decision.caller.principal.tags, decision.caller.tags_ignored) == (frozenset(), 1)


def test_a_token_with_groups_costs_one_read_of_the_mapping_and_another_none(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.decide()
    assert tenant_keys.groups.reads == 0
    tenant_keys.decide(groups=["a", "b", "c"])
    assert tenant_keys.groups.reads == 1


def test_without_the_mapping_a_call_with_groups_is_not_decided(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.groups.fails = True
    decision = tenant_keys.decide(groups=["board"])
    assert (decision.status, decision.reason) == (AuthStatus.UNAVAILABLE, AuthReason.STORE_UNAVAILABLE)


def test_an_explanation_is_of_the_call_itself(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.groups.replace(TENANT, {"chiefs": frozenset({"board", "level:1"})}, {})
    token = tenant_keys.bearer(sub="ana", groups=["chiefs", "x\u200by", "department:hr"])
    explained = tenant_keys.token.explain(Secret(token), TENANT)
    assert explained.tags is not None
    assert [(each.group, each.tag, each.mapped_by, each.outcome) for each in explained.tags.decisions] == [
        ("chiefs", "board", "tenant", "kept"),
        ("chiefs", "level:1", "tenant", "outside_key"),
        ("x\u200by", None, None, "no_tag"),
        ("department:hr", "department:hr", None, "kept"),
    ]
    assert explained.decision == tenant_keys.authorize({"authorization": f"Bearer {token}"})


def test_nothing_of_another_tenants_token_is_explained_and_no_call_is_counted(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    explained = tenant_keys.token.explain(Secret(tenant_keys.bearer(groups=["board"])), SOUTH)
    assert (explained.decision.reason, explained.identity, explained.tags) == (AuthReason.TOKEN_TENANT, None, None)
    assert tenant_keys.keys.reads == 0


def test_an_explanation_names_the_missing_claim_of_a_token_without_a_user(issuer: Issuer) -> None:
    tenant_keys = TenantTokens(issuer, user_claim="uid")
    explained = tenant_keys.token.explain(Secret(tenant_keys.bearer(uid=7)), None)
    assert explained.defect is not None
    assert (explained.decision.reason, explained.defect.claim) == (AuthReason.TOKEN_CLAIMS, "uid")


def test_without_a_claim_for_tags_a_token_returns_none(issuer: Issuer) -> None:
    tenant_keys = TenantTokens(issuer, tags_claim=None)
    tenant_keys.admit()
    decision = tenant_keys.decide(groups=["board"])
    assert decision.caller is not None
    assert decision.caller.principal.tags == frozenset()


def test_the_users_entry_of_the_tenant_adds_nothing_to_a_token(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.users.set(TENANT, "ana", frozenset({"board"}))
    decision = tenant_keys.decide(sub="ana")
    assert decision.caller is not None
    assert decision.caller.principal.tags == frozenset()
    assert tenant_keys.users.reads == 1


def test_a_token_with_more_tags_than_a_call_may_have_is_refused_with_the_reason(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(groups=[f"department:{number}" for number in range(65)])
    assert (decision.status, decision.reason) == (AuthStatus.TAG_NOT_ALLOWED, AuthReason.TOKEN_TAGS)
    assert tenant_keys.decide(groups=[f"department:{number}" for number in range(64)]).caller is not None
    assert tenant_keys.decide(groups=["board", *map(str, range(100))]).caller is not None


BAD_CLAIMS: list[dict[str, Any]] = [
    {"groups": 7},
    {"groups": ["board", 7]},
    {"groups": {"board": True}},
    {"scope": 7},
    {"scp": [["groundwire:search"]]},
    {"uid": None},
    {"uid": ""},
    {"uid": " ana"},
    {"uid": 7},
    {"uid": ["ana"]},
    {"uid": "x" * 257},
    {"uid": "a\u200bna"},
    {"uid": "\ud800"},
]


@pytest.mark.parametrize("claims", BAD_CLAIMS, ids=range(len(BAD_CLAIMS)))
def test_a_token_whose_claims_name_nobody_is_refused_and_costs_nothing(issuer: Issuer, claims: dict[str, Any]) -> None:
    tenant_keys = TenantTokens(issuer, user_claim="uid")
    tenant_keys.admit()
    made: dict[str, Any] = {"uid": "ana", **claims}
    decision = tenant_keys.decide(**made)
    assert (decision.status, decision.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.TOKEN_CLAIMS)
    assert tenant_keys.keys.reads == 0


def test_the_user_is_whom_the_configured_claim_names(issuer: Issuer) -> None:
    tenant_keys = TenantTokens(issuer, user_claim="email")
    tenant_keys.admit()
    decision = tenant_keys.decide(sub="1234", email="ana@north.example")
    assert decision.caller is not None
    assert decision.caller.principal.user == "ana@north.example"


@pytest.mark.parametrize("verified", [False, "false", 0, 1, "yes", []])
def test_an_unverified_email_address_names_no_user(issuer: Issuer, verified: object) -> None:
    tenant_keys = TenantTokens(issuer, user_claim="email")
    tenant_keys.admit()
    decision = tenant_keys.decide(email="chief@acme.example", email_verified=verified)
    assert (decision.status, decision.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.TOKEN_CLAIMS)


@pytest.mark.parametrize("stated", [{}, {"email_verified": True}, {"email_verified": "true"}])
def test_an_address_that_is_verified_or_without_a_claim_names_its_user(issuer: Issuer, stated: dict[str, Any]) -> None:
    tenant_keys = TenantTokens(issuer, user_claim="email")
    tenant_keys.admit()
    decision = tenant_keys.decide(email="ana@acme.example", **stated)
    assert decision.caller is not None
    assert decision.caller.principal.user == "ana@acme.example"


def test_whether_an_address_is_verified_matters_to_no_other_claim(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    assert tenant_keys.decide(sub="ana", email_verified=False).caller is not None


@pytest.mark.parametrize("header", ["x-user-id", "x-session-tags"])
def test_a_call_with_a_token_may_not_name_another_user(tenant_keys: TenantTokens, header: str) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide({header: '["board"]' if header == "x-session-tags" else "boss"})
    assert (decision.status, decision.reason) == (AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.TOKEN_IDENTITY)
    assert decision.header == header


def test_no_header_names_the_tenant_beside_a_token(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    assert tenant_keys.decide({"x-tenant-id": TENANT}).reason is AuthReason.TENANT_HEADER


class TestTenants:
    """The claim of the tenant, or the one tenant that is set."""

    @pytest.fixture
    def tenant_keys(self, issuer: Issuer) -> TenantTokens:
        return TenantTokens(issuer, tenant=None, tenant_claim="company")

    def test_a_token_belongs_to_the_tenant_that_it_names(self, tenant_keys: TenantTokens) -> None:
        north, south = tenant_keys.admit(), tenant_keys.admit(tenant=SOUTH)
        for tenant, key in ((TENANT, north), (SOUTH, south)):
            decision = tenant_keys.decide(company=tenant)
            assert decision.caller is not None
            assert (decision.caller.principal.tenant, decision.caller.kid) == (tenant, key.kid)

    @pytest.mark.parametrize("company", [SOUTH, "t_nowhere", "North"])
    def test_a_tenant_that_lets_nobody_in_by_token_is_as_unknown_as_any(
        self, tenant_keys: TenantTokens, company: str
    ) -> None:
        tenant_keys.admit()
        decision = tenant_keys.decide(company=company)
        assert (decision.status, decision.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.UNKNOWN_KEY)

    @pytest.mark.parametrize("company", [None, "", 7, [TENANT], "x" * 65, "\ud800", "t\x00"])
    def test_what_can_be_no_tenant_is_refused_unread(self, tenant_keys: TenantTokens, company: object) -> None:
        assert tenant_keys.decide(company=company).reason is AuthReason.TOKEN_CLAIMS
        assert tenant_keys.keys.reads == 0


def test_with_one_tenant_set_no_claim_leads_to_another(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(tenant=SOUTH, company=SOUTH)
    assert decision.caller is not None
    assert decision.caller.principal.tenant == TENANT


def test_a_revoked_key_ends_the_tenants_tokens_on_the_next_call_and_another_lets_them_in_again(
    tenant_keys: TenantTokens,
) -> None:
    first = tenant_keys.admit()
    assert tenant_keys.decide().caller is not None
    tenant_keys.admin.revoke(TENANT, first.kid)
    decision = tenant_keys.decide()
    assert (decision.status, decision.reason, decision.kid) == (
        AuthStatus.UNAUTHENTICATED,
        AuthReason.REVOKED,
        first.kid,
    )
    second = tenant_keys.admit()
    assert tenant_keys.decide().kid == second.kid != first.kid
    assert tenant_keys.keys.get(TENANT, first.kid) is not None


def test_an_expired_key_ends_the_tenants_tokens(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit(expires_in_days=1)
    tenant_keys.now = NOW + DAY_S
    assert tenant_keys.decide().reason is AuthReason.EXPIRED
    tenant_keys.admit()
    assert tenant_keys.decide().caller is not None


def test_all_of_a_tenants_people_share_the_rate_of_its_key(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit(burst=2, rate_per_minute=1)
    decisions = [tenant_keys.decide(sub=user).status for user in ("ana", "ben", "eva")]
    assert decisions == [AuthStatus.ADMITTED, AuthStatus.ADMITTED, AuthStatus.OVER_LIMIT]


def test_a_spent_rate_is_not_dodged_into_a_key_that_came_later(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit(burst=1, rate_per_minute=1)
    tenant_keys.decide()
    reads = tenant_keys.keys.reads
    assert tenant_keys.decide().reason is AuthReason.KEY_RATE
    assert tenant_keys.keys.reads == reads + 1


@pytest.mark.parametrize("change", [{"issuer": "https://id.other.example"}, {"audience": "https://other.example"}])
def test_a_key_that_was_made_for_another_provider_lets_nobody_in(
    tenant_keys: TenantTokens, change: dict[str, Any]
) -> None:
    tenant_keys.configure(replace(tenant_keys.issuer.provider, **change))
    tenant_keys.admit()
    tenant_keys.configure(tenant_keys.issuer.provider)
    assert tenant_keys.decide().reason is AuthReason.WRONG_SECRET


def test_a_bad_token_never_reaches_the_registry(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    decision = tenant_keys.decide(aud="https://other.example")
    assert (decision.status, decision.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.TOKEN_AUDIENCE)
    assert (decision.kid, decision.tenant, tenant_keys.keys.reads) == (None, None, 0)


def test_a_provider_or_a_registry_that_is_away_is_distinguished_from_a_bad_token(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    tenant_keys.issuer.replies[JWKS] = Reply(b"", 500)
    decision = tenant_keys.decide()
    assert (decision.status, decision.reason) == (AuthStatus.UNAVAILABLE, AuthReason.PROVIDER_UNAVAILABLE)
    tenant_keys.issuer.replies.clear()
    tenant_keys.now += 60
    tenant_keys.keys.fails = True
    decision = tenant_keys.decide()
    assert (decision.status, decision.reason) == (AuthStatus.UNAVAILABLE, AuthReason.STORE_UNAVAILABLE)


def test_keys_and_tokens_both_work_and_are_not_confused(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    personal = tenant_keys.personal("sales")
    decision = tenant_keys.authorize(bearer(personal))
    assert decision.caller is not None
    assert decision.caller.kind is KeyKind.PERSONAL
    token = tenant_keys.issuer.token()
    for header in ("api-key", "x-api-key"):
        assert tenant_keys.authorize({header: token}).reason is AuthReason.MALFORMED_KEY
    assert tenant_keys.authorize({"authorization": token}).status is AuthStatus.UNAUTHENTICATED
    both = {"authorization": f"Bearer {token}", "x-api-key": personal.secret.reveal()}
    assert tenant_keys.authorize(both).status is AuthStatus.CONFLICTING_CREDENTIALS


def test_a_key_for_tokens_is_never_admitted_as_one_that_was_sent(tenant_keys: TenantTokens) -> None:
    sent = tenant_keys.personal()
    key = replace(tenant_keys.admit(), kid=sent.key.kid)
    tenant_keys.keys.rows[sent.key.kid].key = key
    decision = tenant_keys.authorize(bearer(sent))
    assert (decision.status, decision.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.WRONG_SECRET)


def test_only_a_key_of_that_kind_and_tenant_admits_tokens(tenant_keys: TenantTokens) -> None:
    key = tenant_keys.admit()
    for other in (replace(key, kind=KeyKind.ACT_AS), replace(key, tenant=SOUTH)):
        tenant_keys.keys.rows[key.kid].key = other
        assert tenant_keys.decide().reason is AuthReason.UNKNOWN_KEY


def test_where_no_provider_is_set_a_token_is_a_bad_key(issuer: Issuer) -> None:
    tenant_keys = TenantTokens(issuer)
    tenant_keys.admit()
    tenant_keys.authorize = RequestAuthorizer(tenant_keys.keys, tenant_keys.users, PEPPER, lambda: tenant_keys.now)
    assert tenant_keys.decide().reason is AuthReason.MALFORMED_KEY


class TestOrders:
    """Keys of the kind `oauth` are made like others, without a secret."""

    def test_such_a_key_has_no_secret_to_issue_and_none_to_replace(self, tenant_keys: TenantTokens) -> None:
        key = tenant_keys.admit()
        with pytest.raises(InvalidInput, match="secret"):
            tenant_keys.admin.rotate(TENANT, key.kid)
        with pytest.raises(InvalidInput, match="secret"):
            tenant_keys.admin.create(TOKENS)

    def test_a_tenant_has_one_provider_in_force(self, tenant_keys: TenantTokens) -> None:
        key = tenant_keys.admit()
        with pytest.raises(Conflict, match=key.kid):
            tenant_keys.admit()

    @pytest.mark.parametrize(
        "change",
        [
            {"user": "ana"},
            {"tags": frozenset({"a"})},
            {"scopes": frozenset[Scope]()},
            {"scopes": frozenset({Scope.SEARCH, Scope.ADMIN})},
            {"scopes": frozenset({Scope.ACT_AS})},
            {"scopes": frozenset({Scope.INGEST})},
            {"scopes": frozenset({Scope.SHARE})},
            {"max_tags": ("sys:*",)},
            {"tenant": SOUTH},
        ],
    )
    def test_an_order_that_contradicts_itself_makes_no_key(
        self, tenant_keys: TenantTokens, change: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidInput):
            tenant_keys.admit(**change)
        assert tenant_keys.admin.all(TENANT) == []

    def test_it_belongs_to_a_tenant_that_exists(self, issuer: Issuer) -> None:
        tenant_keys = TenantTokens(issuer, tenant=None, tenant_claim="company")
        with pytest.raises(NotFound):
            tenant_keys.admit(tenant="t_nowhere")

    def test_without_a_provider_there_is_nothing_to_admit(self) -> None:
        admin = TenantKeys().admin
        with pytest.raises(InvalidInput, match="no identity provider") as refused:
            admin.create_token_key(TOKENS)
        assert refused.value.remedy == "set_identity_provider"


TEXT = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=20)


@settings(deadline=None, max_examples=examples(100))
@given(TEXT, TEXT, st.integers(0, 5), st.integers(0, 5))
def test_every_tenant_and_number_has_a_kid_of_its_own(one: str, other: str, first: int, second: int) -> None:
    assert (oauth_kid(one, first) == oauth_kid(other, second)) == ((one, first) == (other, second))
    assert len(oauth_kid(one, first)) == KID_CHARACTERS
    assert oauth_kid(one, first).isalnum()


@settings(deadline=None, max_examples=examples(100))
@given(TEXT, TEXT, TEXT, st.integers(1, 20))
def test_no_two_providers_or_tenants_share_a_digest_wherever_their_names_part(
    issuer_name: str, audience: str, tenant: str, at: int
) -> None:
    provider = replace(PROVIDER, issuer=issuer_name, audience=audience)
    own = oauth_digest(PEPPER, tenant, provider)
    joined = tenant + issuer_name
    moved = oauth_digest(PEPPER, joined[:at], replace(provider, issuer=joined[at:]))
    assert (own == moved) == (at == len(tenant))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=8,
)
NAMES = st.text(max_size=20) | st.just("t_north") | ANYTHING
LISTS = st.lists(st.text(max_size=20) | st.just("groundwire:search"), max_size=4)
CLAIMS = st.fixed_dictionaries(
    {"sub": NAMES, "company": NAMES},
    optional={
        "exp": st.integers() | ANYTHING,
        "groups": LISTS | ANYTHING,
        "scope": LISTS.map(" ".join) | ANYTHING,
        "scp": LISTS | ANYTHING,
    },
)


@settings(deadline=None, max_examples=examples(300))
@given(CLAIMS)
def test_whatever_is_claimed_names_one_person_of_one_tenant_or_nobody(claims: dict[str, object]) -> None:
    named = read_claims(claims, replace(PROVIDER, tenant=None, tenant_claim="company"))
    assert isinstance(named, (TokenIdentity, ClaimDefect))
    if isinstance(named, TokenIdentity):
        assert named.tenant == claims["company"]
        assert named.scopes <= {Scope.SEARCH, Scope.VERIFY}


def test_a_blocked_user_is_refused_whatever_token_names_the_user(tenant_keys: TenantTokens) -> None:
    tenant_keys.admit()
    assert tenant_keys.decide(sub="Ana").caller is not None
    tenant_keys.users.block(TENANT, UserBlock("ana", Decision("olga", NOW, "", "")))
    refused = tenant_keys.decide(sub="Ana")
    assert (refused.status, refused.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.BLOCKED_USER)
    assert tenant_keys.decide(sub="bo").caller is not None
    tenant_keys.users.fails = True
    assert tenant_keys.decide(sub="bo").status is AuthStatus.UNAVAILABLE
