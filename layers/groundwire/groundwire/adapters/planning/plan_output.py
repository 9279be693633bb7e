"""Structured output of a planning model, checked before it is used: the text of a model is never trusted."""

import unicodedata
from typing import Final, NamedTuple, Protocol

from groundwire.adapters.planning.prompt import PlanningPrompt
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.text.json_values import integer_member, list_or_empty, mapping_or_empty

_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control characters, halves of characters, private and unassigned ones, separators of lines."""


class MalformedPlan(Unavailable):
    """Error for an output that is no list of queries."""


class PlanOutput(NamedTuple):
    """Output of a model, and what it cost by the service's own count; None where the service states none."""

    value: object
    input_tokens: int | None
    output_tokens: int | None


class PlanningModel(Protocol):
    """Language model of a service.

    Attributes:
        name: of the model. deployment: name under which the service has it.
    """

    name: str
    deployment: str

    def ask(self, prompt: PlanningPrompt, seconds: float, /) -> PlanOutput:
        """Return the output, unchecked.

        Raises:
            DomainError: the service gives none in time.
        """
        ...


def checked_queries(value: object, most: int) -> tuple[str, ...]:
    """Return the queries of an output, each once.

    Raises:
        MalformedPlan: it is no object with a list of 1 to `most` texts that can be searched.
    """
    texts = list_or_empty(mapping_or_empty(value).get("queries"))
    if not 1 <= len(texts) <= most:
        raise MalformedPlan("the number of queries is wrong")
    return tuple(dict.fromkeys(map(_checked, texts)))


def token_count(usage: object, name: str) -> int | None:
    """Return a count of tokens of a model's usage; None where it names none."""
    count = integer_member(mapping_or_empty(usage), name)
    return None if count is None or count < 0 else count


def _checked(text: object) -> str:
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_PHRASE_CHARACTERS:
        raise MalformedPlan("a query is no text, empty or too long")
    if any(unicodedata.category(character) in _REFUSED_CATEGORIES for character in text):
        raise MalformedPlan("a query has control characters")
    return text.strip()
