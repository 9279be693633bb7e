"""The `verify_document_access` tool."""

from collections.abc import Mapping

from groundwire.dialects.shared.contract import is_contract_call
from groundwire.dialects.shared.tool_errors import single_argument, tool_error
from groundwire.domain.documents.ids import MAX_UID_CHARACTERS
from groundwire.domain.errors import DomainError
from groundwire.services.call_context import CallContext
from groundwire.services.documents.links.citation_verifier import VerifyCitationFunction
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult


class VerifyDocumentAccess:
    """Handler of `verify_document_access`: checks whether the user of the call may open a cited document."""

    def __init__(self, verify: VerifyCitationFunction) -> None:
        self._verify = verify

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return whether the user of this call may open the cited document, with a fresh link to it."""
        uid = single_argument(arguments, "segment_uid", ignore_unknown=is_contract_call(call, context))
        if not isinstance(uid, str) or not uid or len(uid) > MAX_UID_CHARACTERS:
            raise ToolError(ToolErrorKind.ARGUMENTS, "segment_uid must be an identifier that rag_search returned.")
        try:
            answer = self._verify(call.caller, uid)
        except DomainError as problem:
            raise tool_error(call, "Access verification failed", problem) from problem
        if answer.document is not None:
            call.audit_fields["documents"] = [f"{answer.document.doc_id}@{answer.document.policy_version}"]
        call.audit_fields["has_access"] = answer.has_access
        # Mindset AI reads these beside `content`, and other clients in `structuredContent`.
        fields: dict[str, object] = {
            "has_access": answer.has_access,
            "refreshed_url": answer.url,
            "access_level": "view" if answer.has_access else None,
            "error": answer.error,
        }
        text = f"Access granted: {answer.url}" if answer.has_access else f"No access: {answer.error}"
        return ToolResult((TextContent(text),), fields, fields)
