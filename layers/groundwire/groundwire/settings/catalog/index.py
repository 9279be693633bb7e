"""Settings of the service that holds the indexes, in place of the embedded index."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.settings.catalog.parsers import optional_text
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
    from groundwire.settings.index_service import IndexService


def _address(variable: Variable) -> str:
    # Lazy import: a server with the embedded index starts without it.
    from groundwire_egress.secure_urls import is_secure_url

    if not is_secure_url(variable.text):
        # The message leaves the text out, since an address may hold a password.
        raise InvalidInput(f"{variable.name} must be the https address of an OpenSearch (http on this machine only).")
    return variable.text.rstrip("/")


def _service(variable: Variable) -> str:
    # Lazy import: this parser, too, belongs to OpenSearch alone.
    from groundwire.settings.index_service import INDEX_SERVICES

    if variable.text not in INDEX_SERVICES:
        raise variable.refusal(f"be one of {', '.join(INDEX_SERVICES)}")
    return variable.text


def _credentials(variable: Variable) -> tuple[str, str] | None:
    user, password = variable.text, _PASSWORD.read(variable.environment)
    if bool(user) != (password is not None):
        raise InvalidInput(f"Set both {variable.name} and {PREFIX}{_PASSWORD.name}, or none of them.")
    return None if password is None else (user, password)


def _index_service(environment: Environment) -> "IndexService | None":
    if not _ADDRESS.is_given(environment):
        return None
    # Lazy import: a server with the embedded index has no such service.
    from groundwire.settings.index_service import IndexService

    return IndexService(**INDEX.values(environment))


_ADDRESS: Final = Setting(
    "INDEX",
    "URL of an OpenSearch service for the indexes of all tenants: https, or http on this machine. It needs "
    "version 2.19 or newer with the k-NN plugin.",
    _address,
    "address",
    default_note="none; the embedded index",
)
_PASSWORD: Final = Setting("INDEX_PASSWORD", "Password at a cluster. It requires the user name.", optional_text)
INDEX: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Index on OpenSearch",
    (
        _ADDRESS,
        Setting(
            "INDEX_SERVICE",
            "Kind of the service: `opensearch` for a cluster, `serverless-classic` or `serverless-nextgen` for "
            "OpenSearch Serverless. The server finds the credentials for Serverless as AWS tools do. The data access "
            "policy must grant them these actions on `gw-*`: `aoss:CreateIndex`, `aoss:DescribeIndex`, "
            "`aoss:UpdateIndex`, `aoss:DeleteIndex`, `aoss:ReadDocument` and `aoss:WriteDocument`.",
            _service,
            "service",
            "opensearch",
        ),
        Setting(
            "INDEX_COLLECTION",
            "Name of the serverless collection, if the URL is that of a whole account.",
            optional_text,
            "collection",
            default_note="the URL names it",
        ),
        Setting("INDEX_USER", "User name at a cluster. It requires the password.", _credentials, "credentials"),
        _PASSWORD,
    ),
    GroupValue("index_service", _index_service),
)
