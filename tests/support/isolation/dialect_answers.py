"""Answers of dialects: which documents one may be of, which names it must not hold, and how often each held one."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.support.isolation.dialect_calls import DialectCall, Wanted
from tests.support.isolation.draws import COLLECTIONS
from tests.support.isolation.expectations import Held
from tests.support.worlds.world import Answer

ABSENT: Final = Wanted("zzshelf", "zzpaper", "zzpaper.0123456789abcdef", "zzother")
"""Names of what never was, and words of no answer."""

_FILE_NAME: Final = re.compile(rb"[0-9]+\.(?:txt|eml)")
_OF_ONE_ANSWER: Final = frozenset({"content-length", "request-id", "elapsed-time"})
"""Headers that differ between equal answers: the length of the names that were sent, ids and times."""
_TIMES: Final = re.compile(rb'"queryTime":"[^"]+"|"(?:elapsedMs|took)":[0-9]+')
"""Members that differ between equal answers: times of a search."""


@dataclass(frozen=True, slots=True)
class DialectCounts:
    """Numbers of answers, by the name of the call.

    Attributes:
        shown: with something that the caller may read.
        hidden: about what the caller may not read, the same as about what never was.
        refused: to a key that is no longer valid, or to tags that it does not cover.
    """

    shown: Counter[str] = field(default_factory=Counter[str])
    hidden: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])

    def gaps(self, calls: Iterable[DialectCall]) -> list[str]:
        """Return what no answer has shown: a call that is checked in vain."""
        gaps: list[str] = []
        for each in calls:
            if not self.shown[each.name]:
                gaps.append(f"{each.name}: never answered")
            if each.scope != "everything" and not self.hidden[each.name]:
                gaps.append(f"{each.name}: never about what is hidden")
            if not self.refused[each.name]:
                gaps.append(f"{each.name}: never refused")
        return gaps


def documents_of(each: DialectCall, wanted: Wanted, seen: Sequence[Held]) -> list[Held]:
    """Return the documents that the answer to a caller who may read `seen` is of."""
    match each.scope:
        case "everything":
            return list(seen)
        case "collection":
            return [held for held in seen if held.collection == wanted.collection]
        case "document":
            return [held for held in seen if held.doc_id == wanted.doc_id]
        case "file":
            return [held for held in seen if (held.collection, held.doc_id) == (wanted.collection, wanted.doc_id)]
        case "passage":
            return [held for held in seen if wanted.uid in held.uids[-len(held.passages) :]]
        case "pair":
            pair = [held for held in seen if held.doc_id in {wanted.doc_id, wanted.second}]
            return pair if len(pair) > 1 else []


def leaked_names(answer: Answer, sent: str, shown: Sequence[Held], documents: Iterable[Held]) -> set[str]:
    """Return names of documents, files and collections in the answer that belong to none of the documents shown.

    Args:
        answer: any answer.
        sent: path and body of the call, which may name what they like.
        shown: documents that the answer may be of.
        documents: all that there ever were.
    """
    text = answer.bytes
    allowed = {name for held in shown for name in (held.doc_id, held.collection, held.path.rpartition("/")[2])}
    names = {held.doc_id for held in documents} | set(COLLECTIONS)
    files = {name.decode() for name in _FILE_NAME.findall(text)}
    return {name for name in (*files, *names) if name not in allowed and name not in sent and name.encode() in text}


def absent_like(each: DialectCall, wanted: Wanted) -> Wanted:
    """Return what the call would be about if it named something that never was in its place."""
    match each.scope:
        case "everything":
            return wanted
        case "collection":
            return wanted._replace(collection=ABSENT.collection)
        case "document" | "passage" | "file":
            return wanted._replace(doc_id=ABSENT.doc_id, uid=ABSENT.uid)
        case "pair":
            return wanted._replace(doc_id=ABSENT.doc_id, second=ABSENT.second)


def without_names(answer: Answer, wanted: Wanted) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return status, headers and body of an answer without times and the names that were sent."""
    headers = sorted((name, value) for name, value in answer.response.headers if name.lower() not in _OF_ONE_ANSWER)
    body = _TIMES.sub(b"", answer.response.body)
    for name, place in ((wanted.uid, b"UID"), (wanted.doc_id, b"ID"), (wanted.second, b"SECOND")):
        body = body.replace(name.encode(), place)
    return answer.status, headers, body.replace(wanted.collection.encode(), b"COLLECTION")
