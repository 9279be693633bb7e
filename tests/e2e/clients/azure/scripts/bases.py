"""`azure-search-documents` from 11.7.0b2 on: knowledge bases; the management client of 11 insists on TLS."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from typing import Any

import azure.search.documents.indexes.models as defined
import azure.search.documents.knowledgebases.models as requested
from azure.core.credentials import AzureKeyCredential
from azure.search.documents._version import VERSION
from azure.search.documents.indexes import SearchIndexClient
from azure.search.documents.knowledgebases import KnowledgeBaseRetrievalClient

from tests.e2e.clients.azure.scripts.client_run import Caller, Report, Task, answer, outcome, run
from tests.e2e.clients.azure.scripts.definitions import kind_of, walk

NEEDS_TLS = VERSION.startswith("11.")
PLANS = hasattr(requested, "KnowledgeRetrievalLowReasoningEffort")
"""The previews take messages; the version without a preview takes intents alone."""


def client_run(task: Task, caller: Caller) -> Report:
    """Retrieval for a caller."""

    def client(name: str = task.collection, key: str = caller.key, **options: Any) -> Any:
        return KnowledgeBaseRetrievalClient(
            endpoint=task.url, knowledge_base_name=name, credential=AzureKeyCredential(key), **options
        )

    def retrieve(name: str = task.collection, key: str = caller.key, **source: Any) -> Any:
        request = _request(_intents(task.question), name, **source)
        return client(name, key, headers=dict(caller.identity)).retrieve(request)

    plain = _request(_intents(task.question), task.collection)
    reported: Report = {
        "question": answer(retrieve()),
        "question again": answer(client().retrieve(plain, headers=dict(caller.identity))),
        "filter": answer(retrieve(filter_add_on=f"source_file_name eq '{caller.document}'")),
        "filter of others": answer(retrieve(filter_add_on=f"source_file_name eq '{caller.others}'")),
        "data": answer(retrieve(include_reference_source_data=True)),
        "threshold 0": answer(retrieve(reranker_threshold=0.0)),
        "threshold 4": answer(retrieve(reranker_threshold=4.0)),
        "intents": answer(
            client(headers=dict(caller.identity)).retrieve(
                _request(_intents(task.question, task.second), task.collection)
            )
        ),
        "errors": {
            "missing": outcome(lambda: retrieve(task.missing)),
            "closed": outcome(lambda: retrieve(task.closed)),
            "filter": outcome(lambda: retrieve(filter_add_on="source_file_name = 'x'")),
            "key": outcome(lambda: retrieve(key="wrong")),
            "question": outcome(lambda: client().retrieve(_request(_intents(" "), task.collection))),
        },
    }
    if PLANS:
        conversation = [
            requested.KnowledgeBaseMessage(role=role, content=[requested.KnowledgeBaseMessageTextContent(text=text)])
            for role, text in task.conversation
        ]
        effort = requested.KnowledgeRetrievalLowReasoningEffort()
        request = requested.KnowledgeBaseRetrievalRequest(messages=conversation, retrieval_reasoning_effort=effort)
        reported["messages"] = answer(client(headers=dict(caller.identity)).retrieve(request))
    if hasattr(KnowledgeBaseRetrievalClient, "retrieve_stream"):
        reported["errors"]["stream"] = outcome(
            lambda: list(client(headers=dict(caller.identity)).retrieve_stream(plain))
        )
    return reported


def administer(task: Task) -> Report:
    """Report on definitions, and on retrieval by one of them after one of its sources was deleted."""
    base, kept, deleted = (f"{task.names}-{each}" for each in ("base", "kept", "gone"))

    def make_base(name: str, description: str) -> Any:
        return _base(task, name, description, [task.collection])

    with _management(task, task.administrator) as client, _management(task, task.reader) as reader:
        bases, read_bases = (kind_of(each, "knowledge_base", make_base) for each in (client, reader))
        sources, read_sources = (kind_of(each, "knowledge_source", _source(task)) for each in (client, reader))
        reported: Report = {
            "definitions": walk(bases, base, read_bases),
            "sources": walk(sources, kept, read_sources),
        }
        sources.put(sources.make(kept, "Kept."))
        sources.put(sources.make(deleted, "To be deleted."))
        bases.put(_base(task, base, "Of two.", [kept, deleted]))
        credential = AzureKeyCredential(task.administrator)
        retrieval = KnowledgeBaseRetrievalClient(endpoint=task.url, knowledge_base_name=base, credential=credential)
        request = requested.KnowledgeBaseRetrievalRequest(intents=_intents(task.question))
        reported["defined"] = answer(retrieval.retrieve(request))
        reported["status"] = str(client.get_knowledge_source_status(kept).synchronization_status)
        sources.delete(deleted)
        reported["partial"] = answer(retrieval.retrieve(request))
        bases.delete(base)
        sources.delete(kept)
        return reported


def _management(task: Task, key: str) -> Any:
    credential = AzureKeyCredential(key)
    if NEEDS_TLS:
        return SearchIndexClient(task.secure_url, credential, connection_verify=task.certificate)
    return SearchIndexClient(task.url, credential)


def _intents(*texts: str) -> list[Any]:
    return [requested.KnowledgeRetrievalSemanticIntent(search=text) for text in texts]


def _request(intents: list[Any], source: str, **parameters: Any) -> Any:
    named = requested.SearchIndexKnowledgeSourceParams(knowledge_source_name=source, **parameters)
    return requested.KnowledgeBaseRetrievalRequest(
        intents=intents, include_activity=True, max_runtime_in_seconds=20, knowledge_source_params=[named]
    )


def _base(task: Task, name: str, description: str, sources: list[str]) -> Any:
    named = [defined.KnowledgeSourceReference(name=each) for each in sources]
    return defined.KnowledgeBase(name=name, description=description, knowledge_sources=named)


def _source(task: Task) -> Any:
    def make(name: str, description: str) -> Any:
        fields = [{"name": "title"}, {"name": "content"}]
        parameters = defined.SearchIndexKnowledgeSourceParameters(
            search_index_name=task.collection,
            source_data_fields=[defined.SearchIndexFieldReference(**each) for each in fields],
        )
        return defined.SearchIndexKnowledgeSource(
            name=name, description=description, search_index_parameters=parameters
        )

    return make


if __name__ == "__main__":
    run(client_run, administer)
