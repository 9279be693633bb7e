"""A key's item: releases that know a member and releases that do not read each other's."""

from dataclasses import replace

import pytest

from groundwire.adapters.aws.dynamodb.keys.items import from_item, to_item
from groundwire.domain.keys.api_key import ApiKey
from tests.support.registry.key_options import with_options
from tests.support.registry.records import ACT_AS_KEY, PERSONAL_KEY

LENIENT = replace(ACT_AS_KEY, strict_tags=False)


@pytest.mark.parametrize("key", [PERSONAL_KEY, ACT_AS_KEY, LENIENT], ids=["personal", "strict", "lenient"])
def test_a_key_is_read_as_it_was_written(key: ApiKey) -> None:
    assert from_item(to_item(key)) == key


def test_the_item_of_a_key_that_splits_has_one_member_more_than_those_of_earlier_releases() -> None:
    splitting = to_item(ACT_AS_KEY)
    assert splitting.pop("split_first_phrase") == {"BOOL": True}
    assert splitting == to_item(with_options(ACT_AS_KEY, split_first_phrase=False))
    assert from_item(splitting) == with_options(ACT_AS_KEY, split_first_phrase=False)


def test_the_item_of_a_key_with_sources_has_one_member_more_than_those_of_earlier_releases() -> None:
    listing = to_item(ACT_AS_KEY)
    assert listing.pop("sources") == {"BOOL": True}
    assert listing == to_item(with_options(ACT_AS_KEY, sources=False))
    assert from_item(listing) == with_options(ACT_AS_KEY, sources=False)


def test_a_strict_keys_item_has_one_member_more_than_those_of_earlier_releases() -> None:
    strict = to_item(ACT_AS_KEY)
    assert strict.pop("strict_tags") == {"BOOL": True}
    assert strict == to_item(LENIENT)
