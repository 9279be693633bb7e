"""`azure-search-documents` 11.6.0b12 and 11.7.0b1: knowledge agents; the management client insists on TLS."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from collections.abc import Mapping
from typing import Any

import azure.search.documents.agent.models as requested
import azure.search.documents.indexes.models as defined
from azure.core.credentials import AzureKeyCredential
from azure.search.documents.agent import KnowledgeAgentRetrievalClient
from azure.search.documents.indexes import SearchIndexClient

from tests.e2e.clients.azure.scripts.client_run import Caller, Report, Task, answer, outcome, run
from tests.e2e.clients.azure.scripts.definitions import kind_of, walk

BY_INDEX = not hasattr(defined, "KnowledgeSource")
"""The first version: agents name an index, and requests have its parameters."""


def client_run(task: Task, caller: Caller) -> Report:
    """Retrieval for a caller."""

    def retrieve(
        name: str = task.collection, texts: Any = (("user", task.question),), key: str = caller.key, **source: Any
    ) -> Any:
        client = KnowledgeAgentRetrievalClient(
            task.url, agent_name=name, credential=AzureKeyCredential(key), headers=dict(caller.identity)
        )
        return client.retrieve(_request(texts, name, source))

    def bare() -> Any:
        credential = AzureKeyCredential(caller.key)
        client = KnowledgeAgentRetrievalClient(task.url, agent_name=task.collection, credential=credential)
        request = _request([("user", task.question)], task.collection, {})
        return client.retrieve(request, headers=dict(caller.identity))

    reported: Report = {
        "question": answer(retrieve()),
        "question again": answer(bare()),
        "filter": answer(retrieve(filter_add_on=f"source_file_name eq '{caller.document}'")),
        "filter of others": answer(retrieve(filter_add_on=f"source_file_name eq '{caller.others}'")),
        "messages": answer(retrieve(texts=task.conversation)),
        "errors": {
            "missing": outcome(lambda: retrieve(task.missing)),
            "closed": outcome(lambda: retrieve(task.closed)),
            "filter": outcome(lambda: retrieve(filter_add_on="source_file_name = 'x'")),
            "key": outcome(lambda: retrieve(key="wrong")),
            "question": outcome(lambda: retrieve(texts=[("user", " ")])),
        },
    }
    if BY_INDEX:
        return {
            **reported,
            "data": answer(retrieve(include_reference_source_data=True)),
            "threshold 0": answer(retrieve(reranker_threshold=0.0)),
            "threshold 4": answer(retrieve(reranker_threshold=4.0)),
        }
    with _management(task, task.administrator) as client:
        for name, options in {
            "data": {"include_reference_source_data": True},
            "threshold 0": {"reranker_threshold": 0.0},
            "threshold 4": {"reranker_threshold": 4.0},
        }.items():
            agent = f"{task.names}-{name.replace(' ', '-')}"
            client.create_or_update_agent(_agent(task, agent, "", **options))
            request = _request([("user", task.question)], None, {})
            credential = AzureKeyCredential(caller.key)
            headers = dict(caller.identity)
            reported[name] = answer(
                KnowledgeAgentRetrievalClient(task.url, agent, credential, headers=headers).retrieve(request)
            )
            client.delete_agent(agent)
    return reported


def administer(task: Task) -> Report:
    """Definitions, and retrieval by one of them."""
    with _management(task, task.administrator) as client, _management(task, task.reader) as reader:
        name = f"{task.names}-agent"

        def make(name: str, description: str) -> Any:
            return _agent(task, name, description)

        reported: Report = {"definitions": walk(kind_of(client, "agent", make), name, kind_of(reader, "agent", make))}
        client.create_or_update_agent(_agent(task, name, "Kept."))
        credential = AzureKeyCredential(task.administrator)
        defined_agent = KnowledgeAgentRetrievalClient(task.url, agent_name=name, credential=credential)
        reported["defined"] = answer(defined_agent.retrieve(_request([("user", task.question)], None, {})))
        client.delete_agent(name)
        if not BY_INDEX:
            source, read = (kind_of(each, "knowledge_source", _source(task)) for each in (client, reader))
            reported["sources"] = walk(source, f"{task.names}-source", read)
        return reported


def _management(task: Task, key: str) -> Any:
    return SearchIndexClient(task.secure_url, AzureKeyCredential(key), connection_verify=task.certificate)


def _request(texts: Any, source: str | None, parameters: Mapping[str, Any]) -> Any:
    messages = [
        requested.KnowledgeAgentMessage(role=role, content=[requested.KnowledgeAgentMessageTextContent(text=text)])
        for role, text in texts
    ]
    if source is None:
        return requested.KnowledgeAgentRetrievalRequest(messages=messages)
    if BY_INDEX:
        index = requested.KnowledgeAgentIndexParams(index_name=source, **parameters)
        return requested.KnowledgeAgentRetrievalRequest(messages=messages, target_index_params=[index])
    named = requested.SearchIndexKnowledgeSourceParams(knowledge_source_name=source, **parameters)
    return requested.KnowledgeAgentRetrievalRequest(messages=messages, knowledge_source_params=[named])


def _agent(task: Task, name: str, description: str, **source: Any) -> Any:
    parameters = defined.AzureOpenAIVectorizerParameters(
        resource_url="https://models.example", deployment_name="small", model_name="gpt-4o", api_key="k"
    )
    model = defined.KnowledgeAgentAzureOpenAIModel(azure_open_ai_parameters=parameters)
    if BY_INDEX:
        targets = [defined.KnowledgeAgentTargetIndex(index_name=task.collection)]
        return defined.KnowledgeAgent(name=name, description=description, models=[model], target_indexes=targets)
    sources = [defined.KnowledgeSourceReference(name=task.collection, **source)]
    return defined.KnowledgeAgent(name=name, description=description, models=[model], knowledge_sources=sources)


def _source(task: Task) -> Any:
    def make(name: str, description: str) -> Any:
        parameters = defined.SearchIndexKnowledgeSourceParameters(
            search_index_name=task.collection, source_data_select="title,content"
        )
        return defined.SearchIndexKnowledgeSource(
            name=name, description=description, search_index_parameters=parameters
        )

    return make


if __name__ == "__main__":
    run(client_run, administer)
