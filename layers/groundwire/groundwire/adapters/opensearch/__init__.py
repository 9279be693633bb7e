"""Index on OpenSearch: an ordinary cluster, or a collection of OpenSearch Serverless of either generation."""

from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.connection.connector import connect
from groundwire.adapters.opensearch.indexes import OpenSearchIndexes
from groundwire.adapters.opensearch.service_rules import SERVICES, ServiceRules

__all__ = ["SERVICES", "EngineClient", "OpenSearchIndexes", "ServiceRules", "connect"]
