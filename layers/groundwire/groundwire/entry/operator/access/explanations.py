"""Actions that explain access and read who had it; none of them changes anything."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.limits import DEFAULT_AUDIT_PAGE, DEFAULT_DOCUMENTS_PAGE, MAX_AUDIT_PAGE, MAX_DOCUMENTS_PAGE
from groundwire.entry.operator.action_result import ActionResult

if TYPE_CHECKING:
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.services.documents.browse.access.person import PersonQuery
    from groundwire.services.documents.browse.access.view import AccessView
    from groundwire.wiring.services import ApiServices

_LINE_CONDITIONS: Final = ("kid", "document", "user", "call", "outcome")


def check(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return whether a person may read a document, and why.

    Raises:
        NotFound: there is no such document or key. InvalidInput: the user, a tag or the key cannot be used so.
    """
    from groundwire.entry.serialization.access import explanation_to_json
    from groundwire.entry.serialization.access_facts import answer_facts

    view, query, doc_id = _view(services, fields), _person(fields), fields.text("document")
    fields.reject_unread()
    found = services.administration.explanations.check(view, query, doc_id)
    facts = answer_facts(found.person, found.document)
    return ActionResult(explanation_to_json(found, view), {"tenant": view.tenant, **facts})


def readers(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return who can read a document.

    Raises:
        NotFound: there is no such document.
    """
    from groundwire.entry.serialization.access import readers_to_json
    from groundwire.entry.serialization.access_facts import document_facts

    view, doc_id = _view(services, fields), fields.text("document")
    fields.reject_unread()
    found = services.administration.explanations.readers(view, doc_id)
    return ActionResult(readers_to_json(found), {"tenant": view.tenant, **document_facts(found.document)})


def documents(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a part of the documents that a person can read, and as `next` the id after which the next part starts.

    Raises:
        NotFound: there is no such key. InvalidInput: the user, a tag or the key cannot be used so.
    """
    from groundwire.entry.serialization.access import readable_to_json
    from groundwire.entry.serialization.access_facts import answer_facts

    view, query = _view(services, fields), _person(fields)
    collection, after = fields.optional_text("collection"), fields.optional_text("after")
    limit = max(1, min(fields.integer("limit", DEFAULT_DOCUMENTS_PAGE), MAX_DOCUMENTS_PAGE))
    fields.reject_unread()
    page = services.administration.explanations.documents(view, query, collection, after, limit)
    return ActionResult(readable_to_json(page, view), {"tenant": view.tenant, **answer_facts(page.person)})


def what_if(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the effect of a change on readers or documents.

    Raises:
        NotFound: there is no such document or key. InvalidInput: the change is not valid.
    """
    from groundwire.entry.serialization.access import effect_to_json, read_change
    from groundwire.entry.serialization.access_facts import change_facts, effect_facts

    view, change = _view(services, fields), read_change(fields)
    fields.reject_unread()
    effect = services.administration.explanations.what_if(view, change)
    return ActionResult(effect_to_json(effect), {"tenant": view.tenant, **change_facts(change), **effect_facts(effect)})


def why_not(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return what became of a document in a search of a person.

    Raises:
        NotFound: there is no such document or key. InvalidInput: the person or the search is not valid.
    """
    from groundwire.entry.serialization.access import read_search, search_explanation_to_json
    from groundwire.entry.serialization.access_facts import answer_facts

    view, query, doc_id = _view(services, fields), _person(fields), fields.text("document")
    question = read_search(fields)
    fields.reject_unread()
    explain = services.administration.explanations.missing_document(services.reading)
    found = explain(view, query, doc_id, question)
    facts = answer_facts(found.access.person, found.access.document)
    return ActionResult(search_explanation_to_json(found, view), {"tenant": view.tenant, **facts})


# Imported on use: no other action needs the services that explain.
def audit_lines(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a part of the lines of a tenant that fulfil every condition, the latest first.

    Raises:
        InvalidInput: a time or the position is not valid.
    """
    # Imported lazily: the other actions need no line.
    from groundwire.domain.audit.selection import AuditSelection, parse_moment
    from groundwire.entry.serialization.access_facts import named_facts
    from groundwire.entry.serialization.audit_rows import audit_row_to_json

    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    kid, doc, user, call, outcome = map(fields.optional_text, _LINE_CONDITIONS)
    now = services.clock()
    since, until = (
        None if text is None else parse_moment(text, now) for text in map(fields.optional_text, ("since", "until"))
    )
    after, limit = fields.optional_text("after"), fields.integer("limit", DEFAULT_AUDIT_PAGE)
    fields.reject_unread()
    trail = services.installation.audit_trail
    selection = AuditSelection(kid, doc, user, call, outcome, since, until)
    page = trail.page(tenant, selection, after, max(1, min(limit, MAX_AUDIT_PAGE)))
    rows = [audit_row_to_json(line) for line in page.lines]
    # The log states about whom somebody asked, an operator too.
    return ActionResult({"rows": rows, "next": page.next_after}, {"tenant": tenant, **named_facts(user, kid)})


def _person(fields: "ObjectReader") -> "PersonQuery":
    from groundwire.services.documents.browse.access.person import PersonQuery

    tags = fields.texts("tags") if fields.is_given("tags") else None
    return PersonQuery(fields.optional_text("user"), tags, fields.optional_text("kid"))


def _view(services: "ApiServices", fields: "ObjectReader") -> "AccessView":
    from groundwire.services.documents.browse.access.view import operator_access

    return operator_access(services.administration.tenant_admin.find(fields.text("tenant")).tenant)
