"""A connection to an OpenSearch: signed, by user and password, or plain."""

from typing import TYPE_CHECKING, Any, Final

from opensearchpy import OpenSearch, Urllib3HttpConnection

from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import WRITE_SECONDS
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules

if TYPE_CHECKING:
    from groundwire.adapters.aws.opensearch.connection.login import SecretLogin
    from groundwire.adapters.aws.opensearch.connection.signer import CredentialsProvider

_MAX_CONNECTIONS: Final = 16
"""That are kept open: as many as callers search at once on one machine."""


def connect(
    address: str,
    rules: ServiceRules,
    *,
    collection: str | None,
    login: "tuple[str, str] | SecretLogin | None",
    credentials: "CredentialsProvider | None" = None,
    region: str | None = None,
) -> EngineClient:
    """The engine at `address`; nothing is sent until it is asked.

    Args:
        address: https, or http on this machine.
        rules: of the service there.
        collection: only Serverless: signed with each request, for endpoints that serve several.
        login: user and password of an ordinary cluster, or the secret that holds them; None: it asks for none.
        credentials: only Serverless; None: those of this process.
        region: only Serverless; None: the one that the address names.

    Raises:
        Invalid: the address names no region. Unavailable: this process has no credentials.
    """
    kept = None if login is None or isinstance(login, tuple) else login
    proof: Any = login if kept is None else None
    if rules.signed:
        # Whoever has a cluster of their own needs nothing of AWS.
        from groundwire.adapters.aws.opensearch.connection.signer import Signer, process_credentials, region_of

        proof = Signer(credentials or process_credentials(), region or region_of(address), collection)
    client = OpenSearch(
        hosts=[address],
        http_auth=proof,
        connection_class=Urllib3HttpConnection,
        pool_maxsize=_MAX_CONNECTIONS,
        timeout=WRITE_SECONDS,
        max_retries=0,
        http_compress=False,
    )
    return EngineClient(client, kept)
