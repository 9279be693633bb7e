"""Members of an audit line of a question about access: about whom it was, and which document it was about.

Without them a loop of questions would read out the rights of a person without a trace of whom.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.documents.record import Document
    from groundwire.services.documents.browse.access.person import Person, PersonQuery
    from groundwire.services.documents.browse.access.what_if import AccessEffect, AccessTrial


def query_facts(query: "PersonQuery") -> "AuditFacts":
    """Return the person as the question names it, also for a question without an answer."""
    return named_facts(query.user, query.kid)


def answer_facts(person: "Person", document: "Document | None" = None) -> "AuditFacts":
    """Return the person and the document of an answer: a question may name the person by a key alone."""
    facts = named_facts(person.principal.user, None if person.key is None else person.key.kid)
    return facts if document is None else {**facts, **document_facts(document)}


def document_facts(document: "Document") -> "AuditFacts":
    """Return the document with the version of its policy, as every line names one."""
    return {"documents": [f"{document.doc_id}@{document.policy_version}"]}


def change_facts(change: "AccessTrial") -> "AuditFacts":
    """Return the user, the group and the key that a question about a change names."""
    named = change._asdict()
    return named_facts(named.get("user", named.get("group")), named.get("kid"))


def effect_facts(effect: "AccessEffect") -> "AuditFacts":
    """Return the document whose readers a change would replace; no members for other changes."""
    from groundwire.services.documents.browse.access.what_if import ReadersEffect

    return document_facts(effect.document) if isinstance(effect, ReadersEffect) else {}


def named_facts(entry: str | None, key: str | None) -> "AuditFacts":
    """Return the user or group, and the key, that a question is about; no member for None."""
    facts: AuditFacts = {}
    if entry is not None:
        facts["entry"] = entry
    if key is not None:
        facts["key"] = key
    return facts
