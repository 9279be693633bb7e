"""Methods `skills/list` and `skills/get`."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.skills import Skill
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.messages import required_string
from groundwire_mcp.methods.pagination import Paginator
from groundwire_mcp.methods.resources import RESOURCES_READ
from groundwire_mcp.methods.scope_check import ScopeCheck
from groundwire_mcp.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDependencies

_RESULT_MEMBERS: Final[Mapping[str, object]] = {"resultType": "complete", "ttlMs": 300_000, "cacheScope": "private"}
"""Members that the extension requires of its results, in each revision.

Skills depend on the key's toolset and scopes: a change shows within five minutes.
"""


class SkillMethods(Generic[CallerT]):
    """Handlers of the two methods; who may read resources may read skills."""

    def __init__(
        self,
        skills: Callable[[], Sequence[Skill]],
        dependencies: "ServerDependencies[CallerT]",
        paginator: Paginator[CallerT],
    ) -> None:
        self._skills = skills
        self._scope_check = ScopeCheck(dependencies.missing_scope)
        self._paginator = paginator

    def list_skills(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `skills/list`; the list is empty for a caller without the scope.

        Raises:
            ProtocolError: the cursor is invalid.
        """
        is_allowed = self._scope_check.is_allowed(context.caller, RESOURCES_READ)
        entries = [skill.entry() for skill in self._skills()] if is_allowed else []
        return MethodResult({**_RESULT_MEMBERS, **self._paginator.page(context, entries, "skills")})

    def get_skill(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `skills/get`.

        Raises:
            ProtocolError: the scope is missing, or no skill has this URI.
        """
        self._scope_check.require(context, RESOURCES_READ)
        uri = required_string(context.params, "uri")
        skill = next((skill for skill in self._skills() if skill.uri == uri), None)
        if skill is None:
            # The extension has one code for all revisions, unlike `resources/read`.
            message = "Skill not found: skills/list returns the skills of this key."
            raise ProtocolError(ResultCode.UNKNOWN_RESOURCE, message, data={"uri": uri})
        return MethodResult({**_RESULT_MEMBERS, "skill": skill.entry()})
