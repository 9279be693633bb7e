"""Replies of the scripted model in the wire formats of three APIs: a call of a tool, or its last text.

Formats: OpenAI's Chat Completions and Responses, and Anthropic's Messages, whole and as server-sent events.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

TAIL: Final = "That is all."
Message = Mapping[str, Any]
_CREATED: Final = 1_760_000_000


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Call of a tool, which the model makes before its last text."""

    tool: str
    arguments: Mapping[str, object]

    @property
    def text(self) -> str:
        """The arguments as models write them."""
        return json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Api:
    """An API of models.

    Attributes:
        whole: the body of a reply; None stands for the last words.
        events: the same as events; each has its name, or none.
        terminator: what ends the stream, behind the last event.
    """

    whole: Callable[[ToolCall | None], Message]
    events: Callable[[ToolCall | None], Sequence[tuple[str | None, Message]]]
    terminator: str = ""

    def stream(self, call: ToolCall | None) -> Iterator[str]:
        """Yield the lines of a stream."""
        for name, data in self.events(call):
            yield f"{f'event: {name}{chr(10)}' if name else ''}data: {json.dumps(data)}\n\n"
        yield self.terminator


def _chat(call: ToolCall | None) -> Message:
    reason = "tool_calls" if call else "stop"
    choice = {"index": 0, "message": _chat_message(call), "finish_reason": reason, "logprobs": None}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**_chat_head("chat.completion", call), "choices": [choice], "usage": usage}


def _chat_events(call: ToolCall | None) -> Sequence[tuple[str | None, Message]]:
    message = _chat_message(call)
    if call:
        message = {**message, "tool_calls": [{"index": 0, **message["tool_calls"][0]}]}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}
    head = _chat_head("chat.completion.chunk", call)
    first = {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    return (None, first), (None, {**head, "choices": [end]})


def _chat_head(kind: str, call: ToolCall | None) -> Message:
    return {"id": "chatcmpl-1" if call else "chatcmpl-2", "object": kind, "created": _CREATED, "model": "gpt-5"}


def _chat_message(call: ToolCall | None) -> Message:
    if call is None:
        return {"role": "assistant", "content": TAIL, "refusal": None}
    function = {"name": call.tool, "arguments": call.text}
    return {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }


def _response(call: ToolCall | None) -> Message:
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        **_response_head("completed", call),
        "output": [_item(call)],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details},
    }


def _response_events(call: ToolCall | None) -> Sequence[tuple[str | None, Message]]:
    started, item = {**_response_head("in_progress", call), "output": []}, _item(call)
    place = {"output_index": 0, "item_id": item["id"]}
    empty = {**item, "status": "in_progress", **({"arguments": ""} if call else {"content": []})}
    events: list[tuple[str, Message]] = [
        ("response.created", {"response": started}),
        ("response.output_item.added", {"output_index": 0, "item": empty}),
    ]
    if call:
        events += [
            ("response.function_call_arguments.delta", {**place, "delta": call.text}),
            ("response.function_call_arguments.done", {**place, "name": call.tool, "arguments": call.text}),
        ]
    else:
        part = {**place, "content_index": 0}
        events += [
            ("response.content_part.added", {**part, "part": {**item["content"][0], "text": ""}}),
            ("response.output_text.delta", {**part, "delta": TAIL, "logprobs": []}),
            ("response.output_text.done", {**part, "text": TAIL, "logprobs": []}),
            ("response.content_part.done", {**part, "part": item["content"][0]}),
        ]
    events.append(("response.output_item.done", {"output_index": 0, "item": item}))
    events.append(("response.completed", {"response": _response(call)}))
    return [(name, {"type": name, "sequence_number": number, **data}) for number, (name, data) in enumerate(events)]


def _response_head(status: str, call: ToolCall | None) -> Message:
    return {
        # LangGraph takes a message whose id it knows for a new version of the old one.
        "id": "resp_1" if call else "resp_2",
        "object": "response",
        "created_at": _CREATED,
        "status": status,
        "model": "gpt-5",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "temperature": 1.0,
        "top_p": 1.0,
    }


def _item(call: ToolCall | None) -> Message:
    if call is None:
        text = {"type": "output_text", "text": TAIL, "annotations": [], "logprobs": []}
        return {"type": "message", "id": "msg_2", "status": "completed", "role": "assistant", "content": [text]}
    function = {"name": call.tool, "arguments": call.text}
    return {"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed", **function}


def _anthropic(call: ToolCall | None) -> Message:
    reason = "tool_use" if call else "end_turn"
    return {**_anthropic_head(call), "content": [_block(call)], "stop_reason": reason}


def _anthropic_events(call: ToolCall | None) -> Sequence[tuple[str | None, Message]]:
    block = _block(call)
    empty = {**block, "input": {}} if call else {**block, "text": ""}
    delta = {"type": "input_json_delta", "partial_json": call.text} if call else {"type": "text_delta", "text": TAIL}
    reason = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    events: list[tuple[str, Message]] = [
        ("message_start", {"message": {**_anthropic_head(call), "content": []}}),
        ("content_block_start", {"index": 0, "content_block": empty}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": reason, "usage": {"output_tokens": 1}}),
        ("message_stop", {}),
    ]
    return [(name, {"type": name, **data}) for name, data in events]


def _anthropic_head(call: ToolCall | None) -> Message:
    return {
        "id": "msg_1" if call else "msg_2",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _block(call: ToolCall | None) -> Message:
    if call is None:
        return {"type": "text", "text": TAIL}
    return {"type": "tool_use", "id": "toolu_1", "name": call.tool, "input": dict(call.arguments)}


APIS: Final[Mapping[str, Api]] = {
    "/v1/chat/completions": Api(_chat, _chat_events, "data: [DONE]\n\n"),
    "/v1/responses": Api(_response, _response_events),
    "/v1/messages": Api(_anthropic, _anthropic_events),
}
"""By the end of the path on which a library calls it."""
