"""Settings of the operator of one server."""

from typing import Final

from groundwire.domain.limits import LINK_SECONDS
from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup

DEFAULT_PUBLIC_URL: Final = "http://127.0.0.1:8080"

ADDRESSES: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Addresses",
    (
        Setting(
            "PUBLIC_URL",
            f"`{DEFAULT_PUBLIC_URL}`; `serve` takes its own address",
            "URL of the server for agents. Links to originals begin with it.",
        ),
        Setting(
            "ALLOWED_ORIGINS",
            "",
            "Origins of browser pages that may call the server, besides its own. Separate them by spaces: "
            "`https://app.example.com`.",
        ),
        Setting(
            "BIND_HOST",
            "",
            "Address that the server listens on; `serve --host` sets it. While it is a loopback address, browser pages "
            "of this machine may call the server.",
        ),
        Setting(
            "LINK_SECONDS",
            f"`{LINK_SECONDS}`",
            "Lifetime of a link to a stored original in seconds, one week at most. The server rounds the end of a link "
            "up to a full hour. Links of callers with an access token live 15 minutes at most.",
        ),
    ),
)
DIALECTS: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Dialects",
    (
        Setting("DIALECTS", "those that the guide marks", "Names of the dialects that are on, separated by spaces."),
        Setting(
            "OPEN_DISCOVERY",
            "",
            "Names of the dialects, such as `foundry`, whose tools callers without a key can list. Separate them by "
            "spaces.",
        ),
    ),
)
SIGN_IN: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Sign-in",
    (
        Setting(
            "OAUTH_ISSUER",
            "only keys",
            "URL of the identity provider whose access tokens the server accepts besides keys.",
        ),
        Setting("OAUTH_AUDIENCE", "", "Value of the claim `aud` in a token. Required with the issuer."),
        Setting("OAUTH_JWKS_URL", "that of the discovery document", "URL of the public keys of the provider."),
        Setting(
            "OAUTH_TENANT",
            "",
            "Id of the tenant of all users with a token. The issuer requires this setting or the next one.",
        ),
        Setting("OAUTH_TENANT_CLAIM", "", "Claim that holds the id of the tenant."),
        Setting("OAUTH_USER_CLAIM", "", "Claim that holds the user. Required with the issuer."),
        Setting("OAUTH_TAGS_CLAIM", "no tags", "Claim that holds the tags."),
    ),
)
NETWORK: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Calls out of the server",
    (
        Setting(
            "EGRESS_ALLOW",
            "",
            "Hosts as `host:port`, separated by spaces, that the server may call at private addresses or at other "
            "ports than 443. Plain http works for this machine only.",
        ),
        Setting(
            "SOURCE_HOSTS",
            "",
            "Hosts as `host:port`, separated by spaces, of MCP sources at private addresses or at other ports than "
            "443. `GROUNDWIRE_EGRESS_ALLOW` does not count for sources.",
        ),
        Setting(
            "EGRESS_CA",
            "",
            "PEM file with additional CA certificates, for calls of planning models, MCP sources and the identity "
            "provider.",
        ),
    ),
)
