"""A gate in front of a real OpenSearch node: it refuses what OpenSearch Serverless would refuse, in its words.

It is no engine: whatever it lets through is done and answered by the node, so that what is green here would have been
taken by the service.
"""

from tests.engines.gate.gate import Gate
from tests.engines.gate.generations import GENERATIONS
from tests.engines.gate.server import opened
from tests.engines.gate.signature import COLLECTION, CREDENTIALS, REGION
from tests.engines.gate.troubles import Kind

__all__ = ["COLLECTION", "CREDENTIALS", "GENERATIONS", "REGION", "Gate", "Kind", "opened"]
