"""Settings of the operator of one server: addresses, dialects, and calls out of the server."""

import re
from typing import Final, Literal

from groundwire.domain.limits import LINK_SECONDS, MAX_LINK_SECONDS
from groundwire.settings.catalog.parsers import optional_text, whole_number, word_set
from groundwire.settings.catalog.setting import Audience, Environment, GroupValue, Setting, SettingGroup, Variable
from groundwire.settings.egress import EgressSettings

LinkForm = Literal["full", "relative", "none"]
_ORIGIN: Final = r"[a-z][a-z0-9+.-]*://[^\s/?#@*A-Z]+"
"""An origin as browsers send it, those of extensions among them."""
_HOST_AND_PORT: Final = r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?)):([1-9]\d{0,4})"
_MAX_PORT: Final = 65_535


def _public_url(variable: Variable) -> str:
    if not variable.text.startswith(("https://", "http://")) or any(c.isspace() for c in variable.text):
        raise variable.refusal("be an http or https address")
    return variable.text.rstrip("/")


def _links(variable: Variable) -> LinkForm:
    match variable.text:
        case "full" | "relative" | "none" as form:
            return form
        case _:
            raise variable.refusal("be full, relative or none")


def _origins(variable: Variable) -> frozenset[str]:
    origins = variable.text.split()
    for origin in origins:
        if not re.fullmatch(_ORIGIN, origin):
            rule = "hold origins such as https://app.example.com, in lower case and without a path"
            raise variable.refusal(rule, origin)
    return frozenset(origins)


def _dialects(variable: Variable) -> tuple[str, ...] | None:
    return tuple(variable.text.split()) or None


def _hosts(variable: Variable) -> frozenset[tuple[str, int]]:
    return frozenset(_host_and_port(variable, part) for part in variable.text.split())


def _host_and_port(variable: Variable, part: str) -> tuple[str, int]:
    match = re.fullmatch(_HOST_AND_PORT, part)
    if match is None or int(match[3]) > _MAX_PORT:
        rule = "hold hosts with a port, in lower case and with blanks between them, such as models.example.com:8443"
        raise variable.refusal(rule, part)
    return match[1] or match[2], int(match[3])


def _egress(environment: Environment) -> EgressSettings:
    return EgressSettings(**NETWORK.values(environment))


def _proxies(variable: Variable) -> tuple[str, ...]:
    # Lazy import: few servers have such a setting.
    from ipaddress import ip_network

    for part in variable.text.split():
        try:
            ip_network(part, strict=False)
        except ValueError:
            rule = "hold addresses and networks with blanks between them, such as 10.0.0.5 or 10.0.0.0/8"
            raise variable.refusal(rule, part) from None
    return tuple(variable.text.split())


ADDRESSES: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Addresses",
    (
        Setting(
            "PUBLIC_URL",
            "URL of the server for agents. Links to originals begin with it.",
            _public_url,
            "public_url",
            "http://127.0.0.1:8080",
            "; `serve` takes its own address",
        ),
        Setting(
            "ALLOWED_ORIGINS",
            "Origins of browser pages that may call the server, besides its own. Separate them by spaces: "
            "`https://app.example.com`.",
            _origins,
            "allowed_origins",
        ),
        Setting(
            "BIND_HOST",
            "Address that the server listens on; `serve --host` sets it. While it is a loopback address, browser pages "
            "of this machine may call the server.",
            optional_text,
            "bind_host",
        ),
        Setting(
            "TRUSTED_PROXIES",
            "Addresses and networks of your proxies, separated by spaces; `serve --trusted-proxy` sets it. From them "
            "alone, `Forwarded` and `X-Forwarded-For` name the address of a caller.",
            _proxies,
            "trusted_proxies",
        ),
        Setting(
            "LINK_SECONDS",
            "Lifetime of a link to a stored original in seconds, one week at most. The server rounds the end of a link "
            "up to a full hour. Links of callers with an access token live 15 minutes at most.",
            whole_number(1, MAX_LINK_SECONDS),
            "link_seconds",
            str(LINK_SECONDS),
        ),
        Setting(
            "LINKS",
            "Links in the text of an answer of `rag_search`: `full`, `relative` without the URL of the server, or "
            "`none`. Structured answers always have full links.",
            _links,
            "links",
            "full",
        ),
    ),
)
DIALECTS: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Dialects",
    (
        Setting(
            "DIALECTS",
            "Names of the dialects that are on, separated by spaces.",
            _dialects,
            "dialects",
            default_note="those that the guide marks",
        ),
        Setting(
            "OPEN_DISCOVERY",
            "Names of the dialects, such as `foundry`, whose tools callers without a key can list. Separate them by "
            "spaces.",
            word_set,
            "open_discovery",
        ),
    ),
)
NETWORK: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Calls out of the server",
    (
        Setting(
            "EGRESS_ALLOW",
            "Hosts as `host:port`, separated by spaces, that the server may call at private addresses or at other "
            "ports than 443. Plain http works for this machine only.",
            _hosts,
            "allowed",
        ),
        Setting(
            "SOURCE_HOSTS",
            "Hosts as `host:port`, separated by spaces, of MCP sources at private addresses or at other ports than "
            "443. `GROUNDWIRE_EGRESS_ALLOW` does not count for sources.",
            _hosts,
            "source_hosts",
        ),
        Setting(
            "EGRESS_CA",
            "PEM file with additional CA certificates, for calls of planning models, MCP sources and the identity "
            "provider.",
            optional_text,
            "ca_file",
        ),
    ),
    GroupValue("egress", _egress),
)
