"""Connection to an OpenSearch: signed, by user and password, or plain."""

from typing import TYPE_CHECKING, Any, Final

from opensearchpy import OpenSearch, Urllib3HttpConnection

from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.connection.deadline import WRITE_SECONDS
from groundwire.adapters.opensearch.service_rules import ServiceRules

if TYPE_CHECKING:
    from groundwire.adapters.opensearch.connection.login import SecretLogin
    from groundwire.adapters.opensearch.connection.signer import CredentialsProvider

_MAX_CONNECTIONS: Final = 16
"""Open connections: as many as callers that search at once on one machine."""


def connect(
    address: str,
    rules: ServiceRules,
    *,
    collection: str | None,
    login: "tuple[str, str] | SecretLogin | None",
    credentials: "CredentialsProvider | None" = None,
    region: str | None = None,
) -> EngineClient:
    """Return a client of the engine at `address`; sends nothing.

    Args:
        address: https, or http on this machine.
        rules: rules of the service there.
        collection: Serverless only: sent and signed with each request, for endpoints that serve several.
        login: user and password of an ordinary cluster, or the secret that holds them; None: it needs none.
        credentials: Serverless only; None: those of this process.
        region: Serverless only; None: the one in the address.

    Raises:
        InvalidInput: the address names no region.
        Unavailable: this process has no credentials.
    """
    secret_login = None if login is None or isinstance(login, tuple) else login
    http_auth: Any = login if secret_login is None else None
    if rules.signed:
        # An operator's own cluster needs nothing of AWS.
        from groundwire.adapters.opensearch.connection.signer import Signer, process_credentials, region_of

        http_auth = Signer(credentials or process_credentials(), region or region_of(address), collection)
    client = OpenSearch(
        hosts=[address],
        http_auth=http_auth,
        connection_class=Urllib3HttpConnection,
        pool_maxsize=_MAX_CONNECTIONS,
        # A default alone, since each request has its own deadline.
        timeout=WRITE_SECONDS,
        # `EngineClient` repeats requests itself, within their deadlines.
        max_retries=0,
        http_compress=False,
    )
    return EngineClient(client, secret_login)
