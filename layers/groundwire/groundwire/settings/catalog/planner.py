"""Settings of query planning by a language model."""

import re
from typing import TYPE_CHECKING, Final, cast, get_args

from groundwire.domain.errors import InvalidInput
from groundwire.settings.catalog.parsers import milliseconds, optional_text, secure_url, whole_number
from groundwire.settings.catalog.setting import (
    PREFIX,
    Audience,
    Environment,
    GroupValue,
    Setting,
    SettingGroup,
    Variable,
)

if TYPE_CHECKING:
    from groundwire.settings.query_planner import PlannerService, PlannerSettings

_DEFAULT_API_VERSION: Final = "2024-10-21"
_API_VERSION: Final = r"\d{4}-\d{2}-\d{2}(?:-preview)?"
_MODEL: Final = r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,255}"
_HOST: Final = r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[1-9]\d{0,4})?"


def _service(variable: Variable) -> "PlannerService | None":
    if not variable.text:
        return None
    # Lazy import: a server that plans by rules starts without it.
    from groundwire.settings.query_planner import PlannerProvider, PlannerService

    provider, _, model = variable.text.partition(":")
    if provider not in get_args(PlannerProvider) or not re.fullmatch(_MODEL, model):
        raise variable.refusal("be openai:<model>, azure-openai:<deployment> or bedrock:<model>")
    return PlannerService(
        cast("PlannerProvider", provider),
        model,
        _service_url(provider, variable.environment),
        _KEY.read(variable.environment),
    )


def _service_url(provider: str, environment: Environment) -> str:
    if provider == "bedrock":
        if _URL.is_given(environment):
            raise InvalidInput(
                f"{PREFIX}{_URL.name} has no effect with Bedrock: the AWS settings name the region. Unset it."
            )
        return ""
    if provider == "azure-openai" and not _URL.is_given(environment):
        raise InvalidInput(f"With azure-openai, set {PREFIX}{_URL.name}: the address of your Azure OpenAI resource.")
    return _URL.read(environment).rstrip("/")


def _api_version(variable: Variable) -> str:
    if not re.fullmatch(_API_VERSION, variable.text):
        raise variable.refusal(f"be a version such as {_DEFAULT_API_VERSION}")
    return variable.text


def _hosts(variable: Variable) -> frozenset[str]:
    hosts = variable.text.split()
    for host in hosts:
        if not re.fullmatch(_HOST, host):
            raise variable.refusal("hold hosts in lower case with blanks between them", host)
    return frozenset(hosts)


def _planner(environment: Environment) -> "PlannerSettings | None":
    if not PLANNER.is_given(environment):
        return None
    # Lazy import: a server that plans by rules has no such model.
    from groundwire.settings.query_planner import PlannerSettings

    return PlannerSettings(**PLANNER.values(environment))


_URL: Final = Setting(
    "PLANNER_URL",
    "Base URL of the service: https, or http on this machine. With `azure-openai:` you must set it.",
    secure_url,
    default="https://api.openai.com/v1",
)
_KEY: Final = Setting(
    "PLANNER_KEY",
    "API key of the service. For Bedrock, the server finds the credentials as AWS tools do.",
    optional_text,
)
PLANNER: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Query planning by a model",
    (
        Setting(
            "PLANNER",
            "Model that plans the searches of a conversation: `openai:<model>`, `azure-openai:<deployment>` or "
            "`bedrock:<model or inference profile>`. `openai:` also works with compatible servers.",
            _service,
            "service",
            default_note="none; rules plan",
        ),
        _URL,
        _KEY,
        Setting(
            "PLANNER_API_VERSION",
            "Version of the API of Azure OpenAI, also for models of definitions.",
            _api_version,
            "api_version",
            _DEFAULT_API_VERSION,
        ),
        Setting(
            "PLANNER_TIMEOUT_MS",
            "Timeout of a call of the model in milliseconds, 100 to 10000. After it, the rules plan.",
            milliseconds(100, 10_000),
            "timeout_seconds",
            "3000",
        ),
        Setting(
            "PLANNER_TOKENS",
            "Most tokens in the input of a call, by estimate. The last messages are kept.",
            whole_number(500, 100_000),
            "tokens",
            "2000",
        ),
        Setting(
            "PLANNER_TOKENS_PER_MINUTE",
            "Most tokens of a tenant in a minute, input and output. Beyond it, the rules plan. Each process counts for "
            "itself.",
            whole_number(1, 100_000_000),
            "tokens_per_minute",
            "100000",
        ),
        Setting(
            "PLANNER_TOKENS_PER_DAY",
            "Most tokens of a tenant in a day. Each process counts for itself.",
            whole_number(1, 10_000_000_000),
            "tokens_per_day",
            "2000000",
        ),
        Setting(
            "MODEL_HOSTS",
            "Hosts, or `host:port`, of models that definitions may name, separated by spaces. The server calls no "
            "others.",
            _hosts,
            "model_hosts",
        ),
    ),
    GroupValue("planner", _planner),
)
