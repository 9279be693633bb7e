"""The clients of the matrix: what each is, and where it lives."""

from dataclasses import dataclass
from typing import Final

SYSTEM: Final = ""
"""Environment of a client that the machine has, with any version."""


@dataclass(frozen=True, slots=True)
class VertexClient:
    """A client of Vertex AI RAG Engine.

    Attributes:
        package: what is measured, as its registry calls it; its version stands in the lock.
        environment: a folder of `locks`, or `SYSTEM`.
        script: a file of `vertex/scripts`.
        often: runs with the tests: small to install, and quick.
    """

    name: str
    package: str
    environment: str
    script: str
    often: bool = False


VERTEX_CLIENTS: Final = (
    VertexClient("Vertex: curl of page and quickstart", "curl", SYSTEM, "curl.py", often=True),
    VertexClient("Vertex: agentplatform", "google-cloud-aiplatform", "vertex-sdk", "agent_platform.py"),
    VertexClient("Vertex: vertexai.rag over REST", "google-cloud-aiplatform", "vertex-sdk", "vertexai_rag.py"),
    VertexClient("Vertex: google-adk, VertexAiRagRetrieval", "google-adk", "vertex-adk", "adk_retrieval.py"),
    VertexClient("Vertex: google-adk, McpToolset", "google-adk", "vertex-adk", "adk_mcp.py"),
    VertexClient("Vertex: npm, v1 and v1beta1", "@google-cloud/aiplatform", "vertex-node", "node.mjs", often=True),
    VertexClient("Vertex: Python mcp 2.3", "mcp", "mcp-2.3", "mcp_2.py", often=True),
    VertexClient("Vertex: Python mcp 1.30", "mcp", "mcp-1.30", "mcp_1.py"),
)
