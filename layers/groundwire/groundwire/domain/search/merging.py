"""Merging of the results of several queries into one ranking, by turns.

The queries of a plan are the parts of a compound question, or several wordings of one. Their scores are not comparable:
a part in common words has higher scores than one in rare words, and would fill the answer alone. By turns, each query
has the same share of the answer, whatever its scores.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def merge_by_turns(rankings: Sequence[Sequence[Item]], most: int, identity: Callable[[Item], Hashable]) -> list[Item]:
    """Return the first `most` results of the merged rankings, each once; the best of the first ranking is the first.

    In its turn a ranking gives its best result that no other one has given before. A ranking without further results
    has no more turns, so the others fill its places.

    Args:
        rankings: one for each query, best first.
        most: maximum number of results.
        identity: the value by which two results are the same one.
    """
    merged: dict[Hashable, Item] = {}
    waiting = deque(iter(ranking) for ranking in rankings)
    while waiting and len(merged) < most:
        ranking = waiting.popleft()
        if _take_next(ranking, merged, identity):
            waiting.append(ranking)
    return list(merged.values())


def _take_next(ranking: Iterator[Item], merged: dict[Hashable, Item], identity: Callable[[Item], Hashable]) -> bool:
    """Add the next result of the ranking that is not merged yet; return whether there was one."""
    for item in ranking:
        if identity(item) not in merged:
            merged[identity(item)] = item
            return True
    return False
