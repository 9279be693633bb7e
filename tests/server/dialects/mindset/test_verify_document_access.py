"""The tool `verify_document_access` alone: its arguments, its four fields, its failures."""

import pytest
from jsonschema import Draft202012Validator

from groundwire.dialects.shared.schemas import VERIFY_OUTPUT
from groundwire.dialects.shared.verify_document_access import VerifyDocumentAccess
from groundwire.domain.errors import Unavailable
from groundwire.services.documents.links.citation_verifier import CitationAccess
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind
from tests.support.documents.passages import TURN, call, document, text_of

GRANTED = CitationAccess(has_access=True, url="https://docs.example/doc", error=None, document=document())
DENIED = CitationAccess(has_access=False, url=None, error="Document has been deleted", document=None)


@pytest.mark.parametrize("answer", [GRANTED, DENIED])
def test_the_answer_has_the_four_fields_of_the_contract(answer: CitationAccess) -> None:
    result = VerifyDocumentAccess(lambda _caller, _uid: answer)(call(), {"segment_uid": "doc.0123456789abcdef"}, TURN)
    Draft202012Validator(VERIFY_OUTPUT).validate(result.structured)
    assert result.fields == {
        "has_access": answer.has_access,
        "refreshed_url": answer.url,
        "access_level": "view" if answer.has_access else None,
        "error": answer.error,
    }
    assert (answer.url or answer.error or "") in text_of(result)


def test_a_grant_is_recorded_with_the_document_and_a_denial_without() -> None:
    granted, denied = call(), call()
    VerifyDocumentAccess(lambda _caller, _uid: GRANTED)(granted, {"segment_uid": "doc.0123456789abcdef"}, TURN)
    VerifyDocumentAccess(lambda _caller, _uid: DENIED)(denied, {"segment_uid": "doc.0123456789abcdef"}, TURN)
    assert granted.audit_fields == {"documents": ["doc@3"], "has_access": True}
    assert denied.audit_fields == {"has_access": False}


@pytest.mark.parametrize(
    "arguments",
    [{}, {"segment_uid": None}, {"segment_uid": 1}, {"segment_uid": ""}, {"segment_uid": "x" * 138}, {"uid": "x"}],
)
def test_other_arguments_are_refused_before_anything_is_read(arguments: dict[str, object]) -> None:
    def never(_caller: object, _uid: str) -> CitationAccess:
        raise AssertionError

    with pytest.raises(ToolError) as wire_error:
        VerifyDocumentAccess(never)(call(), arguments, TURN)
    assert wire_error.value.kind is ToolErrorKind.ARGUMENTS


def test_a_registry_that_does_not_answer_is_worth_another_try_and_is_not_described() -> None:
    def broken(_caller: object, _uid: str) -> CitationAccess:
        raise Unavailable("/srv/home/registry.db does not answer", 9)

    requested = call()
    with pytest.raises(ToolError) as wire_error:
        VerifyDocumentAccess(broken)(requested, {"segment_uid": "doc.0123456789abcdef"}, TURN)
    assert (wire_error.value.kind, wire_error.value.retry_after_s) == (ToolErrorKind.RETRYABLE, 9)
    assert "/srv/home" not in str(wire_error.value)
    assert "/srv/home" in str(requested.audit_fields.get("problem"))
