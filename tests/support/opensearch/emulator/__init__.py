"""An emulator in front of a real OpenSearch node: it refuses what OpenSearch Serverless would refuse, in its words.

It is no engine: whatever it lets through is done and answered by the node, so that what is green here would have been
taken by the service.
"""

from tests.support.opensearch.emulator.emulator import OpenSearchEmulator
from tests.support.opensearch.emulator.failures import Kind
from tests.support.opensearch.emulator.generations import (
    GENERATIONS,
    NEXTGEN_WITHOUT_IDS,
    NEXTGEN_WITHOUT_IDS_IN_BULKS,
)
from tests.support.opensearch.emulator.http.signature import COLLECTION, CREDENTIALS, REGION
from tests.support.opensearch.emulator.server import opened

__all__ = [
    "COLLECTION",
    "CREDENTIALS",
    "GENERATIONS",
    "NEXTGEN_WITHOUT_IDS",
    "NEXTGEN_WITHOUT_IDS_IN_BULKS",
    "REGION",
    "Kind",
    "OpenSearchEmulator",
    "opened",
]
