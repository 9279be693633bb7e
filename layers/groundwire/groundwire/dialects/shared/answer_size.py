"""Size of answers: as much as fits in the tokens that a key or a call allows, in whole passages."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS, MAX_ANSWER_TOKENS
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import ToolResult

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller

AnswerT = TypeVar("AnswerT")

FRAME_TOKENS: Final = 80
"""Tokens around the passages and their sources, of the text and of the structured answer."""


def answer_tokens(caller: "Caller") -> int:
    """Return the tokens of an answer whose call cannot name them: the largest where the key leaves the default."""
    max_tokens = caller.options.max_tokens
    return MAX_ANSWER_TOKENS if max_tokens == DEFAULT_ANSWER_TOKENS else max_tokens


def largest_fitting(most: int, build: Callable[[int], AnswerT], size: Callable[[AnswerT], int], limit: int) -> AnswerT:
    """Return the answer with the most passages that fits; the one with a single passage where none does.

    Args:
        most: passages at most; 0 counts as 1.
        build: makes the answer with that many passages, which grows with them.
        size: tokens of an answer.
        limit: tokens that the answer may have.
    """
    best = build(most)
    if most <= 1 or size(best) <= limit:
        return best
    least, most = 1, most - 1
    best = build(least)
    while least < most:
        middle = (least + most + 1) // 2
        answer = build(middle)
        if size(answer) <= limit:
            least, best = middle, answer
        else:
            most = middle - 1
    return best


def passages_tokens(result: ToolResult) -> int:
    """Return the tokens of an answer of passages at most: of its structured form with a frame.

    The text has the same passages with less beside them, so it is not measured.
    """
    return FRAME_TOKENS + estimate_tokens(json.dumps(result.structured, ensure_ascii=False))


def result_tokens(result: ToolResult) -> int:
    """Return the tokens of a result in its largest form, of which a client feeds its model one."""
    content = "\n".join(each.text for each in result.content if isinstance(each, TextContent))
    # What a dialect repeats beside `content` is a part of the structured form.
    data = result.structured or result.fields
    return max(estimate_tokens(content), estimate_tokens(json.dumps(data, ensure_ascii=False)) if data else 0)
