"""Files of conversations: one JSON object a line, with turns, rewritten queries and the documents that answer."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from groundwire.adapters.local.evaluate.json_lines import json_objects, text_field, user_and_tags
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_PHRASES
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty, text_member
from groundwire.services.evaluate.conversations import Conversation

_SPEAKERS: Final[tuple[object, ...]] = tuple(Speaker)


def read_conversations(files: Sequence[Path]) -> list[Conversation]:
    """Return the conversations of all files, in their order.

    Raises:
        InvalidInput: a file cannot be read, or a line is no conversation; the message names file and line.
    """
    locations: dict[str, str] = {}
    found: list[Conversation] = []
    for file in files:
        for location, conversation in _read(file):
            if (earlier := locations.setdefault(conversation.id, location)) != location:
                raise InvalidInput(f"{location}: the id {conversation.id!r} is that of {earlier}: give it another one.")
            found.append(conversation)
    return found


def _read(path: Path) -> Iterator[tuple[str, Conversation]]:
    for location, fields in json_objects(path):
        user, tags = user_and_tags(location, fields)
        yield (
            location,
            Conversation(
                id=_name(location, fields, "id"),
                kind=_name(location, fields, "class"),
                test_set=_name(location, fields, "set"),
                turns=_turns(location, fields),
                rewrite=_rewrite(location, fields),
                relevant=frozenset(_strings(location, fields, "relevant")),
                user=user,
                tags=tags,
            ),
        )


def _turns(location: str, fields: Mapping[str, object]) -> tuple[Turn, ...]:
    turns = [_turn(location, each) for each in list_or_empty(fields.get("turns"))]
    if not turns or turns[-1].speaker is not Speaker.USER:
        raise InvalidInput(f"{location}: `turns` must be an array of messages, of which the last one is the user's.")
    return tuple(turns)


def _turn(location: str, value: object) -> Turn:
    fields = mapping_or_empty(value)
    role, text = text_member(fields, "role"), text_member(fields, "text") or ""
    if role is None or role not in _SPEAKERS or not text.strip():
        raise InvalidInput(
            f"{location}: each of `turns` must have the `role` `user` or `assistant`, and a `text` that is not empty."
        )
    return Turn(Speaker(role), text)


def _rewrite(location: str, fields: Mapping[str, object]) -> tuple[str, ...]:
    queries = _strings(location, fields, "rewrite")
    if len(queries) > MAX_PHRASES:
        raise InvalidInput(f"{location}: `rewrite` has {len(queries)} queries; a search takes {MAX_PHRASES} at most.")
    return queries


def _strings(location: str, fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    listed = list_or_empty(fields.get(name))
    texts = tuple(each for each in listed if isinstance(each, str) and each.strip())
    if not texts or len(texts) != len(listed):
        raise InvalidInput(f"{location}: `{name}` must be an array of one string or more, none of them empty.")
    return texts


def _name(location: str, fields: Mapping[str, object], name: str) -> str:
    text = text_field(location, fields, name)
    if not text.strip():
        raise InvalidInput(f"{location}: `{name}` must not be empty.")
    return text
