"""`key create --for mindset`: one option for what Mindset's agents need, and a question that has no default."""

import json
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from groundwire.domain.errors import DomainError, InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.keys.tag_bound import choose_max_tags, proposed_bounds
from tests.server.entry.cli.process import on_terminal
from tests.support.entry.command import Command

if TYPE_CHECKING:
    from groundwire.entry.cli.target.operations import TenantTarget

FOR_MINDSET = ("key", "create", "-t", "acme", "--for", "mindset")


@pytest.fixture
def tagged(groundwire: Command, tenant: str, note: Path) -> str:
    """The tenant with policies that use five tags."""
    tags = ("department:sales", "department:hr", "premium", "level:1")
    groundwire.ingest(tenant, note, *(each for tag in tags for each in ("--any-tag", tag)), "--all-tag", "a b")
    return tenant


def days_of(key: dict[str, str]) -> int:
    """The whole days of a key's life."""
    made, ends = (datetime.fromisoformat(key[name]) for name in ("created_at", "expires_at"))
    return (ends - made).days


def test_a_key_for_mindset_acts_for_others_with_its_toolset_for_a_year(groundwire: Command, tenant: str) -> None:
    made = groundwire.json(*FOR_MINDSET, "--any-tag")
    assert (made["kind"], made["user"], made["tags"], made["max_tags"]) == ("act_as", None, [], ["*"])
    assert (made["toolset"], made["name"], made["scopes"]) == ("mindset", "mindset", ["act_as", "search", "verify"])
    assert (made["collections"], made["strict_tags"]) == ("every", False)
    assert days_of(made) == 365
    assert not groundwire(*FOR_MINDSET, "--any-tag").done().err


def test_options_that_are_given_count_instead_of_the_preset(groundwire: Command, tenant: str) -> None:
    options = ["--name", "shop", "--days", "30", "--scope", "search", "--act-as", "--toolset", "mindset"]
    made = groundwire.json(*FOR_MINDSET, "--max-tag", "hr:*", "--max-tag", "x", "--strict-tags", *options)
    assert (made["name"], days_of(made), made["scopes"]) == ("shop", 30, ["act_as", "search"])
    assert (made["max_tags"], made["strict_tags"]) == (["hr:*", "x"], True)
    assert groundwire.json(*FOR_MINDSET, "--any-tag", "--never-expires")["expires_at"] is None
    assert groundwire.json(*FOR_MINDSET, "--any-tag", "--dialect", "mindset")["dialects"] == ["mindset"]


@pytest.mark.parametrize(
    "options",
    [
        ["--user", "ann"],
        ["--tag", "a"],
        ["--oauth"],
        ["--toolset", "openai"],
        ["--dialect", "openai", "--dialect", "x"],
    ],
)
def test_an_option_that_contradicts_the_purpose_is_named_in_the_error(
    groundwire: Command, tenant: str, options: list[str]
) -> None:
    refused = groundwire(*FOR_MINDSET, "--any-tag", *options)
    assert refused.code == 2
    assert options[0] in refused.line
    assert "--for mindset" in refused.line
    assert groundwire.json("key", "list", "-t", tenant) == []


def test_any_tag_and_named_tags_together_are_refused(groundwire: Command, tenant: str) -> None:
    refused = groundwire(*FOR_MINDSET, "--any-tag", "--max-tag", "a")
    assert (refused.code, "--any-tag" in refused.line) == (2, True)


def test_any_tag_is_every_tag_for_other_keys_too_and_nothing_for_a_personal_one(
    groundwire: Command, tenant: str
) -> None:
    create = ["key", "create", "-t", tenant, "--scope", "search"]
    assert groundwire.json(*create, "--act-as", "--any-tag")["max_tags"] == ["*"]
    assert groundwire(*create, "--user", "ann", "--any-tag").code == 2


def test_without_a_terminal_the_bound_has_no_default_and_the_error_has_options_to_paste(
    groundwire: Command, tagged: str
) -> None:
    refused = groundwire(*FOR_MINDSET)
    assert refused.code == 2
    assert "--max-tag 'a b' --max-tag 'department:*' --max-tag level:1 --max-tag premium " in refused.line
    assert "--any-tag" in refused.line
    assert groundwire.json("key", "list", "-t", tagged) == []


def test_without_a_policy_that_uses_tags_the_error_states_it(groundwire: Command, tenant: str) -> None:
    refused = groundwire(*FOR_MINDSET)
    assert (refused.code, "policies use no tags yet" in refused.line) == (2, True)


@pytest.mark.parametrize(
    ("typed", "max_tags"),
    [("2,4", ["department:*", "premium"]), ("any", ["*"]), ("premium, hr:*, 2", ["premium", "hr:*", "department:*"])],
)
def test_a_terminal_shows_which_tags_policies_use_and_asks(
    groundwire: Command, tagged: str, typed: str, max_tags: list[str]
) -> None:
    with on_terminal(groundwire, *FOR_MINDSET, "--json") as run:
        shown = run.read_until("every tag:")
        assert "2) department:* (department:hr, department:sales)" in " ".join(shown.split())
        assert "4) premium" in shown
        for refused in ("9\n", "sys:x\n"):
            run.type(refused)
            run.read_until("every tag:")
        run.type(f"{typed}\n")
        code, out = run.finish()
    assert code == 0
    assert json.loads(out)["max_tags"] == max_tags


def test_a_terminal_that_closes_makes_no_key(groundwire: Command, tagged: str) -> None:
    with on_terminal(groundwire, *FOR_MINDSET) as run:
        run.read_until("every tag:")
        run.type("\x04")
        assert run.finish()[0] == 1
    assert groundwire.json("key", "list", "-t", tagged) == []


@pytest.mark.parametrize("error", [NotFound("There is no such route."), InvalidInput("There is no such action.")])
def test_a_service_of_a_release_that_lists_no_tags_gets_no_further_request_and_nothing_is_claimed_of_it(
    error: DomainError,
) -> None:
    def unknown() -> Row:
        raise error

    target = cast("TenantTarget", SimpleNamespace(title="acme", keys=SimpleNamespace(policy_tags=unknown)))
    with pytest.raises(InvalidInput) as refused:
        choose_max_tags(target)
    expected = "Choose the tags that calls may use: --max-tag TAG for each, or --any-tag for every tag."
    assert str(refused.value) == expected


def test_a_tenant_that_does_not_exist_is_named_instead_of_tags() -> None:
    def missing() -> Row:
        raise NotFound("There is no tenant 'acme'.", "tenant")

    target = cast("TenantTarget", SimpleNamespace(title="acme", keys=SimpleNamespace(policy_tags=missing)))
    with pytest.raises(NotFound, match="'acme'"):
        choose_max_tags(target)


@pytest.mark.parametrize(
    ("tags", "bounds"),
    [
        ([], []),
        (["a:1", "a:2", "b:1", "c"], ["a:*", "b:1", "c"]),
        (["a", "a:"], ["a", "a:"]),
        (["*", "x*", "y:*"], []),
        ([":x", ":y"], [":*"]),
    ],
)
def test_tags_with_one_prefix_are_one_proposal_and_no_tag_is_taken_for_a_prefix(
    tags: list[str], bounds: list[str]
) -> None:
    assert [each.max_tag for each in proposed_bounds(tags)] == bounds
