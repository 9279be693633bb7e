"""The metadata fields that exist for a caller, with their types: index and registry decide."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Superseded
from groundwire.domain.filters.field_types import FieldType, FieldTypes, field_type
from groundwire.domain.limits import MAX_REGISTRY_READS
from groundwire.services.documents.browse.read_access import may_read

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Principal
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import CollectionGrant
    from groundwire.ports import Documents, Indexes

_KEPT_SECONDS: Final = 10.0
_MAX_KEPT: Final = 256
_SAMPLED_DOCUMENTS: Final = 5
"""Documents that may confirm a field of one type: the index may be behind the registry."""

_Sampled = Mapping[str, Mapping[FieldType, Sequence[str]]]
_Key = tuple["Principal", "CollectionGrant", frozenset[str]]


class ReadableFields:
    """Fields of the documents that a caller may read.

    A name counts with a type while the registry has a document that the caller may read and that has such a value. An
    answer is kept for a few seconds, by principal, collections of the key and collections of the call.

    Args:
        indexes: the indexes.
        documents: the records.
        clock: monotonic seconds.
    """

    def __init__(self, indexes: "Indexes", documents: "Documents", clock: Callable[[], float] = time.monotonic) -> None:
        self._indexes = indexes
        self._documents = documents
        self._clock = clock
        self._kept: OrderedDict[_Key, tuple[float, FieldTypes]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, caller: "Caller", collections: Iterable[str]) -> FieldTypes:
        """Return the types of each field in these collections; those that the key does not cover are left out."""
        names = frozenset(name for name in collections if caller.allows_collection(name))
        key = caller.principal, caller.collections, names
        with self._lock:
            found = self._kept.get(key)
        if found is not None and self._clock() < found[0]:
            return found[1]
        # Before the read: an answer must not outlive a change of rights by the time that the read takes.
        expires_at = self._clock() + _KEPT_SECONDS
        fields: FieldTypes = self._read(caller, sorted(names)) if names else {}
        with self._lock:
            self._kept[key] = expires_at, fields
            # A key that exists keeps its old place when it is set.
            self._kept.move_to_end(key)
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return fields

    def _read(self, caller: "Caller", names: Sequence[str]) -> FieldTypes:
        try:
            sampled = self._sample(caller, names)
        except Superseded:
            # Another generation of the index was published meanwhile.
            sampled = self._sample(caller, names)
        return self._confirmed(caller, frozenset(names), sampled)

    def _sample(self, caller: "Caller", names: Sequence[str]) -> _Sampled:
        from groundwire.domain.search.request import ALL_DOCUMENTS
        from groundwire.ports import DocumentsByField, RowSelection, lexical_half

        rows = RowSelection(caller.principal, names, ALL_DOCUMENTS, None)
        index = lexical_half(self._indexes.for_tenant(caller.principal.tenant))
        return index.select(DocumentsByField(rows, _SAMPLED_DOCUMENTS))

    def _confirmed(self, caller: "Caller", names: frozenset[str], sampled: _Sampled) -> FieldTypes:
        """Return the sampled fields that a readable record has; each record confirms all of its fields."""
        held: dict[str, set[FieldType]] = {}
        read = set[str]()
        for place in range(_SAMPLED_DOCUMENTS):
            missing = {
                doc_ids[place]
                for name, types in sampled.items()
                for kind, doc_ids in types.items()
                if place < len(doc_ids) and kind not in held.get(name, ())
            }
            ids = sorted(missing - read)
            read.update(ids)
            for start in range(0, len(ids), MAX_REGISTRY_READS):
                records = self._documents.read(caller.principal.tenant, ids[start : start + MAX_REGISTRY_READS])
                for record in records.values():
                    if record.collection in names and may_read(caller, record):
                        for name, value in record.metadata.items():
                            held.setdefault(name, set()).add(field_type(value))
        return {name: frozenset(types) for name, types in held.items()}
