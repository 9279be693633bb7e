"""`groundwire key`: one key per agent, shown once."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final, Literal

import typer

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.api_key import days_before_expiry
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS, KeyOptions
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.keys import edit, tokens
from groundwire.entry.cli.keys.presets import KeyPreset, PrincipalOptions, Purpose, preset_for
from groundwire.entry.cli.keys.tag_bound import choose_max_tags, max_tags_of
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, NewTagsOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.operations import TenantTarget
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.entry.serialization.stored_members import read_members
from groundwire.services.keys.admin import NEVER, KeySpec

app = typer.Typer(no_args_is_help=True)

KidArgument = Annotated[str, typer.Argument(help="Public part of the key, as `key list` prints it.")]
ScopeOption = Annotated[
    list[Scope], typer.Option("--scope", help="Right of the key; repeat for more. Required, except with --for.")
]
TagOption = Annotated[
    list[str], typer.Option("--tag", help="Tag of a personal key; repeat for more.", callback=warn_of_spaces)
]
MaxTagOption = Annotated[
    list[str],
    typer.Option(
        "--max-tag",
        help="Tag or prefix that calls may send, such as 'hr:*'; all: '*'. With --act-as or --oauth.",
        callback=warn_of_spaces,
    ),
]
AnyTagOption = Annotated[bool, typer.Option("--any-tag", help="Calls may send every tag, as with --max-tag '*'.")]
CollectionOption = Annotated[
    list[str], typer.Option("--collection", help="Only this collection; repeat for more. Default: every collection.")
]
ActAsOption = Annotated[bool, typer.Option("--act-as", help="Delegated key: each call names its user.")]
SignInOption = Annotated[
    bool, typer.Option("--oauth", help="Sign-in key: for people who sign in with your identity provider.")
]
ToolsetOption = Annotated[
    str | None, typer.Option(help="Set of tools that the agent sees.", show_default=DEFAULT_TOOLSET)
]
MaxTokensOption = Annotated[
    int, typer.Option("--max-tokens", help="Most tokens of an answer; a call can set another number.")
]
ExpandOption = Annotated[int, typer.Option("--expand", help="Tokens of surrounding text for each passage; 0: none.")]
DaysOption = Annotated[
    int | None, typer.Option(help="Days until the key expires.", show_default=str(limits.DEFAULT_KEY_DAYS))
]
NeverExpiresOption = Annotated[bool, typer.Option("--never-expires", help="The key never expires; instead of --days.")]
PurposeOption = Annotated[
    Purpose | None,
    typer.Option("--for", help="Presets for agents of this platform: toolset, scopes, --act-as and 365 days."),
]
DialectOption = Annotated[
    list[str],
    typer.Option("--dialect", help="Only this dialect; repeat for more. Default: every dialect that is on."),
]
StrictTagsOption = Annotated[
    bool, typer.Option("--strict-tags", help="Refuse a call with a tag outside --max-tag; with --act-as.")
]
RateOption = Annotated[
    int | None,
    typer.Option(help="Calls per minute.", show_default=f"{limits.DEFAULT_RATE_PER_MINUTE}, or that of --for"),
]
BurstOption = Annotated[
    int | None,
    typer.Option(help="Calls at once, after a pause.", show_default=f"{limits.DEFAULT_BURST}, or that of --for"),
]
RequireUserOption = Annotated[
    bool, typer.Option("--require-user", help="Refuse a call that names no user; with --act-as.")
]
NoOriginalsOption = Annotated[
    bool, typer.Option("--no-originals", help="Give passages, and never the original file or a picture of it.")
]
MaySearchAsOption = Annotated[
    bool, typer.Option("--may-search-as", help="An administrator may search as another person; with --scope admin.")
]
FloorOption = Annotated[
    float | None,
    typer.Option(help="Floor: least relevance of a passage, 0 to 1; 0: none. Default: the collection's."),
]
SplitFirstPhraseOption = Annotated[
    bool, typer.Option("--split-first-phrase", help="Search each question of a compound first phrase, too.")
]
SourcesOption = Annotated[bool, typer.Option("--sources", help="List the tools of MCP sources on /mcp, too.")]
_NO_MAX_TAG_WARNING: Final = (
    "Warning: without --max-tag, the tags of calls with this key have no effect. For an agent that sends "
    "tags, create a key with --any-tag or --max-tag."
)
_DAYS_LEFT: Final = "expires_in_days"
_COLUMNS: Final = (
    *("kid", "name", "kind", "user", "tags", "max_tags", "collections", "scopes"),
    *("expires_at", _DAYS_LEFT, "last_used", "revoked"),
)
ExpiryDays = int | Literal["never"]


@app.command(
    epilog=examples(
        "groundwire key create --tenant acme --user ana@acme.example --tag department:sales --scope search",
        "groundwire key create --tenant acme --act-as --max-tag 'department:*' --scope search --scope verify --days 30",
    )
)
def create(
    tenant: TenantOption,
    scope: ScopeOption = [],
    name: Annotated[str | None, typer.Option(help="Label of the key in lists.", show_default="key")] = None,
    user: Annotated[str | None, typer.Option(help="User of a personal key.")] = None,
    tag: TagOption = [],
    max_tag: MaxTagOption = [],
    collection: CollectionOption = [],
    toolset: ToolsetOption = None,
    dialects: DialectOption = [],
    top_n: Annotated[int, typer.Option(help="Number of passages in an answer.")] = limits.DEFAULT_TOP_N,
    expand_tokens: ExpandOption = 0,
    max_tokens: MaxTokensOption = limits.DEFAULT_ANSWER_TOKENS,
    floor: FloorOption = None,
    rate: RateOption = None,
    burst: BurstOption = None,
    days: DaysOption = None,
    purpose: PurposeOption = None,
    *,
    any_tag: AnyTagOption = False,
    strict_tags: StrictTagsOption = False,
    require_user: RequireUserOption = False,
    no_originals: NoOriginalsOption = False,
    may_search_as: MaySearchAsOption = False,
    split_first_phrase: SplitFirstPhraseOption = False,
    sources: SourcesOption = False,
    act_as: ActAsOption = False,
    oauth: SignInOption = False,
    never_expires: NeverExpiresOption = False,
    yes: NewTagsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Create a key: personal (--user, --tag), delegated (--act-as) or for sign-in (--oauth)."""
    preset = preset_for(purpose, PrincipalOptions(user, tag, act_as, oauth), toolset, dialects)
    max_tags, target = max_tags_of(max_tag, any_tag=any_tag), current_target().tenant(tenant)
    spec = KeySpec(
        tenant=tenant,
        name=preset.name if name is None else name,
        kind=_kind(user, act_as=act_as or preset.acts_for_others, oauth=oauth),
        user=user,
        tags=frozenset(tag),
        expires_in_days=_expiry(preset.days if days is None else days, never_expires=never_expires),
        max_tags=max_tags if max_tags or purpose is None else choose_max_tags(target),
        strict_tags=strict_tags,
        scopes=_scopes(scope, preset),
        collections=frozenset(collection) or ALL_COLLECTIONS,
        options=_options(locals(), preset),  # Options are read by the names of the parameters.
    )
    spec = _with_rates(spec, preset, rate, burst)
    _create(target, spec, allows_new=_confirms_tags(target, spec, max_tags, is_confirmed=yes), as_json=as_json)


def _with_rates(spec: KeySpec, preset: KeyPreset, rate: int | None, burst: int | None) -> KeySpec:
    per_minute, at_once = preset.rate_per_minute if rate is None else rate, preset.burst if burst is None else burst
    return replace(spec, rate_per_minute=per_minute, burst=at_once)


@app.command("list", epilog=examples("groundwire key list --tenant acme"))
def list_keys(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the tenant's keys, without their secrets, and the days left of those that expire soon."""
    now = time.time()
    rows = [(row, _days_left(row, now)) for row in current_target().tenant(tenant).keys.all()]
    if as_json:
        print_json([row if days is None else {**row, _DAYS_LEFT: days} for row, days in rows])
        return
    print_rows(
        [{**row, _DAYS_LEFT: days} for row, days in rows],
        _COLUMNS,
        as_json=False,
        empty_message="There are no keys yet.",
        row_styles=[None if days is None else "yellow" for _, days in rows],
    )


app.command(epilog=edit.EXAMPLES)(edit.edit)


@app.command(epilog=examples("groundwire key rotate $KID --tenant acme --overlap-hours 2"))
def rotate(
    kid: KidArgument,
    tenant: TenantOption,
    overlap_hours: Annotated[int, typer.Option(help="Hours in which the old secret still works.")] = (
        limits.ROTATION_OVERLAP_HOURS
    ),
    *,
    as_json: JsonOption = False,
) -> None:
    """Give a key a new secret; the old one works for the hours of --overlap-hours."""
    _print_issued(current_target().tenant(tenant).keys.rotate(kid, overlap_hours), as_json=as_json)


@app.command(epilog=examples("groundwire key revoke $KID --tenant acme"))
def revoke(kid: KidArgument, tenant: TenantOption) -> None:
    """Revoke a key; the server refuses its next call."""
    key = current_target().tenant(tenant).keys.revoke(kid)
    print_line(f"Revoked key {key['kid']} ({key['name']}).")


app.command("explain-token", epilog=tokens.EXAMPLES)(tokens.explain_token)


def _confirms_tags(target: TenantTarget, spec: KeySpec, max_tags: Sequence[str], *, is_confirmed: bool) -> bool:
    """Return whether tags that nobody has are wanted; those of an answer were chosen beside the list of tags in use."""
    return confirm_tags(target, [*spec.tags, *max_tags], is_confirmed=is_confirmed) or spec.max_tags != tuple(max_tags)


def _create(target: TenantTarget, spec: KeySpec, *, allows_new: bool, as_json: bool) -> None:
    issued = target.keys.create(spec, allows_new=allows_new)
    if spec.kind is KeyKind.ACT_AS and not spec.max_tags:
        warn(_NO_MAX_TAG_WARNING)
    _print_issued(issued, as_json=as_json)


def _options(given: Mapping[str, object], preset: KeyPreset) -> KeyOptions:
    """Return the options of a key: those of the command's parameters that have the name of one."""
    # A repeatable option that was not given is an empty list.
    members = {name: value for name, value in given.items() if value != []}
    return read_members(STORED_OPTIONS, ObjectReader(members), replace(USUAL_OPTIONS, toolset=preset.toolset))


def _scopes(given: list[Scope], preset: KeyPreset) -> frozenset[Scope]:
    scopes = frozenset(given) or preset.scopes
    if not scopes:
        raise InvalidInput("Give the key a scope, such as --scope search; repeat the option for more.")
    return scopes


def _expiry(days: int, *, never_expires: bool) -> ExpiryDays:
    if not 1 <= days <= limits.MAX_KEY_DAYS:
        raise InvalidInput(
            f"--days must be 1 to {limits.MAX_KEY_DAYS}. For a key that does not expire, use --never-expires."
        )
    return NEVER if never_expires else days


def _kind(user: str | None, *, act_as: bool, oauth: bool) -> KeyKind:
    if act_as and oauth:
        raise InvalidInput("Use --act-as (an agent that names its users) or --oauth (people who sign in), not both.")
    if oauth:
        return KeyKind.OAUTH
    if act_as:
        return KeyKind.ACT_AS
    if user is None:
        raise InvalidInput(
            "Choose the kind of key: --user U for one person, --act-as for an agent that names its "
            "users, --oauth for people who sign in."
        )
    return KeyKind.PERSONAL


def _days_left(row: Row, now: float) -> int | None:
    """Return the whole days until the key of this row expires, if it is in force and they are few."""
    if row["revoked"] or not isinstance(expiry := row["expires_at"], str):
        return None
    return days_before_expiry(datetime.fromisoformat(expiry).timestamp(), now)


def _print_issued(key: Row, *, as_json: bool) -> None:
    if as_json:
        print_json(key)
        return
    if "key" not in key:
        print_line(f"Created sign-in key {key['kid']}. People use it by signing in; it has no secret.")
        return
    print_line(f"Key {key['kid']} (the secret is shown only once):")
    print_line(str(key["key"]))
    for line in current_target().usage_hints:
        print_line(line.replace("{url}", str(key.get("url", ""))))
