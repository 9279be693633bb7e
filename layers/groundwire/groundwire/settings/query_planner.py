"""Settings of query planning by a language model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, cast, get_args

from groundwire.domain.errors import InvalidInput
from groundwire_egress.secure_urls import is_secure_url

PlannerProvider = Literal["openai", "azure-openai", "bedrock"]
DEFAULT_TIMEOUT_MS: Final = 3_000
DEFAULT_TOKENS: Final = 2_000
DEFAULT_TOKENS_PER_MINUTE: Final = 100_000
DEFAULT_TOKENS_PER_DAY: Final = 2_000_000
DEFAULT_API_VERSION: Final = "2024-10-21"
_OPENAI_URL: Final = "https://api.openai.com/v1"
_BOUNDS: Final = {
    "PLANNER_TIMEOUT_MS": (DEFAULT_TIMEOUT_MS, 100, 10_000),
    "PLANNER_TOKENS": (DEFAULT_TOKENS, 500, 100_000),
    "PLANNER_TOKENS_PER_MINUTE": (DEFAULT_TOKENS_PER_MINUTE, 1, 100_000_000),
    "PLANNER_TOKENS_PER_DAY": (DEFAULT_TOKENS_PER_DAY, 1, 10_000_000_000),
}
"""Default, minimum and maximum of each number."""
_API_VERSION: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:-preview)?")
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,255}")
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[1-9]\d{0,4})?")


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


def parse_planner(given: Mapping[str, str]) -> PlannerSettings:
    """Parse the settings that are not empty.

    Raises:
        InvalidInput: a value is not valid; the message says what it must be.
    """
    version = given.get("PLANNER_API_VERSION", DEFAULT_API_VERSION)
    if not _API_VERSION.fullmatch(version):
        raise InvalidInput(
            f"GROUNDWIRE_PLANNER_API_VERSION must be a version such as {DEFAULT_API_VERSION}, not {version!r}."
        )
    hosts = given.get("MODEL_HOSTS", "").split()
    if wrong := [host for host in hosts if not _HOST.fullmatch(host)]:
        raise InvalidInput(
            f"GROUNDWIRE_MODEL_HOSTS must hold hosts in lower case with blanks between them, not {wrong[0]!r}."
        )
    return PlannerSettings(
        service=_service(given),
        model_hosts=frozenset(hosts),
        timeout_seconds=_number(given, "PLANNER_TIMEOUT_MS") / 1_000,
        api_version=version,
        tokens=_number(given, "PLANNER_TOKENS"),
        tokens_per_minute=_number(given, "PLANNER_TOKENS_PER_MINUTE"),
        tokens_per_day=_number(given, "PLANNER_TOKENS_PER_DAY"),
    )


def _service(given: Mapping[str, str]) -> PlannerService | None:
    planner = given.get("PLANNER")
    if planner is None:
        return None
    provider, _, model = planner.partition(":")
    if provider not in get_args(PlannerProvider) or not _MODEL.fullmatch(model):
        raise InvalidInput(
            f"GROUNDWIRE_PLANNER must be openai:<model>, azure-openai:<deployment> or bedrock:<model>, not {planner!r}."
        )
    return PlannerService(
        cast("PlannerProvider", provider), model, _url(provider, given.get("PLANNER_URL")), given.get("PLANNER_KEY")
    )


def _url(provider: str, url: str | None) -> str:
    if provider == "bedrock":
        if url is not None:
            raise InvalidInput(
                "GROUNDWIRE_PLANNER_URL has no effect with Bedrock: the AWS settings name the region. Unset it."
            )
        return ""
    if url is None and provider == "azure-openai":
        raise InvalidInput("With azure-openai, set GROUNDWIRE_PLANNER_URL: the address of your Azure OpenAI resource.")
    url = _OPENAI_URL if url is None else url
    if not is_secure_url(url):
        raise InvalidInput(f"GROUNDWIRE_PLANNER_URL must be an https address (http on this machine only), not {url!r}.")
    return url.rstrip("/")


def _number(given: Mapping[str, str], name: str) -> int:
    default, least, most = _BOUNDS[name]
    text = given.get(name, str(default))
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not least <= int(text) <= most:
        raise InvalidInput(f"GROUNDWIRE_{name} must be a whole number of {least} to {most}, not {text!r}.")
    return int(text)
