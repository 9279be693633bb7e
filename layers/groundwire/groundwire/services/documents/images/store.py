"""Images of a document version, stored beside its original and deleted with it.

A list of the images is stored before them, so that a crash leaves nothing that a deletion would not find. All keys have
a prefix that no document id has, so that a role can be allowed to read pictures and no originals.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple, cast

from groundwire.domain.errors import NotFound
from groundwire.ports import Blobs
from groundwire_readers.contents.parsed import ParsedImage

KEY_PREFIX: Final = "_images/"
"""Beginning of the keys of all pictures and lists; a document id begins with a letter or a digit."""


@dataclass(frozen=True, slots=True)
class StoredImage:
    """Description of a stored image.

    Attributes:
        position: among the images of the version, from 0.
        page: page, slide or sheet, from 1; None where the format has none.
        digest: SHA-256 of the content, hexadecimal.
    """

    position: int
    media_type: str
    width: int
    height: int
    page: int | None
    digest: str


class Picture(NamedTuple):
    """Content of a stored image.

    Attributes:
        media_type: "image/png" or "image/jpeg".
    """

    content: bytes
    media_type: str


class ImageStore:
    """Store of the images of document versions; who may read a document may read its images."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def put(self, tenant: str, doc_id: str, version: int, images: Sequence[ParsedImage]) -> None:
        """Store the images of a version in place of those that it had."""
        self.delete(tenant, doc_id, version)
        if not images:
            return
        listed = [
            [one.position, one.media_type, one.width, one.height, one.page, sha256(one.content).hexdigest()]
            for one in images
        ]
        self._blobs.put(tenant, _list_key(doc_id, version), json.dumps(listed).encode())
        for image in images:
            self._blobs.put(tenant, _image_key(doc_id, version, image.position), image.content)

    def list(self, tenant: str, doc_id: str, version: int) -> tuple[StoredImage, ...]:
        """Return the images of a version in order; empty when it has none."""
        try:
            content = self._blobs.get(tenant, _list_key(doc_id, version))
        except NotFound:
            return ()
        rows = cast("list[tuple[int, str, int, int, int | None, str]]", json.loads(content))
        return tuple(StoredImage(*row) for row in rows)

    def find(self, tenant: str, doc_id: str, version: int, position: int, digest: str) -> Picture | None:
        """Return the picture of this position and content; None when the version has no such image."""
        for image in self.list(tenant, doc_id, version):
            if (image.position, image.digest) == (position, digest):
                with suppress(NotFound):
                    return Picture(self.get(tenant, doc_id, version, image), image.media_type)
        return None

    def get(self, tenant: str, doc_id: str, version: int, image: StoredImage) -> bytes:
        """Return the content of an image.

        Raises:
            NotFound: the version has no such image, or not one of this content.
        """
        with suppress(NotFound):
            content = self._blobs.get(tenant, _image_key(doc_id, version, image.position))
            if sha256(content).hexdigest() == image.digest:
                return content
        raise NotFound("The stored image is missing. Ingest the document again.")

    def delete(self, tenant: str, doc_id: str, version: int) -> None:
        """Delete the images of a version, the list of them last; no error without any."""
        images = self.list(tenant, doc_id, version)
        for image in images:
            self._blobs.delete(tenant, _image_key(doc_id, version, image.position))
        if images:
            self._blobs.delete(tenant, _list_key(doc_id, version))


def _list_key(doc_id: str, version: int) -> str:
    return f"{KEY_PREFIX}{doc_id}/{version}"


def _image_key(doc_id: str, version: int, position: int) -> str:
    return f"{KEY_PREFIX}{doc_id}/{version}/{position}"
