"""The index on OpenSearch: an ordinary cluster, or a collection of OpenSearch Serverless of either generation."""

from groundwire.adapters.aws.opensearch.connecting import connect
from groundwire.adapters.aws.opensearch.engine import Engine
from groundwire.adapters.aws.opensearch.indexes import OpenSearchIndexes
from groundwire.adapters.aws.opensearch.services import SERVICES, ServiceRules

__all__ = ["SERVICES", "Engine", "OpenSearchIndexes", "ServiceRules", "connect"]
