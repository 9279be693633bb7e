"""Index on OpenSearch: an ordinary cluster, or a collection of OpenSearch Serverless of either generation."""

from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.connector import connect
from groundwire.adapters.aws.opensearch.indexes import OpenSearchIndexes
from groundwire.adapters.aws.opensearch.service_rules import SERVICES, ServiceRules

__all__ = ["SERVICES", "EngineClient", "OpenSearchIndexes", "ServiceRules", "connect"]
