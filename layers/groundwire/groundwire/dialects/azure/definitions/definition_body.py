"""Bodies of definitions as they are stored: one model of each kind, written and read by all of its versions."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from groundwire.dialects.azure.definitions.members import DEFINITIONS, INDEX_PARAMETERS, SOURCES, TARGET_INDEXES
from groundwire.dialects.azure.definitions.models import MODEL_KIND, check_models
from groundwire.dialects.azure.definitions.source_entries import check_collection, index_entries, source_entries
from groundwire.dialects.azure.errors import invalid_parameter
from groundwire.dialects.azure.requests.members import read_object
from groundwire.dialects.azure.requests.resource_paths import ResourceKind
from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX
from groundwire.domain.documents.ids import MAX_ID_CHARACTERS, is_doc_id
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty

if TYPE_CHECKING:
    from groundwire.dialects.azure.requests.members import Members
    from groundwire.dialects.azure.versions import ApiVersion
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.definitions.body import JsonBody

_EXTRACTIVE: Final = "extractiveData"
_EFFORTS: Final = frozenset({"minimal", "low", "medium"})
_LATEST_EFFORT: Final = "auto"
_MAX_FIELDS: Final = 100
_SEPARATOR: Final = ","


class BodyReader(NamedTuple):
    """Reader of the bodies of one version.

    Attributes:
        caller: whose key writes the definition.
        is_stored: returns whether there is a stored knowledge source of a name.
    """

    version: "ApiVersion"
    caller: "Caller"
    is_stored: Callable[[str], bool]

    def read(self, kind: ResourceKind, body: object) -> "JsonBody":
        """Return a definition of a JSON body as it is stored.

        Raises:
            AzureError: a member is wrong, or is not served.
        """
        _check_kinds(kind, body)
        members = {**read_object(body, DEFINITIONS[kind], self.version)}
        # A key that is stored and never used would be a false promise of encryption.
        if "encryptionKey" in members:
            raise invalid_parameter("encryptionKey: this server does not support keys for definitions: leave it out.")
        if not is_doc_id(str(members["name"])):
            raise invalid_parameter(
                f"name must have 1 to {MAX_ID_CHARACTERS} letters, digits, '.', '_' and '-', and start "
                "with a letter or a digit."
            )
        if kind is ResourceKind.KNOWLEDGE_SOURCE:
            return cast("JsonBody", self._read_source(members))
        check_models(_objects(members, "models"))
        _check_output(members, self.version)
        return cast("JsonBody", {**members, **self._read_entries(members)})

    def _read_entries(self, members: "dict[str, object]") -> "Mapping[str, object]":
        indexes = members.pop(TARGET_INDEXES, None)
        if indexes is not None:
            return {SOURCES: index_entries(cast("Sequence[Members]", indexes), self.caller)}
        return {SOURCES: source_entries(_objects(members, SOURCES), self.caller, self.is_stored)}

    def _read_source(self, members: "dict[str, object]") -> "Mapping[str, object]":
        parameters = {**cast("Members", members[INDEX_PARAMETERS])}
        path = f"{INDEX_PARAMETERS}.searchIndexName"
        check_collection(str(parameters["searchIndexName"]), self.caller, path)
        # 2025-08-01-preview writes the fields as one text; the stored form is that of later versions.
        selected = parameters.pop("sourceDataSelect", None)
        if isinstance(selected, str):
            names = [each.strip() for each in selected.split(_SEPARATOR)]
            parameters["sourceDataFields"] = [{"name": each} for each in names if each]
        for name in ("sourceDataFields", "searchFields"):
            if len(_objects(parameters, name)) > _MAX_FIELDS:
                raise invalid_parameter(f"{INDEX_PARAMETERS}.{name} can have at most {_MAX_FIELDS} entries.")
        return {**members, INDEX_PARAMETERS: parameters}


def _check_kinds(kind: ResourceKind, body: object) -> None:
    """Check the kinds of a source and of models first: those that are not served have members of their own."""
    given = mapping_or_empty(body)
    if kind is ResourceKind.KNOWLEDGE_SOURCE:
        _check_kind(given, "kind", SEARCH_INDEX, "sources of other kinds: ingest their documents into a collection")
    for at, model in enumerate(list_or_empty(given.get("models"))):
        _check_kind(mapping_or_empty(model), f"models[{at}].kind", MODEL_KIND, "models of other kinds")


def _check_kind(members: Mapping[str, object], path: str, served: str, others: str) -> None:
    kind = members.get("kind")
    if isinstance(kind, str) and kind != served:
        raise invalid_parameter(f"{path} must be {served}: this server has no {others}.")


def _check_output(members: "Members", version: "ApiVersion") -> None:
    output = cast("Members", members.get("outputConfiguration") or {})
    for path, mode in (
        ("outputMode", members.get("outputMode")),
        ("outputConfiguration.modality", output.get("modality")),
    ):
        if mode not in {None, _EXTRACTIVE}:
            raise invalid_parameter(f"{path}: this server does not write answers: use {_EXTRACTIVE}.")
    effort = cast("Members", members.get("retrievalReasoningEffort") or {}).get("kind")
    # The effort `auto` exists from 2026-08-01-preview on.
    allowed = _EFFORTS | ({_LATEST_EFFORT} if version == "2026-08-01-preview" else set[str]())
    if effort is not None and effort not in allowed:
        raise invalid_parameter(f"retrievalReasoningEffort.kind must be one of {', '.join(sorted(allowed))}.")
    for name, value in cast("Members", members.get("requestLimits") or {}).items():
        if isinstance(value, int) and value < 1:
            raise invalid_parameter(f"requestLimits.{name} must be 1 or more.")


def _objects(members: "Members", name: str) -> "Sequence[Members]":
    return cast("Sequence[Members]", members.get(name) or ())
