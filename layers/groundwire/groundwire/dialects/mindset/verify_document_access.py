"""The `verify_document_access` tool."""

from collections.abc import Mapping

from groundwire.dialects.faults import fault, only
from groundwire.dialects.mindset.contract import is_mindset
from groundwire.domain.errors import Problem
from groundwire.domain.references import MAX_UID_CHARACTERS
from groundwire.protocol.content import Text
from groundwire.protocol.tools import FaultKind, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.call import Call
from groundwire.services.verify import VerifyCall


class VerifyDocumentAccess:
    """A citation in, the access of the user of this very call out."""

    def __init__(self, verify: VerifyCall) -> None:
        self._verify = verify

    def __call__(self, call: Call, arguments: Mapping[str, object], _turn: Turn) -> ToolResult:
        """Whether the user of this very call may open the document behind the citation, and a fresh link."""
        uid = only(arguments, "segment_uid", ignore_others=is_mindset(call))
        if not isinstance(uid, str) or not uid or len(uid) > MAX_UID_CHARACTERS:
            raise ToolFault(FaultKind.ARGUMENTS, "segment_uid must be the identifier that rag_search returned.")
        try:
            answer = self._verify(call.caller, uid)
        except Problem as problem:
            raise fault(call, "Access verification failed", problem) from problem
        if answer.document is not None:
            call.facts["documents"] = [f"{answer.document.doc_id}@{answer.document.policy_version}"]
        call.facts["has_access"] = answer.has_access
        fields: dict[str, object] = {
            "has_access": answer.has_access,
            "refreshed_url": answer.url,
            "access_level": "view" if answer.has_access else None,
            "error": answer.error,
        }
        text = f"Access granted: {answer.url}" if answer.has_access else f"No access: {answer.error}"
        return ToolResult((Text(text),), fields, fields)
