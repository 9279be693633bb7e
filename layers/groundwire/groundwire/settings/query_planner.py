"""Settings of query planning by a language model."""

from dataclasses import dataclass, field
from typing import Literal

PlannerProvider = Literal["openai", "azure-openai", "bedrock"]


@dataclass(frozen=True, slots=True)
class PlannerService:
    """Service of the server's own planning model.

    Attributes:
        model: name of the model; of Azure OpenAI the name of the deployment.
        url: base of the service's address; empty for Bedrock.
        key: API key; None: the service needs none, or a secret of the deployment holds it.
    """

    provider: PlannerProvider
    model: str
    url: str
    key: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlannerSettings:
    """Query planning by models.

    Attributes:
        service: the server's own model; None: rules plan.
        model_hosts: hosts, or `host:port`, of models that definitions name; models at other hosts are not called.
        timeout_seconds: of a whole call. api_version: of Azure OpenAI.
        tokens: of the input of a call. tokens_per_minute, tokens_per_day: of a tenant in this process.
    """

    service: PlannerService | None
    model_hosts: frozenset[str]
    timeout_seconds: float
    api_version: str
    tokens: int
    tokens_per_minute: int
    tokens_per_day: int
