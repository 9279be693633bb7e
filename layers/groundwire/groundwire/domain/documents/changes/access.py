"""Rights to change a document's record: by the scope of a key, or as the contributor of the document.

The right to read is no right to decide. Without `share`, a key deletes, narrows and replaces only what it, or the user
behind it, contributed. What somebody else decided about such a document it does not undo.
"""

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import single_policy
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.sharing import is_same_person, may_manage


def has_made(caller: Caller, decision: Decision) -> bool:
    """Return whether the decision is the caller's own."""
    return is_same_person(caller, decision.decided_key, decision.decided_by)


def may_decide(caller: Caller, document: Document) -> bool:
    """Return whether the caller may delete or replace the document: by its scope, or as its contributor."""
    if not caller.allows_collection(document.collection):
        return False
    contributor = document.contributor
    return missing_scope(caller.scopes, Scope.SHARE) is None or is_same_person(
        caller, contributor.key, contributor.user
    )


def may_decide_readers(caller: Caller, document: Document) -> bool:
    """Return whether the caller may set and lift the ceiling: not that of somebody else, without the scope."""
    if missing_scope(caller.scopes, Scope.SHARE) is None:
        return caller.allows_collection(document.collection)
    # A caller that replaces another's ceiling could lift it afterwards as its own.
    is_own = document.ceiling is None or has_made(caller, document.ceiling.decision)
    return is_own and may_decide(caller, document)


def may_manage_document(caller: Caller, document: Document) -> bool:
    """Return whether the caller may manage the document, also after it has closed its own document.

    Without that, a contributor who took the readers away could not give them back.
    """
    if may_manage(caller, document.collection, document.readers):
        return True
    declared = single_policy(document.policy)
    return (
        document.ceiling is not None
        and may_decide_readers(caller, document)
        and may_manage(caller, document.collection, declared)
    )
