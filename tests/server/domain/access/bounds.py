"""Lemmas on bounds of keys and on blocks, over the code itself."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final, cast

import z3

from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserState
from groundwire.domain.keys.api_key import AdmissionGranted, ApiKey
from groundwire.domain.keys.forms.key_text import mint_key
from tests.server.domain.access.loaded_code import Code
from tests.server.domain.access.symbolic import COLLECTION, Branches, Names, Text, Truth, explore
from tests.server.domain.access.terms import NO_TAGS, OTHER, RULE, WHO, C, Lemmas, reads
from tests.support.registry.records import ACT_AS_KEY, PERSONAL_KEY

LEMMAS: Final = Lemmas()
_KEY_TEXT: Final = mint_key("test", bytes).text.reveal()
_DELEGATED_KEY: Final = replace(ACT_AS_KEY, scopes=frozenset({Scope.ACT_AS, Scope.SEARCH}))
_CALLS: Final = (
    (PERSONAL_KEY, {}),
    (_DELEGATED_KEY, {"x-user-id": "ann"}),
    (_DELEGATED_KEY, {"x-user-id": "ann", "x-session-tags": '["region:north"]'}),
)
"""Calls that name a user: each kind of key, with and without tags."""


@LEMMAS.add
def readers_of_a_policy_within_own_rights_share_a_right(code: Code) -> Any:
    def is_within(branches: Branches) -> object:
        return code.sharing.is_within_own_rights(OTHER.principal(code, branches), RULE.policy(code, branches))

    is_same = z3.And(WHO.has_user, OTHER.has_user, WHO.user == OTHER.user)
    shares_tag = z3.SetIntersect(WHO.tags, OTHER.tags) != NO_TAGS
    return z3.Implies(z3.And(explore(is_within), reads(code, WHO, RULE)), z3.Or(is_same, shares_tag))


@LEMMAS.add
def no_key_reaches_a_collection_beyond_its_maker(code: Code) -> Any:
    sets = [z3.Const(name, z3.SetSort(COLLECTION)) for name in ("maker", "made")]
    every: str = code.sharing.ALL_COLLECTIONS

    def is_within(maker: Any, made: Any) -> Any:
        def run(branches: Branches) -> object:
            grants = [grant if isinstance(grant, str) else Names(grant, branches) for grant in (maker, made)]
            return code.sharing.is_within_collections(SimpleNamespace(collections=grants[0]), grants[1])

        return explore(run)

    covered = z3.Implies(
        z3.And(is_within(*sets), z3.IsMember(C, sets[1])),
        z3.IsMember(C, sets[0]),
    )
    return z3.And(covered, z3.Not(is_within(sets[0], every)))


def _is_covered(code: Code, entries: list[Any], tag: Any) -> Any:
    """Return the formula that holds where a key with these `max_tags` may assert the tag."""
    reserved = z3.Function("is_reserved", z3.StringSort(), z3.BoolSort())

    def run(branches: Branches) -> object:
        def is_reserved(text: Text) -> bool:
            return branches.choose(reserved(text.term))

        # The rule for reserved tags reads each letter; here it is any rule about the text.
        code.tags.is_reserved = is_reserved
        return code.tags.is_tag_covered([Text(each, branches) for each in entries], Text(tag, branches))

    return explore(run)


def _returning(value: object) -> Callable[..., object]:
    return lambda *_arguments: value


@LEMMAS.add
def no_call_for_a_blocked_user_is_admitted(code: Code) -> Any:
    is_blocked = z3.Bool("is_blocked")

    def is_admitted(key: ApiKey, headers: Mapping[str, str]) -> Any:
        def run(branches: Branches) -> object:
            state = UserState(None, cast("bool", Truth(is_blocked, branches)))
            users, keys = (
                SimpleNamespace(state=_returning(state)),
                SimpleNamespace(admit=_returning(AdmissionGranted(key))),
            )
            authorize = code.authorizer.RequestAuthorizer(keys, users, bytes(32), lambda: 0.0)
            return authorize({"authorization": f"Bearer {_KEY_TEXT}", **headers}).caller is not None

        return explore(run)

    # Whoever is not blocked is admitted, so that the statement is about calls that somebody can make.
    return z3.And(*(is_admitted(key, headers) == z3.Not(is_blocked) for key, headers in _CALLS))


_TAG, _ONE, _TWO = z3.Strings("tag one two")
_STAR: Final = z3.StringVal("*")


def _entry_names(entry: Any, tag: Any) -> Any:
    """Return the formula that the documentation gives for an entry: the tag itself, or its beginning before `*`."""
    beginning = z3.SubString(entry, 0, z3.Length(entry) - 1)
    return z3.If(z3.SuffixOf(_STAR, entry), z3.PrefixOf(beginning, tag), tag == entry)


@LEMMAS.add
def no_tag_counts_beyond_a_bound(code: Code) -> Any:
    return z3.Implies(_is_covered(code, [_ONE, _TWO], _TAG), z3.Or(_entry_names(_ONE, _TAG), _entry_names(_TWO, _TAG)))


@LEMMAS.add
def no_reserved_tag_counts(code: Code) -> Any:
    reserved = z3.Function("is_reserved", z3.StringSort(), z3.BoolSort())
    return z3.Implies(reserved(_TAG), z3.Not(_is_covered(code, [_ONE, _TWO], _TAG)))


@LEMMAS.add
def fewer_entries_never_let_more_tags_count(code: Code) -> Any:
    return z3.Implies(_is_covered(code, [_ONE], _TAG), _is_covered(code, [_TWO, _ONE], _TAG))
