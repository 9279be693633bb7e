"""The prompts, filled in: with passages and pages that the current user may read, quoted as searches quote them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from groundwire.dialects.faults import fault
from groundwire.dialects.library.source import Library
from groundwire.dialects.library.uris import DocumentUri
from groundwire.dialects.quoting import framed_passages
from groundwire.domain.caller import Caller
from groundwire.domain.errors import Problem
from groundwire.domain.references import is_doc_id
from groundwire.domain.toolsets import TOOLSETS
from groundwire.protocol.content import EmbeddedResource, Text
from groundwire.protocol.prompts import PromptMessage
from groundwire.protocol.tools import FaultKind, ToolFault
from groundwire.services.call import Call
from groundwire.services.links import LinkTo
from groundwire.services.search import Found, SearchCall

NO_COLLECTION: Final = "There is no such collection, or nothing in it that this user may read."
NO_DOCUMENT: Final = "There is no such document, or this user may not read it."

_ANSWER: Final = """Answer my question from the passages below. They were found in {where}.

Question: {question}

How to answer:
- State only what a passage says, and put its number in brackets after each statement, like [1].
- Where passages disagree, say so and cite both.
- Where they do not answer the question, or only a part of it, say what is missing. Search again with other words \
(`{tool}`) before you give up; never fill the gap with what you know from elsewhere.
- End with the list of the sources that you cited: number, file name, page or heading, link.

{passages}"""
_COMPARE: Final = """Compare the two documents that follow, on this topic: {topic}

How to compare:
- Begin with one sentence that says whether they agree.
- Then a table with a row for each point of the topic: what the first document says, what the second says, and \
whether they agree, differ or contradict each other. Quote the decisive words, and name page or heading.
- Say what only one of them speaks of, and which one is newer, if they tell.
- Each document comes with the first page of its text, and names the next. Read on, or search with `{tool}`, where \
the topic is not settled by what you see; never fill a gap with what you know from elsewhere.

The first is {first}, the second {second}."""


class Prompts:
    """Fills in."""

    def __init__(self, source: Library, search: SearchCall, link_to: LinkTo) -> None:
        self._source = source
        self._search = search
        self._link_to = link_to

    def answer_with_citations(self, call: Call, arguments: Mapping[str, str]) -> tuple[PromptMessage, ...]:
        """The question with the passages that answer it."""
        question, collection = _told(arguments, "question"), arguments.get("collection")
        found = self._found(call, question, collection)
        passages = found.passages
        if collection and not passages:
            # The nearest passages are found for any question: none at all means that there is nothing to read.
            raise ToolFault(FaultKind.ARGUMENTS, NO_COLLECTION)
        urls = {each.document.doc_id: self._link_to(each.document, call.caller) for each in passages}
        text = _ANSWER.format(
            where=f"the collection {collection}" if collection else "the documents that I may read",
            question=question,
            tool=_search_tool(call),
            passages=framed_passages(passages, urls),
        )
        said = "\n\n".join(text for text in (found.notice, text) if text)
        return (PromptMessage("user", Text(said)),)

    def compare_sources(self, call: Call, arguments: Mapping[str, str]) -> tuple[PromptMessage, ...]:
        """The task, then both documents."""
        topic = _told(arguments, "topic")
        first, second = arguments["first"], arguments["second"]
        # What is no id might still end up as the URI of something else, such as a page of the very same document.
        if not (is_doc_id(first) and is_doc_id(second)):
            raise ToolFault(FaultKind.ARGUMENTS, NO_DOCUMENT)
        uris = [str(DocumentUri(first)), str(DocumentUri(second))]
        if first == second:
            raise ToolFault(FaultKind.ARGUMENTS, "`first` and `second` must be two documents.")
        text = _COMPARE.format(topic=topic, tool=_search_tool(call), first=uris[0], second=uris[1])
        return (PromptMessage("user", Text(text)), *self._quoted(call, uris))

    def _found(self, call: Call, question: str, collection: str | None) -> Found:
        caller = _within(call.caller, collection) if collection else call.caller
        try:
            found = self._search(caller, [question], caller.top_n)
        except Problem as problem:
            raise fault(call, "Search failed", problem) from problem
        call.facts.update(found.facts(found.passages))
        return found

    def _quoted(self, call: Call, uris: list[str]) -> list[PromptMessage]:
        messages: list[PromptMessage] = []
        named: list[str] = []
        segments = 0
        for uri in uris:
            contents = self._source.read(call, uri)
            if contents is None:
                # Whatever the other one was, nobody is shown it.
                call.facts.clear()
                raise ToolFault(FaultKind.ARGUMENTS, NO_DOCUMENT)
            messages += [PromptMessage("user", EmbeddedResource(each)) for each in contents]
            named += cast("list[str]", call.facts["documents"])
            segments += cast("int", call.facts["segments"])
        call.facts.update(documents=named, segments=segments)
        return messages


def _within(caller: Caller, collection: str) -> Caller:
    """The caller, for whom there is this collection alone: narrower than before, never wider."""
    return replace(caller, collections=frozenset({collection} if caller.reaches(collection) else ()))


def _told(arguments: Mapping[str, str], name: str) -> str:
    text = arguments[name].strip()
    if not text:
        raise ToolFault(FaultKind.ARGUMENTS, f"`{name}` holds no text.")
    return text


def _search_tool(call: Call) -> str:
    """What the search is called in the key's toolset."""
    return "search" if "search" in TOOLSETS.get(call.caller.toolset, ()) else "rag_search"
