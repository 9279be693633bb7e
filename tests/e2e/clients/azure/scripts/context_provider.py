"""`AzureAISearchContextProvider` of Agent Framework with a knowledge base, as an agent's run calls it."""

# pyright: reportMissingImports=false, reportUntypedBaseClass=false
# The library is in the client's own environment.
import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any

from agent_framework import AgentSession, Message, SessionContext
from agent_framework_azure_ai_search import AzureAISearchContextProvider
from azure.core.credentials import AzureKeyCredential
from azure.search.documents.indexes import SearchIndexClient
from azure.search.documents.knowledgebases import models as requested

from tests.e2e.clients.azure.scripts.client_run import Caller, Report, Task, outcome, run

PLANS = hasattr(requested, "KnowledgeRetrievalLowReasoningEffort")


class _Named(AzureAISearchContextProvider):
    """A provider whose calls name a user: the framework has no option for headers, its clients have."""

    def __init__(self, identity: Mapping[str, str], **options: Any) -> None:
        self._identity = dict(identity)
        super().__init__(mode="agentic", **options)

    def _common_client_kwargs(self) -> dict[str, Any]:
        return {**super()._common_client_kwargs(), "headers": self._identity}


async def _context(provider: Any, texts: Any) -> dict[str, Any]:
    """Return what the provider adds to a run."""
    messages = [Message(role=role, contents=[text]) for role, text in texts]
    context = SessionContext(input_messages=messages)
    async with provider:
        await provider.before_run(agent=None, session=AgentSession(), context=context, state={})
    _, *found = context.context_messages[provider.source_id]
    contents = [content for message in found for content in message.contents]
    noted = [note for content in contents for note in content.annotations or []]
    more = [note["additional_properties"] for note in noted]
    return {
        "texts": [each["content"] for content in contents for each in json.loads(content.text)],
        "keys": [each["doc_key"] for each in more],
        "kinds": sorted({type(note["raw_representation"]).__name__ for note in noted}),
        "data": [each["source_data"]["content"] for each in more if "source_data" in each],
        "scores": [each.get("reranker_score") for each in more],
    }


def client_run(task: Task, caller: Caller) -> Report:
    """Retrieval for a caller."""
    logging.disable(logging.WARNING)

    def retrieve(
        name: str = task.collection,
        texts: Any = (("user", task.question),),
        effort: str = "minimal",
        key: str = caller.key,
        **source: Any,
    ) -> dict[str, Any]:
        parameters = requested.SearchIndexKnowledgeSourceParams(knowledge_source_name=name, **source)
        provider = _Named(
            caller.identity,
            endpoint=task.url,
            api_key=key,
            knowledge_base_name=name,
            retrieval_reasoning_effort=effort,
            knowledge_source_params=[parameters] if source else None,
        )
        return asyncio.run(_context(provider, texts))

    found = retrieve()
    reported: Report = {
        "question": found,
        "question again": retrieve(),
        "filter": retrieve(filter_add_on=f"source_file_name eq '{caller.document}'"),
        "filter of others": retrieve(filter_add_on=f"source_file_name eq '{caller.others}'"),
        "threshold 0": retrieve(reranker_threshold=0.0),
        "threshold 4": retrieve(reranker_threshold=4.0),
        "data": found,
        "intents": found,
        "errors": {
            "missing": outcome(lambda: retrieve(task.missing)),
            "closed": outcome(lambda: retrieve(task.closed)),
            "filter": outcome(lambda: retrieve(filter_add_on="source_file_name = 'x'")),
            "key": outcome(lambda: retrieve(key="wrong")),
        },
    }
    if PLANS:
        reported["messages"] = retrieve(texts=task.conversation, effort="low")
    return reported


def administer(task: Task) -> Report:
    """Definitions that the framework makes of an index: a source and a knowledge base."""
    provider = _Named(
        {},
        endpoint=task.url,
        api_key=task.administrator,
        index_name=task.collection,
        azure_openai_resource_url="https://models.example",
        model="small",
        azure_openai_api_key="k",
    )
    defined = asyncio.run(_context(provider, [("user", task.question)]))
    with SearchIndexClient(task.url, AzureKeyCredential(task.administrator)) as client:
        made = {
            "definitions": [each.name for each in client.list_knowledge_bases() if each.description],
            "sources": [each.name for each in client.list_knowledge_sources() if each.description],
        }
        for each in made["definitions"]:
            client.delete_knowledge_base(each)
        for each in made["sources"]:
            client.delete_knowledge_source(each)
    return {**made, "defined": defined}


if __name__ == "__main__":
    run(client_run, administer)
