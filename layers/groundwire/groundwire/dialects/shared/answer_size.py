"""Size of answers: as much as fits in the tokens that a key or a call allows, in whole passages."""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar

from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS, MAX_ANSWER_TOKENS
from groundwire.domain.text import token_sums
from groundwire.domain.text.token_estimate import estimate_tokens, piece_sums, tokens_of
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import ToolResult

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.search.results import Passage

AnswerT = TypeVar("AnswerT")

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
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


def text_sums(passage: "Passage") -> int:
    """Return the token sums of a passage's text: the stored ones, where no neighbours are around it."""
    stored = None if passage.context else token_sums.from_bytes(passage.segment.token_sums)
    return piece_sums(passage.text) if stored is None else stored.plain


def quoted_sums(passage: "Passage") -> int:
    """Return the token sums of a passage's text as a JSON string: the stored ones, as in `text_sums`."""
    stored = None if passage.context else token_sums.from_bytes(passage.segment.token_sums)
    return token_sums.quoted_sums(passage.text) if stored is None else stored.quoted


def json_tokens(value: object, left_out: Iterable[int]) -> int:
    """Return the tokens of a value as JSON.

    Args:
        value: the value, with an empty text in place of each that is left out. Each is a member of an object, and
            another member follows, so that no piece crosses its seams.
        left_out: `quoted_sums` of these texts.
    """
    sums = piece_sums(_ENCODER.encode(value))
    return tokens_of(sums + sum(each - token_sums.EMPTY_QUOTED for each in left_out))


def result_tokens(result: ToolResult) -> int:
    """Return the tokens of a result in its largest form; a client passes one form to its model."""
    content = "\n".join(each.text for each in result.content if isinstance(each, TextContent))
    # What a dialect repeats beside `content` is a part of the structured form.
    data = result.structured or result.fields
    return max(estimate_tokens(content), estimate_tokens(json.dumps(data, ensure_ascii=False)) if data else 0)
