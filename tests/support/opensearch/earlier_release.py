"""Indexes and rows as the release before made them: words in a text field per language, and no field added since."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from groundwire.adapters.opensearch import SERVICES
from groundwire.adapters.opensearch.schema.mapping import FIELDS, TEXT_FIELD_PREFIX, index_body
from groundwire.adapters.opensearch.schema.rows import stored_readers_fields, to_rows
from groundwire.domain.access.policy import Policy, single_policy
from groundwire.domain.documents.metadata import NO_METADATA
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, ModelId
from tests.support.documents.index_documents import with_vectors
from tests.support.opensearch.signed_calls import call

ADDED: Final = frozenset({"language", "analyzer", "weights", "packed_segment"})
CEILING: Final = frozenset({"has_ceiling", *(name for name in FIELDS if name.startswith("ceiling_"))})
"""Fields that it did not have."""


def body_before(service: str, model: ModelId) -> dict[str, Any]:
    """The request body by which it made an index."""
    body = index_body(SERVICES[service], model)
    properties = body["mappings"]["properties"]
    body["mappings"]["properties"] = {name: field for name, field in properties.items() if name not in ADDED | CEILING}
    return body


def text_fields_body(names: Collection[str]) -> dict[str, Any]:
    """The request body that adds text fields, as it did before the first text of a language."""
    templates = index_body(SERVICES["opensearch"], ModelId("any", 8))["mappings"]["dynamic_templates"]
    found = {name: template["mapping"] for each in templates for name, template in each.items()}
    return {"properties": {name: found[name] for name in sorted(names)}}


def put_before(
    url: str, index: str, segments: Sequence[Segment], policy: Policy, model: ModelId, *, custom_ids: bool
) -> None:
    """Store rows as it did, in an index that exists."""
    document = DocumentVersion(segments[0].doc_id, segments[0].version)
    fields = {f"{TEXT_FIELD_PREFIX}{each.language}" for each in segments}
    assert call(url, "PUT", f"/{index}/_mapping", text_fields_body(fields))[0] == 200
    lines: list[object] = []
    inputs = [with_vectors(each, f"{each.text} window") for each in segments]
    for key, row in to_rows(document, inputs, NO_METADATA, model).items():
        lines += [{"index": {"_index": index, **({"_id": key} if custom_ids else {})}}, _before(row.fields, policy)]
    status, answer = call(url, "POST", "/_bulk", lines)
    assert (status, answer["errors"]) == (200, False), answer


def _before(fields: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name not in ADDED}
    if segment := fields.get("segment"):
        kept[f"{TEXT_FIELD_PREFIX}{segment['language']}"] = [
            segment["title"],
            *segment["heading_path"],
            segment["text"],
        ]
    return {**kept, **_policy_before(policy)}


def _policy_before(policy: Policy) -> dict[str, Any]:
    return {name: value for name, value in stored_readers_fields(single_policy(policy)).items() if name not in CEILING}
