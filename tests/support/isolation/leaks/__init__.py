"""Products with one bug each: every one shows somebody what they may not see.

Two layers keep a search tight, the filter in the index and the check against the registry. Where one of them
would hide the bug in the other, the other is taken away too, and the bug's name says so.
"""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from tests.support.isolation.leaks import calling, deciding, storing

Bug = Callable[[pytest.MonkeyPatch], None]

LEAKS: Final[Mapping[str, Bug]] = {
    "empty policy is public": deciding.empty_policy_is_public,
    "one index for all tenants": storing.one_index_for_all,
    "empty any_tags matches": deciding.empty_any_matches,
    "all_tags taken as any_tags": deciding.all_as_any,
    "decisions kept by user without tags, registry unchecked": deciding.decisions_kept_by_user,
    "answers kept after a policy change": storing.answers_kept,
    "verify asks every tenant's registry": storing.verify_asks_every_tenant,
    "registry unchecked while the index is behind": storing.unchecked_while_the_index_is_behind,
    "redacted passages answer while the index is behind": storing.old_versions_answer,
    "deleted documents answer while the index is behind": storing.deleted_documents_answer,
    "verify judges by the first policy": deciding.verify_by_the_first_policy,
    "links are rights": deciding.links_are_rights,
    "links outlive their key": deciding.links_outlive_their_key,
    "links keep the tags of the entry": deciding.links_keep_the_tags_of_the_entry,
    "links keep the tags of their call": deciding.links_keep_the_tags_of_their_call,
    "links reach every collection": deciding.links_open_every_collection,
    "deletion told to strangers": deciding.deletion_shown_to_strangers,
    "max_tags bounds nothing": calling.any_tag_may_be_asserted,
    "tags of entry and header united": calling.tags_of_entry_and_header_united,
    "entry used when all tags were ignored": calling.entry_used_when_all_tags_were_ignored,
    "entry used on an empty header": calling.entry_used_on_an_empty_header,
    "personal keys may name another user": calling.personal_keys_may_assert,
    "user read from the request, gateway not overwriting": calling.user_read_from_the_request,
    "every collection is in reach": calling.every_collection_is_allowed,
    "verdicts kept after a revocation": calling.decisions_cached,
}
"""By what is wrong with the product."""
