"""Preview of a change of access: its effects on the readers of a document or on the documents of a user.

Each change is applied to a copy of what the stores have, by the function that applies the real one.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.groups import parse_group, parse_tags_of_group
from groundwire.domain.access.policy import Policy, Principal, decide
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_max_tag, parse_user
from groundwire.domain.documents.changes.ceiling import limiting
from groundwire.domain.documents.changes.policy_authority import check_people_decide
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Forbidden, InvalidInput, NotFound
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.limits import MAX_POLICY_TAG_DOCUMENTS, MAX_TAGS_PER_CALL
from groundwire.ports.registry.documents import living_documents
from groundwire.services.documents.browse.access.check import find_document, may_person_read
from groundwire.services.documents.browse.access.person import CallDenial, Person, PersonQuery, PersonResolver
from groundwire.services.documents.browse.access.readers import AccessStores, GainedReaders, ReadersFinder, key_role

if TYPE_CHECKING:
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.services.documents.browse.access.view import AccessView

MAX_CHANGED: Final = 200
"""Limit of the documents that an effect names in each direction; the counts are of all."""
_NO_DECISION: Final = Decision("", 0.0, "", "")
_UNBOUNDED_REQUIRED: Final = (
    "Tags of users, groups and blocks apply to the whole tenant, and this key is bounded: use one without bounds."
)


class ReadersTrial(NamedTuple):
    """Readers that a person would set for a document."""

    doc_id: str
    policy: Policy


class TagsTrial(NamedTuple):
    """Tags that would be stored for a user."""

    user: str
    tags: Sequence[str]


class GroupTrial(NamedTuple):
    """Tags that a group of the identity provider would give."""

    group: str
    tags: Sequence[str]


class BoundTrial(NamedTuple):
    """Tags, or prefixes that end in `*`, that calls of a key could send."""

    kid: str
    max_tags: Sequence[str]


class BlockTrial(NamedTuple):
    """Block of a user."""

    user: str


AccessTrial = ReadersTrial | TagsTrial | GroupTrial | BoundTrial | BlockTrial


@dataclass(frozen=True, slots=True)
class ReadersEffect:
    """Effect of a change on the readers of a document.

    Attributes:
        was_everyone, is_everyone: every user of the tenant can read it, before and after the change.
        gained, lost: readers on one side of the change alone.
    """

    document: Document
    was_everyone: bool
    is_everyone: bool
    gained: GainedReaders
    lost: GainedReaders


@dataclass(slots=True)
class DocumentsEffect:
    """Documents that somebody can read on one side of a change alone.

    Attributes:
        gained, lost: by id, at most `MAX_CHANGED` each.
        gained_by_collection, lost_by_collection: numbers of all of them.
        is_complete: False where `limits.MAX_POLICY_TAG_DOCUMENTS` ended the reading.
    """

    gained: list[Document] = field(default_factory=list[Document])
    lost: list[Document] = field(default_factory=list[Document])
    gained_by_collection: Counter[str] = field(default_factory=Counter[str])
    lost_by_collection: Counter[str] = field(default_factory=Counter[str])
    is_complete: bool = True

    def count(self, document: Document, *, could: bool, can: bool) -> None:
        """Count a document that could be read before the change, or can be afterwards."""
        if could == can:
            return
        listed, counts = (self.gained, self.gained_by_collection) if can else (self.lost, self.lost_by_collection)
        counts[document.collection] += 1
        if len(listed) < MAX_CHANGED:
            listed.append(document)


AccessEffect = ReadersEffect | DocumentsEffect
_Condition = Callable[[Document], bool]


class AccessSimulator:
    """Simulator of changes: it writes nothing."""

    def __init__(self, stores: AccessStores, resolve: PersonResolver, find_readers: ReadersFinder) -> None:
        self._stores = stores
        self._resolve = resolve
        self._find_readers = find_readers

    def __call__(self, view: "AccessView", change: AccessTrial) -> AccessEffect:
        """Return the effect of a change within the view.

        Raises:
            NotFound: there is no such document or key within the view.
            InvalidInput: a name or a tag of the change is not valid, the key has no bound of tags, or the document is
                an attachment.
            Conflict: files and options name the readers in the collection of the document.
            Forbidden: the change is of users, groups or blocks, which the view does not have.
        """
        match change:
            case ReadersTrial():
                return self._policy(view, change)
            case TagsTrial():
                return self._tags(view, change)
            case GroupTrial():
                return self._group(view, change)
            case BoundTrial():
                return self._bound(view, change)
            case BlockTrial():
                return self._block(view, change)

    def _policy(self, view: "AccessView", change: ReadersTrial) -> ReadersEffect:
        document = find_document(self._stores.documents, view, change.doc_id)
        if document.parent is not None:
            raise InvalidInput(f"{document.source_file_name} is an attachment: ask about {document.parent}.")
        check_people_decide(self._stores.collections.all(view.tenant), document)
        before, after = document.readers, limiting(change.policy)(document, _NO_DECISION).readers
        nobody = Principal(view.tenant, None, frozenset())
        return ReadersEffect(
            document,
            bool(decide(nobody, before)),
            bool(decide(nobody, after)),
            self._find_readers.gained(view, document, before, after),
            self._find_readers.gained(view, document, after, before),
        )

    def _tags(self, view: "AccessView", change: TagsTrial) -> DocumentsEffect:
        _check(is_visible=view.sees_entries)
        before = self._resolve(view, PersonQuery(change.user, None, None))
        after = replace(before, principal=replace(before.principal, tags=parse_tags(change.tags)))
        return self._documents(view, _reads(before), _reads(after))

    def _group(self, view: "AccessView", change: GroupTrial) -> DocumentsEffect:
        _check(is_visible=view.sees_entries)
        mapped = self._stores.groups.read(view.tenant).get(parse_group(change.group), frozenset[str]())
        # Only the identity provider knows a user's other groups.
        before, after = (
            Person(Principal(view.tenant, None, tags), None, 0, None, None, is_blocked=False)
            for tags in (mapped, parse_tags_of_group(change.tags))
        )
        return self._documents(view, _reads(before), _reads(after))

    def _bound(self, view: "AccessView", change: BoundTrial) -> DocumentsEffect:
        key = self._stores.keys.get(view.tenant, change.kid)
        if key is None or not view.sees_key(key):
            raise NotFound(f"There is no key {change.kid!r}.", "key")
        if key.kind is KeyKind.PERSONAL:
            raise InvalidInput(f"The key {key.kid} has tags of its own and no bound: its calls can send no tags.")
        if len(change.max_tags) > MAX_TAGS_PER_CALL:
            raise InvalidInput(f"A key can have at most {MAX_TAGS_PER_CALL} tags as its bound.")
        bounded = replace(key, max_tags=tuple(dict.fromkeys(map(parse_max_tag, change.max_tags))))
        return self._documents(view, _reached(key), _reached(bounded))

    def _block(self, view: "AccessView", change: BlockTrial) -> DocumentsEffect:
        _check(is_visible=view.sees_entries and view.sees_blocks)
        before = self._resolve(view, PersonQuery(parse_user(change.user), None, None))
        return self._documents(view, _reads(before), _reads(replace(before, denial=CallDenial.BLOCKED)))

    def _documents(self, view: "AccessView", could: _Condition, can: _Condition) -> DocumentsEffect:
        effect = DocumentsEffect()
        for seen, document in enumerate(
            filter(view.finds, living_documents(self._stores.documents, view.tenant, None))
        ):
            if seen == MAX_POLICY_TAG_DOCUMENTS:
                effect.is_complete = False
                break
            effect.count(document, could=could(document), can=can(document))
        return effect


def _check(*, is_visible: bool) -> None:
    if not is_visible:
        raise Forbidden(_UNBOUNDED_REQUIRED)


def _reads(person: Person) -> _Condition:
    return lambda document: may_person_read(person, document)


def _reached(key: "ApiKey") -> _Condition:
    def reached(document: Document) -> bool:
        is_open = document.state is DocumentState.INDEXED and key.allows_collection(document.collection)
        return is_open and key_role(key, document.readers) is not None

    return reached
