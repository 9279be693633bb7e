"""Size of answers: as much as fits in the tokens that a key or a call allows, in whole passages."""

import json
from collections.abc import Callable
from typing import TypeVar

from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.protocol.definitions.content import TextContent
from groundwire.protocol.definitions.tools import ToolResult

AnswerT = TypeVar("AnswerT")


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


def result_tokens(result: ToolResult) -> int:
    """Return the tokens of a result in its largest form, of which a client feeds its model one."""
    content = "\n".join(each.text for each in result.content if isinstance(each, TextContent))
    # What a dialect repeats beside `content` is a part of the structured form.
    data = result.structured or result.fields
    return max(estimate_tokens(content), estimate_tokens(json.dumps(data, ensure_ascii=False)) if data else 0)
