"""One tenant's index of one generation."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from groundwire.adapters.aws.opensearch import bodies, searching
from groundwire.adapters.aws.opensearch.engine import Engine
from groundwire.adapters.aws.opensearch.faults import IndexAbsent
from groundwire.adapters.aws.opensearch.index_mapping import IndexMapping
from groundwire.adapters.aws.opensearch.reading import Reader, of_document, of_span
from groundwire.adapters.aws.opensearch.rows import rows_of, to_segment
from groundwire.adapters.aws.opensearch.services import ServiceRules
from groundwire.adapters.aws.opensearch.vectors import to_numbers
from groundwire.adapters.aws.opensearch.writing import Writer
from groundwire.domain import errors
from groundwire.domain.access import Policy, Principal
from groundwire.domain.documents import Segment
from groundwire.domain.filters import Filter
from groundwire.domain.fusion import PhraseScores
from groundwire.domain.metadata import NONE as NO_METADATA
from groundwire.domain.metadata import Metadata
from groundwire.ports import DocumentVersion, ModelId, Phrase, SegmentInput, SegmentVectors, Span

NO_CANDIDATES = PhraseScores((), (), (), ())


T = TypeVar("T")


class OpenSearchIndex:
    """An `Index` in an index of OpenSearch; every method raises Unavailable, and Superseded when another answers.

    It remembers the segments of its last search, so one object serves one call.

    Args:
        name: of the engine's index. check_standing: raises Superseded when this generation neither answers nor is
            being made. mapping: of that index.
    """

    def __init__(
        self,
        engine: Engine,
        rules: ServiceRules,
        tenant: str,
        name: str,
        model: ModelId,
        check_standing: Callable[[], None],
        mapping: IndexMapping,
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._tenant = tenant
        self._name = name
        self._model = model
        self._check_standing = check_standing
        self._mapping = mapping
        self._reader = Reader(engine, name)
        self._writer = Writer(engine, rules, name, mapping)
        self._met: Mapping[str, searching.Stored | None] = {}

    @property
    def model(self) -> ModelId:
        """The model whose vectors it holds."""
        return self._model

    @property
    def visible_after_seconds(self) -> int:
        """The service's refresh interval; 0 for an ordinary cluster, where a write waits for it."""
        return self._rules.visible_after_seconds

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing.

        Other rows of the version go as far as they are visible.

        Raises:
            Invalid: a vector is not of the index's model, or a segment not of `document`.
        """
        rows = rows_of(document, segments, metadata, self._model.dimension)
        with self._writing() as writer:
            writer.put(document, policy, rows)

    def prune(self, doc_id: str, keep_version: int | None, below: int | None = None) -> int:
        """Of the visible rows of the document those of `keep_version` and from `below` on remain; how many went."""
        with self._writing() as writer:
            return self._held(lambda: writer.prune(doc_id, keep_version, below), 0)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All visible rows of the document stand under `policy`."""
        with self._writing() as writer:
            self._held(lambda: writer.set_policy(doc_id, policy), None)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """By segment uid, exactly as they were put."""
        return self._held(lambda: self._reader.vectors(doc_id), {})

    def search(
        self,
        principal: Principal,
        collections: Sequence[str],
        phrases: Sequence[Phrase],
        depth: int,
        where: Filter | None = None,
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read and `where` admits, `depth` per signal.

        Nearness of passages and nearness of windows are two signals: of either the `depth` best passages.

        Raises:
            Denied: the principal is of another tenant.
            Invalid: a phrase's vector is not of the index's model.
        """
        if principal.tenant != self._tenant:
            raise errors.Denied("This index belongs to another tenant.")
        asked = [(phrase.text, self._numbers(phrase)) for phrase in phrases]
        if not asked or not collections or depth < 1:
            return [NO_CANDIDATES] * len(asked)
        scope = bodies.scope(principal, collections, where)
        with self._standing():
            found = searching.search(self._engine, self._name, searching.Asked(asked, scope, depth))
        self._met = found.segments
        return found.scores

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        wanted = [key for key in dict.fromkeys(keys) if isinstance(key, str)]
        found = dict(self._met)
        if unmet := [key for key in wanted if key not in found]:
            with self._standing():
                found |= searching.fetch(self._engine, self._name, unmet)
        return {key: to_segment(stored) for key in wanted if (stored := found[key]) is not None}

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        return self._held(lambda: self._reader.segments(*of_document(document)), [])

    def around(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """The segments of each span, by ordinal, by one request."""
        with self._standing():
            return self._reader.segments_of([of_span(span) for span in spans])

    def find(self, document: DocumentVersion, uid: str) -> Segment | None:
        """The one of them with this uid; None where this version has none."""
        with self._standing():
            return next(iter(self._reader.segments(*of_document(document), {"term": {"uid": uid}})), None)

    def rows_of(self, document: DocumentVersion) -> int:
        """How many visible rows this version of the document has."""
        return self._held(lambda: self._rows_of(document), 0)

    def versions(self) -> Mapping[DocumentVersion, int]:
        """How many visible rows each version of each document has."""
        return self._held(self._reader.versions, {})

    def count(self) -> int:
        """How many visible rows there are; where the service gives the ids, a row may count twice for a while."""
        return self._held(self._reader.count, 0)

    def _rows_of(self, document: DocumentVersion) -> int:
        if self._rules.custom_ids:
            return self._reader.count(*of_document(document))
        return len({each.key for each in self._reader.stored(*of_document(document)) if each.is_passage})

    def _numbers(self, phrase: Phrase) -> list[float] | None:
        return None if phrase.vector is None else to_numbers(phrase.vector, self._model.dimension)

    def _held(self, ask: Callable[[], T], nothing: T) -> T:
        """An index that should answer and was lost holds nothing: whoever brings documents in makes it anew.

        Nor does one that is so new that it is not searched yet.
        """
        try:
            return ask()
        except IndexAbsent:
            self._check_standing()
            return nothing

    @contextmanager
    def _standing(self) -> Generator[None]:
        """An index that is absent has been replaced, as a rule."""
        try:
            yield
        except IndexAbsent:
            self._check_standing()
            raise

    @contextmanager
    def _writing(self) -> Generator[Writer]:
        """Nothing is written where nobody reads it any more: a bulk would make an index that is absent anew."""
        self._check_standing()
        self._mapping.check()
        self._met = {}
        try:
            with self._standing():
                yield self._writer
        except errors.Unavailable:
            self._mapping.forget()
            raise
