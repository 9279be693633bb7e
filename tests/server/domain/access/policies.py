"""Lemmas on policies. Each is a formula over the code itself, for any number of tags and users."""

from typing import Any, Final

import z3

from tests.server.domain.access.loaded_code import Code
from tests.server.domain.access.symbolic import Branches, Name, explore, has_member, member_of
from tests.server.domain.access.terms import (
    CEILING,
    CLOSED,
    NO_TAGS,
    OTHER,
    RULE,
    WHO,
    Lemmas,
    T,
    U,
    model_reads,
    reads,
    same_user,
)

LEMMAS: Final = Lemmas()


@LEMMAS.add
def decide_is_the_documented_rule(code: Code) -> Any:
    return reads(code, WHO, RULE) == model_reads(WHO, RULE)


@LEMMAS.add
def a_reader_needs_policy_and_ceiling(code: Code) -> Any:
    both = z3.And(model_reads(WHO, RULE), model_reads(WHO, CEILING))
    return reads(code, WHO, RULE, CEILING) == both


@LEMMAS.add
def nobody_reads_by_an_empty_policy(code: Code) -> Any:
    return z3.Not(reads(code, WHO, CLOSED))


@LEMMAS.add
def more_tags_never_take_a_right(code: Code) -> Any:
    more = z3.And(same_user(WHO, OTHER), z3.IsSubset(WHO.tags, OTHER.tags), reads(code, WHO, RULE, CEILING))
    return z3.Implies(more, reads(code, OTHER, RULE, CEILING))


@LEMMAS.add
def a_user_name_never_takes_a_right(code: Code) -> Any:
    nobody, somebody = WHO._replace(has_user=z3.BoolVal(val=False)), WHO._replace(has_user=z3.BoolVal(val=True))
    return z3.Implies(reads(code, nobody, RULE, CEILING), reads(code, somebody, RULE, CEILING))


@LEMMAS.add
def more_named_users_never_take_a_right(code: Code) -> Any:
    wider = RULE._replace(users=z3.SetAdd(RULE.users, U))
    return z3.Implies(reads(code, WHO, RULE, CEILING), reads(code, WHO, wider, CEILING))


@LEMMAS.add
def a_removed_user_keeps_no_right_by_name(code: Code) -> Any:
    removed = RULE._replace(users=z3.SetDel(RULE.users, U))
    who, unnamed = WHO._replace(has_user=z3.BoolVal(val=True), user=U), WHO._replace(has_user=z3.BoolVal(val=False))
    return reads(code, who, removed) == reads(code, unnamed, removed)


@LEMMAS.add
def a_removed_user_changes_nothing_for_others(code: Code) -> Any:
    removed = RULE._replace(users=z3.SetDel(RULE.users, U))
    is_other = z3.Or(z3.Not(WHO.has_user), WHO.user != U)
    return z3.Implies(is_other, reads(code, WHO, removed) == reads(code, WHO, RULE))


@LEMMAS.add
def a_tag_taken_from_a_person_takes_what_needs_it(code: Code) -> Any:
    without = WHO._replace(tags=z3.SetDel(WHO.tags, T))
    needs = z3.And(z3.IsMember(T, RULE.all_tags), z3.Not(RULE.public))
    is_named = z3.And(WHO.has_user, z3.IsMember(WHO.user, RULE.users))
    return z3.Implies(z3.And(needs, z3.Not(is_named)), z3.Not(reads(code, without, RULE, CEILING)))


@LEMMAS.add
def a_tag_removed_from_any_tags_adds_nobody(code: Code) -> Any:
    # Without its last member the list is no condition any more, which is another policy.
    removed = RULE._replace(any_tags=z3.SetDel(RULE.any_tags, T))
    stays = removed.any_tags != NO_TAGS
    return z3.Implies(z3.And(stays, reads(code, WHO, removed, CEILING)), reads(code, WHO, RULE, CEILING))


@LEMMAS.add
def a_further_required_tag_adds_nobody(code: Code) -> Any:
    stricter = RULE._replace(all_tags=z3.SetAdd(RULE.all_tags, T))
    return z3.Implies(z3.And(RULE.has_lists, reads(code, WHO, stricter, CEILING)), reads(code, WHO, RULE, CEILING))


@LEMMAS.add
def tags_that_no_policy_names_decide_nothing(code: Code) -> Any:
    named = z3.SetUnion(RULE.any_tags, RULE.all_tags, CEILING.any_tags, CEILING.all_tags)
    fewer = WHO._replace(tags=z3.SetIntersect(WHO.tags, named))
    return reads(code, WHO, RULE, CEILING) == reads(code, fewer, RULE, CEILING)


@LEMMAS.add
def ceiling_and_declared_policy_commute(code: Code) -> Any:
    return reads(code, WHO, RULE, CEILING) == reads(code, WHO, CEILING, RULE)


@LEMMAS.add
def a_ceiling_adds_nobody(code: Code) -> Any:
    return z3.Implies(reads(code, WHO, RULE, CEILING), reads(code, WHO, RULE))


@LEMMAS.add
def nobody_reads_beyond_a_ceiling(code: Code) -> Any:
    return z3.Implies(reads(code, WHO, RULE, CEILING), model_reads(WHO, CEILING))


@LEMMAS.add
def nobody_reads_a_closed_document(code: Code) -> Any:
    def run(branches: Branches) -> object:
        readers = code.policy.Readers(RULE.policy(code, branches), code.policy.NO_READERS)
        return code.policy.decide(WHO.principal(code, branches), readers)

    return z3.Not(explore(run))


@LEMMAS.add
def every_reader_has_the_rights_of_a_minimal_one(code: Code) -> Any:
    def run(branches: Branches) -> object:
        who, readers = WHO.principal(code, branches), code.policy.Readers(RULE.policy(code, branches), None)
        return any(
            (one.user is None or (who.user is not None and one.user == who.user)) and who.tags >= one.tags
            for one in code.policy.minimal_readers(readers)
        )

    # The code goes through all members, so that these may be any: the user, and a tag that the user holds.
    both = z3.SetIntersect(RULE.any_tags, WHO.tags)
    tag = z3.Or(both == NO_TAGS, z3.IsMember(member_of(RULE.any_tags), both))
    user = z3.Implies(z3.IsMember(WHO.user, RULE.users), member_of(RULE.users) == WHO.user)
    return z3.Implies(z3.And(tag, user, reads(code, WHO, RULE)), explore(run))


@LEMMAS.add
def every_minimal_reader_reads(code: Code) -> Any:
    def run(branches: Branches) -> object:
        readers = code.policy.Readers(RULE.policy(code, branches), None)
        return all(code.policy.decide(one, readers) for one in code.policy.minimal_readers(readers))

    return z3.Implies(z3.And(has_member(RULE.users), has_member(RULE.any_tags)), explore(run))


@LEMMAS.add
def the_largest_principal_without_a_tag_decides_for_all(code: Code) -> Any:
    def largest(branches: Branches) -> object:
        policy = RULE.policy(code, branches)
        principal = code.required_tag.largest_without(Name(T, branches), policy)
        return code.policy.decide(principal, code.policy.single_policy(policy))

    lacks = z3.Not(z3.IsMember(T, WHO.tags))
    some_reader = z3.And(lacks, z3.Or(reads(code, WHO, RULE), reads(code, WHO, RULE, CEILING)))
    return z3.Implies(z3.And(has_member(RULE.users), some_reader), explore(largest))


@LEMMAS.add
def the_largest_principal_without_a_tag_lacks_it(code: Code) -> Any:
    def holds(branches: Branches) -> object:
        principal = code.required_tag.largest_without(Name(T, branches), RULE.policy(code, branches))
        return Name(T, branches) in principal.tags

    return z3.Not(explore(holds))
