"""Retrieve request of an agent or a knowledge base: one model for all versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from groundwire.dialects.azure.errors import AzureError, invalid_parameter
from groundwire.dialects.azure.requests.members import Members, read_object
from groundwire.dialects.azure.requests.retrieve_members import RETRIEVE_REQUEST
from groundwire.dialects.azure.versions import AGENTS, ApiVersion
from groundwire.domain.limits import SEARCH_SECONDS
from groundwire.domain.search.conversation import Speaker, Turn

DEFAULT_OUTPUT_TOKENS: Final = 5_000
DEFAULT_DOCUMENTS: Final = 50
MAX_DOCUMENTS: Final = 200
MAX_INTENTS: Final = 10
MAX_RERANKER_SCORE: Final = 4.0
SEARCH_INDEX: Final = "searchIndex"

_SUBQUERIES: Final = {"low": 3, "medium": 5, "auto": 5}
"""Most subqueries of a plan by reasoning effort; `minimal` plans none."""
_AGENT_EFFORT: Final = "medium"
_DEFAULT_EFFORT: Final = "low"
_MINIMAL: Final = "minimal"
_ROLES: Final = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}
_INSTRUCTIONS: Final = "system"
_EXTRACTIVE: Final = "extractiveData"


@dataclass(frozen=True, slots=True)
class SourceParameters:
    """Parameters of one index or knowledge source; None where the request leaves a default in force.

    Attributes:
        name: of the index or source; None: the only one.
        threshold: least reranker score, 0 to 4.
        max_documents: documents that are ranked, 1 to 200.
        is_required: an error of the source fails the whole call.
    """

    name: str | None = None
    filter: str | None = None
    threshold: float | None = None
    max_documents: int | None = None
    includes_source_data: bool | None = None
    includes_references: bool | None = None
    is_required: bool = False
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """Validated body of a retrieve call.

    Attributes:
        turns: of the conversation, to be planned. intents: subqueries that need no plan; with them no turn is planned.
        max_subqueries: of a plan.
        effort: kind of reasoning effort.
        max_seconds: time for the searches. max_tokens: of the response. max_documents: of the response; None: no bound.
    """

    version: ApiVersion
    turns: tuple[Turn, ...]
    intents: tuple[str, ...]
    effort: str
    sources: tuple[SourceParameters, ...] = ()
    max_tokens: int | None = None
    max_documents: int | None = None
    includes_activity: bool = True
    max_seconds: int = SEARCH_SECONDS

    @property
    def max_subqueries(self) -> int:
        """Most subqueries of a plan."""
        return _SUBQUERIES[self.effort]


def read_retrieve_request(body: object, version: ApiVersion, effort: str | None = None) -> RetrieveRequest:
    """Return the request of a JSON body.

    Args:
        body: as JSON.
        version: of the call.
        effort: reasoning effort where the body names none; None: that of the version.

    Raises:
        AzureError: a member is wrong, or there is nothing to search for.
    """
    members = read_object(body, RETRIEVE_REQUEST, version)
    if members.get("outputMode", _EXTRACTIVE) != _EXTRACTIVE:
        raise invalid_parameter("outputMode: this server does not write answers: use extractiveData.")
    effort = _effort(members, version, effort)
    intents = _intents(_objects(members, "intents"))
    turns = () if intents else _turns(_objects(members, "messages"))
    if effort == _MINIMAL and not intents:
        raise invalid_parameter("retrievalReasoningEffort minimal does not plan queries: send intents.")
    if not intents and not any(turn.speaker is Speaker.USER for turn in turns):
        raise invalid_parameter("The request has no question: send a message of the role user with a text, or intents.")
    return RetrieveRequest(
        version,
        turns,
        intents,
        effort,
        _sources(members),
        _positive(members, "maxOutputSizeInTokens") or _positive(members, "maxOutputSize"),
        _positive(members, "maxOutputDocuments"),
        includes_activity=bool(members.get("includeActivity", True)),
        max_seconds=_positive(members, "maxRuntimeInSeconds") or SEARCH_SECONDS,
    )


def _effort(members: Members, version: ApiVersion, default: str | None) -> str:
    given = cast("Mapping[str, str]", members.get("retrievalReasoningEffort", {}))
    if not given and default is not None:
        return default
    effort = given.get("kind", _AGENT_EFFORT if version in AGENTS else _DEFAULT_EFFORT)
    known = [_MINIMAL, *(each for each in _SUBQUERIES if each != "auto" or version is ApiVersion.AUGUST_2026)]
    if effort not in known:
        raise invalid_parameter(f"retrievalReasoningEffort.kind must be one of {', '.join(known)}.")
    return effort


def _intents(given: Sequence[Members]) -> tuple[str, ...]:
    if len(given) > MAX_INTENTS:
        raise invalid_parameter(f"intents can have at most {MAX_INTENTS} entries.")
    for at, each in enumerate(given):
        if each["type"] != "semantic":
            raise invalid_parameter(f"intents[{at}].type must be semantic.")
        if not str(each["search"]).strip():
            raise invalid_parameter(f"intents[{at}].search is empty: send the text to search for.")
    return tuple(dict.fromkeys(str(each["search"]) for each in given))


def _turns(given: Sequence[Members]) -> tuple[Turn, ...]:
    """Return the turns of user and assistant; messages of the role `system` are instructions, never searched for."""
    turns: list[Turn] = []
    for at, each in enumerate(given):
        role = str(each.get("role", "user"))
        text = _text(_objects(each, "content"), at)
        if role in _ROLES:
            turns.append(Turn(_ROLES[role], text))
        elif role != _INSTRUCTIONS:
            raise invalid_parameter(f"messages[{at}].role must be user, assistant or system.")
    return tuple(turn for turn in turns if turn.text.strip())


def _text(content: Sequence[Members], message: int) -> str:
    for at, each in enumerate(content):
        if each["type"] != "text":
            raise invalid_parameter(
                f"messages[{message}].content[{at}].type must be text: questions with images are not supported."
            )
        if "text" not in each:
            raise invalid_parameter(f"messages[{message}].content[{at}].text is missing.")
    return "\n".join(str(each["text"]) for each in content)


def _sources(members: Members) -> tuple[SourceParameters, ...]:
    indexes = _objects(members, "targetIndexParams")
    if len(indexes) > 1:
        raise invalid_parameter("targetIndexParams has more than one entry: this api-version has a single index.")
    if indexes:
        return (_source(indexes[0], "targetIndexParams[0]", cast("str | None", indexes[0].get("indexName"))),)
    sources = _objects(members, "knowledgeSourceParams")
    names = [str(each["knowledgeSourceName"]) for each in sources]
    if len(set(names)) < len(names):
        raise invalid_parameter("knowledgeSourceParams names a source twice: merge the entries.")
    for at, each in enumerate(sources):
        if each["kind"] != SEARCH_INDEX:
            raise invalid_parameter(f"knowledgeSourceParams[{at}].kind must be {SEARCH_INDEX}.")
    return tuple(
        _source(each, f"knowledgeSourceParams[{at}]", name)
        for at, (each, name) in enumerate(zip(sources, names, strict=True))
    )


def _source(given: Members, path: str, name: str | None) -> SourceParameters:
    if given.get("enableImageServing"):
        raise invalid_parameter(f"{path}.enableImageServing: this server does not serve images: leave it out.")
    threshold = cast("float | None", given.get("rerankerThreshold"))
    if threshold is not None and not 0 <= threshold <= MAX_RERANKER_SCORE:
        raise invalid_parameter(f"{path}.rerankerThreshold must be between 0 and 4.")
    documents = _positive(given, "maxDocsForReranker", path) or _positive(given, "maxOutputDocuments", path)
    members = cast("dict[str, Any]", given)
    return SourceParameters(
        name,
        members.get("filterAddOn"),
        threshold,
        None if documents is None else min(documents, MAX_DOCUMENTS),
        members.get("includeReferenceSourceData"),
        members.get("includeReferences"),
        is_required=bool(members.get("failOnError")),
        is_left_out=bool(members.get("neverQuerySource")),
    )


def _objects(members: Members, name: str) -> Sequence[Members]:
    return cast("Sequence[Members]", members.get(name, ()))


def _positive(members: Members, name: str, path: str = "") -> int | None:
    value = cast("int | None", members.get(name))
    if value is not None and value < 1:
        raise _not_positive(f"{path}.{name}" if path else name)
    return value


def _not_positive(path: str) -> AzureError:
    return invalid_parameter(f"{path} must be 1 or more.")
