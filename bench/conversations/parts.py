"""Parts of the planner that an ablation leaves out, and plans that it is compared with."""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from groundwire.domain.search.conversation import Turn
from groundwire.services.evaluate.baselines import all_messages, last_message
from groundwire.services.search.planning import planner, splitting

Plan = Callable[[Sequence[Turn], int], tuple[str, ...]]
Replacement = tuple[ModuleType, str, Callable[[Any], Any]]


def _itself(value: str | list[str]) -> str | list[str]:
    return value


def _alone(text: str) -> list[str]:
    return [text]


def _last(messages: Sequence[str]) -> str:
    return messages[-1]


PARTS: Final[Mapping[str, Sequence[Replacement]]] = {
    "joined messages": [(planner, "_joined", _last)],
    "questions": [(planner, "questions_of", _alone)],
    "clauses of a sentence": [(splitting, "_clauses", _alone)],
    "statements around a question": [(splitting, "_grouped", _itself)],
    "long text": [(planner, "own_text", _itself)],
}
"""Names of the rules' modules, with what takes their place, by the part that is left out."""


def _last_and_all(turns: Sequence[Turn], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*last_message(turns), *all_messages(turns)]))[:most]


def _joined_first(turns: Sequence[Turn], most: int) -> tuple[str, ...]:
    *questions, joined = planner.plan_queries(turns, most)
    return (joined, *questions)


PLANS: Final[Mapping[str, Plan]] = {
    "last, all": _last_and_all,
    "joined messages first": _joined_first,
    "three queries": lambda turns, most: planner.plan_queries(turns, min(most, 3)),
}
"""Plans beside the planner."""
