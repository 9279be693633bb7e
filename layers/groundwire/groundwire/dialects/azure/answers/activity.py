"""Activity of an answer: the records of planner, searches and ranker, with the names of each version."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX
from groundwire.dialects.azure.versions import AGENTS, ApiVersion
from groundwire.ports.models import ModelUsage

Json = dict[str, object]

_MILLISECONDS: Final = 1000


class SearchStep(NamedTuple):
    """One search of the plan.

    Attributes:
        source: name of index or knowledge source. filter: as sent.
        found: number of passages that passed the threshold.
        started_at: epoch seconds. elapsed_ms: of the searches, which run together.
        failure: message where the source did not answer.
    """

    source: str
    query: str
    filter: str | None
    found: int
    started_at: float
    elapsed_ms: int
    failure: str | None = None


class Activity(NamedTuple):
    """Steps of one call.

    Attributes:
        usage: of the model that planned; None: no model did.
        has_reranker: a reranker ordered the passages.
    """

    version: ApiVersion
    steps: Sequence[SearchStep]
    usage: ModelUsage | None
    effort: str
    has_reranker: bool


def activity_records(activity: Activity) -> list[Json]:
    """Return the records of the activity, numbered in the order of the steps."""
    steps = [_search_step(activity.version, each) for each in activity.steps]
    records = [*planning_records(activity), *steps, *_ranking(activity)]
    return [{"type": each.pop("type"), "id": number, **each} for number, each in enumerate(records)]


def planning_records(activity: Activity) -> list[Json]:
    """Return the record of the planner; rules cost no tokens and have none."""
    usage, version = activity.usage, activity.version
    # The specification of 2026-04-01 has no record of a planner.
    if usage is None or version is ApiVersion.APRIL_2026:
        return []
    counts = {"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens}
    planned: Json = {
        # Clients compare types by case: Python before 12 drops all members of an unknown one.
        "type": "ModelQueryPlanning" if version is ApiVersion.MAY_2025 else "modelQueryPlanning",
        **{name: count for name, count in counts.items() if count is not None},
        "elapsedMs": usage.elapsed_ms,
    }
    if version is ApiVersion.MAY_2026:
        planned["modelName"] = usage.model
    if version is ApiVersion.AUGUST_2026:
        planned["model"] = {"modelName": usage.model, "deploymentId": usage.deployment}
    return [planned]


def _search_step(version: ApiVersion, step: SearchStep) -> Json:
    measured: Json = {"queryTime": _utc(step.started_at), "count": step.found, "elapsedMs": step.elapsed_ms}
    searched: Json = {"search": step.query, "filter": step.filter}
    if version is ApiVersion.MAY_2025:
        return {"type": "AzureSearchQuery", "targetIndex": step.source, "query": searched, **measured}
    record: Json = {"type": SEARCH_INDEX, "knowledgeSourceName": step.source, **measured}
    if version not in AGENTS:
        searched |= {"sourceDataFields": [], "searchFields": [], "semanticConfigurationName": None}
    record["searchIndexArguments"] = searched
    # The versions with agents have no member for the error of one source.
    if step.failure is not None and version not in AGENTS:
        record["error"] = {"code": "", "message": step.failure}
    return record


def _ranking(activity: Activity) -> list[Json]:
    """Return the record of the ranker or, in later versions, of reasoning, which takes no tokens without a model."""
    if activity.version in AGENTS:
        kind = "AzureSearchSemanticRanker" if activity.version is ApiVersion.MAY_2025 else "semanticReranker"
        return [{"type": kind}] if activity.has_reranker else []
    # The specification of 2026-04-01 has no effort in this record.
    effort = (
        {} if activity.version is ApiVersion.APRIL_2026 else {"retrievalReasoningEffort": {"kind": activity.effort}}
    )
    return [{"type": "agenticReasoning", "reasoningTokens": 0, **effort}]


def _utc(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    # The system's page shows three digits of a second and `Z`.
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // _MILLISECONDS:03}Z"
