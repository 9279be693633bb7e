"""Groups of the identity provider: the tags that a tenant gives them, and the decision on a token."""

from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain import limits
from groundwire.domain.access.groups import MappingOrigin, TagOutcome
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.sharing import is_bounded
from groundwire.entry.operator.access.tags import token_authorizer
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import NewTagsAllowed, RequestModel, ResponseModel, Tag, declared_errors
from groundwire.entry.serialization.token_explanation import group_to_json, token_decision_to_json
from groundwire.services.documents.tags.view import caller_view

_GroupTags = Annotated[list[Tag], Field(max_length=limits.MAX_TAGS_PER_GROUP)]


class GroupEntry(RequestModel):
    """Tags to give a group."""

    tags: _GroupTags
    new_tags: NewTagsAllowed = False


class GroupRecord(ResponseModel):
    """A group with the tags that it gives."""

    group: str
    tags: list[str]


class GroupList(ResponseModel):
    """The mapping of the tenant, by group."""

    groups: list[GroupRecord]


class GoneGroup(ResponseModel):
    """A group whose mapping was deleted."""

    group: str


class TokenText(RequestModel):
    """An access token of the identity provider."""

    token: str = Field(min_length=1, max_length=limits.MAX_TOKEN_CHARACTERS)


class ClaimProblem(ResponseModel):
    """A claim for which a token names nobody."""

    claim: str
    rule: str = Field(description="What the claim must be.")


class GroupOutcome(ResponseModel):
    """Tag that a group of a token gives, and whether it counts."""

    group: str
    tag: str | None
    mapped_by: MappingOrigin | None = Field(description="Null: the text of the group is its tag.")
    outcome: TagOutcome


class TokenExplanation(ResponseModel):
    """User and tags that a token gives; the decision is that of a call."""

    admitted: bool
    reason: str = Field(description="Reason as the audit log has it.")
    claim: ClaimProblem | None
    tenant: str | None
    user: str | None
    kid: str | None = Field(description="Sign-in key that limits the call.")
    max_tags: list[str] = Field(description="Tags that this key covers.")
    scopes: list[Scope]
    tags: list[str] = Field(description="Tags that count.")
    tags_ignored: int = Field(description="Number of groups and tags that gave no right.")
    groups: list[GroupOutcome]


router: Final = APIRouter(prefix="/v1/groups", tags=["groups"], route_class=ScopedRoute)

JsonObject = dict[str, object]

_UNBOUNDED_REQUIRED: Final = (
    "Tags of a group apply to the whole tenant, so only a key for all collections and all dialects may see and change "
    "them."
)


@router.get("", response_model=GroupList)
async def list_groups(context: CurrentContext) -> JsonObject:
    """List the groups of the identity provider that the tenant maps to tags."""
    _check_unbounded(context)
    mapping = context.services.administration.group_admin.all(context.tenant)
    return {"groups": [group_to_json(group, tags) for group, tags in mapping.items()]}


@router.post("/explain-token", response_model=TokenExplanation, responses=declared_errors(413))
async def explain_token(body: TokenText, context: CurrentContext) -> JsonObject:
    """Show which user and tags an access token of this tenant gives, and why; it counts as one call."""
    _check_unbounded(context)
    return token_decision_to_json(token_authorizer(context.services).explain(Secret(body.token), context.tenant))


# The path of a group contains slashes.
@router.put("/{group:path}", response_model=GroupRecord, responses=declared_errors(409, 413))
async def set_group(group: str, entry: GroupEntry, context: CurrentContext) -> JsonObject:
    """Replace the tags of a group; they count from the next call on."""
    _check_unbounded(context)
    # Tags of a mapping have the rules of tags in calls, so that both can be equal.
    tags = parse_tags(entry.tags)
    context.services.administration.tags.new_tags.check(caller_view(context.caller), tags, allows_new=entry.new_tags)
    name, tags = context.services.administration.group_admin.set(context.tenant, group, tags)
    context.note(entry=name)
    return group_to_json(name, tags)


@router.delete("/{group:path}", response_model=GoneGroup, responses=declared_errors(404, 409))
async def delete_group(group: str, context: CurrentContext) -> JsonObject:
    """Delete the mapping of a group; its own text is its tag again."""
    _check_unbounded(context)
    name = context.services.administration.group_admin.delete(context.tenant, group)
    context.note(entry=name)
    return {"group": name}


def _check_unbounded(context: RestContext) -> None:
    # A mapping gives rights in every collection and by every dialect of the tenant.
    if is_bounded(context.caller):
        raise Forbidden(_UNBOUNDED_REQUIRED)
