"""Work that is one step ahead of whoever takes its results."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def one_ahead(items: Iterable[Item], begin: Callable[[Item], None], work: Callable[[Item], Result]) -> Iterator[Result]:
    """`work` of each item in order, done by a thread while the result before is being used: two at most are held.

    A caller who takes no more results does not wait for the work that is under way.

    Args:
        items: taken one by one.
        begin: called by the caller's own thread just before the item's work starts.
        work: an error that it raises is raised when its result's turn has come.
    """
    ahead = ThreadPoolExecutor(1, thread_name_prefix="ingest-ahead")
    try:
        pending: Future[Result] | None = None
        for item in items:
            begin(item)
            following = ahead.submit(work, item)
            if pending is not None:
                yield pending.result()
            pending = following
        if pending is not None:
            yield pending.result()
    finally:
        ahead.shutdown(wait=False, cancel_futures=True)
