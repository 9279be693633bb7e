"""Rules of an HTTP API besides its routes: integrations, authorizers and access logs."""

from collections.abc import Iterator
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_QUOTAS: Final = Source("API Gateway developer guide: Quotas for configuring and running an HTTP API", LOOKED_UP)
_MODEL: Final = Source("botocore service model apigatewayv2, CreateIntegration", LOOKED_UP)
_MAPPING: Final = Source("API Gateway developer guide: Transform API requests and responses for HTTP APIs", LOOKED_UP)
_INTEGRATION: Final = "AWS::ApiGatewayV2::Integration"
_AUTHORIZER: Final = "AWS::ApiGatewayV2::Authorizer"
_STAGE: Final = "AWS::ApiGatewayV2::Stage"
_RESERVED: Final = (
    *("access-control-", "apigw-", "content-", "x-amz-", "x-amzn-", "x-forwarded-"),
    *("authorization", "connection", "forwarded", "host", "origin", "te", "trailers", "transfer-encoding"),
    *("upgrade", "via"),
)
"""Headers that a mapping of a request may not write: beginnings, and whole names."""
_LONGEST_MS: Final = 30_000
_SHORTEST_MS: Final = 50
_AUTHORIZER_S: Final = 10
_LOG_FORMAT: Final = 3 * 1_024
_MOST_INTEGRATIONS: Final = 300
_MOST_AUTHORIZERS: Final = 10
_LONGEST_CACHE_S: Final = 3_600


def _timeouts(template: Template) -> Iterator[str]:
    for name, integration in template.of_type(_INTEGRATION).items():
        waits = int(integration.get("TimeoutInMillis", _LONGEST_MS))
        if not _SHORTEST_MS <= waits <= _LONGEST_MS:
            yield f"{name}: {waits:,} ms"


def _integrations(template: Template) -> Iterator[str]:
    return above(_MOST_INTEGRATIONS, [("the API", len(template.of_type(_INTEGRATION)))], "integrations")


def _authorizers(template: Template) -> Iterator[str]:
    return above(_MOST_AUTHORIZERS, [("the API", len(template.of_type(_AUTHORIZER)))], "authorizers")


def _authorizer_cache(template: Template) -> Iterator[str]:
    ages = (
        (name, int(one.get("AuthorizerResultTtlInSeconds", 0))) for name, one in template.of_type(_AUTHORIZER).items()
    )
    return above(_LONGEST_CACHE_S, ages, "seconds")


def _slow_authorizers(template: Template) -> Iterator[str]:
    for name, authorizer in template.of_type(_AUTHORIZER).items():
        address = str(authorizer.get("AuthorizerUri"))
        for function, properties in template.functions.items():
            if f"{function}.Arn" in address and int(properties.get("Timeout", 3)) > _AUTHORIZER_S:
                yield f"{name}: {function} may take {properties['Timeout']} s"


def _log_formats(template: Template) -> Iterator[str]:
    stages = template.of_type(_STAGE).items()
    formats = ((name, stage.get("AccessLogSettings", {}).get("Format", "")) for name, stage in stages)
    return above(_LOG_FORMAT, ((name, len(text.encode())) for name, text in formats), "bytes")


def _mappings(template: Template) -> Iterator[str]:
    for name, integration in template.of_type(_INTEGRATION).items():
        for target in integration.get("RequestParameters", {}):
            action, _, header = target.partition(":header.")
            lower = header.lower()
            reserved = any(lower.startswith(one) if one.endswith("-") else lower == one for one in _RESERVED)
            if header and (reserved or action not in {"append", "overwrite", "remove"}):
                yield f"{name}: {target}"


TEMPLATE_RULES: Final = (
    Rule(
        "integration-timeout",
        "An integration waits longer or shorter than the gateway allows.",
        "50 to 30,000 milliseconds",
        _MODEL,
        _timeouts,
    ),
    Rule("integrations-per-api", "An API has too many integrations.", "300 integrations", _QUOTAS, _integrations),
    Rule("authorizers-per-api", "An API has too many authorizers.", "10 authorizers", _QUOTAS, _authorizers),
    Rule(
        "authorizer-timeout",
        "The function of an authorizer may take longer than the gateway waits for it.",
        "10,000 ms for the response of a Lambda authorizer",
        _QUOTAS,
        _slow_authorizers,
    ),
    Rule(
        "authorizer-cache",
        "An authorizer keeps its answers for too long.",
        "at most 3,600 seconds",
        Source("botocore service model apigatewayv2, CreateAuthorizer", LOOKED_UP),
        _authorizer_cache,
    ),
    Rule("access-log-format", "The format of access logs is too long.", "3 KB", _QUOTAS, _log_formats),
    Rule(
        "reserved-header",
        "A mapping writes a header that the gateway reserves.",
        "access-control-*, apigw-*, Authorization, Connection, Content-*, Forwarded, Host, Origin, TE, X-Amz-* …",
        _MAPPING,
        _mappings,
    ),
)
