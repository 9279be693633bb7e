"""Copies of a filled home's documents, made in SQL: words and terms are copied, vectors are drawn anew."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from bench.corpus import COLLECTION, near
from bench.home import TENANT
from groundwire.adapters.local.index.store.file import connect
from groundwire.wiring.local.services import LocalServices

_TURN: Final = 0.6
"""As far as the bench's own vectors lie from their cluster's centre."""
_COPY: Final = (
    (
        "INSERT INTO segments SELECT id + :ids, doc_id || :name || substr(uid, length(doc_id) + 1), doc_id || :name,"
        " version, collection, ordinal, text || ' ' || :name, heading_path, page_first, page_last, headline, summary,"
        " title, language, keywords, context, questions, x'' FROM segments WHERE id <= :last"
    ),
    (
        "INSERT INTO vectors SELECT id + :ids, collection, language, metadata, turned(vector), terms, counts"
        " FROM vectors WHERE id <= :last"
    ),
    "INSERT INTO windows SELECT id + :ids, turned(vectors) FROM windows WHERE id <= :last",
    (
        "INSERT INTO log (segment, policy) SELECT segment + :ids, policy FROM log"
        " WHERE segment <= :last AND policy IS NOT NULL ORDER BY segment"
    ),
)


def multiply(services: LocalServices, index_file: Path, times: int, seed: int) -> None:
    """The tenant has `times` times its documents: the same words, policies as before, vectors of their own."""
    dimension = services.models.model.dimension
    originals = services.stores.documents.all(TENANT, COLLECTION)
    connection = connect(index_file)
    try:
        # A bench's home need not outlive a power cut.
        connection.execute("PRAGMA synchronous = OFF")
        connection.create_function("turned", 1, _turned(dimension, seed))
        # Numbers of deleted rows are not reused.
        last = int(connection.execute("SELECT max(segment) FROM log").fetchone()[0])
        for copy in range(1, times):
            _copy(connection, copy, last)
            name = _name(copy)
            services.stores.documents.add_queued(
                TENANT,
                [replace(one, doc_id=one.doc_id + name, source_path=f"{one.source_path}{name}") for one in originals],
            )
    finally:
        connection.close()


def _name(copy: int) -> str:
    return f"-{copy:02d}"


def _copy(connection: sqlite3.Connection, copy: int, last: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _COPY:
        wanted = {"ids": copy * last, "last": last, "name": _name(copy)}
        connection.execute(statement, {key: value for key, value in wanted.items() if f":{key}" in statement})
    connection.execute("COMMIT")


def _turned(dimension: int, seed: int) -> Callable[[bytes], bytes]:
    """Half-precision unit vectors, each turned in a direction of its own."""
    random = np.random.default_rng(seed)

    def turned(stored: bytes) -> bytes:
        vectors = np.frombuffer(stored, "<f2").reshape(-1, dimension).astype(np.float64)
        return np.stack([near(random, vector, _TURN) for vector in vectors]).astype("<f2").tobytes()

    return turned
