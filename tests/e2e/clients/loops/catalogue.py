"""The agents of the matrix: what each is, where it lives, and what it feeds to its model."""

from dataclasses import dataclass
from typing import Final, Literal

Feed = Literal["text", "text as JSON", "structured", "text and structured"]
"""Parts of a result that a model is given: text blocks, as they are or as JSON, structured content, or both."""


@dataclass(frozen=True, slots=True)
class Loop:
    """An agent of a library, over one API of models.

    Attributes:
        package: what is measured, as its registry calls it; its version stands in the lock.
        environment: a folder of `locks`.
        script: a file of `scripts`.
        mode: the API, for scripts that know several.
        feeds: what its model is given of an answer.
        ends_on_unknown_tools: whether the library ends a run whose model calls a tool that is not there; the server
            is not asked then.
        often: runs with the tests: small to install, and quick.
    """

    name: str
    package: str
    environment: str
    script: str
    mode: str = ""
    feeds: Feed = "text"
    ends_on_unknown_tools: bool = False
    often: bool = False

    @property
    def folder(self) -> str:
        """The name of a folder for its user."""
        return self.name.replace(" ", "-").replace(",", "")


_LANGCHAIN: Final = ("langchain", "langchain", "langchain.py")
_OPENAI: Final = ("openai-agents", "openai-agents", "openai_agents.py")
_AI_SDK: Final = ("ai", "ai-sdk", "ai_sdk.mjs")

LOOPS: Final = (
    Loop("Python mcp, bare", "mcp", "mcp-2.3", "bare_mcp.py", often=True),
    Loop("LangChain, Chat Completions", *_LANGCHAIN, "chat"),
    Loop("LangChain, Responses", *_LANGCHAIN, "responses"),
    Loop("LangChain, Anthropic", *_LANGCHAIN, "anthropic"),
    Loop("OpenAI Agents, Responses", *_OPENAI, "responses", ends_on_unknown_tools=True),
    Loop("OpenAI Agents, Chat Completions", *_OPENAI, "chat", ends_on_unknown_tools=True),
    Loop("LlamaIndex", "llama-index-tools-mcp", "llama-index", "llama_index.py", feeds="text and structured"),
    Loop("pydantic-ai", "pydantic-ai-slim", "pydantic-ai", "pydantic_agent.py", feeds="structured"),
    Loop("Strands", "strands-agents", "strands", "strands_agents.py"),
    Loop("AI SDK, Responses", *_AI_SDK, "responses", often=True),
    Loop("AI SDK, Chat Completions", *_AI_SDK, "chat", feeds="text as JSON"),
)
OFTEN: Final = tuple(loop for loop in LOOPS if loop.often)
